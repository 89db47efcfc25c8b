"""What the service tells those who watch it: lines in logs, figures, faults and traces, without anybody's secrets."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pbem.telemetry import logs, sentry, traces
from pbem.telemetry.redaction import Scrubber

if TYPE_CHECKING:
    from pbem.config import Config

log = logging.getLogger(__name__)


def begin(part: str, config: Config) -> None:
    """Have a process, that is the named part of the service, write its log, and tell of faults and traces on wish."""
    scrub = Scrubber(config.secrets)
    logs.begin(part, scrub, as_json=config.log == "json")
    sentry.begin(part, scrub, config.sentry_dsn)
    traces.begin(part, scrub, config.otlp_endpoint)
    for sentence in config.unread:
        log.warning("%s", sentence)
