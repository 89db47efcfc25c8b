"""Example boards for the rules of Amazonian Buffet, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.boards.drawing import Board


def _split(names: str) -> list[str]:
    return names.split()


GRID = [
    ["5H", "2H", "4H", "7H", "9D", "QH"],
    ["6H", "8C", "QD", "6S", "KH", "7C"],
    ["3H", "9H", "2C", "KC", "JD", "KD"],
    ["7D", "4S", "4D", "KS", "7S", "TD"],
    ["TH", "3D", "JC", "AS", "JH", "5D"],
    ["8D", "6D", "JS", "QC", "3C", "9C"],
    ["8H", "TC", "QS", "4C", "8S", "2D"],
    ["TS", "AD", "AH", "AC", "5S", "6C"],
]
"""Grid of all examples, which are of one deal."""

CLAIMED: Board = {
    "stage": "board",
    "grid": GRID,
    "stones": {"d1": 1, "f3": 1, "c8": 2},
    "pawns": [["c1", "f1"], ["c6", "f8"]],
    "idle": 0,
    "dealt": [["2S", "9S"], ["5C", "3S"]],
    "pools": [["KD", "9S", "7H", "2S"], ["AH", "5C", "3S"]],
    "layouts": [None, None],
    "sealed": [False, False],
    "own": None,
    "comparisons": [],
    "won": None,
    "compare": "cards",
}

SHOWDOWN: Board = {
    "stage": "over",
    "grid": GRID,
    "stones": dict.fromkeys(_split("b1 e1 a2 c2 b3 d3 f3 a5 a6 b6 d6 f6 a7 b8 c8 d8"), 1)
    | dict.fromkeys(_split("a1 b2 f2 c3 e3 a4 b4 c4 d4 e4 c5 d5 e5 f5 c6 c7 d7 e7 e8"), 2),
    "pawns": [["b7", "d2"], ["c1", "a3"]],
    "idle": 4,
    "dealt": [["2S", "9S"], ["5C", "3S"]],
    "pools": [
        _split("AH AD AC KD KC QD QC TH 9S 9H 9D 9C 8H 8D 6H 6D 2S 2H"),
        _split("AS KS QS JS JH JD JC 8S 8C 7S 7D 7C 5S 5H 5D 5C 4S 4D 4C 3S 2C"),
    ],
    "layouts": [
        [["KC", "9S", "9H", "9D", "9C"], ["KD", "QD", "QC", "8H", "8D"], ["AH", "AD", "AC", "2S", "2H"]],
        [["AS", "JS", "JH", "JD", "JC"], ["KS", "5S", "5H", "5D", "5C"], ["8S", "8C", "7S", "7D", "7C"]],
    ],
    "sealed": [False, False],
    "own": None,
    "comparisons": [{"winner": 2, "levels": [8, 8]}, {"winner": 2, "levels": [3, 8]}, {"winner": 1, "levels": [7, 7]}],
    "won": [1, 2],
    "compare": "cards",
}
