"""Choosing a sowing on the picture: the card, then each pyramid in hand and where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.stacks import pyramid_place, split_stack
from pbem.games.minimax.sowing import ANY_CARD, CARDS, DROPS, STACK_POINTS, VAULT, Sowing, begin_sowing
from pbem.i18n import _, several

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.boards.drawing import Board, Chosen, Touches

_SOW = "sow "


def touches(chosen: Chosen, pieces: Sequence[str]) -> Touches:
    """Return the places to touch for the cards that may be sown, or for the drops that may follow.

    A pyramid that can only go next to what is there falls by one touch; otherwise a second one says where.
    """
    if not chosen:
        return {piece: (piece,) for piece in pieces}
    sown, onto = _sown_card(chosen), _card_below(chosen)
    raised = {DROPS[piece].takes for piece in pieces if DROPS[piece].onto}
    return {piece: _drop_places(piece, sown, onto, choice=DROPS[piece].takes in raised) for piece in pieces}


def _drop_places(piece: str, sown: str, onto: str, *, choice: bool) -> tuple[str, ...]:
    drop = DROPS[piece]
    place = pyramid_place(sown, drop.takes[0])
    if drop.onto:
        return place, pyramid_place(onto, split_stack(drop.onto)[-1])
    return (place, _SOW + onto) if choice else (place,)


def resting(chosen: Chosen) -> dict[str, int]:
    """Return the place of the last chosen piece: the card that is sown, or the pyramid that fell."""
    if len(chosen) < 2:  # noqa: PLR2004 (the card alone)
        return dict.fromkeys(chosen, 0)
    last = len(chosen) - 1
    return {pyramid_place(_card_below(chosen[:-1]), pyramid): last for pyramid in DROPS[chosen[-1]].takes}


def during(board: Board, chosen: Chosen) -> Board:
    """Return the wheel after the drops made so far, with what is still in hand on the card that is sown."""
    if not chosen:
        return board
    card, sowing = CARDS.index(_sown_card(chosen)), _sow(board, chosen)
    wheel = [
        {
            **here,
            "stacks": [split_stack(stack) for stack in stacks] + (_hand(sowing) if at == card else []),
            "fresh": [split_stack(tree) for tree in _whole(sowing)] if at == card else here["fresh"],
            "may_sow": at == card,
        }
        for at, (here, stacks) in enumerate(zip(board["wheel"], sowing.wheel, strict=True))
    ]
    return {**board, "wheel": wheel, "free": False}


def reason(board: Board, move: str) -> str:
    """Return what a sowing brings into the vault, and what comes next."""
    _sow_word, card, drops = move.split(" ", 2)
    after = _sow(board, (_SOW + card, *drops.split(", ")))
    points = sum(STACK_POINTS[stack] for stack in after.wheel[VAULT])
    gain = several("It brings one point", "It brings {number} points", points - board["score"])
    following = after.next()
    if not any(after.wheel[:VAULT]):
        return _("It clears the wheel: you win.")
    if following is None:
        return _("It ends the game.")
    if following == ANY_CARD:
        return _("{gain}, and you may sow any card next.", gain=gain)
    return _("{gain}, and card {card} is sown next.", gain=gain, card=following)


def _sow(board: Board, chosen: Chosen) -> Sowing:
    """Return a sowing after the chosen card and drops."""
    card = CARDS.index(_sown_card(chosen))
    sowing = begin_sowing(
        tuple(tuple("/".join(split_stack(stack)) for stack in here["stacks"]) for here in board["wheel"]),
        card,
        tuple("/".join(split_stack(tree)) for tree in board["wheel"][card]["fresh"]),
    )
    for drop in chosen[1:]:
        sowing = sowing.after(drop)
    return sowing


def _whole(sowing: Sowing) -> list[str]:
    return [tree for tree in sowing.whole if sowing.may(tree)]


def _hand(sowing: Sowing) -> list[tuple[str, ...]]:
    """Return what is still to be sown: trees that may stay whole, then single pyramids."""
    left, trees = list(sowing.hand), []
    for tree in _whole(sowing):
        if all(pyramid in left for pyramid in split_stack(tree)):
            trees.append(split_stack(tree))
            for pyramid in split_stack(tree):
                left.remove(pyramid)
    return [*trees, *((pyramid,) for pyramid in left)]


def _sown_card(chosen: Chosen) -> str:
    return chosen[0].removeprefix(_SOW)


def _card_below(chosen: Chosen) -> str:
    """Return the card on which the drop after the chosen pieces falls."""
    return CARDS[(CARDS.index(_sown_card(chosen)) + len(chosen)) % len(CARDS)]
