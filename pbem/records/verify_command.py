"""`pbem verify FILE`: report on everything in a record, in words that a person can follow."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

from pbem.boards import drawing_for
from pbem.boards.prose import clean_name, series
from pbem.games import Eye, find
from pbem.games.chain import EventEntry, opening_hash
from pbem.games.chance import item_texts
from pbem.games.record import InvalidRecordError, NotARecordError
from pbem.games.verify import UnsoundError, VerifiedDeal, VerifiedEntry, check
from pbem.i18n import several
from pbem.records.file_parsing import read_file
from pbem.robots.verify import check_robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pbem.games import Json, Viewer
    from pbem.games.chance import LabelDraw
    from pbem.games.record import Record

VALID, INVALID, NO_RECORD = 0, 1, 2
LINE_WIDTH = 96
MAX_ITEMS_PER_DRAW = 80
"""Maximum items of one draw that are shown."""
_MAX_TEXT_LENGTH = 60
"""Maximum characters shown of a free text in a record."""
MAX_ERROR_LENGTH = 400
"""Maximum characters of an error: it quotes the file."""

_EVENTS = {
    "resigned": "{who} resigned",
    "timed_out": "{who} ran out of time",
    "substituted": "somebody else took over the seat of {who}",
    "taken_back": "the moves from ply {from_} on were taken back",
    "draw_agreed": "a draw was agreed",
    "abandoned": "the match was abandoned",
    "paused": "the clock was stopped",
    "resumed": "the clock was resumed",
    "extended": "more time was given",
    "aborted": "the match was called off",
    "restored": "the match was restored",
    "opened": "hidden information was shown to the operator",
}


def verify_file(file: Path, *, brief: bool = False) -> int:
    """Print a report on a record file; returns the command's exit status."""
    return print_report(file, _brief_report if brief else _full_report)


def print_report(file: Path, report: Callable[[Record], Iterator[str]]) -> int:
    """Print lines about a record file as far as it holds; returns the command's exit status."""
    try:
        record = read_file(file)
    except NotARecordError as wrong:
        print(clean_name(str(wrong), MAX_ERROR_LENGTH), file=sys.stderr)
        return INVALID if isinstance(wrong, InvalidRecordError) else NO_RECORD
    try:
        for line in report(record):
            print(line)
    except UnsoundError as unsound:
        sys.stdout.flush()
        print(f"  DOES NOT HOLD: {clean_name(str(unsound), MAX_ERROR_LENGTH)}", file=sys.stderr)
        return INVALID
    print("Everything in this record holds.")
    return VALID


def _brief_report(record: Record) -> Iterator[str]:
    yield heading(record)
    entries: list[VerifiedEntry] = []
    for finding in check(record, find):
        if isinstance(finding, str):
            yield f"  holds: {finding}"
        elif isinstance(finding, VerifiedEntry):
            entries.append(finding)
    if robots := check_robots(record, entries):
        yield f"  holds: {robots}"


def _full_report(record: Record) -> Iterator[str]:
    """Yield a report of the whole match while it is checked: each finding below what it is about."""
    yield heading(record)
    names = tuple(map(clean_name, record.seats))
    findings = check(record, find)
    entries: list[VerifiedEntry] = []
    yield from _finding_lines(findings, 2)
    yield from wrap(describe_options(record), "  ")
    yield from ("", "The deal")
    yield from _commitment_lines(record, names)
    yield from _finding_lines(findings, 1)
    for finding in findings:
        match finding:
            case VerifiedDeal(drawn=drawn):
                yield from _draw_lines(drawn, "  ")
                yield from ("", "The match")
            case VerifiedEntry():
                entries.append(finding)
                yield from _entry_lines(finding, names)
            case str():
                yield from wrap(f"holds: {finding}", "  ")
                break
    yield from ("", "The chain")
    yield from _chain_lines(record)
    yield from _finding_lines(findings, 1)
    yield from ("", "The result")
    # The claimed result is shown only after it was verified: until then it could be anything.
    held = list(_finding_lines(findings, 1))
    yield from (f"  {line}" for line in describe_result(record, names))
    yield from (*held, "")
    if robots := check_robots(record, entries):
        yield "The robots"
        yield from (*wrap(f"holds: {robots}", "  "), "")


def heading(record: Record) -> str:
    """Return a title with the match and its players."""
    return (
        f"Record of match {clean_name(record.match, _MAX_TEXT_LENGTH)}: {' and '.join(map(clean_name, record.seats))}"
    )


def _finding_lines(findings: Iterator[str | VerifiedDeal | VerifiedEntry], count: int) -> Iterator[str]:
    for _ in range(count):
        yield from wrap(f"holds: {next(findings)}", "  ")


def describe_options(record: Record) -> str:
    """Describe the options of the match."""
    return "Played with " + (series([f"{name}: {value}" for name, value in record.options.items()]) or "no options")


def _commitment_lines(record: Record, names: tuple[str, ...]) -> Iterator[str]:
    yield f"  The commitment, published first:  {record.commitment.hex()}"
    yield f"  The secret that it stands for:    {record.secret.hex()}"
    for seat, (name, entropy, by) in enumerate(zip(names, record.entropies, record.entropy_by, strict=True), 1):
        whose = "from a text that the player typed" if by == "player" else "the server’s default"
        yield f"  Seat {seat}, {name}, {whose}:"
        yield f"    {clean_name(entropy, 64)}"
    if shared := record.shared:
        yield f"  The deal that it shares, {clean_name(shared.id, _MAX_TEXT_LENGTH)}, as table {shared.place}:"
        for number, entropy in enumerate(shared.entropies):
            table, seat = divmod(number, len(names))
            yield f"    table {table + 1}, seat {seat + 1}: {clean_name(entropy, 64)}"
    yield f"  The seed that all of it gives:    {record.seed.hex()}"


def _draw_lines(drawn: Iterable[LabelDraw], indent: str) -> Iterator[str]:
    for draw in drawn:
        items = item_texts(draw.gave)
        rest = f" … and {len(items) - MAX_ITEMS_PER_DRAW} more" if len(items) > MAX_ITEMS_PER_DRAW else ""
        yield from wrap(f"drawn for {draw.label}: {' '.join(items[:MAX_ITEMS_PER_DRAW])}{rest}", indent)


def _entry_lines(walked: VerifiedEntry, names: tuple[str, ...]) -> Iterator[str]:
    entry = walked.entry
    at = clean_name(entry.at, _MAX_TEXT_LENGTH)
    if isinstance(entry, EventEntry):
        yield from wrap(f"{describe_event(entry, names)}, {at}", "      ")
    else:
        yield from wrap(f"{entry.ply:>3}. {names[entry.seat - 1]}, {at}: {entry.move}", "  ", "       ")
        drawing = drawing_for(walked.game.key)
        for change in new_entries(walked):
            yield from wrap(drawing.tell(change, names), "       ")
    yield from _draw_lines(walked.drawn, "       ")


def new_entries(walked: VerifiedEntry, viewer: Viewer = Eye.OPEN) -> list[dict[str, Any]]:
    """Return log entries that are new or changed: the last move of a simultaneous step reveals everybody's moves."""
    known = _by_seat(walked.game.log(walked.before, viewer))
    now = _by_seat(walked.game.log(walked.after, viewer))
    return [entry for place, entry in now.items() if known.get(place) != entry]


def _by_seat(log: list[Json]) -> dict[tuple[int, int], dict[str, Any]]:
    """Index log entries by seat and number: in a simultaneous step their order may vary."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    numbers: dict[int, int] = {}
    for entry in log:
        if isinstance(entry, dict) and isinstance(seat := entry["seat"], int):
            numbers[seat] = numbers.get(seat, 0) + 1
            found[seat, numbers[seat]] = entry
    return found


def describe_event(entry: EventEntry, names: tuple[str, ...]) -> str:
    """Describe an event by the players, the clock or an operator."""
    seat = entry.seat
    who = "somebody" if seat is None else names[seat - 1] if 0 < seat <= len(names) else f"seat {seat}"
    from_ = clean_name(str(entry.detail.get("from")), _MAX_TEXT_LENGTH)
    text = _EVENTS[entry.event].format(who=who, from_=from_)
    return f"{text} (by {clean_name(entry.by, _MAX_TEXT_LENGTH)})"


def _chain_lines(record: Record) -> Iterator[str]:
    seats = len(record.seats)
    first = opening_hash(record.commitment, record.match, record.game, record.edition, record.options, seats)
    yield f"  The first hash:  {first.hex()}"
    yield f"  The last hash:   {record.head.hex()}"
    yield f"  Between them:    {several('one entry', '{number} entries', len(record.log))}"


def describe_result(record: Record, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the scores and winners of a record that was found to hold."""
    scores = record.result["scores"]
    if isinstance(scores, dict):
        yield "Scores: " + ", ".join(f"{name} {scores[str(seat)]}" for seat, name in enumerate(names, 1))
    winners = record.result["winners"]
    won = [names[seat - 1] for seat in winners if isinstance(seat, int)] if isinstance(winners, list) else []
    yield f"Won by: {series(won) or 'nobody'}"


def wrap(text: str, indent: str, further: str | None = None) -> list[str]:
    """Wrap a text into lines."""
    return textwrap.wrap(
        text,
        LINE_WIDTH,
        initial_indent=indent,
        subsequent_indent=further or indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
