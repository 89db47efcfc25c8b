"""Middle Card, a game from outside: three seats, hidden cards, one open stage and three sealed ones.

Ten cards, 0 to 9; three for each seat, one is left. Seat 1 may first swap a card for the one left, which
nobody else sees; what it gives away lies open. Then, three times, all seal a card; the middle one of the
three wins a point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import NO_TURN, Board, Drawing, Entry, Names, Prompt, Turn
from pbem.boards.lessons import Answer, Lesson, Step
from pbem.boards.rules import Example, Rules, Section, Table
from pbem.games import (
    Chance,
    Eye,
    Foresight,
    Game,
    Hidden,
    InvalidMove,
    Json,
    Move,
    NeverMet,
    Outcome,
    Phrase,
    Seat,
    View,
    Viewer,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SEATS = (Seat(1), Seat(2), Seat(3))
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Position:
    hands: tuple[Hidden[tuple[str, ...]], ...]
    left: Hidden[str]
    given: str | None
    opening: bool
    swapped: bool
    sealed: tuple[Hidden[str] | None, ...]
    shown: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]


class MiddleCardForesight(Foresight):
    policies: ClassVar[dict[str, Phrase]] = Foresight.policies | {"play low": Phrase("Play my lowest card.")}

    def named(self, view: View, line: str) -> str | None:  # noqa: ARG002
        found = re.fullmatch(r"((?:play|swap) [0-9]|stay)", line.lower())
        return found[1] if found else None

    def never(self, view: View, named: str) -> NeverMet | None:
        board: Any = view.board
        held = named[-1] in (board["hand"] or ())
        return NeverMet("You hold the {card} yourself.", card=named[-1]) if held else None

    def choose(self, view: View, policy: str) -> Move | None:  # noqa: ARG002
        return view.moves[0] if view.moves[0].startswith("play") else None


class MiddleCard(Game[Position]):
    key = "middle-card"
    name = "Middle Card"
    seats = range(3, 4)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"swap": (True, False)}
    foresight = MiddleCardForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        in_force = self.settle(seats, options)
        deck = chance.shuffle("deck", [str(number) for number in range(10)])
        hands = tuple(Hidden(tuple(sorted(deck[3 * i : 3 * i + 3])), frozenset({seat})) for i, seat in enumerate(SEATS))
        opening = in_force["swap"] is True
        return Position(hands, Hidden(deck[9]), None, opening, not opening, (None,) * 3, (), (0, 0, 0))

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        if not position.swapped:
            return (SEATS[0],)
        if len(position.shown) == ROUNDS:
            return ()
        return tuple(seat for seat in SEATS if position.sealed[seat - 1] is None)

    def stage(self, position: Position) -> int:
        return 1 + (position.opening and position.swapped) + len(position.shown)

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        if seat not in self.to_move(position):
            return
        hand = position.hands[seat - 1].value
        if position.swapped:
            yield from (Move(f"play {card}") for card in hand)
        else:
            yield from (Move(f"swap {card}") for card in hand)
            yield Move("stay")

    def parse(self, position: Position, seat: Seat, line: str) -> Move:  # noqa: ARG002
        words = line.lower().split()
        if words == ["stay"] or (len(words) == 2 and words[0] in {"play", "swap"} and words[1] in set("0123456789")):
            return Move(" ".join(words))
        raise InvalidMove("Write “play” or “swap” and one of your cards, or “stay”.")

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:  # noqa: ARG002
        self.legal(position, seat, move)
        if not position.swapped:
            return self._swap(position, move)
        card = move.removeprefix("play ")
        hand = position.hands[seat - 1]
        kept = replace(hand, value=tuple(other for other in hand.value if other != card))
        hands = (*position.hands[: seat - 1], kept, *position.hands[seat:])
        sealed = (*position.sealed[: seat - 1], Hidden(card, frozenset({seat})), *position.sealed[seat:])
        if any(lying is None for lying in sealed):
            return replace(position, hands=hands, sealed=sealed)
        cards = tuple(lying.value for lying in sealed if lying)
        middle = cards.index(sorted(cards)[1])
        points = tuple(had + (i == middle) for i, had in enumerate(position.points))
        return replace(position, hands=hands, sealed=(None,) * 3, shown=(*position.shown, cards), points=points)

    def _swap(self, position: Position, move: Move) -> Position:
        if move == "stay":
            return replace(position, swapped=True)
        card = move.removeprefix("swap ")
        hand = position.hands[0]
        kept = tuple(sorted((*(other for other in hand.value if other != card), position.left.value)))
        return replace(
            position, hands=(replace(hand, value=kept), *position.hands[1:]), left=Hidden(""), given=card, swapped=True
        )

    def outcome(self, position: Position) -> Outcome | None:
        if len(position.shown) < ROUNDS:
            return None
        best = max(position.points)
        return Outcome(position.points, tuple(seat for seat in SEATS if position.points[seat - 1] == best))

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:
        own = None if isinstance(viewer, Eye) else position.hands[viewer - 1].shown_to(viewer)
        sealed = None if isinstance(viewer, Eye) else position.sealed[viewer - 1]
        return {
            "hand": list(own) if own is not None else None,
            "hand_sizes": [len(hand.value) for hand in position.hands],
            "sealed": [lying is not None for lying in position.sealed],
            "own_sealed": sealed.shown_to(viewer) if sealed else None,
            "given": position.given,
            "shown": [list(cards) for cards in position.shown],
            "points": list(position.points),
        }

    def log(self, position: Position, viewer: Viewer) -> list[Json]:
        entries: list[Json] = []
        if position.opening and position.swapped:
            entries.append({"seat": 1, "move": f"swap {position.given}" if position.given else "stay"})
        for cards in position.shown:
            entries += [{"seat": int(seat), "move": f"play {card}"} for seat, card in zip(SEATS, cards, strict=True)]
        for seat, lying in zip(SEATS, position.sealed, strict=True):
            if lying:
                card = lying.shown_to(viewer)
                entries.append({"seat": int(seat), "move": f"play {card}" if card else None})
        return entries

    def exchange(self, position: Position, viewer: Viewer, seed: bytes) -> Position:
        if viewer is Eye.OPEN:
            return position
        hidden = [seat for seat in SEATS if seat != viewer]
        pool = [card for seat in hidden for card in position.hands[seat - 1].value]
        pool += [lying.value for seat in hidden if (lying := position.sealed[seat - 1])]
        pool += [position.left.value] if position.left.value else []
        cards = iter(Chance(seed).shuffle("exchange", sorted(pool)))
        hands, sealed = list(position.hands), list(position.sealed)
        for seat in hidden:
            hand, lying = hands[seat - 1], sealed[seat - 1]
            hands[seat - 1] = replace(hand, value=tuple(sorted(next(cards) for _ in hand.value)))
            sealed[seat - 1] = replace(lying, value=next(cards)) if lying else None
        left = Hidden(next(cards)) if position.left.value else position.left
        return replace(position, hands=tuple(hands), sealed=tuple(sealed), left=left)

    def reveals(self, before: Position, move: Move, after: Position) -> bool:  # noqa: ARG002
        return after.given != before.given or after.shown != before.shown


class MiddleCardDrawing(Drawing):
    key = "middle-card"
    lines = ("The middle one of the three cards wins a point.",)

    def svg(
        self,
        board: Board,
        names: Names,
        you: int | None = None,
        turn: Turn = NO_TURN,  # noqa: ARG002
        *,
        described: bool = True,  # noqa: ARG002
    ) -> str:
        title = " ".join(self.words(board, names, you).split())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 120" role="img"><title>{title}</title>'
            '<rect width="720" height="120" class="paper" fill="#fffdf6"/></svg>'
        )

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        return self.words(board, names, you)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:  # noqa: ARG002
        points = ", ".join(f"seat {seat} has {points}" for seat, points in enumerate(board["points"], 1))
        given = [f"Seat 1 gave away the {board['given']}."] if board["given"] else []
        shown = [f"In round {number} lay {', '.join(cards)}." for number, cards in enumerate(board["shown"], 1)]
        held = f"You hold {', '.join(board['hand'])}." if board["hand"] else "You hold nothing."
        return "\n".join([f"The points so far: {points}.", *given, *shown, held])

    def tell(self, entry: Entry, names: Names) -> str:
        name = names[entry["seat"] - 1]
        return f"{name}: {entry['move']}." if entry["move"] else f"{name} has sealed a card."

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        ask = "Play a card, unseen" if moves[0].startswith("play") else "Swap a card for the one that is left, or stay"
        return Prompt([f"{ask}."], f"For example: {moves[0]}")


RULES = Rules(
    game="middle-card",
    lead="Three players, ten cards: neither the highest nor the lowest card wins, but the one between.",
    sections=(
        Section("The aim", ("Have the middle one of three cards more often than the others.",)),
        Section(
            "The play",
            (
                ("Each player gets three of the cards from 0 to 9, and one is left.", "In each round all play a card."),
                Example(
                    {
                        "hand": ["1", "2", "7"],
                        "hand_sizes": [3, 3, 3],
                        "sealed": [False, False, False],
                        "own_sealed": None,
                        "given": None,
                        "shown": [],
                        "points": [0, 0, 0],
                    },
                    ("Ann", "Bob", "Cyd"),
                    "Ann was dealt 1, 2 and 7, and may swap one of them for the card that is left.",
                    you=1,
                ),
            ),
        ),
        Section(
            "How to write a move",
            (
                "Write `play` or `swap` and one of your cards, or `stay`.",
                Table(("You write", "It means"), (("play 7", "your 7 is your card of this round"),)),
            ),
        ),
    ),
    options={"swap": "Without the swap, everybody keeps the cards that were dealt."},
    house=("The first player may swap one card, once, before the first round.",),
    designer="Designed for the tests.",
)


LESSON = Lesson(
    game="middle-card",
    lead="Neither the highest nor the lowest card wins.",
    steps=(
        Step(
            "Cards between",
            "You may swap a card for one that you do not know.",
            "Keep the cards that are likely to lie between those of the others.",
            (Answer(lambda attempt: attempt.board["hand"] == ["4", "5", "6"], "These lie between.", is_right=True),),
            "You gave away a good card.",
            seats=3,
            dealt={"deck": "4 5 6"},
        ),
    ),
    ending="Three rounds make a match.",
)


def every_card(position: Position) -> list[Any]:
    """For tests: each card there is, wherever it lies."""
    cards = [card for hand in position.hands for card in hand.value]
    cards += [lying.value for lying in position.sealed if lying]
    cards += [card for cards in position.shown for card in cards]
    return sorted([*cards, *([position.given] if position.given else []), *filter(None, [position.left.value])])
