"""Records of matches that share a deal: each can be checked by itself, and a change at any other table is found."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.games import GAMES, find
from pbem.games.record import InvalidRecordError, NotARecordError, parse_record
from pbem.games.record_text import format_text, parse_text
from pbem.games.verify import UnsoundError, verify
from tests.support.games.small_record import random_match, share
from tests.support.games.verify import places
from tests.support.places import ROOT

KEY = "martian-whist"
RECORD = random_match(KEY, 6, share(KEY))
OURS: dict[str, Any] = RECORD.data()
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "reference" / "record.schema.json").read_bytes()))


def checked(data: Any) -> list[str]:
    return list(verify(parse_record(data), find))


def with_set(**changes: Any) -> dict[str, Any]:
    data = copy.deepcopy(OURS)
    data["set"] |= changes
    return data


def test_the_seed_is_that_of_the_set_by_two_functions_of_the_standard_library() -> None:
    deal = OURS["set"]
    message = "\0".join(["pbem-seed-v1", deal["id"], *deal["entropies"]]).encode()
    assert hmac.new(bytes.fromhex(OURS["secret"]), message, hashlib.sha256).hexdigest() == OURS["seed"]
    assert OURS["entropies"] == deal["entropies"][2:4]


@pytest.mark.parametrize("key", GAMES)
def test_a_record_of_a_shared_deal_holds_and_comes_back_from_its_text(key: str) -> None:
    record = random_match(key, 20, share(key))
    said = list(verify(record, find))
    assert len(said) == 6
    assert "one deal for 3 tables; this is table 2 (1 of its own typed by players)" in said[2]
    SCHEMA.validate(record.data())
    assert parse_text(format_text(record)) == record
    assert parse_record(record.data()) == record


def test_a_match_that_joined_after_the_deal_added_nothing_to_it() -> None:
    record = random_match(KEY, 6, share(KEY, place=9, tables=1))
    assert "one deal for one table; this table joined after it was dealt" in list(verify(record, find))[2]
    # Then its own entropies are in no hash, and have only their form.
    assert len(checked(record.data() | {"entropies": ["e" * 64, "f" * 32]})) == 6


@pytest.mark.parametrize("number", range(6))
def test_an_entropy_changed_at_any_table_is_found(number: int) -> None:
    data = with_set()
    typed = data["set"]["entropies"][number]
    data["set"]["entropies"][number] = typed[:-1] + ("0" if typed[-1] != "0" else "1")
    own = number in {2, 3}
    why = f"The shared deal does not hold: the entropy of seat {number - 1} at table 2 is not" if own else "The seed do"
    with pytest.raises(UnsoundError, match=f"^{why}"):
        checked(data)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"place": 0}, "there is no table 0"),
        ({"place": 1}, "the entropy of seat 1 at table 1 is not that of this match"),
        ({"place": 4}, None),
        ({"entropies": []}, "0 entropies are not those of whole tables of 2"),
        ({"entropies": OURS["set"]["entropies"][:5]}, "5 entropies are not those of whole tables of 2"),
        (
            {"entropies": [*OURS["set"]["entropies"], "a", "b"]},
            "the entropy of seat 1 at table 4 does not have the form",
        ),
    ],
)
def test_places_counts_and_forms_are_checked(changes: dict[str, Any], why: str | None) -> None:
    if why is None:
        # Behind the last table that was dealt: the place itself is in no hash.
        assert "joined after it was dealt" in checked(with_set(**changes))[2]
        return
    with pytest.raises(UnsoundError, match=f"^The shared deal does not hold: {why}"):
        checked(with_set(**changes))


@pytest.mark.parametrize("path", [path for path, _ in places(OURS["set"])], ids=lambda path: "-".join(map(str, path)))
def test_a_change_of_any_word_of_the_set_is_found(path: tuple[Any, ...]) -> None:
    data = with_set()
    inner = data["set"]
    for key in path[:-1]:
        inner = inner[key]
    value = inner[path[-1]]
    inner[path[-1]] = value - 1 if isinstance(value, int) else value[:-1] + ("0" if value[-1] != "0" else "1")
    with pytest.raises(UnsoundError):
        checked(data)


@pytest.mark.parametrize(
    "wrong", [None, [], {}, {"id": "a", "place": 1}, OURS["set"] | {"more": 1}, OURS["set"] | {"place": "2"}]
)
def test_what_is_no_set_is_refused(wrong: Any) -> None:
    data = OURS | {"set": wrong}
    with pytest.raises(InvalidRecordError, match=r"^This record is not valid: "):
        parse_record(data)
    assert not SCHEMA.is_valid(data)


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ('[SetPlace "2"]\n', ""),
        ('[SetPlace "2"]\n', '[SetPlace "two"]\n'),
        ('[SetPlace "2"]\n', '[SetPlace "2"]\n[SetPlace "2"]\n'),
        ('[SetEntropy2 "', '[SetEntropy3 "'),
        ('[Set "', '[Sets "'),
    ],
)
def test_a_text_form_whose_set_is_not_whole_is_refused(line: str, instead: str) -> None:
    text = format_text(RECORD)
    assert line in text
    with pytest.raises(NotARecordError, match=r"^This record is not valid: "):
        parse_text(text.replace(line, instead))
