"""What tests of kept lines share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Match
from pbem.games import Seat
from pbem.play.matches import kept_lines
from pbem.play.matches.match_state import load_match, play_move
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context
    from tests.support.house import House


def keep(house: House, match_id: str, seat: int, *moves: str) -> bool:
    """Keep a line of a seat's player."""
    with house.course(match_id) as (ctx, course):
        return kept_lines.keep(ctx, course, sitter(ctx, match_id, seat), moves)


def listed(house: House, match_id: str, seat: int) -> list[tuple[str, str]]:
    """Return the lines of a seat's player, the newest first, each with what became of it."""
    with house.course(match_id) as (ctx, course):
        kept, names = kept_lines.list_kept(ctx, course, sitter(ctx, match_id, seat)), player_names(ctx, course.match)
        return [(kept_lines.format_moves(one.line.texts), kept_lines.describe(one, names, seat)) for one in kept]


def play(house: House, match_id: str, seat: int, move: str) -> None:
    """Play a move, without the mails about it."""
    with house.course(match_id) as (ctx, course):
        play_move(ctx, course, Seat(seat), course.game.read(course.position, Seat(seat), move), ctx.now)


def sitter(ctx: Context, match_id: str, seat: int) -> SeatHolder:
    """Return who has a seat now."""
    match = ctx.session.get_one(Match, match_id)
    load_match(ctx, match)
    return next(one for one in holders(ctx, match) if one.seat == seat)
