"""Background processes: Celery tasks, their scheduler, and the SMTP server."""
