"""Text form of a record, in the manner of PGN: readable first, and with everything that the record holds.

The format is described in `docs/reference/records.md`. Only words count, not how they are broken into lines.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

from pbem.games.chain import Entry, EventEntry
from pbem.games.record import FORMAT, InvalidRecordError, NotARecordError, parse_record
from pbem.games.scan import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pbem.games.game import Json
    from pbem.games.record import Record

MAX_COLUMNS = 80
"""Maximum width of a line, unless a single word is longer."""
OPENING = f'[Format "{FORMAT}"]'
"""Beginning of the text form; JSON never begins like this."""

_MAX_ALIGNED_LENGTH = 48
"""Maximum length of a move up to which times are aligned."""
_PREFACE = (
    "Each line below: number, (seat), move, and when it was received; what the table or the clock did begins with a "
    "star. The result and what was secret follow. “pbem verify FILE” checks all of it."
)
_PLAIN_WORD = r"[0-9A-Za-z|/+*<>=?!&%#$_-][^\s\"@{}()\[\];\\\x00-\x1f\x7f-\U0010ffff]*"
_is_plain_text = re.compile(rf"{_PLAIN_WORD}(?: {_PLAIN_WORD})*").fullmatch
_is_plain_word = re.compile(r"[a-z_]+").fullmatch
_is_timestamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z").fullmatch
_is_salt = re.compile(r"[0-9a-f]{32}").fullmatch

_TAGS = {name: name.lower() for name in ("Game", "Edition", "Match", "Commitment", "Secret", "Seed", "Head", "Salts")}
_SEAT_TAGS = {"Seat": "seats", "Entropy": "entropies", "EntropyBy": "entropy_by"}
"""Tags that end in the number of a seat."""
_SET_TAG, _SET_PLACE_TAG, _SET_ENTROPY_TAG = "Set", "SetPlace", "SetEntropy"
"""Tags of a shared deal; the last ends in a number, counted over the seats of all tables."""


def format_text(record: Record, comments: Mapping[int, Sequence[str]] | None = None) -> str:
    """Format a record as text; `comments` follow the entry of their number, those of 0 precede the first."""
    return "".join(f"{line}\n" for line in _lines(record, comments or {}))


def _lines(record: Record, comments: Mapping[int, Sequence[str]]) -> Iterator[str]:
    yield from (OPENING, _tag("Game", record.game), _tag("Edition", str(record.edition)), _tag("Match", record.match))
    yield from _numbered_tags("Seat", record.seats)
    yield from (f"[Option {_quote(name)} {_quote(value)}]" for name, value in record.options.items())
    yield ""
    yield from _comment(_PREFACE)
    yield ""
    yield from (line for comment in comments.get(0, ()) for line in _comment(comment))
    digits = max((len(str(entry.ply)) for entry in record.log if not isinstance(entry, EventEntry)), default=1)
    lengths = [len(entry.move) for entry in record.log if not isinstance(entry, EventEntry)]
    width = max((length for length in lengths if length <= _MAX_ALIGNED_LENGTH), default=0) + digits + len(". (1) ")
    for number, entry in enumerate(record.log, 1):
        yield from _entry(entry, digits, width)
        yield from (line for comment in comments.get(number, ()) for line in _comment(comment))
    yield ""
    yield from _fill_lines(["=", *_result(record.result, len(record.seats))])
    yield ""
    yield from (_tag("Commitment", record.commitment.hex()), _tag("Secret", record.secret.hex()))
    yield from _numbered_tags("Entropy", record.entropies)
    yield from _numbered_tags("EntropyBy", record.entropy_by)
    if record.shared:
        yield from (_tag(_SET_TAG, record.shared.id), _tag(_SET_PLACE_TAG, str(record.shared.place)))
        yield from _numbered_tags(_SET_ENTROPY_TAG, record.shared.entropies)
    yield from (_tag("Seed", record.seed.hex()), _tag("Head", record.head.hex()))
    *words, last = "[Salts", *(_quote_unless(entry.salt, _is_salt) for entry in record.log)
    yield from _fill_lines([*words, f"{last}]"], " ")


def _entry(entry: Entry, digits: int, width: int) -> Iterator[str]:
    at = f"@{_quote_unless(entry.at, _is_timestamp)}"
    if isinstance(entry, EventEntry):
        seat = [] if entry.seat is None else [f"({entry.seat})"]
        detail = [f"{_quote_unless(name, _is_plain_word)}={_quote(value)}" for name, value in entry.detail.items()]
        yield from _fill_lines(
            ["*", entry.event, *seat, "by", _quote_unless(entry.by, _is_plain_word), *detail, at], "  "
        )
        return
    move = [_quote(entry.move)] if not _is_plain_text(entry.move) else entry.move.split(" ")
    lead = f"{entry.ply:>{digits}}."
    line = f"{lead} ({entry.seat}) {' '.join(move)}".ljust(width) + f" {at}"
    yield from (
        [line] if len(line) <= MAX_COLUMNS else _fill_lines([lead, f"({entry.seat})", *move, at], " " * (digits + 2))
    )


def _result(result: Mapping[str, Any], seats: int) -> list[str]:
    """Format a result in words, or as data if the words could not be parsed back."""
    ending, winners, scores = result.get("ending"), result.get("winners"), result.get("scores")
    words = [str(ending), "won", "by", *(f"({seat})" for seat in winners or ())] if _are_integers(winners) else []
    if words and not winners:
        words.append("nobody")
    if isinstance(scores, dict) and _are_integers([*scores.values()]):
        words += ["scores", *map(str, scores.values())]
    try:
        parsed = _parse_result_words(words, seats)
    except ValueError:
        parsed = None
    same = json.dumps(parsed, sort_keys=True) == json.dumps(result, sort_keys=True)
    return words if same else ["data", _quote(result)]


def _parse_result_words(words: Sequence[str], seats: int) -> dict[str, Json]:
    """Parse the words of a result; raises ValueError if they are none."""
    found = re.fullmatch(r"([a-z_]+) won by(?: nobody|((?: \(-?\d+\))+))(?: scores((?: -?\d+)*))?", " ".join(words))
    if not found:
        raise ValueError("the result cannot be parsed")
    winners: list[Json] = [int(seat) for seat in re.findall(r"-?\d+", found[2] or "")]
    points = None if found[3] is None else [int(score) for score in found[3].split()]
    if points is not None and len(points) != seats:
        raise ValueError(f"the result has {len(points)} scores for {seats} seats")
    scores: Json = None if points is None else {str(seat): score for seat, score in enumerate(points, 1)}
    return {"scores": scores, "winners": winners, "ending": found[1]}


def _are_integers(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int for value in values)


def _tag(name: str, value: str) -> str:
    return f"[{name} {_quote(value)}]"


def _numbered_tags(name: str, values: Iterable[str]) -> Iterator[str]:
    return (_tag(f"{name}{number}", value) for number, value in enumerate(values, 1))


def _quote_unless(text: str, is_plain: Any) -> str:
    return text if is_plain(text) else _quote(text)


def _quote(value: object) -> str:
    """Format a value as JSON that stays on its line wherever it is shown: nothing in it is invisible."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in written)


def _comment(text: str) -> list[str]:
    tame = text.translate({ord("{"): "(", ord("}"): ")"})
    return textwrap.wrap(
        f"{{ {tame} }}", MAX_COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _fill_lines(words: Iterable[str], indent: str = "") -> Iterator[str]:
    """Yield lines filled with words, none of which is broken."""
    line = ""
    for word in words:
        if line.strip() and len(line) + len(word) >= MAX_COLUMNS:
            yield line
            line = indent + word
        else:
            line = f"{line} {word}" if line.strip() else line + word
    yield line


# -- parsing ------------------------------------------------------------------------------------------


def parse_text(text: str) -> Record:
    """Parse a record from its text form; raises NotARecordError, or InvalidRecordError if it claims to be one."""
    text = text.removeprefix("\ufeff").lstrip()
    if not text.startswith(OPENING):
        raise NotARecordError(f"This is not a record: it does not begin with {OPENING}.")
    scan, data = Scanner(text, len(OPENING)), {"format": FORMAT, "options": {}, "log": []}
    try:
        _parse_body(scan, data)
    except (ValueError, RecursionError) as wrong:
        why = str(wrong) if isinstance(wrong, ValueError) else "it is nested too deeply"
        where = f"line {scan.line()}, after {len(data['log'])} entries of the log"
        raise InvalidRecordError(f"This record is not valid: {where}: {why}.") from None
    return parse_record(data)


def _parse_body(scan: Scanner, data: dict[str, Any]) -> None:
    """Parse all that follows the opening into the data of a record."""
    data |= {key: [] for key in _SEAT_TAGS.values()}
    while begins := scan.peek():
        if begins == "[":
            _parse_tag(scan, data)
        elif begins == "=":
            _set_once(data, "result", _parse_result(scan, len(data["seats"])))
        elif begins == "*":
            data["log"].append(_parse_event(scan))
        else:
            data["log"].append(_parse_move(scan))
    for key, called in (("result", "a result"), ("salts", "salts")):
        if key not in data:
            raise ValueError(f"it ends without {called}")
    salts = data.pop("salts")
    if len(salts) != len(data["log"]):
        raise ValueError(f"there are {len(salts)} salts for {len(data['log'])} entries of the log")
    for entry, salt in zip(data["log"], salts, strict=True):
        entry["salt"] = salt


def _parse_tag(scan: Scanner, data: dict[str, Any]) -> None:
    scan.literally("[")
    name = scan.word()
    letters = name.rstrip("0123456789")
    if name == "Option":
        option = scan.value()
        _set_once(data["options"], option, scan.json())
    elif name == "Salts":
        _set_once(data, "salts", list(scan.until("]", scan.value)))
    elif name == "Edition":
        _set_once(data, "edition", _number(scan.value(), r"(-?[0-9]+)"))
    elif name == _SET_TAG:
        _set_once(data, "set", {"id": scan.value(), "entropies": []})
    elif name == _SET_PLACE_TAG and "set" in data:
        _set_once(data["set"], "place", _number(scan.value(), r"(-?[0-9]+)"))
    elif "set" in data and name == f"{_SET_ENTROPY_TAG}{len(data['set']['entropies']) + 1}":
        data["set"]["entropies"].append(scan.value())
    elif name in _TAGS:
        _set_once(data, _TAGS[name], scan.value())
    elif letters in _SEAT_TAGS and name == f"{letters}{len(data[_SEAT_TAGS[letters]]) + 1}":
        data[_SEAT_TAGS[letters]].append(scan.value())
    else:
        raise ValueError(f"the tag “{name}” does not belong here")
    scan.literally("]")


def _parse_move(scan: Scanner) -> dict[str, Any]:
    ply, seat = _number(scan.word(), r"(-?[0-9]+)\."), _number(scan.word(), r"\((-?[0-9]+)\)")
    move = scan.value() if scan.peek() == '"' else " ".join(scan.until("@", scan.word_of_move))
    scan.literally("@")
    return {"ply": ply, "seat": seat, "move": move, "at": scan.value()}


def _parse_event(scan: Scanner) -> dict[str, Any]:
    scan.literally("*")
    event, seat = scan.word(), None
    if scan.peek() == "(":
        seat = _number(scan.word(), r"\((-?[0-9]+)\)")
    scan.literally("by")
    by, detail = scan.value(), dict[str, Any]()
    while scan.peek() != "@":
        name = scan.value()
        scan.literally("=")
        _set_once(detail, name, scan.json())
    scan.literally("@")
    return {"event": event, "seat": seat, "by": by, "detail": detail, "at": scan.value()}


def _parse_result(scan: Scanner, seats: int) -> Json:
    scan.literally("=")
    ending = scan.word()
    return scan.json() if ending == "data" else _parse_result_words([ending, *scan.until("[", scan.word)], seats)


def _set_once(data: dict[str, Any], key: str, value: Any) -> None:
    if key in data:
        raise ValueError(f"“{key}” appears here twice")
    data[key] = value


def _number(word: str, form: str) -> int:
    number = re.fullmatch(form, word)
    if not number:
        raise ValueError(f"“{word}” is not a number in the form that belongs here")
    return int(number[1])
