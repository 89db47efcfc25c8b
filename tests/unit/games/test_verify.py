"""Checking records: every change of a word or digit is found, and named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import find
from pbem.games.chain import next_hash, opening_hash
from pbem.games.record import NotARecordError, parse_record
from pbem.games.verify import UnsoundError, verify
from tests.support.games.record import ANYTHING
from tests.support.games.small_record import acted, hands, played, sealed, whole_match
from tests.support.games.verify import OURS, changed, places

if TYPE_CHECKING:
    from pbem.games.chain import Entry
    from pbem.games.record import Record
BESIDE = {"seats"}
"""What stands beside the chain: names, so that a person can be forgotten."""


def checked(data: Any) -> list[str]:
    return list(verify(parse_record(data), find))


def other(value: Any) -> Any:
    """Change a value by one digit or letter."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    last = value[-1:]
    return value[:-1] + ("1" if last == "0" else "0" if last.isdigit() else "a" if last != "a" else "b")


def test_a_sound_record_is_told_so_in_six_sentences() -> None:
    said = checked(OURS)
    assert said[0] == "The rules are known: Middle Card, edition 1."
    assert "(1 of them typed by players)" in said[2]
    assert said[3].startswith("All 12 moves are legal")
    assert said[4] == f"The chain of 13 entries ends in the head {OURS['head'][:16]}…"
    assert said[5].startswith("The result follows from the log: finished, won by seat ")
    assert len(said) == 6


@pytest.mark.parametrize(
    "path", [path for path, _ in places(OURS) if path[0] not in BESIDE], ids=lambda path: "-".join(map(str, path))
)
def test_a_change_of_any_word_or_digit_is_found(path: tuple[Any, ...]) -> None:
    value = dict(places(OURS))[path]
    with pytest.raises((UnsoundError, NotARecordError)):
        checked(changed(path, other(value)))


@pytest.mark.parametrize("number", range(len(OURS["log"])))
def test_an_entry_left_out_or_repeated_is_found(number: int) -> None:
    log = OURS["log"]
    for changed_log in (log[:number] + log[number + 1 :], [*log[: number + 1], *log[number:]]):
        with pytest.raises(UnsoundError):
            checked(OURS | {"log": changed_log})


@pytest.mark.parametrize("key", ["seats", "entropies", "entropy_by"])
def test_seats_and_entropies_are_equally_many(key: str) -> None:
    for value in (OURS[key][:-1], [*OURS[key], OURS[key][-1]]):
        with pytest.raises(UnsoundError):
            checked(OURS | {key: value})


def test_a_person_may_be_renamed() -> None:
    assert checked(OURS | {"seats": ["Anna", "(forgotten)", "Cyd"]})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "chess"}, "The rules are not known: There is no edition 1 of “chess” here; there are: "),
        ({"edition": 7}, "The rules are not known: There is no edition 7 of “middle-card” here; there are: "),
        ({"options": {"swap": 1}}, "The options do not hold: "),
        ({"options": {}}, "the record does not name all that were in force"),
        ({"secret": "0" * 64}, "The commitment does not hold"),
        ({"seed": "0" * 64}, "The seed does not hold"),
        ({"head": "0" * 64}, "The chain does not hold"),
        ({"result": {"scores": None, "winners": [], "ending": "resigned"}}, "The ending does not hold"),
        ({"result": {"ending": "checkmate"}}, "The ending does not hold"),
        ({"result": {}}, "The ending does not hold"),
        ({"result": {"scores": None, "winners": [1], "ending": "finished"}}, "The result does not hold"),
    ],
)
def test_the_first_thing_that_does_not_hold_is_named(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UnsoundError, match=sentence.replace("(", r"\(")):
        checked(OURS | change)


def test_an_illegal_move_is_named_by_its_entry() -> None:
    log = [*OURS["log"]]
    log[0] = log[0] | {"seat": 2}
    with pytest.raises(UnsoundError, match="Entry 1 of the log does not hold: It is not your turn"):
        checked(OURS | {"log": log})


def test_a_ply_used_again_is_named() -> None:
    log: list[Entry] = [played(1, 1, "stay"), acted("taken_back", detail={"from": 1}), played(1, 1, "stay")]
    record = sealed("abandoned", [*log, acted("abandoned")], {"swap": True})
    with pytest.raises(UnsoundError, match="Entry 3 of the log does not hold: ply 1 was used before"):
        list(verify(record, find))


@pytest.mark.parametrize(
    ("ending", "events"),
    [
        ("resigned", [acted("resigned", 2, "seat 2")]),
        ("timed_out", [acted("timed_out", 1, "clock")]),
        ("agreed", [acted("draw_agreed")]),
        ("abandoned", [acted("abandoned", by="clock")]),
        ("aborted", [acted("aborted", by="operator", detail={"reason": "asked for"})]),
    ],
)
def test_endings_by_the_table_need_their_event(ending: str, events: list[Entry]) -> None:
    log = [played(1, 1, "stay")]
    assert len(list(verify(sealed(ending, [*log, *events], {"swap": True}), find))) == 6
    with pytest.raises(UnsoundError, match=f"no entry of the log says “{ending}”"):
        list(verify(sealed(ending, [*log, acted("paused"), acted("resumed")], {"swap": True}), find))


def test_a_match_that_ran_to_its_end_ended_by_the_rules() -> None:
    record = sealed("resigned", [*whole_match(), acted("resigned", 1, "seat 1")], {"swap": True})
    with pytest.raises(UnsoundError, match="Entry 11 of the log does not hold: the match was over before"):
        list(verify(record, find))


def test_several_may_run_out_of_time_together_but_nobody_twice() -> None:
    out: list[Entry] = [acted("timed_out", 1, "clock"), acted("timed_out", 3, "clock")]
    first, second = whole_match()[:2]
    record = sealed("timed_out", [first, *out], {"swap": True})
    assert record.result["winners"] == [2]
    assert len(list(verify(record, find))) == 6
    for more in (out[1], acted("resigned", 2, "seat 2"), second):
        broken = sealed("timed_out", [first, *out, more], {"swap": True})
        with pytest.raises(UnsoundError, match="Entry 4 of the log does not hold: the match was over before"):
            list(verify(broken, find))


SOUND: list[Entry] = [
    played(1, 1, "stay"),
    acted("extended", 2, "seat 3", {"seat": 2, "hours": 48}),
    acted("abandoned", by="clock"),
]


@pytest.mark.parametrize(
    ("number", "change", "why"),
    [
        (1, {"salt": ""}, "its salt is not 32 digits"),
        (1, {"salt": "zz"}, "its salt is not 32 digits"),
        (3, {"salt": "F" * 32}, "its salt is not 32 digits"),
        (1, {"at": "yesterday"}, "its time is not written in UTC"),
        (3, {"at": "2026-11-21T05:50:10.123Z\n"}, "its time is not written in UTC"),
        (2, {"at": "2026-13-21T05:50:10.123Z"}, "its time is not written in UTC"),
        (2, {"at": "2026-11-21T05:50:10.123+00:00"}, "its time is not written in UTC"),
        (2, {"seat": 4}, "there is no seat 4"),
        (2, {"seat": 0}, "there is no seat 0"),
        (1, {"seat": 7}, "there is no seat 7"),
        (2, {"by": "Mallory"}, "it is not by a seat"),
        (2, {"by": "seat 4"}, "it is not by a seat"),
        (2, {"event": "resigned", "seat": None}, "“resigned” does not name a seat"),
        (2, {"event": "taken_back", "detail": {}}, "its detail does not name the ply"),
        (2, {"event": "taken_back", "detail": {"from": 0}}, "its detail does not name the ply"),
        (2, {"event": "taken_back", "detail": {"from": True}}, "its detail does not name the ply"),
        (2, {"event": "taken_back", "detail": {"from": 1, "x": "y"}}, "its detail does not name the ply"),
    ],
)
def test_an_entry_that_holds_what_none_can_is_named(number: int, change: dict[str, Any], why: str) -> None:
    assert len(list(verify(sealed("abandoned", SOUND, {"swap": True}), find))) == 6
    log = [*SOUND]
    log[number - 1] = replace(log[number - 1], **change)
    with pytest.raises(UnsoundError, match=f"^Entry {number} of the log does not hold: {why}.*"):
        list(verify(resealed(log), find))


def resealed(log: list[Entry]) -> Record:
    """Wrap a log that may not be walked in a record whose chain is right."""
    record = sealed("abandoned", SOUND, {"swap": True})
    head = opening_hash(record.commitment, record.match, record.game, record.edition, record.options, 3)
    for entry in log:
        head = next_hash(head, entry)
    return replace(record, log=tuple(log), head=head)


@pytest.mark.parametrize("late", [acted("paused"), acted("taken_back", detail={"from": 1}), played(20, 2, "stay")])
def test_nothing_is_done_or_played_behind_the_end(late: Entry) -> None:
    for log in (SOUND, whole_match()):
        with pytest.raises(UnsoundError, match=f"^Entry {len(log) + 1} of the log does not hold: the match was over"):
            list(verify(resealed([*log, late]), find))


def test_a_match_that_is_over_may_be_opened_and_one_that_was_restored_goes_on() -> None:
    restored: list[Entry] = [*SOUND, acted("opened"), acted("restored", by="operator"), acted("paused")]
    assert len(list(verify(sealed("abandoned", restored, {"swap": True}), find))) == 6


def test_an_entropy_is_of_the_form_that_its_giver_gives() -> None:
    for by, why in (
        ("server", "it does not have the form of one from the server"),
        ("Mallory", "its source is neither"),
    ):
        with pytest.raises(UnsoundError, match=f"^The entropy of seat 1 does not hold: {why}"):
            checked(OURS | {"entropy_by": [by, *OURS["entropy_by"][1:]]})
    with pytest.raises(UnsoundError, match=r"^The entropy of seat 2 does not hold: it does not have the form"):
        checked(OURS | {"entropy_by": ["player"] * 3})


def test_an_abandoned_match_is_won_by_nobody() -> None:
    record = sealed("abandoned", [acted("abandoned")], {"swap": True})
    assert list(verify(record, find))[-1] == "The result follows from the log: abandoned, won by nobody."


def test_other_deals_than_the_seeds_are_found() -> None:
    missing = next(card for card in "0123456789" if card not in hands()[0])
    log = [*OURS["log"]]
    log[0] = log[0] | {"move": f"swap {missing}"}
    with pytest.raises(UnsoundError, match="Entry 1 of the log does not hold"):
        checked(OURS | {"log": log})


@given(path=st.sampled_from([path for path, _ in places(OURS)]), value=ANYTHING)
def test_whatever_stands_in_a_place_only_its_own_errors_are_raised(path: tuple[Any, ...], value: Any) -> None:
    try:
        checked(changed(path, value))
    except (UnsoundError, NotARecordError):
        pass
    else:
        assert path[0] in BESIDE or dict(places(OURS))[path] == value


@pytest.mark.parametrize("value", ["\ud800", {"\ud800": 1}, 10**5000], ids=["value", "key", "number"])
def test_what_has_no_hash_is_no_record(value: object) -> None:
    for key in ("match", "options", "seats", "edition", "log", "result"):
        with pytest.raises(NotARecordError):
            checked(OURS | {key: value})
    with pytest.raises(NotARecordError, match="cannot be written as JSON in UTF-8"):
        checked(OURS | {"match": "\ud800"})


@given(key=st.sampled_from(list(OURS)), value=ANYTHING)
def test_whatever_a_key_holds_only_its_own_errors_are_raised(key: str, value: Any) -> None:
    try:
        checked(OURS | {key: value})
    except (UnsoundError, NotARecordError):
        pass
    else:
        assert key in BESIDE or value == OURS[key]


@given(detail=ANYTHING)
def test_a_take_back_from_anything_raises_only_its_own_errors(detail: Any) -> None:
    log = [*OURS["log"]]
    log[3] = log[3] | {"detail": {"from": detail}}
    with pytest.raises((UnsoundError, NotARecordError)):
        checked(OURS | {"log": log})
