"""The ladders: one for each game of two seats. A challenge is between two, so games of more or fewer have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.boards.prose import series
from pbem.db.models import Entrant, Event
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.clocks import match_lengths, time_controls
from pbem.play.core.errors import Refused
from pbem.play.lobby import request_parser
from pbem.states import EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Game
    from pbem.play.core.context import Context

CLOCK = time_controls.DEFAULT
"""Time control of new ladders."""
_LOCK_ID = 0x1ADDE5
_LADDERS = select(Event).where(Event.kind == EventKind.LADDER, Event.state == EventState.RUNNING)


def games() -> list[Game[object]]:
    """List the games that have a ladder, by name."""
    return sorted((game for game in GAMES.values() if tuple(game.seats) == (2,)), key=lambda game: game.name)


def open_missing(ctx: Context) -> bool:
    """Open the ladder of each game that has none yet; return that there is nothing more to do."""
    if ctx.session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK_ID))):
        known = set(ctx.session.scalars(select(Event.game).where(Event.kind == EventKind.LADDER)))
        ctx.session.add_all(_new_ladder(ctx, game) for game in games() if game.key not in known)
        ctx.session.flush()
    return False


def find(ctx: Context, game: str) -> Event | None:
    """Return the ladder of a game, if it has one."""
    return ctx.session.scalar(_LADDERS.where(Event.game == game))


def list_all(ctx: Context) -> list[Event]:
    """List the ladders in the order of their games."""
    order = [game.key for game in games()]
    return sorted(
        (one for one in ctx.session.scalars(_LADDERS) if one.game in order), key=lambda one: order.index(one.game)
    )


def entered_by(ctx: Context, player: int) -> list[Event]:
    """List the ladders on which a player is."""
    theirs = select(Entrant.event_id).where(Entrant.player_id == player, Entrant.state == EntrantState.ENTERED)
    return [*ctx.session.scalars(_LADDERS.where(Event.id.in_(theirs)).order_by(Event.game))]


def parse(ctx: Context, words: Sequence[str], player: int) -> Event:
    """Return the ladder of the game that words name, or the only one on which a player is; raises Refused."""
    if not words:
        own = entered_by(ctx, player)
        if len(own) == 1:
            return own[0]
        raise Refused(_("Which ladder? Write one of these games: {games}.", games=_game_names()))
    game, _rest = request_parser.parse_game(words)
    event = find(ctx, game.key)
    if event is None:
        raise Refused(no_ladder(game))
    return event


def no_ladder(game: Game[object]) -> str:
    """Return the sentence that a game has no ladder, and which games have one."""
    sentence = _("{game} has no ladder: a challenge is between two players.", game=game.name)
    return f"{sentence} {_('There is a ladder of each of these games: {games}.', games=_game_names())}"


def _game_names() -> str:
    return series([game.name for game in games()])


def _new_ladder(ctx: Context, game: Game[object]) -> Event:
    short = match_lengths.SHORT_OPTIONS.get(game.key, {})
    return Event(
        kind=EventKind.LADDER,
        game=game.key,
        options=dict(game.settle(2, short)),
        time_control=CLOCK,
        state=EventState.RUNNING,
        opens_at=ctx.now,
        starts_at=ctx.now,
    )
