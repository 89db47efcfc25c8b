"""Chance, by the check values of the rulebooks' page on conventions."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import Chance
from pbem.games.cards import DECK
from pbem.games.chance import ContinuedChance, LabelDraw, ObservedChance, RecordingChance

SEED = bytes(range(32))
CHANCE = Chance(SEED)


def words(label: str, blocks: int) -> list[int]:
    """Follow the formulas for blocks and words to the letter."""
    text = b"".join(
        hmac.digest(SEED, label.encode() + b"\0" + index.to_bytes(8, "big"), "sha256") for index in range(blocks)
    )
    return [int.from_bytes(text[at : at + 4], "big") for at in range(0, len(text), 4)]


def test_deck_shuffles_as_the_conventions_say() -> None:
    assert " ".join(CHANCE.shuffle("deck", DECK)[:10]) == "5H 2H 4H 7H 9D QH 6H 8C QD 6S"


def test_die_rolls_as_the_conventions_say() -> None:
    assert CHANCE.rolls("die", 10) == (1, 1, 5, 1, 3, 3, 6, 3, 2, 2)


def test_a_label_starts_at_its_beginning_every_time() -> None:
    assert CHANCE.rolls("die", 3) == CHANCE.rolls("die", 3)
    assert [CHANCE.stream("die").roll() for _ in range(3)] == [1, 1, 1]
    assert CHANCE.rolls("die", 8) != CHANCE.rolls("other", 8)


def test_words_are_taken_in_order_over_all_blocks() -> None:
    stream = CHANCE.stream("all words")
    assert [stream.below(1 << 32) for _ in range(20)] == words("all words", 3)[:20]


def test_words_that_would_favour_some_are_skipped() -> None:
    # A little over half of all words fit: about every other one is skipped.
    n = (1 << 31) + 1
    stream = CHANCE.stream("skip")
    drawn = [stream.below(n) for _ in range(20)]
    kept = [word for word in words("skip", 20) if word < n]
    assert drawn == kept[:20]
    assert kept[:20] != words("skip", 20)[:20]


def test_a_shuffle_skips_the_same_words() -> None:
    # Of so many items a few words do not fit; a deck would hardly ever meet one.
    items = list(range(1 << 18))
    given, skipped, expected = iter(words("shuffle", 1 << 16)), 0, items.copy()
    for i in range(len(items) - 1, 0, -1):
        while (word := next(given)) >= (1 << 32) - (1 << 32) % (i + 1):
            skipped += 1
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert skipped
    assert CHANCE.shuffle("shuffle", items) == tuple(expected)


@given(seed=st.binary(min_size=32, max_size=32), items=st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_every_item(seed: bytes, items: list[int]) -> None:
    assert Counter(Chance(seed).shuffle("any", items)) == Counter(items)


@given(seed=st.binary(min_size=32, max_size=32), n=st.integers(1, 1 << 32))
def test_numbers_stay_below(seed: bytes, n: int) -> None:
    stream = Chance(seed).stream("n")
    assert all(0 <= number < n for number in islice(iter(lambda: stream.below(n), None), 5))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        Chance(bytes(length))


def test_noting_what_is_drawn_changes_nothing_of_it() -> None:
    chance, noted = Chance(SEED), RecordingChance(SEED)
    assert noted.shuffle("deal/1", "abcdef") == chance.shuffle("deal/1", "abcdef")
    assert noted.rolls("setup", 12) == chance.rolls("setup", 12)
    stream, other = noted.stream("hair"), chance.stream("hair")
    numbers = [stream.below(52), stream.roll(), stream.below(2)]
    assert numbers == [other.below(52), other.roll(), other.below(2)]
    assert noted.taken() == (
        LabelDraw("deal/1", chance.shuffle("deal/1", "abcdef")),
        LabelDraw("setup", chance.rolls("setup", 12)),
        LabelDraw("hair", tuple(numbers)),
    )
    assert noted.taken() == ()


def test_what_was_drawn_before_stays_when_a_match_plays_on_with_luck_of_its_own() -> None:
    own = Chance(bytes(32))
    heard = ObservedChance(CHANCE)
    assert heard.shuffle("deck", DECK) == CHANCE.shuffle("deck", DECK)
    assert heard.labels == {"deck"}
    continued = ContinuedChance(bytes(32), CHANCE, frozenset(heard.labels))
    assert continued.shuffle("deck", DECK) == CHANCE.shuffle("deck", DECK)
    assert continued.rolls("die", 20) == own.rolls("die", 20) != CHANCE.rolls("die", 20)


def test_luck_is_continued_again_and_again() -> None:
    first = ContinuedChance(bytes(32), CHANCE, frozenset({"deck"}))
    second = ContinuedChance(bytes([1] * 32), first, frozenset({"deck", "die"}))
    assert second.shuffle("deck", DECK) == CHANCE.shuffle("deck", DECK)
    assert second.rolls("die", 20) == Chance(bytes(32)).rolls("die", 20)
    assert second.rolls("other", 20) == Chance(bytes([1] * 32)).rolls("other", 20)
