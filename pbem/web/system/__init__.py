"""Health, metrics, status, the fairness check, mail that arrives over HTTP, and the development mailbox."""

from pbem.web.system import fairness, health, metrics, status

PAGES = (fairness.pages, health.pages, metrics.pages, status.pages)
