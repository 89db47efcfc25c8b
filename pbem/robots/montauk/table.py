"""What a seat knows of a round of Montauk, read from its View."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.games import Hidden, Move, Seat
from pbem.games.montauk.cards import HAND_ORDER, Cards, sort_hand, trick_result
from pbem.games.montauk.round import SEAT_ONLY, Position, Race, Score, Trick, other_seat
from pbem.games.montauk.track import bears_off

if TYPE_CHECKING:
    from pbem.games import Stream, View
    from pbem.games.montauk.round import Entry

_MOVE_KEYS = {"seat", "move", "phase", "round", "trick"}
"""Keys of an entry of the log that are no effects of its move."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a seat to move knows of a match."""

    seat: Seat
    score: Score
    race: Race
    trick: Trick
    log: tuple[Entry, ...]
    hand: Cards
    unseen: Cards
    """All cards that may lie at hidden places."""
    held: int
    """Number of cards in the other seat's hand."""
    lead_lies: bool
    """Whether the other seat's lead lies face down."""


def read_table(view: View) -> Table:
    """Read a table from the View of the seat to move."""
    board, seat = view.board, Seat(view.to_move[0])
    shown = tuple(card for card in (board["led"], board["followed"], board["extra"]) if card)
    entries = [_entry(entry) for entry in view.log if entry["move"] is not None]
    log = tuple(entry for entry in entries if entry[0] == board["round"])
    now = [entry for entry in log if entry[1] == board["trick"]]
    spends = board["phase"] == "spend"
    seen = {*board["hand"], *board["played"]}
    return Table(
        seat,
        Score(
            board["rounds"],
            Seat(board["hair"]),
            board["round"],
            _pair(board["scores"]),
            _pair(board["pips"]),
            tuple(entry for entry in entries if entry[0] != board["round"]),
        ),
        Race(
            board["trick"],
            (tuple(board["tracks"][0]["spots"]), tuple(board["tracks"][1]["spots"])),
            _pair(board["nulls"]),
            board["first"] and Seat(board["first"]),
        ),
        Trick(
            Seat(board["leader"]),
            board["phase"],
            seat,
            Seat(board["winner"] or board["leader"]),
            tuple(board["to_use"]),
            shown=shown,
            draws=spends and trick_result(shown[0], shown[1]).draws,
            bore=any(entry[3] == "spend" and bears_off(Move(entry[4])) for entry in now),
        ),
        log,
        tuple(board["hand"]),
        tuple(card for card in HAND_ORDER if card not in seen),
        board["hand_sizes"][other_seat(seat) - 1],
        board["lead_lies"],
    )


def imagine(table: Table, stream: Stream) -> Position:
    """Return a position with the unseen cards dealt to the hidden places.

    All deals are equally likely: the log shows of hidden cards only that they were not played.
    """
    trick, other = table.trick, other_seat(table.seat)
    cards = stream.shuffled(table.unseen)
    held, pile = cards[: table.held], cards[table.held :]
    if table.lead_lies:
        trick, pile = replace(trick, lead=Hidden(pile[0], SEAT_ONLY[other])), pile[1:]
    hands = Hidden(table.hand, SEAT_ONLY[table.seat]), Hidden(sort_hand(held), SEAT_ONLY[other])
    return Position(
        table.score, table.race, trick, hands if table.seat < other else hands[::-1], Hidden(pile), table.log
    )


def _entry(entry: dict[str, Any]) -> Entry:
    news = tuple((key, _frozen(value)) for key, value in entry.items() if key not in _MOVE_KEYS)
    return entry["round"], entry["trick"], Seat(entry["seat"]), entry["phase"], entry["move"], news


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _pair(values: list[int]) -> tuple[int, int]:
    return values[0], values[1]
