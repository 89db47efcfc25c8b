"""Example boards for the rules of Martian Trickery, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.boards.drawing import Board


def _trick(prize: str, leader: int, cards: str, winner: int) -> dict[str, Any]:
    """Return a finished trick of three seats."""
    laid = [{"seat": (leader - 1 + at) % 3 + 1, "card": card} for at, card in enumerate(cards.split())]
    return {"prize": prize, "cards": laid, "winner": winner}


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
    "tricks": [_trick("R3", 1, "AD JD 6D", 1)],
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
        _trick("R3", 1, "AD JD 6D", 1),
        _trick("K2", 1, "7C AC 6C", 2),
        _trick("Y3", 2, "KH JH 6H", 2),
        _trick("G1", 2, "JC 6S QC", 3),
        _trick("R1", 3, "AS 9S QS", 3),
        _trick("Y1", 3, "KD 9D QD", 3),
        _trick("K1", 3, "7D TD AH", 1),
        _trick("R2", 1, "KC TC 7S", 3),
        _trick("Y2", 3, "8D KS TH", 1),
        _trick("G2", 1, "JS 9H 8S", 1),
        _trick("K3", 1, "7H 9C QH", 3),
        _trick("G3", 3, "TS 8H 8C", 3),
    ],
}
