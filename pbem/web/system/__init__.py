"""Health, metrics, status, fairness check, the installable app, mail over HTTP, and the development mailbox."""

from pbem.web.system import fairness, health, installable, metrics, status

PAGES = (fairness.pages, health.pages, installable.pages, metrics.pages, status.pages)
