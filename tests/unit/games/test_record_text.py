"""The text form of records: everything in them comes back, however its lines are broken."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import GAMES, find
from pbem.games.chain import EVENTS, EventEntry, MoveEntry, canonical_json
from pbem.games.record import InvalidRecordError, NotARecordError, Record, parse_record
from pbem.games.record_text import MAX_COLUMNS, OPENING, format_text, parse_text
from pbem.games.verify import verify
from tests.support.games.small_record import acted, finished, random_match, sealed

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS = finished(taken_back=True)
RANDOM = {key: random_match(key, 60) for key in GAMES}
"""A match of each game, called off where it was not over by then."""

LETTERS = st.text(st.characters(codec="utf-8"))
NUMBERS = st.integers(-(2**70), 2**70)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False) | LETTERS,
    lambda inner: st.lists(inner) | st.dictionaries(LETTERS, inner),
    max_leaves=8,
)
WORDS = LETTERS | st.sampled_from(
    ["seat 2", "table", "a  b", " a", "a ", "1. (1)", "a@b", "play 5 {", "]", "; no", "="]
)
ENTRIES = st.builds(MoveEntry, NUMBERS, NUMBERS, WORDS, WORDS, WORDS) | st.builds(
    EventEntry,
    st.sampled_from(EVENTS),
    st.none() | NUMBERS,
    WORDS,
    st.dictionaries(WORDS, JSON, max_size=3),
    WORDS,
    WORDS,
)
RESULTS = st.dictionaries(WORDS, JSON, max_size=4) | st.fixed_dictionaries(
    {
        "ending": st.sampled_from(["finished", "agreed", "of course", ""]),
        "winners": st.lists(NUMBERS | st.booleans(), max_size=3),
        "scores": st.none() | st.dictionaries(st.sampled_from("123"), NUMBERS | st.booleans()),
    }
)


def again(record: Record, comments: Mapping[int, list[str]] | None = None) -> Record:
    """Write a record and read it, and see that nothing has changed by a byte."""
    text = format_text(record, comments)
    read = parse_text(text)
    assert canonical_json(read.data()) == canonical_json(record.data())
    assert format_text(read, comments) == text
    return read


@pytest.mark.parametrize("key", GAMES)
def test_a_match_of_any_game_comes_back_whole(key: str) -> None:
    record = RANDOM[key]
    assert again(record) == record
    assert len(list(verify(parse_text(format_text(record)), find))) == 6
    assert max(map(len, format_text(record).splitlines())) <= MAX_COLUMNS


@given(names=st.tuples(LETTERS, LETTERS, LETTERS), match=WORDS, entropies=st.lists(WORDS, max_size=4))
def test_whatever_people_call_themselves_comes_back(
    names: tuple[str, str, str], match: str, entropies: list[str]
) -> None:
    changed = replace(OURS, seats=names, match=match, entropies=tuple(entropies), entropy_by=tuple(entropies[1:]))
    assert again(changed) == changed
    assert all(line.isprintable() for line in format_text(changed).splitlines())


@given(log=st.lists(ENTRIES, max_size=5), result=RESULTS, edition=NUMBERS, options=st.dictionaries(WORDS, NUMBERS))
def test_whatever_a_record_may_hold_comes_back(
    log: list[MoveEntry | EventEntry], result: dict[str, Any], edition: int, options: dict[str, object]
) -> None:
    changed = replace(OURS, log=tuple(log), result=result, edition=edition, options=options)
    assert again(changed) == changed


@given(said=st.lists(WORDS, max_size=3), number=st.integers(0, 14), text=LETTERS)
def test_comments_are_told_and_change_nothing(said: list[str], number: int, text: str) -> None:
    assert again(OURS, {number: [*said, text]}) == OURS


def test_a_person_can_follow_it() -> None:
    lines = format_text(OURS, {0: ["Good luck!"], 1: ["Ann: I {always} stay."]}).splitlines()
    assert lines[:7] == [
        OPENING,
        '[Game "middle-card"]',
        '[Edition "1"]',
        '[Match "abcdefghjk0123456789"]',
        '[Seat1 "Ann"]',
        '[Seat2 "Bob"]',
        '[Seat3 "Cyd"]',
    ]
    told = "\n".join(lines)
    assert '\n[Option "swap" true]\n' in told
    assert "{ Good luck! }\n 1. (1) stay   @2026-11-21T05:50:10.123Z\n{ Ann: I (always) stay. }\n 2. (3) play" in told
    assert "\n* taken_back by table from=2 @2026-11-21T05:50:10.123Z\n 5. (2) play" in told
    scores = OURS.result["scores"]
    assert isinstance(scores, dict)
    points = " ".join(str(scores[seat]) for seat in "123")
    assert re.search(rf"\n\n= finished won by (\(\d\) ?)+ scores {points}\n\n\[Commitment ", told)


def test_an_end_that_nobody_won_is_told_so() -> None:
    record = sealed("abandoned", [acted("extended", 2, "seat 2", {"hours": 72}), acted("abandoned")], {"swap": True})
    assert again(record) == record
    assert "\n= abandoned won by nobody\n" in format_text(record)
    assert '\n* extended (2) by "seat 2" hours=72 @2026' in format_text(record)


def test_moves_that_are_long_go_on_in_the_next_line() -> None:
    move = " ".join(["4-3 10-9"] * 20)
    record = replace(OURS, log=(MoveEntry(1, 1, move, "2026-11-21T05:50:10.123Z", "0" * 32), *OURS.log))
    assert again(record) == record
    lines = format_text(record).splitlines()
    assert max(map(len, lines)) <= MAX_COLUMNS
    assert "    10-9 4-3" in "\n".join(lines)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff\n" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("\n ", "\n"),
        lambda text: re.sub(r"\s+", " ", text),
        lambda text: text.replace("\n", "\n\n; said by somebody (with { braces\n"),
    ],
    ids=["CRLF", "CR", "mark", "cut", "blank", "trailing", "leading", "one line", "comments"],
)
def test_how_its_lines_are_broken_says_nothing(spoil: Any) -> None:
    for record in (OURS, *RANDOM.values()):
        assert parse_text(spoil(format_text(record))) == record


@pytest.mark.parametrize("text", ["", "1. e4 e5", '[Event "a match"]', "[Format", '[Format "pbem-record/2"]', "{}"])
def test_what_does_not_say_that_it_is_one_is_no_record(text: str) -> None:
    with pytest.raises(NotARecordError, match="does not begin with") as refused:
        parse_text(text)
    assert not isinstance(refused.value, InvalidRecordError)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[Game", "[Gome", "line 2, after 0 entries of the log: the tag “Gome” does not belong here"),
        ("[Seat2", "[Seat3", "line 6, after 0 entries of the log: the tag “Seat3” does not belong here"),
        ('[Game "middle-card"]\n', "", "'game' is missing"),
        ('"middle-card"]', '"middle-card" 7]', "“]” is missing"),
        ('[Edition "1"]', '[Edition "one"]', "“one” is not a number in the form that belongs here"),
        ('"Ann"', '"Ann', "line 5, after 0 entries of the log: a quoted text"),
        ("[Secret", '[Commitment "a"]\n[Secret', "“commitment” appears here twice"),
        ("from=2", "from=2 from=2", "after 3 entries of the log: “from” appears here twice"),
        ("from=2", "from=", "a quoted text or a value is not complete"),
        ("from=2", "from", "“=” is missing"),
        ("from=2", "from=" + "[" * 100_000, "it is nested too deeply"),
        (" 2. (3)", " 2. 3", "“3” is not a number in the form that belongs here"),
        (" 2. (3)", " 2 (3)", "after 1 entries of the log: “2” is not a number"),
        ("* taken_back by", "* taken_back", "“by” is missing"),
        ("* taken_back", "* taken_bock", "entry 4 of the log: “taken_bock” is not an event of a log"),
        ("[Salts", "[Salts 0", "there are 14 salts for 13 entries of the log"),
        ("= finished", "= finished indeed", "the result cannot be parsed"),
        (" scores", " scores 1", "the result has 4 scores for 3 seats"),
        ("\n[Commitment", "[Seat4 a]\n= data {}\n[Commitment", "“result” appears here twice"),
        ("@2026", "2026", "after 0 entries of the log: a word is missing"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(old: str, new: str, why: str) -> None:
    text = format_text(OURS)
    assert old in text
    with pytest.raises(InvalidRecordError) as refused:
        parse_text(text.replace(old, new, 1))
    assert str(refused.value).startswith("This record is not valid: ")
    assert why in str(refused.value)


@pytest.mark.parametrize(("words", "why"), [("= ", "without a result"), ("[Salts", "without salts")])
def test_a_text_that_is_cut_is_not_whole(words: str, why: str) -> None:
    with pytest.raises(InvalidRecordError, match=why):
        parse_text(format_text(OURS).partition(words)[0])


@given(st.data())
def test_a_text_cut_or_changed_anywhere_raises_only_its_own_errors(data: st.DataObject) -> None:
    text = format_text(OURS)
    at = data.draw(st.integers(0, len(text) - 1))
    for spoilt in (text[:at], text[:at] + data.draw(st.characters()) + text[at + 1 :]):
        try:
            record = parse_text(spoilt)
        except NotARecordError:
            pass
        else:
            assert parse_record(record.data()) == record
