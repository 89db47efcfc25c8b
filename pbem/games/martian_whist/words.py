"""Parsing of typed moves of Martian Whist, and the errors for those that cannot be played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.games.errors import IllegalMove, InvalidMove, Phrase, any_of
from pbem.games.game import Move
from pbem.games.pyramids import COLOUR_NAMES, COLOURS, SIZES, fold, name
from pbem.games.trees import TREES, count, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.pyramids import Stack

SWAP, PASS = Move("swap"), Move("pass")
TAKE_PREFIX = "take "
SWAP_PLY = 2
"""Number of the only move that may be the swap."""

MAX_EXAMPLES = 5
"""Maximum number of trees listed where a player has a choice of them."""

_SIZE_PHRASES = {"1": Phrase("small pyramids"), "2": Phrase("medium pyramids"), "3": Phrase("large pyramids")}
_TAKE = re.compile(r"(?!#)(?:(?:take|draft|pick)\b\s*)?(?:from\s+)?(?:tree\b\s*)?#?\s*0*([0-9]{1,9})", re.IGNORECASE)
"""A number sign alone in front is not a tree's: `#1` is the first move that a mail suggests."""
_LEADING_WORD = re.compile(r"(?:lead|play|follow)\b[\s:]*(?:with\b[\s:]*)?", re.IGNORECASE)
_SEPARATOR = r"[\s,;/+&-]*"
_THREE_PYRAMIDS = re.compile(_SEPARATOR.join(["([RYGBK][123])"] * 3), re.IGNORECASE)
_COLOUR_LETTERS = {colour: letter for letter, colour in COLOUR_NAMES.items()}
_COLOUR = f"({'|'.join(_COLOUR_LETTERS)}|[{COLOURS}])"
_THREE_COLOURS = re.compile(_SEPARATOR.join([_COLOUR] * 3), re.IGNORECASE)


def parse_draft(line: str, legal: Sequence[Move]) -> Move:
    """Parse a folded line of the draft: a tree's number, swap or pass (Move grammar)."""
    line = _LEADING_WORD.sub("", line, count=1)
    if line.lower() in {SWAP, PASS}:
        return Move(line.lower())
    take = _TAKE.fullmatch(line)
    if take:
        return Move(TAKE_PREFIX + take[1])
    raise InvalidMove(
        "The draft is on: write “take” and the number of the tree whose top pyramid you want. {possible}",
        possible=draft_choices(legal),
    )


def parse_tree(line: str, legal: Sequence[Move]) -> Move:
    """Parse a folded line of the tricks: three pyramids in any order, or three colours bottom to top (Move grammar)."""
    line = fold(_LEADING_WORD.sub("", line, count=1))
    three = _THREE_COLOURS.fullmatch(line)
    if three:
        letters = [_COLOUR_LETTERS.get(colour.lower(), colour.upper()) for colour in three.groups()]
        return Move("/".join(letter + size for letter, size in zip(letters, SIZES[::-1], strict=True)))
    three = _THREE_PYRAMIDS.fullmatch(line)
    if three:
        return Move("/".join(sorted(map(str.upper, three.groups()), key=lambda pyramid: -int(pyramid[1]))))
    raise InvalidMove(
        "The tricks are on: write the large, medium and small pyramid of your tree, such as “R3/G2/R1”, "
        "or their three colours, such as “RGR”. {possible}",
        possible=tree_choices(legal),
    )


def draft_error(move: Move, trees: Sequence[Stack], limit: int, legal: Sequence[Move]) -> IllegalMove:
    """Return why a move of the draft is illegal (Legality)."""
    possible = draft_choices(legal)
    if move == SWAP:
        return IllegalMove("Only seat 2 may swap, and only on its first turn. {possible}", possible=possible)
    if move == PASS:
        return IllegalMove("You may pass only when there is nothing you can take. {possible}", possible=possible)
    number = move.removeprefix(TAKE_PREFIX)
    tree = dict(zip(map(str, range(1, len(trees) + 1)), trees, strict=True)).get(number)
    if tree is None:
        return IllegalMove(
            "There is no tree “{number}”; the trees are numbered from 1 to {trees}. {possible}",
            number=number, trees=len(trees), possible=possible,
        )  # fmt: skip
    if not tree:
        return IllegalMove("Nothing is left of tree {number}. {possible}", number=number, possible=possible)
    return IllegalMove(
        "The top of tree {number} is {pyramid}, and you already have {limit} {kind}. {possible}",
        number=number, pyramid=_pyramid_phrase(tree[-1]), limit=limit, kind=_SIZE_PHRASES[tree[-1][1]],
        possible=possible,
    )  # fmt: skip


def tree_error(move: Move, stash: int, led: Stack, legal: Sequence[Move]) -> IllegalMove:
    """Return why a tree may not be presented (Legality)."""
    possible = tree_choices(legal)
    if move not in TREES:
        return IllegalMove(
            "“{move}” is not a tree. A tree has one large, one medium and one small pyramid. {possible}",
            move=move, possible=possible,
        )  # fmt: skip
    missing = [_pyramid_phrase(pyramid) for pyramid in TREES[move].stack if not count(stash, pyramid)]
    if missing:
        *front, last = missing
        names = Phrase("{first} and no {last}", first=tuple(front), last=last) if front else last
        return IllegalMove("Your stash has no {pyramids}. {possible}", pyramids=names, possible=possible)
    colours = {pyramid[0] for pyramid in led}
    shared = [_pyramid_phrase(pyramid) for pyramid in dict.fromkeys(unpack(stash)) if pyramid[0] in colours]
    return IllegalMove(
        "You must play a colour of the tree led, {led}, and you can: with {pyramids}. {possible}",
        led="/".join(led), pyramids=any_of(shared), possible=possible,
    )  # fmt: skip


def draft_choices(legal: Sequence[Move]) -> Phrase:
    """Return a sentence on which trees may be taken from."""
    numbers = [move.removeprefix(TAKE_PREFIX) for move in legal if move.startswith(TAKE_PREFIX)]
    if not numbers:
        return Phrase("You can only pass.")
    if SWAP in legal:
        return Phrase("You can take from tree {numbers}, or swap.", numbers=any_of(numbers))
    return Phrase("You can take from tree {numbers}.", numbers=any_of(numbers))


def tree_choices(legal: Sequence[Move]) -> Phrase:
    """Return a sentence on which trees may be presented, or how many and some of them."""
    if len(legal) > MAX_EXAMPLES:
        some = any_of(legal[:: len(legal) // MAX_EXAMPLES][:MAX_EXAMPLES])
        return Phrase("You can play {count} trees, such as {some}.", count=len(legal), some=some)
    return Phrase("You can play {trees}.", trees=any_of(legal))


def _pyramid_phrase(pyramid: str) -> Phrase:
    return Phrase("{pyramid} ({name})", pyramid=pyramid, name=Phrase(name(pyramid)))
