"""Entries into events of two accounts that are merged: a person takes part once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import aliased

from pbem.db.models import Entrant, Event, EventMatch, Match, Player, SeatHolder
from pbem.play.events import entries
from pbem.play.leagues import leaving
from pbem.states import EntrantState, EventKind, EventState, Withheld

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def share_field(ctx: Context, one: Player, other: Player) -> bool:
    """Return whether two players sit at different tables of a field that have the same cards."""
    here, there, same = aliased(SeatHolder), aliased(SeatHolder), aliased(Match)
    together = (
        select(Match.id)
        .join(same, same.set_id == Match.set_id)
        .join(here, here.match_id == Match.id)
        .join(there, there.match_id == same.id)
        .where(here.player_id == one.id, there.player_id == other.id, Match.event_id.is_not(None))
        .where(here.left_at.is_(None), there.left_at.is_(None), Match.withheld == Withheld.TABLE)
    )
    return ctx.session.scalar(together.limit(1)) is not None


def leave_one_entry(ctx: Context, bare: int, into: int) -> None:
    """Keep one entry of two accounts in each event that both have entered: that of `into`, unless it has left or waits.

    In a league the matches of the other one count for nobody, so that nobody else meets one person twice.
    """
    own, other = aliased(Entrant), aliased(Entrant)
    both = select(own, other, Event).join(other, other.event_id == own.event_id).join(Event, Event.id == own.event_id)
    both = both.where(own.player_id == into, other.player_id == bare).order_by(Event.id)
    for kept, gone, event in ctx.session.execute(both).all():
        if _worth(gone) > _worth(kept):
            kept, gone = gone, kept  # noqa: PLW2901 -- they change places
        if event.kind == EventKind.LEAGUE:
            if gone.state == EntrantState.ENTERED and event.state != EventState.OVER:
                leaving.leave(ctx, event, gone.player_id, entries.MERGED)
            _annul_matches(ctx, event, gone.player_id)
        key = Entrant.event_id == event.id, Entrant.player_id == gone.player_id
        ctx.session.execute(delete(Entrant).where(*key))


def _worth(entrant: Entrant) -> tuple[bool, bool]:
    """Return what orders the entries of a person: one that has not left, and one that is drawn into a group."""
    return entrant.state == EntrantState.ENTERED, entrant.grp is not None


def _annul_matches(ctx: Context, event: Event, player: int) -> None:
    """Annul the results of the matches of a season that a player has begun, unless a person took their seat."""
    later = aliased(SeatHolder)
    taken = select(later.id).join(Player, Player.id == later.player_id)
    taken = taken.where(later.match_id == SeatHolder.match_id, later.seat == SeatHolder.seat)
    begun = select(EventMatch).join(Match, Match.id == EventMatch.match_id)
    begun = begun.join(SeatHolder, SeatHolder.match_id == Match.id).where(EventMatch.event_id == event.id)
    theirs = SeatHolder.player_id == player, SeatHolder.left_at.is_(None) | (SeatHolder.left_at > Match.started_at)
    replaced = exists(taken.where(later.id > SeatHolder.id, ~Player.is_robot))
    for row in ctx.session.scalars(begun.where(*theirs, ~replaced, EventMatch.annulled_at.is_(None))).all():
        row.annulled_at = ctx.now
    ctx.session.flush()
