"""Minimax as text and in sentences; its picture is in `minimax_wheel`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import minimax_wheel
from pbem.boards.drawing import Board, Drawing, Entry, Names
from pbem.boards.prose import COLUMNS, counted, listed, paragraphs, series, shown, spoken
from pbem.boards.stacks import parted
from pbem.games.pyramids import SIZES, TREEHOUSE, fold, name, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_ORDER = ("a", "b", "c", "d", "vault")
_TREE = "".join(reversed(SIZES))


class Minimax(Drawing):
    """Draws the wheel of Minimax."""

    key: ClassVar[str] = "minimax"
    crib: ClassVar[tuple[str, ...]] = (
        "Sow all of a card, one drop on each next card: a, b, c, d, vault, a.",
        "A drop may go onto any larger pyramid there, as in: R1 on G2.",
        "A tree just finished may be sown whole once; it breaks where it lands.",
        "The last drop's card is sown next; vault: any card; empty card: the end.",
        "In the vault a one-colour tree is 7, another tree 4, all others 1 each.",
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the wheel: five cards in a ring, the score in the middle."""
        title = f"Minimax: {shown(names[0])}, {_points(board)}"
        return minimax_wheel.picture(board, title, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:  # noqa: ARG002
        """List the stacks on each card, bottom to top, and mark the cards that may be sown."""
        lines = [f"Minimax, {board['size']} game of {shown(names[0])}: {_points(board)}", f"{_said(board)}.", ""]
        for card in board["wheel"]:
            name = "The vault" if card["card"] == "vault" else f"Card {card['card']}"
            lead = f"{name}{' (sow)' if card['may_sow'] else ''}:".ljust(14)
            lines += listed(lead, [written(parted(stack)) for stack in card["stacks"]] or ["empty"])
        fresh = [f"{written(parted(tree))} on {card['card']}" for card in board["wheel"] for tree in card["fresh"]]
        lines += ["", *listed("Fresh trees: ", fresh or ["none"]), ""]
        return "\n".join([*lines, "Stacks are bottom to top. Sow a, b, c, d, vault, a, …"])

    def words(self, board: Board, names: Names, you: int | None = None) -> str:  # noqa: ARG002
        """Tell what stands on each card, which may be sown and what it scores."""
        sentences = [f"{shown(names[0])} has {_points(board)}."]
        for card in board["wheel"]:
            sentences += _card_said(card)
        return paragraphs([*sentences, f"{_said(board)}."])

    def tell(self, entry: Entry, names: Names) -> str:
        """Tell where each drop went, which trees were finished, and what is sown next."""
        card, drops = _drops(str(entry["move"]))
        said = [f"{shown(names[entry['seat'] - 1])} sowed card {card}: {series(drops)}."]
        trees = [written(parted(tree)) for tree in entry["trees"]]
        if trees:
            said.append(f"That finished {series(trees)} as {'a tree' if len(trees) == 1 else 'trees'}.")
        points = counted(entry["score"], "point")
        if entry["cleared"]:
            said.append(f"Everything is in the vault: the wheel is cleared, for {points}.")
        elif entry["ended"]:
            said.append(f"The last drop fell on an empty card: the game is over, with {points}.")
        elif entry["next"] == "any":
            said.append(f"The last drop fell on the vault: any card may be sown next, with {points} so far.")
        else:
            said.append(f"Card {entry['next']} must be sown next, with {points} so far.")
        return " ".join(said)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell what a card of the wheel holds, or where pyramids of a kind are."""
        card = place.lower().removeprefix("the ").removeprefix("card ").removeprefix("karte ").strip()
        for one in board["wheel"]:
            if card == one["card"]:
                return tuple(_card_said(one))
        pyramid = fold(place).upper()
        if pyramid not in TREEHOUSE:
            return ()
        where = [
            f"{_place(one['card'])} {written(parted(stack))}"
            for one in board["wheel"]
            for stack in one["stacks"]
            if pyramid in parted(stack)
        ]
        kind = f"{pyramid}, a {name(pyramid)} pyramid,"
        return (f"{kind} stands on {series(where)}." if where else f"{kind} is nowhere on the wheel.",)

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:  # noqa: ARG002
        """Ask for the card and the drops, the shortest of the listed moves as the example."""
        cards = [card for card in board["wheel"] if card["may_sow"]]
        if not cards or not moves:
            return "There is nothing to sow now."
        if board["free"]:
            ask = f"Choose a card that is not empty ({', '.join(card['card'] for card in cards)}) and sow all of it"
        else:
            ask = f"Sow card {cards[0]['card']} with all that is on it"
        ask += ": name the drops in order, one for each next card."
        # The first line of the example begins with words and what follows lacks a drop: neither is a move.
        example = f"For example: {min(moves, key=len)}"
        return f"{paragraphs([ask], COLUMNS)}\n{paragraphs([example], COLUMNS)}"


def _card_said(card: Mapping[str, Any]) -> Iterator[str]:
    """Tell what a card of the wheel holds."""
    place = _place(card["card"])
    held = f"holds {_held(card['stacks'])}" if card["stacks"] else "is empty"
    yield f"{place.capitalize()} {held}."
    yield from (f"A fresh tree on {place} may be sown whole: {spoken(parted(tree))}." for tree in card["fresh"])


def _place(card: str) -> str:
    return "the vault" if card == "vault" else f"card {card}"


def _points(board: Board) -> str:
    return counted(board["score"], "point")


def _said(board: Board) -> str:
    if board["cleared"]:
        return "The wheel is cleared"
    if board["over"]:
        return "Game over, the wheel is not cleared"
    if board["free"]:
        return "Any card that is not empty may be sown now"
    return next(f"Card {card['card']} must be sown now" for card in board["wheel"] if card["may_sow"])


def _held(stacks: Sequence[Any]) -> str:
    kinds = Counter(parted(stack) for stack in stacks)
    return series([_amount(stack, count) for stack, count in kinds.items()])


def _amount(stack: tuple[str, ...], count: int) -> str:
    if len(stack) == 1:
        return counted(count, spoken(stack))
    kind = "tree" if "".join(pyramid[1] for pyramid in stack) == _TREE else "stack"
    return f"{counted(count, kind)} of {spoken(stack)}"


def _drops(move: str) -> tuple[str, list[str]]:
    _, card, rest = move.split(" ", 2)
    at = _ORDER.index(card)
    drops = []
    for number, drop in enumerate(rest.split(", "), 1):
        piece, _, onto = drop.partition(" on ")
        to = _ORDER[(at + number) % len(_ORDER)].replace("vault", "the vault")
        whole = f"the tree {piece} whole" if "/" in piece else piece
        drops.append(f"{whole} onto {onto} at {to}" if onto else f"{whole} to {to}")
    return card, drops
