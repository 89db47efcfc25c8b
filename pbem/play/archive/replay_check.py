"""Replay check: replays stored matches with the installed rules and reports the first difference from their rows.

It reads only columns that every schema has had, so that new code can be tried before the database is migrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, literal_column, select
from sqlalchemy.orm import load_only, selectinload

from pbem.db.models import Match, MatchSeat
from pbem.games import GameError
from pbem.games.chain import MoveEntry, next_hash, opening_hash
from pbem.games.record import replay, result
from pbem.play.matches.match_state import first_position, load_fork_origin, load_log
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from pbem.games import Chance, Game
    from pbem.games.chain import Entry
    from pbem.games.record import Step
    from pbem.play.core.context import Context

_STABLE_COLUMNS = (
    Match.id,
    Match.game,
    Match.edition,
    Match.options,
    Match.commitment,
    Match.seed,
    Match.chain_head,
    Match.log_length,
    Match.state,
    Match.ply,
    Match.next_ply,
    Match.to_move,
    Match.result,
)
_FORKED_FROM: ColumnElement[str | None] = literal_column("to_jsonb(matches) ->> 'forked_from_id'")
"""The column `forked_from`, or null if the table does not have it yet."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A match that the installed rules do not replay as it was played, with the first difference."""

    match: str
    game: str
    edition: int
    first: str

    def __str__(self) -> str:
        """Format the difference as one line."""
        return f"{self.match} ({self.game}, edition {self.edition}): {self.first}"


class _DiffersError(Exception):
    """Says how a match differs from its row."""


def count(session: Session, after: str) -> int:
    """Count the started matches with an id after `after`."""
    begun = select(func.count()).select_from(Match).where(Match.seed.is_not(None), Match.id > after)
    return session.scalar(begun) or 0


def next_batch(session: Session, after: str, most: int) -> list[str]:
    """List the first ids of started matches after `after`, at most `most`."""
    wanted = select(Match.id).where(Match.seed.is_not(None), Match.id > after)
    return [*session.scalars(wanted.order_by(Match.id).limit(most))]


def find_differences(ctx: Context, names: Sequence[str]) -> list[Difference]:
    """Replay the matches with these ids; return those that differ, in the order of their ids."""
    seats = selectinload(Match.seats).load_only(MatchSeat.match_id, MatchSeat.seat)
    wanted = (
        select(Match, _FORKED_FROM)
        .options(load_only(*_STABLE_COLUMNS), seats)
        .where(Match.id.in_(names))
        .order_by(Match.id)
    )
    found = []
    for match, forked in ctx.session.execute(wanted).all():
        if (first := _first_difference(ctx, match, forked=forked is not None)) is not None:
            found.append(Difference(match.id, match.game, match.edition, first))
    return found


def _first_difference(ctx: Context, match: Match, *, forked: bool) -> str | None:
    """Replay a match; return its first difference, or None."""
    try:
        past = load_fork_origin(ctx, match) if forked else None
        game, chance, position = first_position(match, past)
        for taken in replay(game, position, past.moves if past else (), chance):
            position = taken.position
        log = load_log(ctx, match.id)
        begins = past.next_ply if past else 1
        position = _check_plies(match, game, position, _replay_log(match, game, position, log, chance), begins)
        _check_chain(match, log)
        _check_result(match, game, log, position)
    except KeyError:
        return "this edition is not installed"
    except _DiffersError as differs:
        return str(differs)
    except GameError as refused:
        return f"its beginning is refused now: {refused}"
    except Exception as broken:  # noqa: BLE001 -- one broken match must not stop the check of the others
        return f"the rules break with {type(broken).__name__}"
    return None


def _replay_log(match: Match, game: Game[Any], start: Any, log: Sequence[Entry], chance: Chance) -> Iterator[Step[Any]]:
    """Yield the steps of a log; raises _DiffersError naming the entry that the rules refuse."""
    steps = replay(game, start, log, chance)
    for number, entry in enumerate(log, 1):
        try:
            yield next(steps)
        except GameError as refused:
            which = f"entry {number} of its log"
            if isinstance(entry, MoveEntry):
                which = f"move {entry.ply}, of seat {entry.seat},"
            # The refusal could reveal hidden state of a running match, which operators must not see either.
            reason = f": {refused}" if match.state == MatchState.OVER else ""
            raise _DiffersError(f"{which} is refused now{reason}") from None


def _check_plies(match: Match, game: Game[Any], position: Any, steps: Iterable[Step[Any]], begins: int) -> Any:
    """Check the plies of a replay, which begins with ply `begins`, against the match; return the final position."""
    ply = next_ply = begins
    for number, step in enumerate(steps, 1):
        if isinstance(step.entry, MoveEntry):
            if step.entry.ply < next_ply:
                raise _DiffersError(f"entry {number} has the ply {step.entry.ply}, which was used before")
            next_ply = step.entry.ply + 1
            if game.stage(step.position) != game.stage(position):
                ply = next_ply
        elif step.entry.event == "taken_back":
            ply = next_ply = max(next_ply, ply + 1)
        position = step.position
    for what, here, there in (("stage begins with ply", ply, match.ply), ("next ply is", next_ply, match.next_ply)):
        if here != there:
            raise _DiffersError(f"its {what} {here} now, and was {there}")
    return position


def _check_chain(match: Match, log: Sequence[Entry]) -> None:
    head = opening_hash(match.commitment, match.id, match.game, match.edition, match.options, len(match.seats))
    for entry in log:
        head = next_hash(head, entry)
    if len(log) != match.log_length:
        raise _DiffersError(f"its log has {len(log)} entries, and should have {match.log_length}")
    if head != match.chain_head:
        raise _DiffersError("its chain leads to another head")


def _check_result(match: Match, game: Game[Any], log: Sequence[Entry], position: Any) -> None:
    outcome = game.outcome(position)
    if match.state != MatchState.OVER:
        to_move = [int(seat) for seat in game.to_move(position)]
        if to_move != match.to_move:
            raise _DiffersError(f"to move are the seats {to_move} now, and were {match.to_move}")
        if outcome is not None:
            raise _DiffersError("it is over by the rules now, and still runs")
        return
    claimed = match.result or {}
    ending = str(claimed.get("ending"))
    if (ending == "finished") != (outcome is not None):
        raise _DiffersError(f"it is {'over' if outcome else 'not over'} by the rules now, and ended as “{ending}”")
    now = result(outcome, ending, log, len(match.seats))
    if now != claimed:
        raise _DiffersError(f"its result is {now} now, and was {claimed}")
