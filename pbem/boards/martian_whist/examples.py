"""Example boards for the rules of Martian Whist, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.boards.drawing import Board

DRAFT: Board = {
    "sets": 2,
    "stage": "draft",
    "limit": 5,
    "trees": [
        {"number": 1, "pieces": ["Y3"]},
        {"number": 2, "pieces": ["R3", "Y2", "G1"]},
        {"number": 3, "pieces": ["K3", "Y2", "Y1"]},
        {"number": 4, "pieces": ["R3", "G2", "B1"]},
        {"number": 5, "pieces": ["G3"]},
        {"number": 6, "pieces": ["G3", "B2", "G1"]},
        {"number": 7, "pieces": ["Y3"]},
        {"number": 8, "pieces": ["K3", "G2", "B1"]},
        {"number": 9, "pieces": ["B3", "B2", "Y1"]},
        {"number": 10, "pieces": ["B3", "K2", "R1"]},
    ],
    "stashes": [["R2", "K1", "K2"], ["R1", "R2", "K1"]],
    "can_swap": False,
    "drafted": "K2",
    "leader": None,
    "led": None,
    "trick": None,
    "total": 5,
    "won": [[], []],
    "scores": [0, 0],
    "history": [],
}

LED: Board = {
    **DRAFT,
    "stage": "tricks",
    "trees": [],
    "stashes": [["R2", "Y1", "Y1", "G3", "B2", "B3"], ["R1", "R1", "R2", "R3", "Y2", "Y3", "G2", "G3", "K1"]],
    "drafted": "K3",
    "leader": 1,
    "led": ["R3", "K2", "G1"],
    "trick": 3,
    "won": [[["K3", "Y2", "K1"], ["K3", "K2", "B1"]], []],
    "scores": [4, 0],
    "history": [
        {"trick": 1, "leader": 1, "led": ["K3", "Y2", "K1"], "followed": ["Y3", "B2", "B1"], "winner": 1},
        {"trick": 2, "leader": 1, "led": ["K3", "K2", "B1"], "followed": ["B3", "G2", "G1"], "winner": 1},
    ],
}

SCORED: Board = {
    **LED,
    "stage": "over",
    "stashes": [[], []],
    "leader": None,
    "led": None,
    "trick": None,
    "won": [[["K3", "Y2", "K1"], ["K3", "K2", "B1"]], [["R3", "R2", "R1"], ["G3", "G2", "R1"], ["Y3", "Y2", "K1"]]],
    "scores": [4, 5],
    "history": [
        *LED["history"],
        {"trick": 3, "leader": 1, "led": ["R3", "K2", "G1"], "followed": ["R3", "R2", "R1"], "winner": 2},
        {"trick": 4, "leader": 2, "led": ["G3", "G2", "R1"], "followed": ["G3", "B2", "Y1"], "winner": 2},
        {"trick": 5, "leader": 2, "led": ["Y3", "Y2", "K1"], "followed": ["B3", "R2", "Y1"], "winner": 2},
    ],
}
