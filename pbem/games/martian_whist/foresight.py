"""Conditional moves of Martian Whist: takes and trees, what is uncovered or led, and how to answer a lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from pbem.games import pyramids
from pbem.games.errors import InvalidMove, NeverMet
from pbem.games.foresight import FOLLOWING_POLICIES, LEADING_STATEMENT, Foresight, Statements, choose_answer
from pbem.games.martian_whist import words
from pbem.games.martian_whist.words import PASS, SWAP, SWAP_PLY, TAKE_PREFIX
from pbem.games.trees import TREES, follower_wins, pack, playable, strength, tree_moves

if TYPE_CHECKING:
    from pbem.games.errors import Phrase
    from pbem.games.game import Move, View

_SOLID = "solid"


def _leading(view: View, found: re.Match[str]) -> bool:
    leads = found[1].lower() == "lead"
    return view.board["stage"] == "tricks" and view.viewer in view.to_move and leads == (view.board["led"] is None)


def _tree_shows(view: View, found: re.Match[str]) -> bool:
    number, pyramid = _tree_number(view, found[1]), found[2]
    pieces: list[str] = next((tree["pieces"] for tree in view.board["trees"] if tree["number"] == number), [])
    if pyramid not in pieces:
        raise NeverMet("There is no {pyramid} in tree {number}.", pyramid=pyramid, number=number)
    return pieces[-1] == pyramid


def _was_taken(view: View, found: re.Match[str]) -> bool:
    last = next((entry["took"] for entry in reversed(view.log) if entry["seat"] != view.viewer), None)
    if last != found[1] and all(found[1] not in tree["pieces"] for tree in view.board["trees"]):
        raise NeverMet("No {pyramid} is left to take.", pyramid=found[1])
    return bool(last == found[1])


def _lead_shows(view: View, found: re.Match[str]) -> bool | None:
    tree, what = view.board["led"] or [], found[1]
    if what in pyramids.TREEHOUSE:
        return what in tree
    colours = {pyramid[0] for pyramid in tree}
    if what.lower() == _SOLID:
        return len(colours) == 1
    letter = pyramids.colour_letter(what)
    return letter in colours if letter else None


class WhistForesight(Foresight):
    """Conditions and policies of Martian Whist."""

    statements: ClassVar[Statements] = {
        LEADING_STATEMENT: _leading,
        re.compile(
            r"(?:tree )?#?0*([0-9]{1,9}) (?:shows?|has) (?:the |an? )?([RYGBK][123])(?: on top)?", re.IGNORECASE
        ): _tree_shows,
        re.compile(r"(?:takes?|took) (?:the |an? )?([RYGBK][123])", re.IGNORECASE): _was_taken,
        re.compile(
            r"(?:an? |the )?([a-zäöüß]+|[RYGBK][123])(?: (?:tree|is|was))*(?: led)?", re.IGNORECASE
        ): _lead_shows,
    }
    policies: ClassVar[dict[str, Phrase]] = Foresight.policies | FOLLOWING_POLICIES

    def spelled(self, line: str) -> str:
        """Shorten pyramids to their codes."""
        return pyramids.fold(line)

    def named(self, view: View, line: str) -> str | None:
        """Parse a move of the draft or of the tricks."""
        for read in (words.parse_draft, words.parse_tree):
            try:
                move = read(line, [PASS])
            except InvalidMove:
                continue
            if move.startswith(TAKE_PREFIX):
                _tree_number(view, move.removeprefix(TAKE_PREFIX))
            return move if move in TREES or read is words.parse_draft else None
        return None

    def never(self, view: View, named: str) -> NeverMet | None:
        """Return why the draft is over for the move, the tree used up, or its pyramids not in the other stash."""
        if named in TREES:
            if view.board["stage"] == "draft" or any(
                named in tree_moves(playable(stash, None)) for stash in _other_stashes(view)
            ):
                return None
            return NeverMet("Your opponent cannot build {tree} any more.", tree=named)
        if view.board["stage"] != "draft":
            return NeverMet("The draft is over.")
        if named == SWAP and (view.viewer == SWAP_PLY or len(view.log) >= SWAP_PLY):
            return NeverMet("Only seat 2 may swap, and only on its first turn.")
        number = named.removeprefix(TAKE_PREFIX)
        if named.startswith(TAKE_PREFIX) and number not in {str(tree["number"]) for tree in view.board["trees"]}:
            return NeverMet("Nothing is left of tree {number}.", number=number)
        return None

    def examples(self, view: View) -> tuple[str, ...]:
        """Return as examples a take and a tree's next top; in the tricks another seat's tree, a colour, the lead."""
        if view.board["stage"] == "draft":
            tree = max(view.board["trees"], key=lambda tree: len(tree["pieces"]))
            under = tree["pieces"][max(len(tree["pieces"]) - 2, 0)]
            return f"take {tree['number']}", f"tree {tree['number']} shows {under}", f"took {tree['pieces'][-1]}"
        trees = [tree for stash in _other_stashes(view) for tree in tree_moves(playable(stash, None))[:1]]
        return (*trees[:1], "red led", "I lead")

    def choose(self, view: View, policy: str) -> Move | None:
        """Choose a tree that answers the one led."""
        if not view.board["led"]:
            return None
        led = TREES[pyramids.format_stack(tuple(view.board["led"]))].move
        return choose_answer(policy, view.moves, strength, lambda tree: follower_wins(led, tree))


def _tree_number(view: View, typed: str) -> int:
    number, count = int(typed), 2 * view.board["limit"]
    if not 1 <= number <= count:
        raise InvalidMove(
            "There is no tree {number}; the trees are numbered from 1 to {trees}.", number=number, trees=count
        )
    return number


def _other_stashes(view: View) -> list[int]:
    return [pack(stash) for seat, stash in enumerate(view.board["stashes"], 1) if seat != view.viewer]
