"""Record of a finished match, in a form that anyone can check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbem.games.chain import EVENTS, Entry, EventEntry, MoveEntry, canonical_json
from pbem.games.chance import SEED_BYTES, Chance
from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.hidden import Seat
from pbem.games.shared_deal import SharedDeal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

P = TypeVar("P")

FORMAT = "pbem-record/1"
ENDINGS = ("finished", "resigned", "timed_out", "agreed", "abandoned", "aborted")
"""Ways in which a match can end; all but the first are not by the rules, and have an event in the log."""

_MOVE_KEYS = {"ply", "seat", "move", "at", "salt"}
_RECORD_KEYS = {
    "format", "match", "game", "edition", "options", "seats", "commitment", "secret", "entropies", "entropy_by", "seed",
    "log", "result", "head", "set",
}  # fmt: skip
_SET_KEYS = {"id", "place", "entropies"}
_EVENT_KEYS = {"event", "seat", "by", "detail", "at", "salt"}


@dataclass(frozen=True, slots=True)
class Step(Generic[P]):
    """One entry of a log, with the position that it led to."""

    entry: Entry
    position: P


def replay(game: Game[P], start: P, log: Iterable[Entry], chance: Chance) -> Iterator[Step[P]]:
    """Replay a log from the first position; raises IllegalMove at a move that the rules do not allow."""
    position = start
    before: list[tuple[int, P]] = []
    for entry in log:
        if isinstance(entry, MoveEntry):
            before.append((entry.ply, position))
            position = game.apply(position, Seat(entry.seat), Move(entry.move), chance)
        elif entry.event == "taken_back":
            while before and before[-1][0] >= first_void_ply(entry):
                position = before.pop()[1]
        yield Step(entry, position)


def effective_moves(log: Iterable[Entry]) -> list[MoveEntry]:
    """List the moves of a log that were not taken back, in the order of the log of a View."""
    kept: list[MoveEntry] = []
    for entry in log:
        if isinstance(entry, MoveEntry):
            kept.append(entry)
        elif entry.event == "taken_back":
            kept = [move for move in kept if move.ply < first_void_ply(entry)]
    return kept


def result(outcome: Outcome | None, ending: str, log: Iterable[Entry], seats: int) -> dict[str, Json]:
    """Return the end of a match in the terms of a record.

    An end that is not by the rules has no scores; its winners are the seats that neither resigned nor timed out, all
    of them if a draw was agreed, and none if the match was abandoned or aborted.
    """
    if ending == "finished" and outcome is not None:
        scores: Json = {str(seat): score for seat, score in enumerate(outcome.scores, 1)}
        return {"scores": scores, "winners": [int(seat) for seat in outcome.winners], "ending": ending}
    gone = {entry.seat for entry in log if isinstance(entry, EventEntry) and entry.event in {"resigned", "timed_out"}}
    if ending in {"abandoned", "aborted"}:
        gone = set(range(1, seats + 1))
    elif ending == "agreed":
        gone = set()
    winners: list[Json] = [seat for seat in range(1, seats + 1) if seat not in gone]
    return {"scores": None, "winners": winners, "ending": ending}


def first_void_ply(entry: EventEntry) -> int:
    """Return the first ply that a takeback makes void."""
    ply = entry.detail.get("from")
    return ply if isinstance(ply, int) else 0


class NotARecordError(ValueError):
    """The data is no record at all; the message says why."""


class InvalidRecordError(NotARecordError):
    """The data claims to be a record, but is not a complete one; the message names the first thing that is wrong."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match: rules, seats, secrets and log, with the claimed results; `shared` is a deal that it shares."""

    match: str
    game: str
    edition: int
    options: Mapping[str, object]
    seats: tuple[str, ...]
    commitment: bytes
    secret: bytes
    entropies: tuple[str, ...]
    entropy_by: tuple[str, ...]
    seed: bytes
    log: tuple[Entry, ...]
    result: dict[str, Json]
    head: bytes
    shared: SharedDeal | None = None

    def data(self) -> dict[str, Json]:
        """Return the record as JSON data, hashes as lower-case hex."""
        return {
            "format": FORMAT,
            "match": self.match,
            "game": self.game,
            "edition": self.edition,
            "options": {name: value for name, value in self.options.items() if isinstance(value, str | int)},
            "seats": list(self.seats),
            "commitment": self.commitment.hex(),
            "secret": self.secret.hex(),
            "entropies": list(self.entropies),
            "entropy_by": list(self.entropy_by),
            **({"set": self.shared.data()} if self.shared else {}),
            "seed": self.seed.hex(),
            "log": [entry.data() for entry in self.log],
            "result": self.result,
            "head": self.head.hex(),
        }


def parse_record(data: Any) -> Record:
    """Parse a record from JSON data; raises NotARecordError with what is missing or of another kind."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotARecordError(f"This is not a record: it does not say “format”: “{FORMAT}”.")
    if unknown := set(data) - _RECORD_KEYS:
        raise InvalidRecordError(f"This record is not valid: “{min(map(str, unknown))[:40]}” is not part of a record.")
    try:
        canonical_json(data)
    except ValueError:
        # A lone surrogate, or a number that Python does not write: it could not be hashed.
        raise InvalidRecordError(
            "This record is not valid: it contains what cannot be written as JSON in UTF-8."
        ) from None
    try:
        return Record(
            match=_text(data["match"]),
            game=_text(data["game"]),
            edition=_number(data["edition"]),
            options=_object(data["options"]),
            seats=tuple(_text(name) for name in data["seats"]),
            commitment=_digest(data["commitment"]),
            secret=_digest(data["secret"]),
            entropies=tuple(_text(entropy) for entropy in data["entropies"]),
            entropy_by=tuple(_text(by) for by in data["entropy_by"]),
            seed=_digest(data["seed"]),
            log=tuple(_entries(data["log"])),
            result=_object(data["result"]),
            head=_digest(data["head"]),
            shared=_shared(data["set"]) if "set" in data else None,
        )
    except KeyError as missing:
        raise InvalidRecordError(f"This record is not valid: {missing} is missing.") from None
    except (TypeError, ValueError, AttributeError) as wrong:
        raise InvalidRecordError(f"This record is not valid: {wrong}.") from None


def _shared(data: Any) -> SharedDeal:
    if set(_object(data)) != _SET_KEYS:
        raise ValueError(f"the set has the keys {', '.join(sorted(data))}")
    entropies = tuple(_text(entropy) for entropy in data["entropies"])
    return SharedDeal(_text(data["id"]), _number(data["place"]), entropies)


def _entries(log: Any) -> Iterator[Entry]:
    for number, data in enumerate(log, 1):
        try:
            yield _entry(data)
        except (TypeError, ValueError, AttributeError) as wrong:
            raise ValueError(f"entry {number} of the log: {wrong}") from None


def _entry(data: Any) -> Entry:
    if set(data) not in (_MOVE_KEYS, _EVENT_KEYS):
        raise ValueError(f"an entry of the log has the keys {', '.join(sorted(data))}")
    if "event" in data:
        if data["event"] not in EVENTS:
            raise ValueError(f"“{data['event']}” is not an event of a log")
        seat = None if data["seat"] is None else _number(data["seat"])
        return EventEntry(
            data["event"], seat, _text(data["by"]), _object(data["detail"]), _text(data["at"]), _text(data["salt"])
        )
    return MoveEntry(
        _number(data["ply"]), _number(data["seat"]), _text(data["move"]), _text(data["at"]), _text(data["salt"])
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _object(value: object) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is not an object")
    return value


def _digest(value: object) -> bytes:
    text = _text(value)
    digest = bytes.fromhex(text)
    if len(digest) != SEED_BYTES or digest.hex() != text:
        raise ValueError(f"{text!r} is not {SEED_BYTES} bytes in lower-case hex")
    return digest
