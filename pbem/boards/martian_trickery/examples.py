"""Example boards for the rules of Martian Trickery, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.boards.drawing import Board

FOLLOW: Board = {
    "prizes": "treehouse",
    "out": "B",
    "hands": 4,
    "hand_number": 1,
    "dealer": 3,
    "leader": 1,
    "phase": "follow",
    "middle": ["R1", "R2", "Y1", "Y2", "Y3", "G1", "G2", "G3", "K1", "K3"],
    "prize": "K2",
    "trick_number": 2,
    "trick": [{"seat": 1, "card": "7C"}, {"seat": 2, "card": "AC"}],
    "broken": False,
    "won": [["R3"], [], []],
    "worth": [1, 0, 0],
    "hand": ["AS", "TS", "8S", "7S", "6S", "QH", "JH", "KD", "8D", "7D", "6C"],
    "hand_sizes": [10, 10, 11],
    "totals": [0, 0, 0],
    "hand_scores": [],
    "tricks": [
        {
            "prize": "R3",
            "cards": [{"seat": 1, "card": "AD"}, {"seat": 2, "card": "JD"}, {"seat": 3, "card": "6D"}],
            "winner": 1,
        }
    ],
}

SCORED: Board = {
    "prizes": "treehouse",
    "out": "B",
    "hands": 1,
    "hand_number": 1,
    "dealer": 3,
    "leader": 3,
    "phase": "over",
    "middle": [],
    "prize": None,
    "trick_number": 12,
    "trick": [],
    "broken": True,
    "won": [["R3", "K1", "Y2", "G2"], ["K2", "Y3"], ["G1", "R1", "Y1", "R2", "K3", "G3"]],
    "worth": [3, 1, 8],
    "hand": None,
    "hand_sizes": [0, 0, 0],
    "totals": [3, 1, 8],
    "hand_scores": [[3, 1, 8]],
    "tricks": [
        {
            "prize": "R3",
            "cards": [{"seat": 1, "card": "AD"}, {"seat": 2, "card": "JD"}, {"seat": 3, "card": "6D"}],
            "winner": 1,
        },
        {
            "prize": "K2",
            "cards": [{"seat": 1, "card": "7C"}, {"seat": 2, "card": "AC"}, {"seat": 3, "card": "6C"}],
            "winner": 2,
        },
        {
            "prize": "Y3",
            "cards": [{"seat": 2, "card": "KH"}, {"seat": 3, "card": "JH"}, {"seat": 1, "card": "6H"}],
            "winner": 2,
        },
        {
            "prize": "G1",
            "cards": [{"seat": 2, "card": "JC"}, {"seat": 3, "card": "6S"}, {"seat": 1, "card": "QC"}],
            "winner": 3,
        },
        {
            "prize": "R1",
            "cards": [{"seat": 3, "card": "AS"}, {"seat": 1, "card": "9S"}, {"seat": 2, "card": "QS"}],
            "winner": 3,
        },
        {
            "prize": "Y1",
            "cards": [{"seat": 3, "card": "KD"}, {"seat": 1, "card": "9D"}, {"seat": 2, "card": "QD"}],
            "winner": 3,
        },
        {
            "prize": "K1",
            "cards": [{"seat": 3, "card": "7D"}, {"seat": 1, "card": "TD"}, {"seat": 2, "card": "AH"}],
            "winner": 1,
        },
        {
            "prize": "R2",
            "cards": [{"seat": 1, "card": "KC"}, {"seat": 2, "card": "TC"}, {"seat": 3, "card": "7S"}],
            "winner": 3,
        },
        {
            "prize": "Y2",
            "cards": [{"seat": 3, "card": "8D"}, {"seat": 1, "card": "KS"}, {"seat": 2, "card": "TH"}],
            "winner": 1,
        },
        {
            "prize": "G2",
            "cards": [{"seat": 1, "card": "JS"}, {"seat": 2, "card": "9H"}, {"seat": 3, "card": "8S"}],
            "winner": 1,
        },
        {
            "prize": "K3",
            "cards": [{"seat": 1, "card": "7H"}, {"seat": 2, "card": "9C"}, {"seat": 3, "card": "QH"}],
            "winner": 3,
        },
        {
            "prize": "G3",
            "cards": [{"seat": 3, "card": "TS"}, {"seat": 1, "card": "8H"}, {"seat": 2, "card": "8C"}],
            "winner": 3,
        },
    ],
}
