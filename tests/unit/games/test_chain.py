"""Fair deals and the chain: each formula written out once more, by hand."""

from __future__ import annotations

import hashlib
import hmac
import json

from pbem.games import chain
from pbem.games.chain import EventEntry, MoveEntry

SECRET = bytes(range(32))
PLAYED = MoveEntry(1, 2, "take 7 ♥", "2026-11-21T05:50:10.123Z", "00" * 16)
ACTED = EventEntry("taken_back", None, "table", {"from": 1}, "2026-11-21T05:50:10.123Z", "11" * 16)


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert chain.commit(SECRET).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_own_entropy_is_the_sha256_of_the_stripped_utf8_text() -> None:
    assert chain.typed_entropy("  Grüße \n") == hashlib.sha256("Grüße".encode()).hexdigest()


def test_the_seed_mixes_secret_match_and_entropies_in_seat_order() -> None:
    message = b"pbem-seed-v1\x00m1\x00aa\x00bb"
    expected = hmac.new(SECRET, message, hashlib.sha256).digest()
    assert chain.derive_seed(SECRET, "m1", ["aa", "bb"]) == expected
    assert chain.derive_seed(SECRET, "m1", ["bb", "aa"]) != expected


def test_canonical_json_has_sorted_keys_no_spaces_and_plain_utf8() -> None:
    assert chain.canonical_json({"b": [1, None, True], "a": "é ♥"}) == '{"a":"é ♥","b":[1,null,true]}'.encode()


def test_the_chain_begins_with_commitment_and_rules() -> None:
    rules = b'{"edition":1,"game":"g","match":"m1","options":{"a":true,"b":2},"seats":3}'
    opening = chain.opening_hash(b"\7" * 32, "m1", "g", 1, {"b": 2, "a": True}, 3)
    assert opening == hashlib.sha256(b"\7" * 32 + rules).digest()


def test_each_entry_lengthens_the_chain() -> None:
    head = b"\1" * 32
    for entry, keys in (
        (PLAYED, {"ply", "seat", "move", "at", "salt"}),
        (ACTED, {"event", "seat", "by", "detail", "at", "salt"}),
    ):
        data = entry.data()
        assert set(data) == keys
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert chain.next_hash(head, entry) == hashlib.sha256(head + text).digest()
