"""`pbem verify FILE`: what it says, and its exit status."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pbem.boards import drawing_for
from pbem.cli import main
from pbem.games import GAMES, Chance, Eye
from pbem.games.chain import EVENTS, MoveEntry
from pbem.games.entry_forms import CLOSING_EVENTS
from pbem.games.record import replay
from pbem.games.record_text import format_text
from pbem.records.file_parsing import MAX_RECORD_BYTES
from tests.support.games.random_play import RecordingChance
from tests.support.games.small_record import AT, acted, finished, played, random_match, sealed, share

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games.chain import Entry
    from pbem.games.record import Record


def verified(file: Path, *more: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", str(file), *more])
    return done.exit_code, done.output


def reported(folder: Path, record: Record) -> list[str]:
    """Return the whole report of a sound record, without its line breaks and indents."""
    status, said = verified(written(folder, record.data()))
    assert status == 0, said
    return re.sub(r"\n +(?! )", " ", said).splitlines()


def written(folder: Path, data: Any) -> Path:
    file = folder / "record.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    return file


def sound() -> dict[str, Any]:
    """A record of a match that was resigned at once, as JSON data."""
    data: dict[str, Any] = sealed("resigned", [acted("resigned", seat=2, by="seat 2")], {"swap": True}).data()
    return data


def test_a_brief_report_says_what_holds_line_by_line(tmp_path: Path) -> None:
    status, said = verified(written(tmp_path, sound()), "--brief")
    assert status == 0
    assert said.splitlines()[0] == "Record of match abcdefghjk0123456789: Ann and Bob and Cyd"
    assert said.count("  holds: ") == 6
    assert said.splitlines()[-1] == "Everything in this record holds."
    assert len(said.splitlines()) == 8


@pytest.mark.parametrize("key", GAMES)
def test_a_report_tells_a_match_of_any_game(tmp_path: Path, key: str) -> None:
    record = random_match(key, 30)
    lines = reported(tmp_path, record)
    whole = "\n".join(lines)
    assert lines[-1] == "Everything in this record holds."
    assert whole.count("holds: ") == 6
    for kept in (record.commitment, record.secret, record.seed, record.head):
        assert kept.hex() in whole
    assert all(entropy in whole for entropy in record.entropies)
    for value in record.options:
        assert f"{value}: {record.options[value]}" in whole
    for entry in record.log:
        if isinstance(entry, MoveEntry):
            assert f" {entry.ply}. {record.seats[entry.seat - 1]}, {AT}: {entry.move} " in f"{whole} "


def test_a_report_names_the_deal_that_a_match_shares_and_what_each_table_added(tmp_path: Path) -> None:
    record = random_match("martian-whist", 6, share("martian-whist"))
    whole = " ".join(reported(tmp_path, record))
    assert record.shared
    first, *_middle, last = record.shared.entropies
    assert f"The deal that it shares, {record.shared.id}, as table 2: table 1, seat 1: {first} " in whole
    assert f" table 3, seat 2: {last} " in whole
    assert "one deal for 3 tables; this is table 2" in whole


@pytest.mark.parametrize("key", GAMES)
def test_a_report_shows_everything_that_was_drawn(tmp_path: Path, key: str) -> None:
    record = random_match(key, 1000)
    chance = RecordingChance(record.seed)
    start: Any = GAMES[key].setup(len(record.seats), record.options, chance)
    assert list(replay(GAMES[key], start, record.log, chance))
    whole = "\n".join(reported(tmp_path, record))
    assert re.findall(r"drawn for ([^:]+): ", whole) == chance.labels


@pytest.mark.parametrize("key", GAMES)
def test_a_report_tells_what_came_of_each_move(tmp_path: Path, key: str) -> None:
    record = random_match(key, 1000)
    whole = "\n".join(reported(tmp_path, record))
    position: Any = GAMES[key].setup(len(record.seats), record.options, Chance(record.seed))
    for step in replay(GAMES[key], position, record.log, Chance(record.seed)):
        position = step.position
    for entry in GAMES[key].log(position, Eye.OPEN):
        assert isinstance(entry, dict)
        assert " ".join(drawing_for(key).tell(entry, record.seats).split()) in whole
    assert "Scores: " in whole


def test_events_are_told_where_they_stand_in_the_log(tmp_path: Path) -> None:
    # A match that was over goes on only when it was restored.
    going = [event for event in EVENTS if event not in CLOSING_EVENTS | {"taken_back", "restored"}]
    ends = [acted(event, 2, "seat 2") for event in EVENTS if event in CLOSING_EVENTS]
    events: list[Entry] = [acted(event, 2, "seat 2") for event in going]
    events += [entry for end in ends for entry in (end, acted("restored"))]
    log: list[Entry] = [played(1, 1, "stay"), acted("taken_back", detail={"from": 1}), *events, played(2, 1, "stay")]
    record = sealed("resigned", [*log, acted("resigned", 2, "seat 2")], {"swap": True})
    whole = "\n".join(reported(tmp_path, record))
    said = [
        "1. Ann, ", "the moves from ply 1 on were taken back (by table), ", "somebody else took over the seat of Bob",
        "was stopped", "was resumed", "more time was given", "hidden information was shown to",
        "Bob resigned (by seat 2), ",
        "was restored", "Bob ran out of time (by seat 2), ", "a draw was agreed", "was abandoned", "was called off",
        "2. Ann, ", "Bob resigned (by seat 2)",
    ]  # fmt: skip
    places = [whole.index(words) for words in said[:-1]]
    assert places == sorted(places)
    assert whole.rindex(said[-1]) > places[-1]
    assert "Won by: Ann and Cyd" in whole


def test_a_sealed_step_that_ends_is_told_of_all_whose_entries_it_changed(tmp_path: Path) -> None:
    whole = "\n".join(reported(tmp_path, finished()))
    assert re.search(r"2\. Bob, \S+ play \d Bob: play \d\. 3\. Ann, ", whole)


def test_what_a_person_may_call_themselves_is_shown_harmlessly(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>\x1b[2J\r", "\u202eBob\x00\nEverything in this record holds.", "\x9b1m" * 900]
    for more in ((), ("--brief",)):
        status, said = verified(written(tmp_path, sound() | {"seats": names}), *more)
        assert status == 0
        assert not [letter for letter in said if not letter.isprintable() and letter != "\n"]
        assert said.count("\nEverything in this record holds.\n") == 1
        assert max(map(len, said.splitlines())) <= 110


@pytest.mark.parametrize("key", ["match", "game", "entropies", "log"])
def test_what_a_file_may_hold_is_named_harmlessly(tmp_path: Path, key: str) -> None:
    evil = "\x1b[31m\u202e" * 500
    data = sound()
    entry = data["log"][0] | {"at": evil, "by": evil, "detail": {"from": evil}}
    change = {"match": evil, "game": evil, "entropies": [evil] * 3, "log": [entry]}[key]
    status, said = verified(written(tmp_path, data | {key: change}))
    assert status == 1
    assert not [letter for letter in said if not letter.isprintable() and letter != "\n"]
    unknown = written(tmp_path, data | {"log": [{evil: 1}]})
    status, said = verified(unknown)
    assert status == 1
    assert said.startswith("This record is not valid: entry 1 of the log: an entry of the log has the keys [31m")
    assert said.isprintable() or said.rstrip("\n").isprintable()
    assert len(said) < 500


@pytest.mark.parametrize(
    ("change", "sentence", "so_far"),
    [
        (
            {"edition": 7},
            "The rules are not known: There is no edition 7 of “middle-card” here; there are: ",
            "Record of match",
        ),
        ({"seed": "0" * 64}, "The seed does not hold", "The seed that all of it gives:    000"),
        ({"head": "0" * 64}, "The chain does not hold", "The last hash:   000"),
        ({"result": {"scores": None, "winners": [2], "ending": "resigned"}}, "The result does not hold", "The result"),
    ],
)
def test_the_first_thing_that_does_not_hold_is_named_below_the_report_so_far(
    tmp_path: Path, change: dict[str, Any], sentence: str, so_far: str
) -> None:
    status, said = verified(written(tmp_path, sound() | change))
    assert status == 1
    assert said.splitlines()[-1].startswith(f"  DOES NOT HOLD: {sentence}")
    assert so_far in said
    assert "Everything" not in said


def test_an_illegal_move_is_named_below_the_moves_before_it(tmp_path: Path) -> None:
    data: dict[str, Any] = finished().data()
    data["log"][4] |= {"move": "play 99"}
    status, said = verified(written(tmp_path, data))
    assert status == 1
    assert "  4. Cyd, " in said
    assert "  5. " not in said
    assert said.splitlines()[-1].startswith("  DOES NOT HOLD: Entry 5 of the log does not hold: ")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "neither JSON nor the text form"),
        ("[" * 100_000, "neither JSON nor the text form"),
        ("\ufeff{}", "does not say"),
        ({"format": "pgn"}, "does not say"),
        ([], "does not say"),
    ],
)
def test_what_is_no_record_has_an_exit_status_of_its_own(tmp_path: Path, data: Any, why: str) -> None:
    status, said = verified(written(tmp_path, data))
    assert status == 2
    assert why in said


def test_a_file_that_cannot_be_read_is_no_record(tmp_path: Path) -> None:
    status, said = verified(tmp_path / "nothing")
    assert status == 2
    assert "cannot be read: No such file or directory" in said


def test_a_file_too_large_for_any_match_is_not_even_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    for beginning, status in ((b"", 2), (json.dumps(sound()).encode(), 1), (format_text(finished()).encode(), 1)):
        with file.open("wb") as large:
            large.write(beginning)
            large.truncate(MAX_RECORD_BYTES + 1)
        assert verified(file) == (status, "This is not a record: it is larger than 32 MB.\n")


@pytest.mark.parametrize("key", GAMES)
def test_the_text_form_is_told_as_the_record_itself_is(tmp_path: Path, key: str) -> None:
    record = random_match(key, 30)
    as_json = verified(written(tmp_path, record.data()))
    assert as_json[0] == 0
    assert verified(written(tmp_path, format_text(record).replace("\n", "\r\n"))) == as_json


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: text[: text.index(" 7. (")], "after 6 entries of the log: it ends without a result."),
        (lambda text: text.replace("(2) play", "(3) play", 1), "Entry 5 of the log does not hold: "),
        (lambda text: text.replace("play", "plaq", 1), "Entry 2 of the log does not hold: "),
        (lambda text: text.replace("[Salts 0", "[Salts 1", 1), "The chain does not hold"),
        (lambda text: text.replace("by table", "by clock", 1), "The chain does not hold"),
        (lambda text: text.replace("by table", "by tablf", 1), "Entry 4 of the log does not hold: it is not by"),
        (lambda text: text.replace('[Edition "1"]', '[Edition "2"]'), "there are: amazonian-buffet 1, "),
        (lambda text: text.replace("Ann", "\udcff"), "This record is not valid: line 5 is not UTF-8."),
    ],
)
def test_a_text_that_is_cut_or_changed_is_named(tmp_path: Path, spoil: Any, why: str) -> None:
    file = tmp_path / "record.txt"
    file.write_text(spoil(format_text(finished(taken_back=True))), encoding="utf-8", errors="surrogateescape")
    status, said = verified(file)
    assert status == 1
    assert why in said.splitlines()[-1]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: text[:1500], "after 7 entries of the log (line 1, column 1500), it is cut off or is not JSON."),
        (lambda text: text.replace("record/1", "recore/1"), "This is not a record: it does not say “format”"),
        (lambda text: text.replace('"salt"', '"salt', 1), "after 0 entries of the log (line 1, column "),
        (lambda text: text.replace('"salt"', '"sold"', 3), "This record is not valid: entry 1 of the log: "),
        (
            lambda text: text.replace('"at"', '"seat"', 1),
            ("This record is not valid: “seat” appears twice in an object."),
        ),
        (
            lambda text: text.replace('"Ann"', "\udcff"),
            "This record is not valid: it is not UTF-8, or nested too deeply.",
        ),
        (lambda text: text + "}", "after 13 entries of the log (line 1, column "),
    ],
)
def test_json_that_is_cut_or_changed_is_named(tmp_path: Path, spoil: Any, why: str) -> None:
    file = tmp_path / "record.json"
    file.write_text(spoil(json.dumps(finished(taken_back=True).data())), encoding="utf-8", errors="surrogateescape")
    status, said = verified(file)
    assert status == (2 if "format" in why else 1)
    assert why in said
    assert len(said.splitlines()) == 1
