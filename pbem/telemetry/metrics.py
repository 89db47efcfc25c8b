"""Counters and histograms of this process; `pbem.db.metric_store` adds them up over all processes.

States, such as the age of the oldest queued mail, are not counted here but queried from the database.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Key = tuple[str, tuple[str, ...]]
    Counts = dict[Key, float]

SUM_LABEL = "sum"
"""Bucket label of a histogram's sum; buckets themselves are labelled by their index."""


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A counter: `labels` are its label names, `values` all values of each label if these are known.

    With `bounds` it is a histogram, with these upper bounds of its buckets.
    """

    name: str
    description: str
    labels: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    bounds: tuple[float, ...] = ()

    def initial_labels(self) -> Iterator[tuple[str, ...]]:
        """Yield the label values that are exported even before anything has happened."""
        if len(self.values) == len(self.labels):
            yield from product(*self.values)


SUBMISSION_CHANNELS = ("mail", "link", "api", "table")
DELAY_BUCKETS_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
REQUEST_BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
MAIL_RESULTS = ("sent", "dropped", "failed", "put off", "soft", "hard", "complaint", "policy")
"""Outcomes of a mail; from `soft` on, outcomes reported later."""

ACCEPTED = MetricSpec(
    "pbem_accepts", "Submissions and letters accepted, by channel", ("via",), ((*SUBMISSION_CHANNELS, "letter"),)
)
MAILS_OFFERED = MetricSpec(
    "pbem_mails_offered",
    "Answers to mails that were offered to the service",
    ("answer",),
    (("250", "450", "451", "452", "550", "552", "554"),),
)
JUDGEMENTS = MetricSpec(
    "pbem_judgements",
    "Submissions that were judged",
    ("via", "status"),
    (SUBMISSION_CHANNELS, ("played", "rejected", "already_played", "done", "ignored", "failed")),
)
JUDGEMENT_SECONDS = MetricSpec(
    "pbem_judged_seconds", "Seconds from a submission to its verdict", bounds=DELAY_BUCKETS_SECONDS
)
MAILS = MetricSpec("pbem_mails", "Mails by outcome", ("result",), (MAIL_RESULTS,))
DOMAIN_MAILS = MetricSpec("pbem_domain_mails", "Mails to a domain by outcome", ("domain", "result"))
MAIL_DELAY_SECONDS = MetricSpec(
    "pbem_mailed_seconds", "Seconds from when a mail was due to when it was accepted", bounds=DELAY_BUCKETS_SECONDS
)
CLOCK_ACTIONS = MetricSpec(
    "pbem_clock_acts", "What the clock did about deadlines", ("what",), (("reminded", "passed", "ended"),)
)
REPLAYS = MetricSpec(
    "pbem_replays", "Replays and records that were viewed", ("form",), (("page", "file", "record", "animation"),)
)
REQUESTS = MetricSpec("pbem_requests", "Requests answered, by blueprint and status", ("blueprint", "status"))
REQUEST_SECONDS = MetricSpec(
    "pbem_request_seconds", "How long requests took", ("blueprint",), bounds=REQUEST_BUCKETS_SECONDS
)
REPLICA_READS = MetricSpec(
    "pbem_replica_reads",
    "Pages that the replica may serve, by whether it did",
    ("answer",),
    (("read", "behind", "not there", "failed"),),
)
STREAMS = MetricSpec(
    "pbem_streams", "Streams of events that programs asked for, by answer", ("answer",), (("opened", "refused"),)
)
TASKS = MetricSpec("pbem_tasks", "Tasks that ended", ("task", "ended"))
ERRORS = MetricSpec("pbem_errors", "Errors in the log, by part and logger", ("part", "where"))
WARNINGS = MetricSpec("pbem_warnings", "Warnings in the log, by part and logger", ("part", "where"))

METRICS = tuple(value for value in globals().values() if isinstance(value, MetricSpec))
"""All counters and histograms of this module."""

_lock = threading.Lock()
_counts: Counts = {}


def count(spec: MetricSpec, *labels: str) -> None:
    """Increment a counter."""
    _add({(spec.name, labels): 1.0})


def observe(spec: MetricSpec, value: float, *labels: str) -> None:
    """Add a value to a histogram: to the first bucket whose upper bound is not below it."""
    bucket = str(bisect_left(spec.bounds, value))
    _add({(spec.name, (*labels, bucket)): 1.0, (spec.name, (*labels, SUM_LABEL)): value})


def drain() -> Counts:
    """Return what was counted since the last call, and reset it."""
    with _lock:
        taken = dict(_counts)
        _counts.clear()
    return taken


def put_back(taken: Mapping[Key, float]) -> None:
    """Count again what could not be stored."""
    _add(taken)


def _add(more: Mapping[Key, float]) -> None:
    with _lock:
        for key, value in more.items():
            _counts[key] = _counts.get(key, 0.0) + value
