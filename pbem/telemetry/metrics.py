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
    Counted = dict[Key, float]

SUM = "sum"
"""Bucket label of a histogram's sum; buckets themselves are labelled by their index."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A counter: `labels` are its label names, `values` all values of each label if these are known.

    With `bounds` it is a histogram, with these upper bounds of its buckets.
    """

    name: str
    meaning: str
    labels: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    bounds: tuple[float, ...] = ()

    def known(self) -> Iterator[tuple[str, ...]]:
        """Yield the label values that are exported even before anything has happened."""
        if len(self.values) == len(self.labels):
            yield from product(*self.values)


WAYS = ("mail", "link", "api", "table")
SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
RESULTS = ("sent", "dropped", "failed", "put off", "soft", "hard", "complaint", "policy")
"""Outcomes of a mail; from `soft` on, outcomes reported later."""

ACCEPTS = Figure("pbem_accepts", "What was taken and kept, by the way it came", ("via",), ((*WAYS, "letter"),))
OFFERED = Figure(
    "pbem_mails_offered",
    "Answers to mails that were offered to us",
    ("answer",),
    (("250", "450", "451", "452", "550", "552", "554"),),
)
JUDGEMENTS = Figure(
    "pbem_judgements",
    "Submissions that were judged",
    ("via", "status"),
    (WAYS, ("played", "rejected", "already_played", "done", "ignored", "failed")),
)
JUDGED_AFTER = Figure("pbem_judged_seconds", "From taking a submission to its verdict", bounds=SECONDS)
MAILS = Figure("pbem_mails", "What became of mails", ("result",), (RESULTS,))
DOMAIN_MAILS = Figure("pbem_domain_mails", "What became of mails to a domain", ("domain", "result"))
MAILED_AFTER = Figure("pbem_mailed_seconds", "From when a mail was due to when it was taken", bounds=SECONDS)
CLOCK = Figure("pbem_clock_acts", "What the clock did about deadlines", ("what",), (("reminded", "passed", "ended"),))
REPLAYS = Figure(
    "pbem_replays", "Replays and records that were looked at", ("form",), (("page", "file", "record", "animation"),)
)
REQUESTS = Figure("pbem_requests", "Requests answered, by room and status", ("room", "status"))
ANSWERED_AFTER = Figure("pbem_request_seconds", "How long requests took", ("room",), bounds=QUICK)
REPLICA = Figure(
    "pbem_replica_reads",
    "Pages that could be read from the copy of the database, and whether they were",
    ("answer",),
    (("read", "behind", "not there", "failed"),),
)
TASKS = Figure("pbem_tasks", "Tasks that ended", ("task", "ended"))
ERRORS = Figure("pbem_errors", "Errors in the log, by part and by who tells them", ("part", "where"))
WARNINGS = Figure("pbem_warnings", "Warnings in the log, by part and by who tells them", ("part", "where"))

FIGURES = (
    ACCEPTS,
    OFFERED,
    JUDGEMENTS,
    JUDGED_AFTER,
    MAILS,
    DOMAIN_MAILS,
    MAILED_AFTER,
    CLOCK,
    REPLAYS,
    REQUESTS,
    ANSWERED_AFTER,
    REPLICA,
    TASKS,
    ERRORS,
    WARNINGS,
)

_lock = threading.Lock()
_counted: Counted = {}


def count(figure: Figure, *labels: str) -> None:
    """Increment a counter."""
    _add({(figure.name, labels): 1.0})


def observe(figure: Figure, value: float, *labels: str) -> None:
    """Add a value to a histogram: to the first bucket whose upper bound is not below it."""
    bucket = str(bisect_left(figure.bounds, value))
    _add({(figure.name, (*labels, bucket)): 1.0, (figure.name, (*labels, SUM)): value})


def take() -> Counted:
    """Return what was counted since the last call, and reset it."""
    with _lock:
        taken = dict(_counted)
        _counted.clear()
    return taken


def give_back(taken: Mapping[Key, float]) -> None:
    """Count again what could not be stored."""
    _add(taken)


def _add(more: Mapping[Key, float]) -> None:
    with _lock:
        for key, value in more.items():
            _counted[key] = _counted.get(key, 0.0) + value
