"""The web application: run it as `gunicorn "pbem.web:create_app()"`."""

from pbem.web.app import create_app

__all__ = ["create_app"]
