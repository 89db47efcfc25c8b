"""Minimax as text and in sentences; its picture is in `wheel`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import amounts
from pbem.boards.drawing import NO_TURN, Board, Chosen, Drawing, Entry, Names, Prompt, Touches, Turn
from pbem.boards.legend import pyramid_legend
from pbem.boards.minimax import choosing, wheel
from pbem.boards.player_names import deed_sentence
from pbem.boards.prose import clean_name, format_list, series, wrap_sentences
from pbem.boards.pyramid_words import pyramid_name, stack_count, stack_name
from pbem.boards.stacks import split_stack
from pbem.games.minimax.sowing import CARDS
from pbem.games.pyramids import TREEHOUSE, fold, format_stack
from pbem.i18n import _, marked, meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SCORES = {"small": (10, 14, 28), "long": (34, 42, 56)}
"""Scores of each size that are usual and good when suggested moves are played, and the highest one."""
_MIN_LEAD_WIDTH = 14
"""Minimum width of card names in text, in columns."""


class Minimax(Drawing):
    """Drawing of Minimax: the wheel."""

    key: ClassVar[str] = "minimax"
    lines: ClassVar[tuple[str, ...]] = (
        marked("Sow all of a card, one drop on each next card: a, b, c, d, vault, a."),
        marked("A drop may go onto any larger pyramid there, as in: R1 on G2."),
        marked("A tree just finished may be sown whole once; it breaks where it lands."),
        marked("The last drop's card is sown next; vault: any card; empty card: the end."),
        marked("In the vault a one-colour tree is 7, another tree 4, all others 1 each."),
    )

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw the wheel: five cards in a ring, the score in the middle."""
        title = f"Minimax: {clean_name(names[0])}, {_points(board)}"
        description = self.description(board, names, you, turn) if described else ""
        return wheel.picture(board, title, description, self.last_entries(turn))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:  # noqa: ARG002
        """List the stacks on each card, bottom to top, and mark the cards that may be sown."""
        head = {"name": clean_name(names[0]), "points": _points(board)}
        title = (
            _("Minimax, long game of {name}: {points}", **head)
            if board["size"] == "long"
            else _("Minimax, small game of {name}: {points}", **head)
        )
        lines, leads = [title, f"{_state(board)}.", ""], [f"{_card_label(card)}:" for card in board["wheel"]]
        wide = max(_MIN_LEAD_WIDTH, max(map(len, leads)) + 1)
        for lead, card in zip(leads, board["wheel"], strict=True):
            lines += format_list(
                lead.ljust(wide), [format_stack(split_stack(stack)) for stack in card["stacks"]] or [_("empty")]
            )
        fresh = [
            _("{tree} on {card}", tree=format_stack(split_stack(tree)), card=card["card"])
            for card in board["wheel"]
            for tree in card["fresh"]
        ]
        lines += ["", *format_list(_("Fresh trees: "), fresh or [meaning("fresh trees", "none")]), ""]
        return "\n".join([*lines, _("Stacks are bottom to top. Sow a, b, c, d, vault, a, …")])

    def words(self, board: Board, names: Names, you: int | None = None) -> str:  # noqa: ARG002
        """Describe the score, what is on each card, and which cards may be sown."""
        sentences = [_("{name} has {points}.", name=clean_name(names[0]), points=_points(board))]
        for card in board["wheel"]:
            sentences += _describe_card(card)
        return wrap_sentences([*sentences, f"{_state(board)}."])

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe where each drop went, which trees were finished, and what is sown next."""
        card, drops = _parse_drops(str(entry["move"]))
        name, sown = names[entry["seat"] - 1], {"card": card, "drops": series(drops)}
        parts = [deed_sentence(name, "You sowed card {card}: {drops}.", "{name} sowed card {card}: {drops}.", **sown)]
        trees, count = series([format_stack(split_stack(tree)) for tree in entry["trees"]]), len(entry["trees"])
        if trees:
            parts.append(
                several("That finished {trees} as a tree.", "That finished {trees} as trees.", count, trees=trees)
            )
        points = amounts.points(entry["score"])
        if entry["cleared"]:
            end = _("Everything is in the vault: the wheel is cleared, for {points}.", points=points)
        elif entry["ended"]:
            end = _("The last drop fell on an empty card: the game is over, with {points}.", points=points)
        elif entry["next"] == "any":
            end = _("The last drop fell on the vault: any card may be sown next, with {points} so far.", points=points)
        else:
            end = _("Card {card} must be sown next, with {points} so far.", card=entry["next"], points=points)
        return " ".join([*parts, end])

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the codes of this game stand for."""
        return (pyramid_legend("RYGB"),)

    def goal(self, board: Board) -> str:
        """Return what wins, and what scores are usual."""
        usual, good, most = _SCORES[board["size"]]
        return _(
            "You win if every pyramid ends in the vault. If not, {usual} points are usual, {good} are good, and {most} "
            "are the most there can be.",
            usual=usual,
            good=good,
            most=most,
        )

    def task(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Return which card is sown, and how."""
        cards = [card["card"] for card in board["wheel"] if card["may_sow"]]
        if not cards or not moves:
            return super().task(board, you, moves)
        if board["free"]:
            return _("Empty any card: its pyramids fall one by one on the next cards, in the order that you choose.")
        return _(
            "Empty card {card}: its pyramids fall one by one on the next cards, in the order that you choose.",
            card=cards[0],
        )

    def reasons(self, board: Board, names: Names, you: int, moves: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """Return what each sowing brings into the vault, and what may be sown after it."""
        return tuple(choosing.reason(board, move) for move in moves)

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the card, then the pyramids in hand and where they may go."""
        return choosing.touches(chosen, pieces)

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the place of the last chosen piece."""
        return choosing.resting(chosen)

    def during(self, board: Board, you: int, chosen: Chosen) -> Board:  # noqa: ARG002
        """Return the wheel after the drops made so far."""
        return choosing.during(board, chosen)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what a card of the wheel holds, or where pyramids of a kind are."""
        card = (
            place.lower()
            .removeprefix("the ")
            .removeprefix("card ")
            .removeprefix("karte ")
            .strip()
            .replace("tresor", "vault")
        )
        named = [one for one in board["wheel"] if card == one["card"]]
        if named:
            return tuple(_describe_card(named[0]))
        pyramid = fold(place).upper()
        if pyramid not in TREEHOUSE:
            return ()
        where = [
            _place(one["card"])
            if len(split_stack(stack)) == 1
            else f"{_place(one['card'])} ({format_stack(split_stack(stack))})"
            for one in board["wheel"]
            for stack in one["stacks"]
            if pyramid in split_stack(stack)
        ]
        if not where:
            return (
                _("{code}, a {pyramid} pyramid, is nowhere on the wheel.", code=pyramid, pyramid=pyramid_name(pyramid)),
            )
        parts = {"code": pyramid, "pyramid": pyramid_name(pyramid), "places": series(where)}
        return (_("{code}, a {pyramid} pyramid, stands on {places}.", **parts),)

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        """Ask for the card and the drops, with the shortest of the listed moves as the example."""
        cards = [card for card in board["wheel"] if card["may_sow"]]
        if not cards or not moves:
            return Prompt([_("There is nothing to sow now.")])
        if board["free"]:
            ask = _(
                "Choose a card that is not empty ({cards}) and sow all of it: "
                "name the drops in order, one for each next card.",
                cards=", ".join(card["card"] for card in cards),
            )
        else:
            ask = _(
                "Sow card {card} with all that is on it: name the drops in order, one for each next card.",
                card=cards[0]["card"],
            )
        # The first line of the example begins with words, and the rest lacks a drop: neither reads as a move.
        example = _("For example: {move}", move=min(moves, key=len))
        return Prompt([ask], example)


def _describe_card(card: Mapping[str, Any]) -> Iterator[str]:
    """Describe what a card of the wheel holds."""
    kinds = Counter(map(split_stack, card["stacks"]))
    stacks = series([stack_count(count, stack) for stack, count in kinds.items()])
    if card["card"] == "vault":
        yield _("The vault holds {stacks}.", stacks=stacks) if stacks else _("The vault is empty.")
    elif stacks:
        yield _("Card {card} holds {stacks}.", card=card["card"], stacks=stacks)
    else:
        yield _("Card {card} is empty.", card=card["card"])
    for tree in card["fresh"]:
        stack = stack_name(split_stack(tree))
        yield _("A fresh tree on {place} may be sown whole: {stack}.", place=_place(card["card"]), stack=stack)


def _card_label(card: Mapping[str, Any]) -> str:
    """Return the name of a card for the head of its line, marked if the card may be sown."""
    if card["card"] == "vault":
        return _("The vault")
    return _("Card {card} (sow)", card=card["card"]) if card["may_sow"] else _("Card {card}", card=card["card"])


def _place(card: str) -> str:
    return meaning("a wheel", "the vault") if card == "vault" else _("card {card}", card=card)


def _points(board: Board) -> str:
    return amounts.points(board["score"])


def _state(board: Board) -> str:
    if board["cleared"]:
        return _("The wheel is cleared")
    if board["over"]:
        return _("Game over, the wheel is not cleared")
    if board["free"]:
        return _("Any card that is not empty may be sown now")
    return next(_("Card {card} must be sown now", card=card["card"]) for card in board["wheel"] if card["may_sow"])


def _parse_drops(move: str) -> tuple[str, list[str]]:
    _sow, card, rest = move.split(" ", 2)
    at = CARDS.index(card)
    drops = []
    for number, drop in enumerate(rest.split(", "), 1):
        piece, _on, onto = drop.partition(" on ")
        what = _("the tree {tree} whole", tree=piece) if "/" in piece else piece
        drops.append(_describe_drop(what, onto, CARDS[(at + number) % len(CARDS)]))
    return card, drops


def _describe_drop(what: str, onto: str, card: str) -> str:
    """Describe where a drop went: onto a card or onto a stack there."""
    if card == "vault":
        return (
            _("{drop} onto {stack} at the vault", drop=what, stack=onto)
            if onto
            else _("{drop} to the vault", drop=what)
        )
    if onto:
        return _("{drop} onto {stack} at {card}", drop=what, stack=onto, card=card)
    return _("{drop} to {card}", drop=what, card=card)
