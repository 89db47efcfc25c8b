"""Recomputes all ratings from the matches, or compares what is stored with what they come to."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Match, RatingChange
from pbem.play.ratings import facts, updates
from pbem.ratings.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Context
    from pbem.play.ratings.facts import Place
    from pbem.ratings.match_facts import MatchFacts

BATCH_SIZE = 1000


def recompute(ctx: Context) -> None:
    """Rate all matches anew, in one transaction."""
    updates.rewind(ctx, None)
    while updates.rate_batch(ctx, BATCH_SIZE):
        pass


def find_differences(ctx: Context) -> Iterator[str]:
    """Yield the matches whose stored changes or reason differ from what all matches come to, to the last bit."""
    updates.lock(ctx)
    decisions = fold(_decided(ctx), {}, ())
    while batch := [*islice(decisions, BATCH_SIZE)]:
        names = [decision.match.match for decision in batch]
        stored = defaultdict[str, list[dict[str, Any]]](list)
        changes = select(*RatingChange.__table__.columns).where(RatingChange.match_id.in_(names))
        for row in ctx.session.execute(changes.order_by(RatingChange.match_id, RatingChange.seat)).mappings():
            stored[row["match_id"]].append(dict(row))
        said = select(Match.id, Match.unrated_reason).where(Match.id.in_(names))
        reasons = {row.id: row.unrated_reason for row in ctx.session.execute(said)}
        for name, decision in zip(names, batch, strict=True):
            if stored[name] != updates.change_values(decision) or reasons[name] != decision.reason:
                yield name


def _decided(ctx: Context) -> Iterator[MatchFacts]:
    """Yield all matches that were rated, in order."""
    after: Place | None = None
    while batch := facts.load(ctx, facts.DECIDED, BATCH_SIZE, after):
        yield from batch
        after = batch[-1].ended_at, batch[-1].match
