"""Playing cards: their names, the fresh deck, and the words that people use for them."""

from __future__ import annotations

import re

from pbem.games.vocabulary import shortener

RANKS = "23456789TJQKA"
"""Ranks from the lowest to the highest, ace high."""
SUITS = "CDHS"
"""Suits in the order of a fresh deck."""

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""A fresh deck, in which every shuffle begins."""

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANK_NAMES = dict(
    zip(
        RANKS,
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
        strict=True,
    ),
)

_RANK_WORDS = {name: rank for rank, name in RANK_NAMES.items()} | {
    "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "fuenf": "5", "sechs": "6", "sieben": "7", "acht": "8",
    "neun": "9", "zehn": "T", "bube": "J", "dame": "Q", "könig": "K", "koenig": "K", "as": "A", "ass": "A",
    "knave": "J", "10": "T",
} | {rank.lower(): rank for rank in RANKS}  # fmt: skip
_SUIT_WORDS = {
    "spade": "S", "spades": "S", "heart": "H", "hearts": "H",
    "diamond": "D", "diamonds": "D", "club": "C", "clubs": "C",
    "pik": "S", "herz": "H", "karo": "D", "kreuz": "C",
}  # fmt: skip
WORDS = frozenset({*_RANK_WORDS, *_SUIT_WORDS})
"""Words that people use for ranks and suits."""


_rank_first = shortener(_RANK_WORDS, _SUIT_WORDS, r"(?:\s+of\s+|\s+|-)?")
_suit_first = shortener(_SUIT_WORDS, _RANK_WORDS, r"(?:\s+|-)?", swapped=True)
_ANY_OF_SUIT = re.compile(r"\ban? (spade|heart|diamond|club)\b", re.IGNORECASE)
_CARD = re.compile(r"(?<![A-Z0-9])(10|[2-9TJQKA])\s*([SHDC])(?![A-Z0-9])", re.IGNORECASE)


def fold(line: str) -> str:
    """Write every card in a folded line as rank and suit: `10 h`, `ten of hearts`, `Herz Zehn` as `TH`."""
    line = _suit_first(_rank_first(line))
    return _CARD.sub(lambda m: ("T" if m[1] == "10" else m[1].upper()) + m[2].upper(), line)


def fold_for_conditions(line: str) -> str:
    """Write cards in a folded line as `fold` does, except that `a spade` is any spade and not the ace."""
    return fold(_ANY_OF_SUIT.sub(r"any \1", line))


def suit_letter(word: str) -> str | None:
    """Return the letter of a suit by its name, singular or plural: `S` for "spade" and "spades"."""
    return _SUIT_WORDS.get(word.lower())


def name(card: str) -> str:
    """Return a card in words: `TH` is "ten of hearts"."""
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"
