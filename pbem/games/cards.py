"""Playing cards: their names, the fresh deck, and what people call them."""

from __future__ import annotations

import re

RANKS = "23456789TJQKA"
"""Ranks from the lowest to the highest, ace high."""
SUITS = "CDHS"
"""Suits in the order of a fresh deck."""

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""A fresh deck, as every shuffle begins with it."""

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


def _either(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_RANK_FIRST = re.compile(rf"\b({_either(_RANK_WORDS)})(?:\s+of\s+|\s+|-)?({_either(_SUIT_WORDS)})\b", re.IGNORECASE)
_SUIT_FIRST = re.compile(rf"\b({_either(_SUIT_WORDS)})(?:\s+|-)?({_either(_RANK_WORDS)})\b", re.IGNORECASE)
_LOOSE = re.compile(r"(?<![A-Z0-9])(10|[2-9TJQKA])\s*([SHDC])(?![A-Z0-9])", re.IGNORECASE)


def fold(line: str) -> str:
    """Write every card in a folded line as rank and suit: `10 h`, `ten of hearts`, `Herz Zehn` as `TH`."""
    line = _RANK_FIRST.sub(lambda m: _RANK_WORDS[m[1].lower()] + _SUIT_WORDS[m[2].lower()], line)
    line = _SUIT_FIRST.sub(lambda m: _RANK_WORDS[m[2].lower()] + _SUIT_WORDS[m[1].lower()], line)
    return _LOOSE.sub(lambda m: ("T" if m[1] == "10" else m[1].upper()) + m[2].upper(), line)


def name(card: str) -> str:
    """Say a card in words: `TH` is "ten of hearts"."""
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"
