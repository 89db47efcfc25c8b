"""Records: what they hold, how they are read, and how a log is walked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from pbem.games import GAMES, Chance, IllegalMove, Outcome, Seat
from pbem.games.record import FORMAT, InvalidRecordError, NotARecordError, parse_record, replay, result
from tests.support.games.record import ANYTHING
from tests.support.games.small_record import acted, finished, hands, played, sealed, whole_match

if TYPE_CHECKING:
    from pbem.games.chain import Entry
OURS: dict[str, Any] = finished(taken_back=True).data()


def test_a_record_read_again_is_the_same_record() -> None:
    record = finished(taken_back=True)
    assert parse_record(json.loads(json.dumps(record.data()))) == record
    assert next(iter(record.data())) == "format"
    assert record.data()["format"] == FORMAT == "pbem-record/1"


def test_moves_taken_back_are_void_and_their_numbers_never_used_again() -> None:
    log = whole_match(taken_back=True)
    plies = [entry.data()["ply"] for entry in log if "ply" in entry.data()]
    assert plies == [1, 2, 3, *range(5, 14)]
    straight, back = finished(), finished(taken_back=True)
    assert straight.result["scores"] == back.result["scores"]
    assert straight.head != back.head


def test_a_take_back_from_the_first_ply_is_the_first_position_again() -> None:
    game, chance = GAMES["middle-card"], Chance(finished().seed)
    start = game.setup(3, {}, chance)
    log: list[Entry] = [played(1, 1, "stay"), acted("taken_back", detail={"from": 1})]
    assert [step.position == start for step in replay(game, start, log, chance)] == [False, True]


@pytest.mark.parametrize("beginning", [9, 100])
def test_a_take_back_of_nothing_changes_nothing(beginning: int) -> None:
    game, chance = GAMES["middle-card"], Chance(finished().seed)
    start = game.setup(3, {}, chance)
    log: list[Entry] = [played(1, 1, "stay"), acted("taken_back", detail={"from": beginning})]
    first, second = replay(game, start, log, chance)
    assert first.position == second.position


def test_other_events_leave_the_position_as_it_is() -> None:
    game, chance = GAMES["middle-card"], Chance(finished().seed)
    start = game.setup(3, {}, chance)
    (step,) = replay(game, start, [acted("paused")], chance)
    assert step.position == start


def test_an_illegal_move_ends_the_walk() -> None:
    game, chance = GAMES["middle-card"], Chance(finished().seed)
    walk = replay(game, game.setup(3, {}, chance), [played(1, 2, f"play {hands()[1][0]}")], chance)
    with pytest.raises(IllegalMove):
        list(walk)


OUTCOME = Outcome((2, 1, 0), (Seat(1),))


@pytest.mark.parametrize(
    ("outcome", "ending", "events", "expected"),
    [
        (OUTCOME, "finished", [], {"scores": {"1": 2, "2": 1, "3": 0}, "winners": [1], "ending": "finished"}),
        (None, "resigned", [("resigned", 2)], {"scores": None, "winners": [1, 3], "ending": "resigned"}),
        (None, "timed_out", [("timed_out", 1)], {"scores": None, "winners": [2, 3], "ending": "timed_out"}),
        (
            None,
            "timed_out",
            [("resigned", 3), ("timed_out", 1)],
            {"scores": None, "winners": [2], "ending": "timed_out"},
        ),
        (None, "agreed", [("resigned", 3)], {"scores": None, "winners": [1, 2, 3], "ending": "agreed"}),
        (None, "abandoned", [], {"scores": None, "winners": [], "ending": "abandoned"}),
        (None, "aborted", [], {"scores": None, "winners": [], "ending": "aborted"}),
    ],
)
def test_the_result_is_said_in_the_records_words(
    outcome: Outcome | None, ending: str, events: list[tuple[str, int]], expected: dict[str, Any]
) -> None:
    log: list[Entry] = [played(1, 1, "stay"), *(acted(event, seat) for event, seat in events)]
    assert result(outcome, ending, log, 3) == expected


@pytest.mark.parametrize("data", [None, [], "record", 7, {}, {"format": "pbem-record/2"}, {"format": None}])
def test_what_does_not_say_its_format_is_no_record(data: object) -> None:
    with pytest.raises(NotARecordError, match=r"it does not say “format”: “pbem-record/1”\."):
        parse_record(data)


@pytest.mark.parametrize("key", [key for key in OURS if key != "format"])
def test_a_record_without_one_of_its_keys_is_not_whole(key: str) -> None:
    with pytest.raises(NotARecordError, match=f"'{key}' is missing"):
        parse_record({name: value for name, value in OURS.items() if name != key})


@pytest.mark.parametrize("key", ["comment", "", "Head", "x" * 1000])
def test_a_record_with_a_key_that_none_has_is_refused(key: str) -> None:
    with pytest.raises(InvalidRecordError, match=f"“{key[:40]}” is not part of a record"):
        parse_record(OURS | {key: 1})


@pytest.mark.parametrize("key", [key for key in OURS if key != "format"])
@pytest.mark.parametrize("value", [None, 1.5, True, {"a": 1}, [[]], "Ä", [None], "0" * 63, "F" * 64, "0" * 66])
def test_a_value_of_another_kind_is_no_record_or_another_one(key: str, value: object) -> None:
    try:
        other = parse_record(OURS | {key: value})
    except NotARecordError:
        with pytest.raises(NotARecordError, match="This record is not valid: "):
            parse_record(OURS | {key: value})
    else:
        assert other != parse_record(OURS)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        "entry",
        7,
        {"ply": 1},
        OURS["log"][0] | {"more": 1},
        OURS["log"][0] | {"ply": "1"},
        OURS["log"][0] | {"ply": True},
        OURS["log"][0] | {"move": None},
        OURS["log"][3] | {"event": "moved"},
        OURS["log"][3] | {"event": []},
        OURS["log"][3] | {"seat": "1"},
        OURS["log"][3] | {"detail": None},
    ],
)
def test_an_entry_of_another_form_is_no_record(entry: object) -> None:
    with pytest.raises(NotARecordError):
        parse_record(OURS | {"log": [entry]})


@given(data=ANYTHING)
def test_arbitrary_data_is_no_record_and_raises_nothing_else(data: object) -> None:
    with pytest.raises(NotARecordError):
        parse_record(data)


def test_options_of_all_kinds_are_kept() -> None:
    record = sealed("abandoned", [acted("abandoned")], {"swap": False})
    assert record.data()["options"] == {"swap": False}
