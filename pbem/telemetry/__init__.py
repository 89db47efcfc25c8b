"""What operators can observe: logs, metrics, errors and traces, all without secrets."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pbem.telemetry import logs, sentry, traces
from pbem.telemetry.redaction import Redactor

if TYPE_CHECKING:
    from pbem.config import Config

log = logging.getLogger(__name__)


def configure(part: str, config: Config) -> None:
    """Configure logging of a process, and error reports and traces if enabled; `part` is its name in the service."""
    redact = Redactor(config.secrets)
    logs.configure(part, redact, as_json=config.log_format == "json")
    sentry.configure(part, redact, config.sentry_dsn)
    traces.configure(part, redact, config.otlp_endpoint)
    for sentence in config.unknown_settings:
        log.warning("%s", sentence)
