"""Replays: a match step by step, as a viewer may see it.

A step is an entry of the log with the position that it led to. What was hidden from the viewer at a step stays hidden
in it, even if the viewer came to know it later; positions are those of the replay that loaded the match.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import bindparam, select

from pbem.boards import Turn, drawing_for
from pbem.db.models import SeatHolder
from pbem.games import Eye, Seat
from pbem.games.chain import Entry, EventEntry, MoveEntry
from pbem.games.game import MAX_MOVES_SHOWN
from pbem.games.record import first_void_ply
from pbem.play.matches.act_descriptions import describe, name_of_seat
from pbem.play.matches.views import check_viewer
from pbem.play.matches.withheld import hides_table
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pbem.db.models import Match
    from pbem.games import Game, Json, Move, Outcome, Viewer
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch


Names: TypeAlias = "tuple[str, ...]"
"""Names of the players in seat order."""
SeatHistory: TypeAlias = "tuple[tuple[str, ...], ...]"
"""Names of all players that each seat has had, oldest first."""

_SITTERS = (
    select(SeatHolder.seat, SeatHolder.name).where(SeatHolder.match_id == bindparam("match")).order_by(SeatHolder.id)
)


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """Legal moves of a seat; `moves` are the first `MAX_MOVES_SHOWN`, `is_complete` is whether there are no more."""

    seat: Seat
    moves: tuple[Move, ...]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A match after an entry of its log, as a viewer may see it; step 0 is the deal.

    `log` is that of the viewer's View, and `names` are the players at that time; `who` is the one at the seat of the
    entry, or empty if it concerns the whole match. In `entry`, the move is empty if the viewer could not see it, and
    the salt while the match runs or is withheld.
    """

    number: int
    entry: Entry | None
    who: str
    names: Names
    at: str
    told: tuple[str, ...]
    board: dict[str, Json]
    to_move: tuple[Seat, ...]
    outcome: Outcome | None
    log: Sequence[Any]
    _legal: Callable[[], tuple[LegalMoves, ...]] = field(repr=False, compare=False)

    @property
    def turn(self) -> Turn:
        """Seats to move and the log, as drawings show them."""
        return Turn(self.to_move, self.log)

    def view(self, game: str, you: int | None = None) -> dict[str, Any]:
        """Return what pages show of the step, in the form of a View."""
        text = drawing_for(game).text(self.board, self.names, you)
        return {"game": game, "board": self.board, "text": text, "to_move": self.to_move, "log": self.log}

    @property
    def moves(self) -> tuple[LegalMoves, ...]:
        """Legal moves of the seats to move, as far as the viewer may know; computed on each access."""
        return self._legal()


@dataclass(frozen=True, slots=True)
class MoveListLine:
    """A line of the move list; `void` is whether it was taken back later, `ply` None if it is not a move."""

    number: int
    who: str
    at: str
    told: str
    ply: int | None
    void: bool = False


def seat_history(ctx: Context, match: Match) -> SeatHistory:
    """Return the names of all players that each seat of a match has had, oldest first."""
    rows = ctx.session.execute(_SITTERS, {"match": match.id}).all()
    return tuple(tuple(name for seat, name in rows if seat == place.seat) for place in match.seats)


def steps(course: LoadedMatch, viewer: Viewer, names: Names, sitters: SeatHistory = ()) -> Iterator[Step]:
    """Yield the steps of a match from its deal to the latest, as a viewer may see them.

    While the match runs, Eye.OPEN raises MatchNotOverError and the view of a seat is for its player alone; while its
    table is withheld, both eyes raise TableWithheldError. `names` are
    the present players.
    """
    check_viewer(course.match, viewer)
    names_by_entry = _names_by_entry(course, names, sitters)
    yield _build_deal(course, viewer, names_by_entry[0][0] if names_by_entry else names)
    log: list[Any] = course.game.log(course.first_position, viewer)
    for number, position in enumerate(course.positions, 1):
        before, log = log, course.game.log(position, viewer)
        yield _build_step(course, viewer, number, names_by_entry[number - 1], (before, log))


def get_step(course: LoadedMatch, viewer: Viewer, names: Names, number: int, sitters: SeatHistory = ()) -> Step:
    """Return a single step of a match; raises IndexError if it does not exist."""
    check_viewer(course.match, viewer)
    if not 0 <= number <= len(course.log):
        raise IndexError(number)
    names_by_entry = _names_by_entry(course, names, sitters)
    if not number:
        return _build_deal(course, viewer, names_by_entry[0][0] if names_by_entry else names)
    before = course.positions[number - 2] if number > 1 else course.first_position
    logs = (course.game.log(before, viewer), course.game.log(course.positions[number - 1], viewer))
    return _build_step(course, viewer, number, names_by_entry[number - 1], logs)


def step_number(course: LoadedMatch, ply: int) -> int | None:
    """Return the number of the step that played a ply, or None."""
    return next(
        (at for at, entry in enumerate(course.log, 1) if isinstance(entry, MoveEntry) and entry.ply == ply), None
    )


def step_interval(course: LoadedMatch, number: int) -> tuple[str, str]:
    """Return the start and end time of a step: "" before the first entry, "~" (sorts last) after the last."""
    times = [entry.at for entry in course.log]
    return times[number - 1] if number else "", times[number] if number < len(times) else "~"


def move_list(course: LoadedMatch, viewer: Viewer, names: Names, sitters: SeatHistory = ()) -> list[MoveListLine]:
    """Build the move list of a match, one line per entry of its log."""
    check_viewer(course.match, viewer)
    game, drawing = course.game, drawing_for(course.game.key)
    entries: dict[int, Any] = {}
    void: set[int] = set()
    standing: list[tuple[int, MoveEntry, int]] = []
    position = course.first_position
    for number, (entry, after) in enumerate(zip(course.log, course.positions, strict=True), 1):
        if isinstance(entry, MoveEntry):
            standing.append((number, entry, game.stage(position)))
        elif entry.event == "taken_back":
            entries |= _pair_with_view_log(standing, game.log(position, viewer))
            kept = [move for move in standing if move[1].ply < first_void_ply(entry)]
            void |= {move[0] for move in standing[len(kept) :]}
            standing = kept
        position = after
    entries |= _pair_with_view_log(standing, game.log(position, viewer))
    found: list[MoveListLine] = []
    names_by_entry = _names_by_entry(course, names, sitters)
    for number, (entry, (before, now)) in enumerate(zip(course.log, names_by_entry, strict=True), 1):
        who = name_of_seat(entry.seat, now)
        if isinstance(entry, EventEntry):
            found.append(MoveListLine(number, who, entry.at, describe(entry, now, before), None))
        else:
            text = drawing.tell(entries[number], now) if number in entries else ""
            found.append(MoveListLine(number, who, entry.at, text, entry.ply, number in void))
    return found


# -- building a step -----------------------------------------------------------------------------------


def _build_deal(course: LoadedMatch, viewer: Viewer, names: Names) -> Step:
    game, position = course.game, course.first_position
    ended = course.match.state == MatchState.OVER and not course.log
    return Step(
        number=0,
        entry=None,
        who="",
        names=names,
        at="",
        told=(),
        board=game.board(position, viewer),
        to_move=() if ended else game.to_move(position),
        outcome=game.outcome(position),
        log=game.log(position, viewer),
        _legal=lambda: _legal_moves(game, viewer, position),
    )


def _build_step(
    course: LoadedMatch, viewer: Viewer, number: int, names: tuple[Names, Names], logs: tuple[list[Any], list[Any]]
) -> Step:
    """Build a step from the players' names before and after it, and the logs of the viewer's views."""
    game, entry, position, (before, now) = course.game, course.log[number - 1], course.positions[number - 1], names
    if isinstance(entry, EventEntry):
        told: tuple[str, ...] = (describe(entry, now, before),)
    else:
        news = added_entries(*logs)
        told = tuple(drawing_for(game.key).tell(one, now) for one in news)
        if not any(one["seat"] == entry.seat and one["move"] == entry.move for one in news):
            entry = replace(entry, move="")
    over = course.match.state == MatchState.OVER
    ended = over and number == len(course.log)
    # With its salt, a hidden move could be guessed.
    is_open = over and not hides_table(course.match)
    return Step(
        number=number,
        entry=entry if is_open else replace(entry, salt=""),
        who=name_of_seat(entry.seat, now),
        names=now,
        at=entry.at,
        told=told,
        board=game.board(position, viewer),
        to_move=() if ended else game.to_move(position),
        outcome=game.outcome(position),
        log=logs[1],
        _legal=lambda: () if ended else _legal_moves(game, viewer, position),
    )


def added_entries(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """Return the entries that a view's log has gained or changed; the end of a sealed stage reveals all its moves."""
    same = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    if list(before[same:]) == list(after[same + 1 :]):
        return list(after[same : same + 1])
    return list(after[same:])


def _legal_moves(game: Game[Any], viewer: Viewer, position: Any) -> tuple[LegalMoves, ...]:
    """List the legal moves of the seats to move: of all seats for Eye.OPEN, of its own for a seat."""
    seats = game.to_move(position) if viewer is Eye.OPEN else () if isinstance(viewer, Eye) else (viewer,)
    found = ((seat, tuple(islice(game.moves(position, seat), MAX_MOVES_SHOWN + 1))) for seat in seats)
    return tuple(
        LegalMoves(seat, moves[:MAX_MOVES_SHOWN], len(moves) <= MAX_MOVES_SHOWN) for seat, moves in found if moves
    )


def _pair_with_view_log(standing: Sequence[tuple[int, MoveEntry, int]], log: Sequence[Any]) -> dict[int, Any]:
    """Map the number of each effective move to its entry in a view's log, which has sealed stages in seat order."""
    found, at = {}, 0
    for _stage, group in groupby(standing, key=lambda move: move[2]):
        moves = list(group)
        entries = list(log[at : at + len(moves)])
        at += len(moves)
        for number, entry, _ in moves:
            place = next((place for place, one in enumerate(entries) if one["seat"] == entry.seat), None)
            if place is not None:
                found[number] = entries.pop(place)
    return found


# -- players at each step --------------------------------------------------------------------------------


def _names_by_entry(course: LoadedMatch, names: Names, sitters: SeatHistory) -> list[tuple[Names, Names]]:
    """Return the players' names before and at each entry of a log; each substitution changes one."""
    changes = [entry.seat for entry in course.log if isinstance(entry, EventEntry) and entry.event == "substituted"]
    came = {seat: [*sitters[seat - 1][-changes.count(seat) - 1 :]] for seat in changes if seat and sitters}
    now = tuple(came[seat].pop(0) if came.get(seat) else name for seat, name in enumerate(names, 1))
    called: list[tuple[Names, Names]] = []
    for entry in course.log:
        before = now
        if isinstance(entry, EventEntry) and entry.event == "substituted" and entry.seat and came.get(entry.seat):
            newcomer = came[entry.seat].pop(0)
            now = (*now[: entry.seat - 1], newcomer, *now[entry.seat :])
        called.append((before, now))
    return called
