"""The JSON Schema of records: what it allows is what the service writes and `pbem verify` takes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.games import GAMES
from pbem.games.chain import EVENTS
from pbem.games.record import ENDINGS
from tests.support.games.small_record import acted, finished, random_match, sealed
from tests.support.games.verify import OURS, changed, places
from tests.support.places import ROOT

SCHEMA = json.loads((ROOT / "docs" / "reference" / "record.schema.json").read_bytes())
VALID = Draft202012Validator(SCHEMA)
EVENT = 3
"""The entry of our record that is no move."""


def test_the_schema_itself_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["event"]["properties"]["event"]["enum"] == [*EVENTS]
    assert SCHEMA["properties"]["result"]["properties"]["ending"]["enum"] == [*ENDINGS]


@pytest.mark.parametrize("key", GAMES)
def test_records_of_every_game_are_valid(key: str) -> None:
    VALID.validate(random_match(key, 20).data())


@pytest.mark.parametrize("ending", ["resigned", "timed_out", "agreed", "abandoned", "aborted"])
def test_records_of_every_ending_are_valid(ending: str) -> None:
    events = [acted("resigned", 2, "seat 2"), acted("timed_out", 1, "clock"), acted("draw_agreed"), acted(ending)]
    if ending == "agreed":
        events.pop()
    VALID.validate(sealed(ending, [*events, acted("restored", by="operator")], {"swap": True}).data())
    VALID.validate(finished(taken_back=True).data())


@pytest.mark.parametrize("path", [path for path, _ in places(OURS)], ids=lambda path: "-".join(map(str, path)))
def test_a_value_of_another_kind_is_not_valid(path: tuple[Any, ...]) -> None:
    wrong: list[Any] = [[], {"a": 1}, 1.5]
    if path != ("log", EVENT, "seat"):
        wrong.append(None)
    if path[-1] not in {"move", "swap"} and path[0] != "seats":
        wrong.append("Ä")
    for value in wrong:
        assert not VALID.is_valid(changed(path, value)), value


@pytest.mark.parametrize("key", OURS)
def test_a_record_without_a_key_or_with_one_more_is_not_valid(key: str) -> None:
    assert not VALID.is_valid({name: value for name, value in OURS.items() if name != key})
    assert not VALID.is_valid(OURS | {f"{key}s": OURS[key]})


@pytest.mark.parametrize(
    "change",
    [
        {"log": [{key: value for key, value in OURS["log"][0].items() if key != "salt"}]},
        {"log": [OURS["log"][0] | {"more": 1}]},
        {"log": [OURS["log"][0] | {"seat": 0}]},
        {"log": [OURS["log"][EVENT] | {"detail": {}}]},
        {"log": [OURS["log"][EVENT] | {"detail": {"from": 1, "why": "a slip"}}]},
        {"log": [OURS["log"][EVENT] | {"by": "Ann"}]},
        {"result": OURS["result"] | {"scores": None}},
        {"result": OURS["result"] | {"ending": "resigned"}},
        {"result": OURS["result"] | {"winners": [1, 1]}},
        {"secret": OURS["secret"].upper().replace("0", "A")},
        {"match": "short"},
    ],
)
def test_what_no_record_says_is_not_valid(change: dict[str, Any]) -> None:
    assert VALID.is_valid(OURS)
    assert not VALID.is_valid(OURS | change)
