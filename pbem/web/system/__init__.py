"""Health, metrics, status, mail that arrives over HTTP, and the development mailbox."""

from pbem.web.system import health, metrics, status

PAGES = (health.pages, metrics.pages, status.pages)
