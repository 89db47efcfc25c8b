"""Records of finished matches, with everything that was secret while they ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import selectinload

from pbem.db.models import DealSet, Match
from pbem.games.record import Record
from pbem.games.record_text import format_text
from pbem.games.shared_deal import SharedDeal
from pbem.i18n import _
from pbem.play.archive import comments
from pbem.play.matches import seats, withheld
from pbem.play.matches.match_state import load_log
from pbem.play.matches.seats import entropy_with_source
from pbem.play.matches.views import player_names
from pbem.play.players.robots import identity_of
from pbem.robots import identity
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

    Place = tuple[datetime, str]
    """When a match ended, and its id: all matches stand in this order, so that new ones come last."""

_IN_COLLECTION = (
    Match.state == MatchState.OVER,
    Match.public,
    Match.seed.is_not(None),
    Match.forked_from_id.is_(None),
    withheld.SHOWS_RECORD,
)


class NoRecordYetError(Exception):
    """Says why a match has no record yet, or never will."""


def build_record(ctx: Context, match: Match) -> Record:
    """Build the record of a finished match; raises NoRecordYetError with the reason if there is none."""
    if match.state != MatchState.OVER:
        raise NoRecordYetError(_("The record is available when the match is over: it contains what is still hidden."))
    if match.seed is None or match.result is None:
        raise NoRecordYetError(_("This match was called off before it began, so there is no record of it."))
    if withheld.hides_record(match):
        raise NoRecordYetError(withheld.explain(ctx, match))
    if match.forked_from_id is not None:
        raise NoRecordYetError(_("This practice match continues another one, so it has no record of its own."))
    entropies = [entropy_with_source(seat) for seat in match.seats]
    return Record(
        match=match.id,
        game=match.game,
        edition=match.edition,
        options=match.options,
        seats=tuple(seat.imported_name or "" for seat in match.seats) if match.imported_at else _names(ctx, match),
        commitment=match.commitment,
        secret=match.secret,
        entropies=tuple(entropy for entropy, _ in entropies),
        entropy_by=tuple(by for _, by in entropies),
        seed=match.seed,
        log=load_log(ctx, match.id),
        result=match.result,
        head=match.chain_head,
        shared=_shared_deal(ctx, match),
    )


def _shared_deal(ctx: Context, match: Match) -> SharedDeal | None:
    """Return the deal that a match shares with others, if it does."""
    if match.set_id is None or match.set_place is None:
        return None
    deal_set = ctx.session.get_one(DealSet, match.set_id)
    return SharedDeal(deal_set.id, match.set_place, tuple(deal_set.entropies or ()))


def _names(ctx: Context, match: Match) -> tuple[str, ...]:
    """Return who sits where at the end; a robot's name says how its moves can be chosen again."""
    names = [*player_names(ctx, match)]
    for holder in seats.holders(ctx, match):
        if holder.player.is_robot:
            names[holder.seat - 1] = identity.record_name(holder.name, identity_of(holder.player))
    return tuple(names)


def render_text(ctx: Context, match: Match, reader: int | None = None) -> str:
    """Render the record of a finished match as text, with the comments on its steps; raises NoRecordYetError."""
    by_step = comments.exported_by_step(ctx, match, reader)
    lines = {step: [f"{comment.name}: {comment.text}" for comment in of_step] for step, of_step in by_step.items()}
    return format_text(build_record(ctx, match), lines)


def count(ctx: Context) -> int:
    """Count the records in the public collection."""
    return ctx.session.scalar(select(func.count()).select_from(Match).where(*_IN_COLLECTION)) or 0


def next_batch(ctx: Context, after: Place | None, most: int) -> list[tuple[Place, Record]]:
    """Return up to `most` records of the collection behind a cursor, each with its own cursor."""
    wanted = select(Match).options(selectinload(Match.seats)).where(*_IN_COLLECTION)
    if after is not None:
        wanted = wanted.where(tuple_(Match.ended_at, Match.id) > after)
    found = ctx.session.scalars(wanted.order_by(Match.ended_at, Match.id).limit(most)).all()
    # Loaded by one query; the session only remembers what is referred to.
    of_these = select(DealSet).where(DealSet.id.in_({match.set_id for match in found if match.set_id}))
    _deal_sets = ctx.session.scalars(of_these).all()
    return [((match.ended_at, match.id), build_record(ctx, match)) for match in found if match.ended_at]
