"""“Seat me anywhere”: joining the open table that starts soonest, or opening one where there is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, exists, func, literal_column, or_, select

from pbem.db import conditions
from pbem.db.models import Match, SeatHolder
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import joining, request_parser
from pbem.play.matches import match_state
from pbem.play.matches.seats import holders
from pbem.play.moderation import avoidance, bans
from pbem.play.players import bots, registry, reliability
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

MAX_TABLES_TRIED = 50
"""Maximum tables at which a seat is tried; each of them refused the player, or was taken in the same moment."""
REPEAT_SECONDS = 10
"""Seconds in which a second press of the button is the same request."""
_LOCK_ID = 0x5EA7
"""Advisory lock: of two people who ask at once where no table is open, the second joins the table of the first."""

_IS_OPEN = Match.state == conditions.member(MatchState.INVITING), Match.public, Match.open_seats > literal_column("0")
_OWN_SEAT = exists().where(
    SeatHolder.match_id == Match.id, SeatHolder.player_id == bindparam("reader"), SeatHolder.left_at.is_(None)
)
_IS_WANTED = or_(bindparam("game", type_=Match.game.type).is_(None), Match.game == bindparam("game"))
_SOONEST = (
    select(Match.id)
    .where(*_IS_OPEN, _IS_WANTED, ~_OWN_SEAT, ~avoidance.forbids())
    .order_by(Match.open_seats, Match.created_at, Match.id)
    .limit(MAX_TABLES_TRIED)
)
_OWN_TABLE = select(Match.game).where(*_IS_OPEN, _IS_WANTED, _OWN_SEAT).order_by(Match.created_at).limit(1)
_LATEST_GAME = (
    select(Match.game)
    .join(SeatHolder, SeatHolder.match_id == Match.id)
    .where(SeatHolder.player_id == bindparam("reader"), Match.game.in_([*GAMES]))
    .order_by(SeatHolder.seated_at.desc(), SeatHolder.id.desc())
)


class Seated(NamedTuple):
    """Where a player was seated; `opened` is true for a table of their own, opened since no other one had a seat."""

    match: Match
    holder: SeatHolder
    opened: bool


def seat(ctx: Context, player: Player, game: str = "", text: str = "", mail: str | None = None) -> Seated:
    """Seat a player at the open table that starts soonest, of one game or of any, or open one for them.

    `text` is their contribution to the deal; `mail` the Message-ID of the mail that asked. Raises Refused.
    """
    bans.check_not_banned(ctx, player)
    email = registry.verified_address(ctx, player)
    if game and GAMES[game].seats[-1] == 1:
        raise Refused(_("{game} is for one player. Start a match of it instead.", game=GAMES[game].name), "game")
    ctx.session.execute(select(func.pg_advisory_xact_lock(_LOCK_ID)))
    if mail is None and (again := _find_repeated(ctx, player)):
        return again
    values = {"reader": player.id, "game": game or None}
    for match_id in ctx.session.scalars(_SOONEST, values).all():
        if seated := _try_to_join(ctx, match_id, player, text, mail):
            return seated
    if waiting := ctx.session.scalar(_OWN_TABLE, values):
        sentence = _("No other table has a seat for you, and your own table of {game} is open already.",
                     game=GAMES[waiting].name)  # fmt: skip
        raise Refused(sentence, "game", code=Code.TABLE_WAITS)
    return _open_table(ctx, player, email, game or _usual_game(ctx, player), mail)


def describe(ctx: Context, seated: Seated) -> str:
    """Describe in a sentence what was done, and at whose table."""
    game = GAMES[seated.match.game].name
    if seated.opened:
        return _("No open table had a seat for you, so you opened one of {game}.", game=game)
    present = holders(ctx, seated.match)
    hosts = [one.name for one in present if one.player_id == seated.match.host_id and one.id != seated.holder.id]
    others = [one.name for one in present if one.id != seated.holder.id]
    return _("You joined a table of {game}, where {name} is the host.", game=game, name=[*hosts, *others][0])


def _try_to_join(ctx: Context, match_id: str, player: Player, text: str, mail: str | None) -> Seated | None:
    """Join a table; return None if it is full by now, busy, or not for this player."""
    # A table that something else has locked is passed over: waiting for it could be a deadlock.
    match = next(iter(match_state.lock_free_matches(ctx, [match_id])), None)
    if match is None or match.state != MatchState.INVITING or not match.open_seats:
        return None
    if not reliability.is_admitted(ctx, match, player.id) or not bots.is_welcome(match, player):
        return None
    return Seated(match, joining.join(ctx, match, player, text, mail), opened=False)


def _open_table(ctx: Context, player: Player, email: str, game: str, mail: str | None) -> Seated:
    """Open a table as “new … with anybody” does."""
    request = request_parser.parse(f"{game} with anybody", Invitee(player.name, email))
    request = replace(request, host=player, found_none=True)
    match = request_parser.create_match(ctx, request, player, known=True, mail=mail)
    return Seated(match, holders(ctx, match)[0], opened=True)


def _find_repeated(ctx: Context, player: Player) -> Seated | None:
    """Return the seat that a player took at a public table a few seconds ago, if they did."""
    recent = SeatHolder.seated_at > ctx.now - timedelta(seconds=REPEAT_SECONDS), SeatHolder.left_at.is_(None)
    # Nobody else put them there.
    by_themselves = or_(SeatHolder.seated_at > Match.created_at, Match.host_id == player.id)
    found = select(SeatHolder).join(Match, Match.id == SeatHolder.match_id)
    found = found.where(SeatHolder.player_id == player.id, Match.public, by_themselves, *recent)
    found = found.order_by(SeatHolder.id.desc())
    holder = ctx.session.scalar(found.limit(1))
    if holder is None:
        return None
    match = ctx.session.get_one(Match, holder.match_id)
    return Seated(match, holder, opened=match.host_id == player.id)


def _usual_game(ctx: Context, player: Player) -> str:
    """Return the game for several players that a player sat at last, else the first one."""
    played = ctx.session.scalars(_LATEST_GAME.limit(MAX_TABLES_TRIED), {"reader": player.id})
    latest = next((game for game in played if GAMES[game].seats[-1] > 1), None)
    return latest or next(key for key, game in GAMES.items() if game.seats[-1] > 1)
