"""Pages for programs: health, metrics, status, mail that arrives over HTTP; and the mailbox of a trial."""

from pbem.web.system import health, metrics, status

PAGES = (health.pages, metrics.pages, status.pages)
