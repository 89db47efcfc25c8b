"""Example boards for the rules of Minimax, from positions that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.boards.drawing import Board

FRESH: Board = {
    "size": "small",
    "over": False,
    "cleared": False,
    "wheel": [
        {"card": "a", "stacks": [["G1"], ["R3", "B2", "R1"], ["Y3"]], "fresh": [["R3", "B2", "R1"]], "may_sow": True},
        {"card": "b", "stacks": [], "fresh": [], "may_sow": False},
        {"card": "c", "stacks": [["B3"], ["G2"], ["R2"], ["Y2"]], "fresh": [], "may_sow": False},
        {"card": "d", "stacks": [["G3"]], "fresh": [], "may_sow": False},
        {"card": "vault", "stacks": [["B1"], ["Y1"]], "fresh": [], "may_sow": False},
    ],
    "free": False,
    "score": 2,
}

BROKEN: Board = {
    "size": "small",
    "over": False,
    "cleared": False,
    "wheel": [
        {"card": "a", "stacks": [], "fresh": [], "may_sow": False},
        {"card": "b", "stacks": [["Y3"]], "fresh": [], "may_sow": False},
        {"card": "c", "stacks": [["B3"], ["G2"], ["R2"], ["Y2", "G1"]], "fresh": [], "may_sow": False},
        {"card": "d", "stacks": [["B2"], ["G3"], ["R1"], ["R3"]], "fresh": [], "may_sow": True},
        {"card": "vault", "stacks": [["B1"], ["Y1"]], "fresh": [], "may_sow": False},
    ],
    "free": False,
    "score": 2,
}

SCORED: Board = {
    "size": "small",
    "over": True,
    "cleared": False,
    "wheel": [
        {"card": "a", "stacks": [["G2"], ["G3"]], "fresh": [], "may_sow": False},
        {"card": "b", "stacks": [["R3"]], "fresh": [], "may_sow": False},
        {"card": "c", "stacks": [["B1"], ["R1"]], "fresh": [], "may_sow": False},
        {"card": "d", "stacks": [["G1"]], "fresh": [], "may_sow": False},
        {"card": "vault", "stacks": [["B3", "B2"], ["R2"], ["Y3", "Y2", "Y1"]], "fresh": [], "may_sow": False},
    ],
    "free": False,
    "score": 10,
}
