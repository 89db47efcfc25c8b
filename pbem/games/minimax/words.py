"""Parsing of typed sowings, and why a drop may not be made (rulebook: Move grammar)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from pbem.games import pyramids
from pbem.games.errors import IllegalMove, InvalidMove, Phrase
from pbem.games.game import Move
from pbem.games.minimax.sowing import CARDS, PLACE_NAMES, TREES, VAULT, Sowing, Stacks, Wheel, begin_sowing

if TYPE_CHECKING:
    from collections.abc import Iterable

Drops: TypeAlias = list[tuple[str, str | None]]
"""Each piece that falls, with the stack that it goes on."""

_PYRAMID = "[RYGBK][123]"
_STACK = rf"{_PYRAMID}(?: ?/ ?{_PYRAMID}){{0,2}}"
_PART = re.compile(
    rf"(?P<piece>{_STACK})|(?P<sow>sow)|(?P<card>vault|[abcd])|(?P<on>on|[@>])",
    re.IGNORECASE,
)
_START = re.compile(r"\bsow (vault|[abcd])\b", re.IGNORECASE)
_DROP = re.compile(rf"\b({_STACK})\b(?: ?(?:on|@|>) ?({_STACK})\b)?", re.IGNORECASE)
EXAMPLE_MOVE = "sow d Y1, B2 on R3, B1"
"""Example of a move, for sentences."""
_MAX_QUOTED = 20
"""Number of characters of an unreadable text that are quoted."""


def parse_sowing(line: str) -> tuple[int | None, Drops]:
    """Parse a typed sowing: the card, if it is named, and the drops (Move grammar).

    Raises InvalidMove for a text that does not have the form of one.
    """
    parts = _tokenize(line)
    card = None
    if parts[0][0] == "sow":
        del parts[0]
    if parts and parts[0][0] == "card":
        card = CARDS.index(parts.pop(0)[1].lower())
    drops: Drops = []
    while parts:
        kind, piece = parts.pop(0)
        if kind != "piece":
            raise InvalidMove(
                "“{part}” is not a pyramid. Write a move like “{example}”.",
                part=piece, example=EXAMPLE_MOVE,
            )  # fmt: skip
        onto = None
        if parts and parts[0][0] == "on":
            del parts[0]
            if not parts or parts[0][0] != "piece":
                raise InvalidMove("After “on”, name the stack that {piece} goes on.", piece=piece)
            onto = parts.pop(0)[1]
        drops.append((piece, onto))
    return card, drops


def extract_sowing(line: str) -> tuple[int | None, Drops]:
    """Extract the card and the drops that are named in a text that does not have the form of a move."""
    line = pyramids.fold(line)
    start = _START.search(line)
    drops = [[part and part.replace(" ", "").upper() for part in drop.groups()] for drop in _DROP.finditer(line)]
    return CARDS.index(start[1].lower()) if start else None, [(piece, onto) for piece, onto in drops]


def _tokenize(line: str) -> list[tuple[str, str]]:
    line = " ".join(re.sub("[,;:]", " ", pyramids.fold(line)).split())
    parts: list[tuple[str, str]] = []
    at = 0
    while at < len(line):
        found = _PART.match(line, at)
        if found is None:
            raise InvalidMove(
                "“{part}” is not part of a move. Name a card, then the drops in order, as in “{example}”.",
                part=line[at : at + _MAX_QUOTED], example=EXAMPLE_MOVE,
            )  # fmt: skip
        kind = str(found.lastgroup)
        parts.append((kind, found[0].replace(" ", "").upper() if kind == "piece" else found[0]))
        at = found.end() + (line[found.end() : found.end() + 1] == " ")
    if not parts:
        raise InvalidMove("Name a card, then the drops in order, as in “{example}”.", example=EXAMPLE_MOVE)
    return parts


# -- objections ------------------------------------------------------------------------------------------


def card_objection(wheel: Wheel, card: int, may: list[str]) -> IllegalMove | None:
    """Return why a card may not be sown now, or None if it may (Legality 1); `may` names those that may."""
    name = CARDS[card]
    if name in may:
        return None
    if card == VAULT:
        return IllegalMove("The vault is never sown. You may sow: {cards}.", cards=tuple(may))
    if wheel[card]:
        return IllegalMove(
            "You cannot sow card {card} now. The last drop fell on {cards}, so you must sow that card.",
            card=name, cards=tuple(may),
        )  # fmt: skip
    return IllegalMove("Card {card} is empty. You may sow: {cards}.", card=name, cards=tuple(may))


def drop_objection(wheel: Wheel, card: int, fresh: Stacks, drops: Drops) -> IllegalMove | None:
    """Return which drop is the first that may not be made, or what is left over; None if nothing is wrong."""
    sowing = begin_sowing(wheel, card, fresh)
    for number, (piece, onto) in enumerate(drops, 1):
        drop = format_drop(piece, onto)
        if not sowing.may(drop):
            here = sowing.wheel[sowing.at]
            fault = _fault(sowing, wheel[card], fresh, piece, onto)
            why = Phrase(
                fault.pattern, piece=piece, onto=onto, card=CARDS[card], place=Phrase(PLACE_NAMES[sowing.at]),
                stacks=here, topped=stacks_topped_by(here, onto), held=wheel[card], hand=sowing.hand,
            )  # fmt: skip
            return IllegalMove("Drop {number}, “{drop}”: {why}", number=number, drop=drop, why=why)
        sowing = sowing.after(drop)
    if not sowing.hand:
        return None
    here = sowing.wheel[sowing.at]
    trees = tuple(tree for tree in dict.fromkeys(sowing.whole) if sowing.may(tree))
    still = Phrase("Still to be sown: {hand}.", hand=sowing.hand)
    if trees:
        still = Phrase("Still to be sown: {hand}. {whole} may stay whole.", hand=sowing.hand, whole=trees)
    place = Phrase(PLACE_NAMES[sowing.at])
    falls = Phrase("The next drop falls on {place}, which is empty.", place=place)
    if here:
        falls = Phrase("The next drop falls on {place}, which has: {stacks}.", place=place, stacks=here)
    return IllegalMove(
        "You must sow all of card {card} in one move. {still} {falls}", card=CARDS[card], still=still, falls=falls
    )


def _fault(sowing: Sowing, held: Stacks, fresh: Stacks, piece: str, onto: str | None) -> Phrase:
    """Return the pattern of what is wrong with a drop; the caller fills in the parts."""
    if not sowing.hand:
        return Phrase("nothing is left of card {card} by then, so the sowing ends before it.")
    if "/" in piece:
        return _fault_of_whole(sowing, held, fresh, piece, onto)
    if piece not in sowing.hand:
        if piece in "/".join(held):
            return Phrase("{piece} was dropped already. Still to be sown: {hand}.")
        return Phrase("{piece} is not on card {card}. Still to be sown: {hand}.")
    return _fault_of_target(sowing.wheel[sowing.at], onto)


def _fault_of_target(here: Stacks, onto: str | None) -> Phrase:
    if onto in here:
        return Phrase("{piece} is not smaller than the top of {onto}, and a pyramid goes only on a larger one.")
    if stacks_topped_by(here, onto):
        return Phrase("name the whole stack that {piece} goes on. With {onto} on top, {place} has: {topped}.")
    if not here:
        return Phrase("it falls on {place}, which is empty, so there is no {onto} to put it on.")
    return Phrase("it falls on {place}, which has no stack {onto}. It has: {stacks}.")


def _fault_of_whole(sowing: Sowing, held: Stacks, fresh: Stacks, stack: str, onto: str | None) -> Phrase:
    if stack not in held:
        return Phrase("there is no stack {piece} on card {card}, which holds: {held}.")
    if stack not in TREES:
        return Phrase("{piece} is not a tree, so sow it as single pyramids.")
    if stack not in fresh:
        return Phrase("{piece} was not finished in your last turn, so sow it as single pyramids.")
    if onto is not None:
        return Phrase("a whole tree cannot go on a stack. Put it down by itself, or sow it as single pyramids.")
    if stack not in sowing.whole:
        return Phrase(
            "you can sow {piece} whole only as often as you finished it in your last turn. Still to be sown: {hand}."
        )
    return Phrase(
        "you cannot sow {piece} whole any more, since you dropped part of it before. Still to be sown: {hand}."
    )


def format_drop(piece: str, onto: str | None) -> str:
    """Format a drop as in moves."""
    return piece if onto is None else f"{piece} on {onto}"


def format_move(chosen: Iterable[str]) -> Move:
    """Format the pieces of a move, its start and its drops."""
    start, *drops = chosen
    return Move(f"{start} {', '.join(drops)}".rstrip())


def stacks_topped_by(stacks: Stacks, top: str | None) -> Stacks:
    """Return the distinct stacks of two or three whose top pyramid is this one."""
    return tuple(stack for stack in dict.fromkeys(stacks) if top == stack[-2:] != stack)
