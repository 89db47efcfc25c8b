"""Conditions of Minimax: which card may be sown, and what the vault is worth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from pbem.games.errors import InvalidMove
from pbem.games.foresight import Foresight, Statements
from pbem.games.minimax.sowing import PYRAMIDS, STACK_POINTS

if TYPE_CHECKING:
    from pbem.games.game import View

_PYRAMID_COUNT = {"small": len(PYRAMIDS), "long": 2 * len(PYRAMIDS)}
_TREE_SIZE = 3


def _is_free_choice(view: View, found: re.Match[str]) -> bool:  # noqa: ARG001 (the pattern has no groups)
    return bool(view.board["free"])


def _can_sow(view: View, found: re.Match[str]) -> bool:
    if found[1].lower() == "vault":
        raise InvalidMove("The vault is never sown.")
    return any(card["may_sow"] for card in view.board["wheel"] if card["card"] == found[1].lower())


def _has_score(view: View, found: re.Match[str]) -> bool:
    points, most = int(found[1]), _PYRAMID_COUNT[view.board["size"]] // _TREE_SIZE * max(STACK_POINTS.values())
    if points > most:
        raise InvalidMove("The vault is worth at most {most} points.", most=most)
    return bool(view.board["score"] >= points)


class MinimaxForesight(Foresight):
    """Conditions of Minimax, which has no other seats."""

    statements: ClassVar[Statements] = {
        re.compile(r"(?:a |the )?free(?: choice)?", re.IGNORECASE): _is_free_choice,
        re.compile(r"(?:i )?(?:(?:may|can|must|have to) )?(?:sow )?(?:card )?(vault|[a-d])", re.IGNORECASE): _can_sow,
        re.compile(r"(?:score |vault has |at least )?0*([0-9]{1,4})(?: points?)?", re.IGNORECASE): _has_score,
    }

    def named(self, view: View, line: str) -> str | None:  # noqa: ARG002 (there are no other seats)
        """Return None: there are no other seats."""
        return None

    def examples(self, view: View) -> tuple[str, ...]:
        """Return as examples a card to sow, the free choice and a score."""
        return "sow b", "free choice", f"score {view.board['score'] + 1 - view.board['over']}"
