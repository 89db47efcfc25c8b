"""Verification of a record: deal, moves, chain and result, each derived again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.games.chain import Entry, EventEntry, MoveEntry, canonical_json, commit, derive_seed, next_hash, opening_hash
from pbem.games.chance import RecordingChance
from pbem.games.entry_forms import CLOSING_EVENTS, find_fault, is_too_late
from pbem.games.errors import GameError
from pbem.games.record import ENDINGS, Record, replay, result

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from pbem.games.chance import LabelDraw
    from pbem.games.game import Game


_ENTROPY_FORMS = {"player": re.compile(r"[0-9a-f]{64}"), "server": re.compile(r"[0-9a-f]{32}")}
"""Form of a seat's entropy by its source: the hash of what a player typed, or the server's default."""


class UnsoundError(ValueError):
    """The first thing in a record that does not hold."""


@dataclass(frozen=True, slots=True)
class VerifiedDeal:
    """First position of a record's match, and what was drawn for it."""

    game: Game[Any]
    position: Any
    drawn: tuple[LabelDraw, ...]


@dataclass(frozen=True, slots=True)
class VerifiedEntry:
    """One entry of a log as it was replayed, and what was drawn for it."""

    game: Game[Any]
    entry: Entry
    before: Any
    after: Any
    drawn: tuple[LabelDraw, ...]


def verify(record: Record, find: Callable[[str, int], Game[Any]]) -> Iterator[str]:
    """Check everything in a record; yields a sentence for each thing that holds.

    `find` returns a game by key and edition (for an unknown one, it raises KeyError with a sentence). Raises
    UnsoundError with the first thing that does not hold.
    """
    return (finding for finding in check(record, find) if isinstance(finding, str))


def check(record: Record, find: Callable[[str, int], Game[Any]]) -> Iterator[str | VerifiedDeal | VerifiedEntry]:
    """Check a record as `verify` does, and also yield the deal and every entry of the log."""
    try:
        game: Game[Any] = find(record.game, record.edition)
    except KeyError as unknown:
        raise UnsoundError(f"The rules are not known: {unknown.args[0]}") from None
    yield f"The rules are known: {game.name}, edition {record.edition}."
    yield _verify_options(record, game)
    yield _verify_seed(record)
    end = yield from _verify_moves(record, game)
    yield _verify_chain(record)
    yield _verify_result(record, game, end)


def _verify_options(record: Record, game: Game[Any]) -> str:
    try:
        in_force = game.settle(len(record.seats), record.options)
    except GameError as refused:
        raise UnsoundError(f"The options do not hold: {refused}") from None
    if canonical_json(dict(in_force)) != canonical_json(dict(record.options)):
        raise UnsoundError("The options do not hold: the record does not name all that were in force.")
    if not len(record.seats) == len(record.entropies) == len(record.entropy_by):
        raise UnsoundError("The numbers of seats and entropies differ.")
    return "The options in force are complete and allowed."


def _verify_seed(record: Record) -> str:
    if commit(record.secret) != record.commitment:
        raise UnsoundError("The commitment does not hold: it is not the SHA-256 of the secret.")
    shared = record.shared
    if shared and (wrong := shared.fault(record.entropies)):
        raise UnsoundError(f"The shared deal does not hold: {wrong}.")
    dealt = (shared.id, shared.entropies) if shared else (record.match, record.entropies)
    if derive_seed(record.secret, *dealt) != record.seed:
        raise UnsoundError("The seed does not hold: secret and entropies give another one.")
    for seat, (by, entropy) in enumerate(zip(record.entropy_by, record.entropies, strict=True), 1):
        if by not in _ENTROPY_FORMS:
            raise UnsoundError(
                f"The entropy of seat {seat} does not hold: its source is neither “player” nor “server”."
            )
        if not _ENTROPY_FORMS[by].fullmatch(entropy):
            raise UnsoundError(
                f"The entropy of seat {seat} does not hold: it does not have the form of one from the {by}."
            )
    typed = record.entropy_by.count("player")
    if shared:
        return (
            "The seed comes from the committed secret and the entropies of every seat of every table: "
            f"{shared.describe(len(record.seats))} ({typed} of its own typed by players)."
        )
    return f"The seed comes from the committed secret and every seat's entropy ({typed} of them typed by players)."


def _verify_moves(record: Record, game: Game[Any]) -> Generator[str | VerifiedDeal | VerifiedEntry, None, Any]:
    chance = RecordingChance(record.seed)
    position = game.setup(len(record.seats), record.options, chance)
    yield VerifiedDeal(game, position, chance.taken())
    last, count, closed = 0, 0, False
    steps = replay(game, position, record.log, chance)
    for number, entry in enumerate(record.log, 1):
        if isinstance(entry, MoveEntry):
            if entry.ply <= last:
                raise UnsoundError(f"Entry {number} of the log does not hold: ply {entry.ply} was used before.")
            last, count = entry.ply, count + 1
        if wrong := find_fault(entry, len(record.seats)):
            raise UnsoundError(f"Entry {number} of the log does not hold: {wrong}.")
        if closed and is_too_late(entry, record.log[number - 2]):
            raise UnsoundError(f"Entry {number} of the log does not hold: the match was over before.")
        before = position
        try:
            position = next(steps).position
        except GameError as refused:
            raise UnsoundError(f"Entry {number} of the log does not hold: {refused}") from None
        closed = _is_over(game, entry, position, closed=closed)
        yield VerifiedEntry(game, entry, before, position, chance.taken())
    yield f"All {count} moves are legal, each in the position that the seed and the moves before it lead to."
    return position


def _is_over(game: Game[Any], entry: Entry, position: Any, *, closed: bool) -> bool:
    """Return whether the match is over after an entry of its log; a restored match goes on."""
    if isinstance(entry, MoveEntry):
        return not game.to_move(position)
    return (closed or entry.event in CLOSING_EVENTS) and entry.event != "restored"


def _verify_chain(record: Record) -> str:
    head = opening_hash(record.commitment, record.match, record.game, record.edition, record.options, len(record.seats))
    for entry in record.log:
        head = next_hash(head, entry)
    if head != record.head:
        raise UnsoundError("The chain does not hold: its entries lead to a different head than the record's.")
    return f"The chain of {len(record.log)} entries ends in the head {record.head.hex()[:16]}…"


def _verify_result(record: Record, game: Game[Any], position: Any) -> str:
    outcome = game.outcome(position)
    ending = record.result.get("ending")
    if (ending == "finished") != (outcome is not None) or ending not in ENDINGS:
        raise UnsoundError(f"The ending does not hold: the log does not end as “{ending}”.")
    events = {entry.event for entry in record.log if isinstance(entry, EventEntry)}
    if ending != "finished" and {"agreed": "draw_agreed"}.get(ending, ending) not in events:
        raise UnsoundError(f"The ending does not hold: no entry of the log says “{ending}”.")
    if canonical_json(result(outcome, ending, record.log, len(record.seats))) != canonical_json(record.result):
        raise UnsoundError("The result does not hold: the log leads to another one.")
    return f"The result follows from the log: {ending}, won by {_winners_text(record.result)}."


def _winners_text(claimed: Mapping[str, Any]) -> str:
    return ", ".join(f"seat {seat}" for seat in claimed["winners"]) or "nobody"
