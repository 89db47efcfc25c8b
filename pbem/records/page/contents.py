"""Contents of a match's page: its record, its steps as each viewer may see them, and the data of its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.boards import drawing_for
from pbem.games import Eye, Seat
from pbem.games.chain import next_hash, opening_hash
from pbem.games.chance import RecordingChance, item_texts
from pbem.games.record import replay
from pbem.play.archive.replays import move_list, steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games import Json
    from pbem.games.chance import LabelDraw
    from pbem.games.record import Record
    from pbem.play.archive.comments import ExportedComment
    from pbem.play.archive.replays import MoveListLine, Step
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.records.page.sources import Source

MAX_LEGAL_MOVES = 30
"""Maximum legal moves listed for each step."""
SHORT_HASH_DIGITS = 16
"""Hex digits of the chain's hash that are shown in mails, and stored in the page for each entry."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """A match as one viewer saw it, by step: pictures, texts and sentences; `seat` is None with all hands open."""

    seat: int | None
    pictures: tuple[str, ...]
    texts: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that the page shows and checks of a finished match."""

    record: Record
    lines: tuple[MoveListLine, ...]
    everything: Perspective
    seats: tuple[Perspective, ...]
    chain_heads: tuple[str, ...]
    draws: tuple[Json, ...]
    legal_moves: tuple[str, ...]
    remarks: Mapping[int, Sequence[ExportedComment]]


def build_contents(source: Source) -> Contents:
    """Compute the contents of the page of a finished match."""
    course, record, sitters = source.course, source.record, source.sitters
    names, key = tuple(record.seats), course.game.key
    opened = tuple(steps(course, Eye.OPEN, names, sitters))
    seats: list[Perspective] = []
    for seat in range(1, len(names) + 1):
        walked = tuple(steps(course, Seat(seat), names, sitters))
        if all(one.board == other.board and one.told == other.told for one, other in zip(opened, walked, strict=True)):
            # A game without hidden information: this seat saw everything.
            continue
        seats.append(_perspective(key, walked, seat))
    listed = tuple(move_list(course, Eye.OPEN, names, sitters))
    everything = _perspective(key, opened, None)
    legal = tuple(_legal_moves(step) for step in opened)
    return Contents(
        record, listed, everything, tuple(seats), _chain_heads(record), _draws(record, course), legal, source.remarks
    )


def _perspective(key: str, walked: Sequence[Step], seat: int | None) -> Perspective:
    drawing = drawing_for(key)
    return Perspective(
        seat,
        # Not described: the board is next to its picture as text.
        tuple(drawing.svg(step.board, step.names, seat, step.turn, described=False) for step in walked),
        tuple(drawing.text(step.board, step.names, seat) for step in walked),
        tuple(step.told for step in walked),
    )


def _legal_moves(step: Step) -> str:
    """List the legal moves of a step: one line for each seat to move, cut if it is long."""
    lines: list[str] = []
    for could in step.moves:
        rest = " | …" if len(could.moves) > MAX_LEGAL_MOVES or not could.is_complete else ""
        lines.append(f"{step.names[could.seat - 1]}: {' | '.join(could.moves[:MAX_LEGAL_MOVES])}{rest}")
    return "\n".join(lines)


def _chain_heads(record: Record) -> tuple[str, ...]:
    rules = record.match, record.game, record.edition, record.options, len(record.seats)
    heads = [opening_hash(record.commitment, *rules)]
    for entry in record.log:
        heads.append(next_hash(heads[-1], entry))
    return tuple(head.hex()[:SHORT_HASH_DIGITS] for head in heads)


def _draws(record: Record, course: LoadedMatch) -> tuple[Json, ...]:
    """List what was drawn for the deal and for each entry, with the number of the step."""
    chance = RecordingChance(record.seed)
    position = course.game.setup(len(record.seats), record.options, chance)
    found: list[Json] = [{"step": 0, "drawn": [*map(draw_data, chance.taken())]}]
    for number, _step in enumerate(replay(course.game, position, record.log, chance), 1):
        if taken := chance.taken():
            found.append({"step": number, "drawn": [*map(draw_data, taken)]})
    return tuple(found)


def draw_data(draw: LabelDraw) -> Json:
    """Return a draw in a form that can be verified without the game: a shuffle's items, or a stream's numbers."""
    if draw.items is None:
        below: list[Json] = [n for n, _ in draw.numbers]
        return {"label": draw.label, "below": below, "gave": [number for _, number in draw.numbers]}
    return {"label": draw.label, "items": [*item_texts(draw.items)], "gave": [*item_texts(draw.gave)]}
