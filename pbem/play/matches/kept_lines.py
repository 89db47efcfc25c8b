"""Kept lines: what a player tried out at a seat and kept for later turns, which nobody else sees."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, false, select, update

from pbem.db.models import KeptLine
from pbem.games import GameError, Seat
from pbem.i18n import _, refusal_text, several
from pbem.play.core.errors import Refused
from pbem.play.matches import lines
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import ColumnElement

    from pbem.db.models import SeatHolder
    from pbem.games import Move
    from pbem.play.core.context import Context
    from pbem.play.matches.lines import Line, Progress
    from pbem.play.matches.match_state import LoadedMatch

MAX_LINES = 20
"""Maximum lines that a player keeps at a seat; the oldest is forgotten for one more."""
MAX_MOVES = 20
"""Maximum moves of a line."""
MAX_CHARS = 4000
"""Maximum characters of all moves of a line."""
MAX_LINES_PER_MAIL = 3
"""Maximum lines that a turn mail names; the page lists all."""
MAX_CHARS_PER_MAIL = 80
"""Maximum characters of each of them."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept line: its moves, and what has become of them since."""

    row: KeptLine
    line: Line
    progress: Progress

    @property
    def rest(self) -> tuple[tuple[Seat, Move], ...]:
        """The moves that may still be played."""
        return self.line.moves[self.progress.played :] if self.progress.is_open else ()


def keep(ctx: Context, course: LoadedMatch, holder: SeatHolder, texts: Sequence[str]) -> bool:
    """Keep a line that starts now, and return whether the oldest one was forgotten for it; raises Refused.

    The caller has locked the match. A line that is kept already is not kept twice.
    """
    moves = check(course, Seat(holder.seat), texts).texts
    kept = [*ctx.session.scalars(select(KeptLine).where(*_is_of(holder)).order_by(KeptLine.id))]
    step = len(course.log)
    if any((one.step, one.moves) == (step, moves) for one in kept):
        return False
    row = KeptLine(
        player_id=holder.player_id, match_id=holder.match_id, seat=holder.seat, step=step, moves=moves, kept_at=ctx.now
    )
    ctx.session.add(row)
    # Merged accounts may have more.
    oldest = [one.id for one in kept[: max(len(kept) + 1 - MAX_LINES, 0)]]
    ctx.session.execute(delete(KeptLine).where(KeptLine.id.in_(oldest)))
    return bool(oldest)


def check(course: LoadedMatch, seat: Seat, texts: Sequence[str]) -> Line:
    """Return a line that starts now if it may be kept; raises Refused with the reason if not."""
    if course.match.state != MatchState.RUNNING:
        raise Refused(_("The match is over."))
    if not texts:
        raise Refused(_("A line has at least one move."), "moves")
    if len(texts) > MAX_MOVES or sum(map(len, texts)) > MAX_CHARS:
        raise Refused(
            _("A line has at most {moves} moves and {characters} characters.", moves=MAX_MOVES, characters=MAX_CHARS),
            "moves",
        )
    try:
        return lines.follow(course, seat, texts)
    except GameError as wrong:
        raise Refused(refusal_text(wrong), "moves") from wrong


def list_kept(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> list[Kept]:
    """List the lines that a player keeps at their seat, the newest first."""
    rows = ctx.session.scalars(select(KeptLine).where(*_is_of(holder)).order_by(KeptLine.id.desc()))
    return [_judge(course, row) for row in rows]


def find(ctx: Context, course: LoadedMatch, holder: SeatHolder, number: int) -> Kept | None:
    """Return one of the lines that a player keeps at their seat, by its id."""
    row = ctx.session.scalar(select(KeptLine).where(KeptLine.id == number, *_is_of(holder)))
    return None if row is None else _judge(course, row)


def remove(ctx: Context, holder: SeatHolder, number: int) -> bool:
    """Delete one of the lines that a player keeps at their seat, and return whether it was there."""
    gone = delete(KeptLine).where(KeptLine.id == number, *_is_of(holder)).returning(KeptLine.id)
    return ctx.session.scalar(gone) is not None


def merge(ctx: Context, bare: int, into: int) -> None:
    """Move the lines of one player to another."""
    ctx.session.execute(update(KeptLine).where(KeptLine.player_id == bare).values(player_id=into))


def turn_facts(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts about lines for the turn mail: what is left of the newest that are still possible."""
    rests = [format_moves(move for _seat, move in one.rest) for one in list_kept(ctx, course, holder) if one.rest]
    if not rests:
        return {}
    named = [shorten(rest, MAX_CHARS_PER_MAIL, placeholder=" …") for rest in rests[:MAX_LINES_PER_MAIL]]
    return {"kept_lines": named, "more_lines": len(rests) - len(named)}


def format_moves(moves: Iterable[str]) -> str:
    """Return the moves of a line in one line; those of Minimax have commas of their own."""
    return "; ".join(moves)


def describe(one: Kept, names: Sequence[str], seat: int) -> str:
    """Return in a sentence what has become of a line, for the player of a seat."""
    progress = one.progress
    if progress.played == len(one.line.moves):
        return _("All of it came true.")
    so_far = several("{count} move came true so far.", "{count} moves came true so far.", progress.played)
    parts = [so_far] if progress.played else []
    if progress.instead:
        mover, move = progress.instead
        mine = _("No longer possible: you played {move}.", move=move)
        others = _("No longer possible: {name} played {move}.", name=names[mover - 1], move=move)
        parts.append(mine if mover == seat else others)
    elif not progress.is_open:
        parts.append(_("No longer possible."))
    return " ".join(parts) or _("Still possible.")


def _judge(course: LoadedMatch, row: KeptLine) -> Kept:
    line = lines.follow(lines.at_step(course, row.step), Seat(row.seat), row.moves)
    return Kept(row, line, lines.compare(course, line, row.step))


def _is_of(holder: SeatHolder) -> tuple[ColumnElement[bool], ...]:
    """Return the filter for the lines of a player at their seat; who has left it has none there."""
    if holder.left_at is not None:
        return (false(),)
    return KeptLine.player_id == holder.player_id, KeptLine.match_id == holder.match_id, KeptLine.seat == holder.seat
