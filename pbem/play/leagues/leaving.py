"""Leaving a league: what becomes of the matches, and who takes the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Entrant, Event, EventMatch, Match, Player, SeatHolder
from pbem.events import league_table
from pbem.i18n import _
from pbem.play.events import entries
from pbem.play.leagues import draws, reseating, rules, season_mails, season_tables, seasons
from pbem.play.lifecycle import endings, seat_changes
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.players import registry
from pbem.states import EntrantState, EventKind, EventState, MatchRole, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def leave(ctx: Context, event: Event, player: int, reason: str = entries.ASKED, said: str = "") -> Entrant:
    """Withdraw a player from a season with all that follows; raises Refused if they have not entered it.

    In the first days somebody on the waiting list takes their place. Otherwise their matches of two are resigned, and
    in those of more the robot plays on. `said` is why an operator removes them.
    """
    whose = ctx.session.get_one(Player, player)
    entrant = entries.withdraw(ctx, event, whose, reason)
    _take_back_earlier(ctx, event, player)
    matches = reseating.unfinished(ctx, event, player)
    substitute = _find_substitute(ctx, event, entrant)
    for match in matches:
        _leave_match(ctx, lock_match(ctx, match), player, substitute)
    if substitute:
        substitute.grp = entrant.grp
        ctx.session.flush()
        season_mails.begins(ctx, event, substitute, instead_of=entrant.name)
    if reason == entries.ON_TIME and (following := seasons.next_season(ctx, event)):
        _withdraw_quietly(ctx, following, whose, reason)
    season_mails.left(ctx, event, entrant, said)
    return entrant


def stay_no_more(ctx: Context, event: Event, player: int) -> None:
    """Take back that a player enters the seasons after one that they play to its end."""
    entries.lock_event(ctx, event.id)
    ctx.session.get_one(Entrant, (event.id, player), populate_existing=True).stays = False
    _take_back_earlier(ctx, event, player)
    if following := seasons.next_season(ctx, event):
        _withdraw_quietly(ctx, following, ctx.session.get_one(Player, player), entries.ASKED)


def leave_all(ctx: Context, player: int, reason: str) -> None:
    """Withdraw a player from all leagues."""
    theirs = select(Event).join(Entrant, Entrant.event_id == Event.id).where(Entrant.player_id == player)
    present = theirs.where(Entrant.state == EntrantState.ENTERED, Event.kind == EventKind.LEAGUE)
    for event in ctx.session.scalars(present.where(Event.state != EventState.OVER).order_by(Event.id)).all():
        leave(ctx, event, player, reason)


def consequence(ctx: Context, event: Event, player: int) -> str:
    """Return the sentence for what becomes of a player's matches if they leave now."""
    entrant = ctx.session.get(Entrant, (event.id, player))
    if entrant is None or entrant.grp is None or event.state == EventState.OPEN:
        return _("You are not drawn into a group yet, so no match changes.")
    if event.state == EventState.DRAWN:
        return _("Your matches have not begun. Somebody on the waiting list or a robot takes your place.")
    if _find_substitute(ctx, event, entrant):
        return _("Somebody on the waiting list takes your place, and plays your matches.")
    (table,) = season_tables.load(ctx, event, [entrant.grp])
    results = [match.result for match in table.matches]
    if league_table.leaves_no_results(player, results, ctx.now):
        return _("Less than half of your matches are over, so all your results leave the table.")
    return _(
        "At least half of your matches are over, so you lose those that are not, and the others keep their points."
    )


def _take_back_earlier(ctx: Context, event: Event, player: int) -> None:
    """Take back the entries of earlier seasons for those after them: one that still runs enters nobody again."""
    earlier = select(Event.id).where(Event.kind == event.kind, Event.game == event.game, Event.season < event.season)
    theirs = update(Entrant).where(Entrant.player_id == player, Entrant.event_id.in_(earlier))
    ctx.session.execute(theirs.values(stays=False))


def _find_substitute(ctx: Context, event: Event, entrant: Entrant) -> Entrant | None:
    """Return who takes a place: the first on the waiting list, while no match that counts there is over."""
    if entrant.grp is None or not entries.has_waiting_list(ctx, event) or not draws.is_arranged(ctx, event):
        return None
    over = select(Match.id).join(SeatHolder, SeatHolder.match_id == Match.id).where(Match.event_id == event.id)
    over = over.join(EventMatch, EventMatch.match_id == Match.id).where(EventMatch.role == MatchRole.COUNTS)
    played = over.where(SeatHolder.player_id == entrant.player_id, Match.state == MatchState.OVER).limit(1)
    if ctx.session.scalar(played) is not None:
        return None
    waiting = [one for one in entries.entrants(ctx, event) if one.grp is None and one.player_id != entrant.player_id]
    return next((one for one in waiting if registry.main_address(ctx, one.player_id)), None)


def _leave_match(ctx: Context, match: Match, player: int, substitute: Entrant | None) -> None:
    own = select(SeatHolder).where(SeatHolder.match_id == match.id, SeatHolder.player_id == player)
    holder = ctx.session.scalars(own.where(SeatHolder.left_at.is_(None))).one()
    if match.state == MatchState.INVITING:
        reseating.reseat(ctx, match, holder, substitute)
    elif substitute:
        newcomer = ctx.session.get_one(Player, substitute.player_id)
        email = registry.verified_address(ctx, newcomer)
        reason = seat_changes.WITHDRAWN
        seat_changes.replace_holder(ctx, match, holder, newcomer, email, by="table", reason=reason)
    elif len(match.seats) == rules.PAIR:
        endings.resign(ctx, load_match(ctx, match), holder)
    else:
        seat_changes.seat_robot(ctx, match, holder, "table", seat_changes.WITHDRAWN)


def _withdraw_quietly(ctx: Context, following: Event, player: Player, reason: str) -> None:
    known = ctx.session.get(Entrant, (following.id, player.id))
    if known and known.state == EntrantState.ENTERED:
        entries.withdraw(ctx, following, player, reason)
