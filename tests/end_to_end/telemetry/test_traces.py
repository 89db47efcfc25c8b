"""Traces: a program with the settings of the service, and a collector that takes its spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from pbem.telemetry import traces
from tests.support.telemetry.collector import collector, program

if TYPE_CHECKING:
    from pathlib import Path

AT_WORK = """
import os
from pbem import telemetry
from pbem.config import from_environment
from pbem.telemetry import logs, traces
telemetry.configure("worker", from_environment(os.environ))
with logs.bound_fields(match="m"), traces.span("task judge", who="ann@example.org"):
    with traces.span("mail"):
        pass
try:
    with traces.span("task relay"):
        raise KeyError("0123456789abcdefghjkmnpqrs")
except KeyError:
    pass
"""


def test_spans_are_told_without_secrets(tmp_path: Path) -> None:
    with collector() as (url, taken):
        run = program(AT_WORK, tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=url)
        assert run.returncode == 0, run.stderr
    (told,) = taken
    assert told.path == "/v1/traces"
    for secret in (b"ann@", b"0123456789abcdefghjkmnpqrs", b"Traceback"):
        assert secret not in told.body
    (resource,) = ExportTraceServiceRequest.FromString(told.body).resource_spans
    named = {each.key: each.value.string_value for each in resource.resource.attributes}
    assert named["service.name"] == "pbem-worker"
    spans = {span.name: span for scope in resource.scope_spans for span in scope.spans}
    assert spans.keys() == {"task judge", "mail", "task relay"}
    assert spans["mail"].parent_span_id == spans["task judge"].span_id
    told_of = {each.key: each.value.string_value for each in spans["task judge"].attributes}
    assert told_of == {"pbem.match": "m", "pbem.who": "someone at example.org"}
    assert spans["task relay"].status.message == "KeyError('[hidden]')"


def test_without_a_collector_a_span_is_nothing() -> None:
    with pytest.raises(ValueError, match="x"), traces.span("task"):
        raise ValueError("x")
