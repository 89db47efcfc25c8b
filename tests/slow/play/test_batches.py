"""Matches that are judged together become what each becomes when it is judged alone, to the byte."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from benchmarks.lives import people
from benchmarks.rows import database
from benchmarks.simulation import BEGIN, Simulation
from benchmarks.world import World
from pbem.db.models import Base
from pbem.play.inbox.batch import Outcome
from pbem.telemetry import logs
from workers import judging

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Engine

MATCHES = 24
SEED = 7
BY_CHANCE = {
    ("outbox_messages", "id"),
    ("outbox_messages", "return_path_hash"),
    ("submissions", "idempotency_key"),
}
"""Columns with numbers of mails, and with hashes of their names: which mail is named first is chance."""
NAMES = re.compile("[0-9a-hjkmnp-tv-z]{24,26}|(?<=#)[0-9a-hjkmnp-tv-z]{6}")
GRID_SECONDS = 6 * 3600
"""People act at these hours only, so that many do at once."""


class Drawn:
    """Random bytes that depend on what they are drawn for, and not on what was drawn for others before."""

    def __init__(self) -> None:
        self._counts: Counter[object] = Counter()

    def __call__(self, size: int) -> bytes:
        whose = logs.current_fields().get("submission")
        self._counts[whose] += 1
        return hashlib.shake_256(f"{whose} {self._counts[whose]}".encode()).digest(size)


def rows(engine: Engine) -> dict[str, list[str]]:
    """Return all rows of all tables as text, without names by chance."""
    found = {}
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            columns = [column for column in table.c if (table.name, column.name) not in BY_CHANCE]
            entries = connection.execute(select(*columns)).all()
            found[table.name] = sorted(NAMES.sub("", str([*map(_readable, entry)])) for entry in entries)
    return found


def _readable(value: object) -> object:
    return value.decode() if isinstance(value, bytes) and value.isascii() else value


def live(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, list[str]], list[str], int]:
    """Live through some matches; returns all rows, all mails, and the most matches judged together."""
    monkeypatch.setattr("pbem.play.core.context.secrets.token_bytes", Drawn())
    later, taken_out, sizes, mails = World.later, World._taken_out, [0], list[str]()

    def on_the_hour(world: World, moment: datetime, what: Callable[[], None]) -> None:
        later(world, datetime.fromtimestamp(-(-moment.timestamp() // GRID_SECONDS) * GRID_SECONDS, UTC), what)

    def kept(world: World, recipient: str) -> Any:
        for name, raw in taken_out(world, recipient):
            mails.append(NAMES.sub("", raw.replace(b"=\n", b"").decode("ascii")))
            yield name, raw

    def sized(given: judging.Judging, matches: Sequence[str]) -> Outcome:
        outcome = together(given, matches)
        sizes.append(len(outcome.judged))
        return outcome

    together = judging.Judging._judge_together
    with monkeypatch.context() as patched, database() as cluster:
        patched.setattr(World, "later", on_the_hour)
        patched.setattr(World, "_taken_out", kept)
        patched.setattr(judging.Judging, "_judge_together", sized)
        chosen = Random(SEED)
        persons = {person.email: person for person in people(MATCHES * 2 // 5, BEGIN, chosen)}
        world = World(cluster.url, folder, BEGIN)
        Simulation(world, chosen, persons, MATCHES).run()
        found = rows(world.engine)
        world.engine.dispose()
    return found, sorted(mails), max(sizes)


@pytest.mark.full
def test_lives_are_the_same_whether_matches_are_judged_together_or_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "MAX_SECONDS", 60)
    together = live(tmp_path / "together", monkeypatch)
    assert together[2] > 1
    assert len(together[1]) > MATCHES
    monkeypatch.setattr(judging, "judge_batch", lambda _ctx, matches, *_: Outcome((), tuple(matches)))
    alone = live(tmp_path / "alone", monkeypatch)
    assert alone[2] == 0
    assert alone[0] == together[0]
    assert alone[1] == together[1]
