"""Exchange of two entrants of a season that is drawn: each plays the matches of the other, in the other group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, Event, SeatHolder
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.leagues import draws, reseating, season_mails
from pbem.play.matches.match_state import lock_match
from pbem.states import EntrantState, EventState

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def exchange(ctx: Context, event: Event, first: int, second: int, said: str) -> None:
    """Exchange the places of two players before a season begins, and mail both their matches.

    `said` is why an operator does so. Raises Refused if the season has begun or is not drawn, and if the two are not in
    different groups of it.
    """
    event = entries.lock_event(ctx, event.id)
    if event.state != EventState.DRAWN or not draws.is_arranged(ctx, event):
        raise Refused(_("Places can be exchanged once the season is drawn, until it begins."))
    one, other = _drawn(ctx, event, first), _drawn(ctx, event, second)
    if one.grp == other.grp:
        raise Refused(_("Both are in the same group."))
    matches = [(match, one, other) for match in reseating.unfinished(ctx, event, first)]
    matches += [(match, other, one) for match in reseating.unfinished(ctx, event, second)]
    for match, gone, newcomer in sorted(matches, key=lambda each: each[0]):
        own = select(SeatHolder).where(SeatHolder.match_id == match, SeatHolder.player_id == gone.player_id)
        holder = ctx.session.scalars(own.where(SeatHolder.left_at.is_(None))).one()
        reseating.reseat(ctx, lock_match(ctx, match), holder, newcomer)
    one.grp, other.grp = other.grp, one.grp
    ctx.session.flush()
    season_mails.begins(ctx, event, one, instead_of=other.name, said=said)
    season_mails.begins(ctx, event, other, instead_of=one.name, said=said)


def _drawn(ctx: Context, event: Event, player: int) -> Entrant:
    found = ctx.session.get(Entrant, (event.id, player), populate_existing=True)
    if found is None or found.state != EntrantState.ENTERED or found.grp is None:
        raise Refused(_("Player {number} is in no group of this season.", number=player))
    return found
