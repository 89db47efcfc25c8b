"""Bots: accounts for which a program of their owner plays, and what others have agreed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased

from pbem.db.models import Entrant, Event, Match, Player, SeatHolder
from pbem.i18n import _, marked
from pbem.play.core.errors import Code, Refused
from pbem.play.players import registry
from pbem.states import EntrantState, EventState, MatchState, Withheld

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.play.core.context import Context

NONE, UNRATED, RATED = "none", "unrated", "rated"
POLICIES: Mapping[str, str] = {
    NONE: marked("No bots at open seats."),
    UNRATED: marked("Bots may join; a match with one is not rated."),
    RATED: marked("Bots may join; a match with one is rated if its owner wants that."),
}
"""Whether bots may take the open seats of a match, and whether its result counts if one plays."""

TABLE_REFUSES = marked("This table is for people only: its host has not allowed bots.")
PEOPLE_ONLY = marked("This is for people only: an account that a program plays for cannot enter.")


def describe(policy: str) -> str:
    """Return what a host allows bots in a sentence; empty if nothing."""
    return _(POLICIES[policy]) if policy != NONE else ""


def declare(ctx: Context, player: Player, *, rates: bool) -> None:
    """Declare that a program plays for a player from now on, or change whether its matches may be rated.

    It cannot be undone, and holds for seats that are taken from now on. Raises Refused while others expect a person.
    """
    ctx.session.execute(select(Player.id).where(Player.id == player.id).with_for_update())
    if player.bot_since is None:
        _check_unengaged(ctx, player)
        player.bot_since = ctx.now
    player.rates_as_bot = rates


def check_person(player: Player) -> None:
    """Raise Refused for a bot where only people may take part."""
    if player.bot_since is not None:
        raise Refused(_(PEOPLE_ONLY), code=Code.PEOPLE_ONLY)


def is_welcome(match: Match, player: Player) -> bool:
    """Return whether a player may sit down at a table, as far as it is for people only."""
    return player.bot_since is None or match.bots != NONE


def check_welcome(match: Match, player: Player) -> None:
    """Raise Refused for a bot that wants to sit down where the host has not allowed bots."""
    if not is_welcome(match, player):
        raise Refused(_(TABLE_REFUSES), code=Code.PEOPLE_ONLY)


def are_unrated(match: Match, present: Iterable[SeatHolder]) -> bool:
    """Return whether a bot keeps a match from counting: the host or the bot's owner has not agreed."""
    return any(one.rates_as_bot is False or (one.rates_as_bot and match.bots != RATED) for one in present)


def mark_seats(ctx: Context, player: Player) -> None:
    """Mark the seats of a bot that came to it with another account, where the match is not over."""
    unfinished = Match.id == SeatHolder.match_id, Match.state != MatchState.OVER
    held = select(SeatHolder).where(SeatHolder.player_id == player.id, SeatHolder.rates_as_bot.is_(None))
    for holder in ctx.session.scalars(held.where(exists().where(*unfinished))):
        holder.name, holder.rates_as_bot = registry.seat_name(player, holder.name), False


def _check_unengaged(ctx: Context, player: Player) -> None:
    """Raise Refused for a player who is in an unfinished match with others, or takes part in an event or a week."""
    own, other = aliased(SeatHolder), aliased(SeatHolder)
    together = (
        select(Match.id)
        .join(own, own.match_id == Match.id)
        .join(other, other.match_id == Match.id)
        .join(Player, Player.id == other.player_id)
        .where(own.player_id == player.id, own.left_at.is_(None), Match.state != MatchState.OVER)
        .where(other.player_id != player.id, other.left_at.is_(None), Player.is_robot.is_(False))
    )
    if ctx.session.scalar(together.limit(1)) is not None:
        sentence = _("You are in a match with other people, who expect a person. Finish it first.")
        raise Refused(sentence, code=Code.BUSY)
    entered = (
        select(Entrant.event_id)
        .join(Event, Event.id == Entrant.event_id)
        .where(Entrant.player_id == player.id, Entrant.state == EntrantState.ENTERED, Event.state != EventState.OVER)
    )
    held = select(Match.id).join(SeatHolder, SeatHolder.match_id == Match.id)
    held = held.where(SeatHolder.player_id == player.id, SeatHolder.left_at.is_(None), Match.state != MatchState.OVER)
    weekly = held.where(Match.withheld == Withheld.TABLE)
    if any(ctx.session.scalar(one.limit(1)) is not None for one in (entered, weekly)):
        sentence = _("You take part in an event that is for people. Leave it, or play it to its end, first.")
        raise Refused(sentence, code=Code.BUSY)
