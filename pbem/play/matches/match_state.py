"""State of a match: its log, the position that results from it, and how an entry is appended.

Seed and log are the whole history; positions are recomputed, never stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from pbem.db import conditions, pending_rows
from pbem.db.models import LogEntry, Match, MatchSeat, SeatHolder
from pbem.db.query_cache import flushing_only, refresh_match
from pbem.games import Chance, Move, Seat, find
from pbem.games.chain import Entry, EventEntry, MoveEntry, next_hash
from pbem.games.chance import ContinuedChance, ObservedChance
from pbem.games.record import effective_moves, first_void_ply, replay
from pbem.play.core import player_events
from pbem.play.core.context import timestamp, to_milliseconds
from pbem.play.matches import seats

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from pbem.games import Game, Json
    from pbem.play.core.context import Context

SALT_BYTES = 16

_INSERT_ENTRY = pending_rows.insert_into(LogEntry)

_LOCK_QUERY = (
    select(Match)
    .where(Match.id == bindparam("match"))
    .with_for_update(key_share=True)
    .execution_options(populate_existing=True)
)
_LOCK_FREE_QUERY = (
    select(Match)
    .where(conditions.is_any_of(Match.id, "matches"))
    .order_by(Match.id)
    .with_for_update(key_share=True, skip_locked=True)
)

# The database formats times and salts as the chain has them.
_LOGS = select(
    LogEntry.match_id,
    LogEntry.ply,
    LogEntry.seat,
    LogEntry.move,
    LogEntry.event,
    LogEntry.by,
    LogEntry.detail,
    func.to_char(func.timezone("UTC", LogEntry.logged_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    func.encode(LogEntry.salt, "hex"),
).order_by(LogEntry.match_id, LogEntry.number)
_LOG_OF_ONE = _LOGS.where(LogEntry.match_id == bindparam("match"))
_LOGS_OF_SEVERAL = _LOGS.where(conditions.is_any_of(LogEntry.match_id, "matches"))


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """State of a match that has begun: its row, its rules, its log and the resulting position.

    `positions` has the position after each entry of the log, `turns` the seat and the stage of each effective move. The
    first `inherited` entries of the log are moves of the match that this one was forked from; they are not in its own
    chain.
    """

    match: Match
    game: Game[Any]
    chance: Chance
    log: tuple[Entry, ...]
    first_position: Any
    position: Any
    turns: tuple[tuple[int, int], ...]
    inherited: int = 0
    positions: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ForkOrigin:
    """What a forked match has from its origin: the effective moves there, and their chance.

    `drawn` are the labels under which chance was drawn for them; everything else is this match's own chance.
    """

    moves: tuple[MoveEntry, ...]
    chance: Chance
    drawn_labels: frozenset[str]

    @property
    def next_ply(self) -> int:
        """Number of the first move after these: no two moves of a match have the same."""
        return 1 + max((move.ply for move in self.moves), default=0)


def lock_match(ctx: Context, match: str) -> Match:
    """Lock the match's row for this transaction; every other statement comes after.

    Submissions to the match, whose rows refer to it, can still be inserted: its key is not locked.
    """
    locked = ctx.session.scalars(_LOCK_QUERY, {"match": match}).one()
    # The transaction that held the lock may have changed who sits where.
    refresh_match(ctx.session, match, SeatHolder, MatchSeat)
    return locked


def lock_free_matches(ctx: Context, matches: Collection[str]) -> list[Match]:
    """Lock the rows of those of some matches that nobody else has locked, as the first statement of a transaction."""
    return [*ctx.session.scalars(_LOCK_FREE_QUERY, {"matches": [*matches]})]


def load_matches(ctx: Context, matches: Sequence[Match]) -> None:
    """Load the states of several matches that began with a deal by one query, for `load_match`."""
    logs = _load_logs(ctx, [match.id for match in matches])
    for match in matches:
        _store(ctx, replay_log(match, logs[match.id]))


def load_match(ctx: Context, match: Match) -> LoadedMatch:
    """Replay a match that has begun, unless this use case has loaded its state already."""
    kept: tuple[bytes, LoadedMatch | None] = ctx.loaded.get(match.id, (b"", None))
    head, known = kept
    if known is None or known.match is not match or head != match.chain_head:
        # Loads `match.seats`, which the replay needs; callers need the holders too.
        seats.with_holders(ctx, match)
        known = _store(ctx, replay_log(match, load_log(ctx, match.id), load_fork_origin(ctx, match)))
    return known


def load_fork_origin(ctx: Context, match: Match) -> ForkOrigin | None:
    """Replay what a practice match has from its origin, or return None for a match that begins with a deal."""
    if match.forked_from_id is None:
        return None
    origin = ctx.session.get_one(Match, match.forked_from_id)
    before = load_fork_origin(ctx, origin)
    log = (*(before.moves if before else ()), *load_log(ctx, origin.id))
    moves = effective_moves(log[: match.forked_step])
    game, chance = find(origin.game, origin.edition), _chance_of_match(origin, before)
    heard = ObservedChance(chance)
    deal = game.setup(len(origin.seats), origin.options, heard)
    for _step in replay(game, deal, moves, heard):
        pass
    return ForkOrigin(tuple(moves), chance, frozenset(heard.labels))


def load_log(ctx: Context, match: str) -> tuple[Entry, ...]:
    """Load the log of a match as entries of its chain, without the cost of model objects."""
    with flushing_only(ctx.session, LogEntry):
        return tuple([_entry(*row) for row in ctx.session.execute(_LOG_OF_ONE, {"match": match})])


def _load_logs(ctx: Context, matches: Collection[str]) -> dict[str, list[Entry]]:
    """Load the logs of several matches by one query."""
    found: dict[str, list[Entry]] = {match: [] for match in matches}
    with flushing_only(ctx.session, LogEntry):
        for row in ctx.session.execute(_LOGS_OF_SEVERAL, {"matches": [*found]}):
            found[row[0]].append(_entry(*row))
    return found


def _entry(
    _match: str, ply: int | None, seat: int, move: str, event: str, by: str, detail: Any, at: str, salt: str
) -> Entry:
    if ply is None:
        return EventEntry(event, seat, by, detail or {}, at, salt)
    return MoveEntry(ply, seat, move, at, salt)


def replay_log(match: Match, log: Sequence[Entry], past: ForkOrigin | None = None) -> LoadedMatch:
    """Return the state that a log leads to, after the moves from a fork's origin."""
    game, chance, deal = first_position(match, past)
    taken, position = past.moves if past else (), deal
    log = (*taken, *log)
    turns: list[tuple[int, int, int]] = []
    positions: list[Any] = []
    for step in replay(game, position, log, chance):
        if isinstance(step.entry, MoveEntry):
            turns.append((step.entry.ply, step.entry.seat, game.stage(position)))
        elif step.entry.event == "taken_back":
            turns = [turn for turn in turns if turn[0] < first_void_ply(step.entry)]
        position = step.position
        positions.append(position)
    acted = tuple((seat, stage) for _, seat, stage in turns)
    return LoadedMatch(match, game, chance, log, deal, position, acted, len(taken), tuple(positions))


def first_position(match: Match, past: ForkOrigin | None = None) -> tuple[Game[Any], Chance, Any]:
    """Deal the first position of a match, or that of its fork's origin."""
    game, chance = find(match.game, match.edition), _chance_of_match(match, past)
    return game, chance, game.setup(len(match.seats), match.options, chance)


def _chance_of_match(match: Match, past: ForkOrigin | None) -> Chance:
    """Return the chance of a match that has begun."""
    if match.seed is None:
        raise ValueError(f"match {match.id} has not begun")
    return ContinuedChance(match.seed, past.chance, past.drawn_labels) if past else Chance(match.seed)


def play_move(ctx: Context, course: LoadedMatch, seat: Seat, move: Move, at: datetime) -> LoadedMatch:
    """Append a legal move to a match, and update the match's row to the new stage."""
    match = course.match
    position = course.game.apply(course.position, seat, move, course.chance)
    entry = MoveEntry(match.next_ply, seat, move, timestamp(at), ctx.draw(SALT_BYTES).hex())
    _append(ctx, match, entry, at)
    for holder in seats.listening(ctx, match):
        more = {"ply": entry.ply, "by": int(seat)}
        player_events.record(ctx, player_events.MOVE, match, holder, more, once=f"move {match.id} {entry.ply}")
    match.next_ply += 1
    if course.game.stage(position) != course.game.stage(course.position):
        match.ply = match.next_ply
    match.to_move = [int(mover) for mover in course.game.to_move(position)]
    turn = (int(seat), course.game.stage(course.position))
    log, positions, turns = (*course.log, entry), (*course.positions, position), (*course.turns, turn)
    return _store(ctx, replace(course, log=log, position=position, turns=turns, positions=positions))


def _store(ctx: Context, course: LoadedMatch) -> LoadedMatch:
    """Store a state with the head of its chain for the rest of this use case."""
    ctx.loaded[course.match.id] = course.match.chain_head, course
    return course


def append_event(
    ctx: Context, match: Match, event: str, *, seat: int | None, by: str, detail: dict[str, Json] | None = None
) -> EventEntry:
    """Append an event of a player, the clock or an operator to a match's log."""
    entry = EventEntry(event, seat, by, detail or {}, timestamp(ctx.now), ctx.draw(SALT_BYTES).hex())
    _append(ctx, match, entry, ctx.now)
    return entry


def _append(ctx: Context, match: Match, entry: Entry, at: datetime) -> None:
    match.log_length += 1
    match.chain_head = next_hash(match.chain_head, entry)
    played = entry if isinstance(entry, MoveEntry) else None
    acted = entry if isinstance(entry, EventEntry) else None
    row = {
        "match_id": match.id,
        "number": match.log_length,
        "ply": played and played.ply,
        "seat": entry.seat,
        "move": played and played.move,
        "event": acted and acted.event,
        "by": acted and acted.by,
        "detail": acted and acted.detail,
        "logged_at": to_milliseconds(at),
        "salt": bytes.fromhex(entry.salt),
    }
    pending_rows.add(ctx.session, _INSERT_ENTRY, row)
