"""Example boards for the rules of Montauk, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.boards.drawing import Board

SPEND: Board = {
    "round": 1,
    "rounds": 12,
    "trick": 1,
    "phase": "spend",
    "leader": 1,
    "winner": 2,
    "to_use": [1, 3],
    "led": "3S",
    "lead_lies": False,
    "followed": "AC",
    "extra": None,
    "tracks": [{"spots": [2, 1, 0, 3, 0, 0], "off": 0}, {"spots": [2, 1, 0, 0, 2, 1], "off": 0}],
    "nulls": [0, 0],
    "nulls_left": 3,
    "first": None,
    "scores": [0, 0],
    "pips": [0, 0],
    "hair": 1,
    "hand": ["QS", "QH", "2D", "QD", "TC"],
    "hand_sizes": [5, 5],
    "played": ["3S", "AC"],
    "pile": 40,
}

EXTRA: Board = {
    **SPEND,
    "trick": 2,
    "phase": "extra",
    "leader": 2,
    "winner": 1,
    "to_use": [6],
    "led": "TC",
    "followed": "3C",
    "extra": "6H",
    "tracks": [{"spots": [3, 1, 0, 1, 0, 0], "off": 1}, {"spots": [1, 2, 0, 0, 1, 1], "off": 1}],
    "hand": ["TS", "9H", "JD", "8C"],
    "hand_sizes": [4, 4],
    "played": ["3S", "AC", "TC", "3C", "6H"],
    "pile": 39,
}
