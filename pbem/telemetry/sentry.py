"""Optional error reports to Sentry, without secrets, local variables or anything that users sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pbem
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.telemetry.redaction import Redactor

DROPPED_FIELDS = ("server_name", "modules", "extra", "request", "user")
"""Default fields of an event that are confidential or useless."""
UNREDACTED_FIELDS = ("event_id", "timestamp", "platform", "release", "environment", "level", "sdk", "type", "contexts")
"""Fields of an event that hold no text of ours and are sent unredacted."""


def configure(part: str, redact: Redactor, dsn: str | None) -> None:
    """Report the errors of this process to Sentry; without a DSN the SDK is not even imported."""
    if not dsn:
        return
    import sentry_sdk  # noqa: PLC0415 -- optional
    from sentry_sdk.integrations.atexit import AtexitIntegration  # noqa: PLC0415 -- optional
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415 -- optional

    def redacted(event: Any, _hint: object) -> Any:
        kept = {
            name: value if name in UNREDACTED_FIELDS else redact.redact_data(value)
            for name, value in event.items()
            if name not in DROPPED_FIELDS
        }
        tags = {"part": part} | {name: str(value) for name, value in logs.current_fields().items()}
        return kept | {"tags": redact.redact_data(tags)}

    sentry_sdk.init(
        dsn=dsn,
        release=pbem.__version__,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(), AtexitIntegration(callback=lambda _waiting, _seconds: None)],
        max_breadcrumbs=0,
        before_send=redacted,
    )
