"""Why a move of Martian Whist may be good, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.prose import clean_name
from pbem.boards.pyramid_words import pyramid_name
from pbem.boards.stacks import split_stack
from pbem.games.game import Move
from pbem.games.pyramids import format_stack
from pbem.games.trees import follower_wins, pack, winning_answers
from pbem.i18n import _, several

if TYPE_CHECKING:
    from pbem.boards.drawing import Board

_TAKE = "take "


def reason(board: Board, other: str, you: int, move: str) -> str:
    """Return what a move takes and uncovers, whether a tree wins, or how many trees could beat it."""
    if move.startswith(_TAKE):
        return _draft_reason(board, other, int(move.removeprefix(_TAKE)))
    if move == "swap":
        return _("You get the {pyramid} that was just taken.", pyramid=pyramid_name(board["drafted"]))
    if move == "pass":
        return ""
    if board["led"]:
        won = follower_wins(Move(format_stack(split_stack(board["led"]))), Move(move))
        return _("It wins the trick.") if won else _("It loses the trick, but costs you little.")
    beating = winning_answers(Move(move), pack(split_stack(board["stashes"][2 - you])))
    if not beating:
        return _("No tree of {name} can beat it.", name=clean_name(other))
    return several(
        "One tree of {name} could beat it.", "{number} trees of {name} could beat it.", beating, name=clean_name(other)
    )


def _draft_reason(board: Board, other: str, number: int) -> str:
    *below, top = next(split_stack(tree["pieces"]) for tree in board["trees"] if tree["number"] == number)
    if not any(board["stashes"]):
        # The first pyramid of a draft can be swapped.
        parts = {"pyramid": pyramid_name(top), "name": clean_name(other)}
        return _("You get the {pyramid}, unless {name} swaps and takes it from you.", **parts)
    if below:
        parts = {"pyramid": pyramid_name(top), "under": pyramid_name(below[-1])}
        return _("You get the {pyramid}; it uncovers the {under}.", **parts)
    return _("You get the {pyramid}, and uncover nothing.", pyramid=pyramid_name(top))
