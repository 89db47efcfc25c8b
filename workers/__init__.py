"""What runs behind the pages: Celery tasks that judge, mail and sweep."""
