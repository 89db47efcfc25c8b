"""Offers: what a seat proposes to its table, who has agreed, and of whom it still waits to hear; rows of their own.

An offer stands until the next move, or until somebody refuses it. Whoever was refused may not propose the same again
before something has been played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from pbem.db.models import Offer
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.core.context import Context

_REFUSED, _ASKED = "refused", "asked"
"""In the details of an offer: that it was refused, and the seats that have proposed it since the last move."""


class OfferError(ValueError):
    """Refuses what somebody asked of their table, with a sentence for them."""


def standing(ctx: Context, match: Match) -> dict[str, Offer]:
    """Give the offers that a match's table may agree on now, by their kind.

    Where somebody else has sat down since, what was said before stands no more: nobody speaks for who comes after them.
    """
    found = {kind: offer for kind, offer in _present(ctx, match).items() if not offer.detail.get(_REFUSED)}
    since = max(holder.since for holder in seats.holders(ctx, match)) if found else ctx.now
    return {kind: offer for kind, offer in found.items() if offer.at >= since}


def had_its_turn(ctx: Context, match: Match, kind: str, seat: int) -> bool:
    """Tell whether a seat has proposed this since the last move."""
    offer = _present(ctx, match).get(kind)
    return offer is not None and seat in offer.detail[_ASKED]


def make(ctx: Context, match: Match, holder: Holder, kind: str, detail: dict[str, Any]) -> Offer:
    """Write down what a seat proposes, in the place of what was refused or has fallen."""
    before = _present(ctx, match).get(kind)
    asked = [*(before.detail[_ASKED] if before else ()), holder.seat]
    offer = Offer(
        match_id=match.id,
        kind=kind,
        seat=holder.seat,
        next_ply=match.next_ply,
        detail={**detail, _ASKED: asked},
        agreed=[holder.seat],
        at=ctx.now,
    )
    offer = ctx.session.merge(offer)
    ctx.session.flush()
    return offer


def agree(offer: Offer, seat: int) -> None:
    """Write down that a seat agrees."""
    offer.agreed = sorted({*offer.agreed, seat})


def refuse(offer: Offer) -> None:
    """Write down that somebody does not agree: it stands no more."""
    offer.detail = {**offer.detail, _REFUSED: True}


def told(offer: Offer) -> dict[str, Any]:
    """Give the details of an offer that its table is told."""
    return {name: value for name, value in offer.detail.items() if name not in {_REFUSED, _ASKED}}


def settle(ctx: Context, match: Match, kind: str | None = None) -> None:
    """Forget an offer that has been agreed on, or all of a match when its position is another."""
    theirs = [Offer.match_id == match.id] + ([Offer.kind == kind] if kind else [])
    ctx.session.execute(delete(Offer).where(*theirs).execution_options(synchronize_session="fetch"))


def awaited(ctx: Context, match: Match, offer: Offer) -> list[Holder]:
    """List those whose consent an offer lacks: robots agree, and who has stayed away too long blocks nobody."""
    gone = {row.seat for row in turn_deadlines.of_match(ctx, match) if _is_gone(ctx, row)}
    present = seats.holders(ctx, match)
    agreed = {holder.player_id for holder in present if holder.seat in offer.agreed}
    return [
        holder
        for holder in seats.persons(present)
        if holder.player_id not in agreed and not holder.player.bot and holder.seat not in gone
    ]


def is_gone(ctx: Context, match: Match, seat: int) -> bool:
    """Tell whether a seat's time has run out, and its time of grace too."""
    return any(row.seat == seat and _is_gone(ctx, row) for row in turn_deadlines.of_match(ctx, match))


def _is_gone(ctx: Context, row: Deadline) -> bool:
    if row.late_at is None:
        return False
    return row.sought_at is not None or (row.ends_at is not None and row.ends_at <= ctx.now)


def _present(ctx: Context, match: Match) -> dict[str, Offer]:
    """Give what was proposed since the last move, refused or not."""
    theirs = Offer.match_id == match.id, Offer.next_ply == match.next_ply
    rows = ctx.session.scalars(select(Offer).where(*theirs).order_by(Offer.kind))
    return {offer.kind: offer for offer in rows} if match.state == MatchState.RUNNING else {}
