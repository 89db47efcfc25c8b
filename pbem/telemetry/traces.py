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


def configure(part: str, scrub: Redactor, endpoint: str | None) -> None:
    """Send the spans of this process to a collector; without an endpoint the SDK is not even imported."""
    _tracer.clear()
    if not endpoint:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 -- optional
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 -- optional

    # The exporter reads its endpoint and headers from the standard OTEL variables.
    told = {"service.namespace": "pbem", "service.name": f"pbem-{part}", "service.version": pbem.__version__}
    provider = TracerProvider(resource=Resource.create(told))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer.append((provider.get_tracer("pbem"), scrub))


@contextmanager
def span(name: str, **told: object) -> Iterator[None]:
    """Trace the duration and failure of a block; does nothing unless traces are enabled."""
    if not _tracer:
        yield
        return
    tracer, scrub = _tracer[0]
    from opentelemetry.trace import Status, StatusCode  # noqa: PLC0415 -- optional

    names = {f"pbem.{key}": scrub(str(value)) for key, value in (logs.current_fields() | told).items()}
    with tracer.start_as_current_span(
        scrub(name), attributes=names, record_exception=False, set_status_on_exception=False
    ) as at_work:
        try:
            yield
        except BaseException as fault:
            at_work.set_status(Status(StatusCode.ERROR, scrub(repr(fault))))
            raise
