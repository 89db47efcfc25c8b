"""Optional traces: spans with their duration, sent to an OpenTelemetry collector without secrets."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pbem
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.telemetry.redaction import Redactor

_tracer: list[tuple[Any, Redactor]] = []


def configure(part: str, redact: Redactor, endpoint: str | None) -> None:
    """Send the spans of this process to a collector; without an endpoint the SDK is not even imported."""
    _tracer.clear()
    if not endpoint:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 -- optional

    # The exporter reads its endpoint and headers from the standard OTEL variables.
    resource = {"service.namespace": "pbem", "service.name": f"pbem-{part}", "service.version": pbem.__version__}
    provider = TracerProvider(resource=Resource.create(resource))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer.append((provider.get_tracer("pbem"), redact))


@contextmanager
def span(name: str, **fields: object) -> Iterator[None]:
    """Trace the duration and failure of a block; does nothing unless traces are enabled."""
    if not _tracer:
        yield
        return
    tracer, redact = _tracer[0]
    from opentelemetry.trace import Status, StatusCode  # noqa: PLC0415 -- optional

    attributes = {f"pbem.{key}": redact(str(value)) for key, value in (logs.current_fields() | fields).items()}
    with tracer.start_as_current_span(
        redact(name), attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except BaseException as error:
            current.set_status(Status(StatusCode.ERROR, redact(repr(error))))
            raise
