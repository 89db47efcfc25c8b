"""Looking back at finished matches, in the database, without waiting for a robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem import robots
from pbem.db.models import Analysis, Match
from pbem.play.analysis import chunks
from pbem.robots import analyses
from pbem.robots.analyses import LOOKING_BACK
from tests.support.play.analysis.facts import facts

if TYPE_CHECKING:
    from tests.support.house import House


def looked_back(house: House, match_id: str, found: dict[str, Any] | None = None, **more: Any) -> None:
    """Write down what a robot found; with `result` None, that it has failed."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        columns: dict[str, Any] = {
            "edition": robots.edition(match.game),
            "asked_at": ctx.now,
            "due_at": ctx.now,
            "done_at": ctx.now,
            "result": facts(match.next_ply - 1, len(match.seats)) if found is None else found,
            "steps_done": 40,
            "steps": 40,
        }
        ctx.session.merge(Analysis(match_id=match_id, kind=LOOKING_BACK, **columns | more))


def finish(house: House, match_id: str, found: dict[str, Any] | None) -> None:
    """Finish looking back at a match as a worker does; without facts it has failed."""
    with house.transaction() as ctx:
        edition = ctx.session.scalars(select(Analysis.edition).order_by(Analysis.edition.desc())).first() or 0
        chunk = chunks.claim(ctx)
        assert chunk is not None
        assert (chunk.match_id, chunk.kind, chunk.edition) == (match_id, LOOKING_BACK, edition)
    with house.transaction() as ctx:
        if found is not None:
            chunks.store(ctx, chunk, {"done": 40, "total": 40, "work": {}, "result": found, "seconds": 1.5})
            return
    for _attempt in range(chunks.MAX_ATTEMPTS):
        with house.transaction() as ctx:
            chunks.fail(ctx, chunk)
            chunk = chunks.claim(ctx) or chunk


def progress(house: House, match_id: str, done: int, steps: int) -> None:
    """Store how far looking back at a match has got."""
    with house.transaction() as ctx:
        theirs = update(Analysis).where(Analysis.match_id == match_id, Analysis.kind == LOOKING_BACK)
        ctx.session.execute(theirs.values(steps_done=done, steps=steps))


def editions(house: House, match_id: str) -> list[int]:
    """Return the editions of the robots that have looked back at a match, or do."""
    theirs = select(Analysis.edition).where(Analysis.match_id == match_id, Analysis.kind == LOOKING_BACK)
    return house.all(theirs.order_by(Analysis.edition))


@pytest.fixture
def robot_looks_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot that can look back at matches; the test says what it finds."""
    monkeypatch.setitem(analyses.STEPS, LOOKING_BACK, lambda _record, _work: ())
