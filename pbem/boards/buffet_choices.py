"""What helps to make three hands of Amazonian Buffet: the pool sorted out, and what hands come to."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pbem.boards.card_words import by_suit
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import counted, series, shown
from pbem.boards.showdown import kind, reason
from pbem.games.amazonian_buffet_advice import ready
from pbem.games.amazonian_buffet_layouts import written
from pbem.games.cards import RANK_NAMES, RANKS, SUIT_NAMES
from pbem.games.poker import FULL, contest, level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Guide, Names

ORDINALS = ("first", "second", "third")
BAR = "|"
KEEP = "keep"

_ALIKE = ("Alone", "Pairs", "Three of a rank", "Four of a rank")
_READY = ("Strongest first", "Balanced", "Two strong")


def pool_guide(pool: Sequence[str]) -> Guide:
    """Sort out a pool by suit, by rank and by what runs in a row."""
    suits = tuple(
        f"{suit.capitalize()}, {counted(len(held), 'card')}: {', '.join(_short(card) for card in held)}"
        for suit, held in by_suit(pool)
    )
    return (("Your cards by suit", suits), ("Your cards by rank", (*_by_rank(pool), *_in_a_row(pool))))


def _by_rank(pool: Sequence[str]) -> Iterator[str]:
    suits = {rank: "".join(card[1] for card in sorted_by_suit(pool) if card[0] == rank) for rank in RANKS}
    for count in range(len(_ALIKE), 0, -1):
        ranks = [rank for rank in reversed(RANKS) if len(suits[rank]) == count]
        if count == 1:
            held = [f"{RANK_NAMES[rank]} ({SUIT_NAMES[suits[rank]]})" for rank in ranks]
        else:
            held = [f"{_plural(rank)} ({' '.join(suits[rank])})" for rank in ranks]
        if held:
            yield f"{_ALIKE[count - 1]}: {', '.join(held)}"


def _in_a_row(pool: Sequence[str]) -> Iterator[str]:
    held = {card[0] for card in pool}
    runs = ["".join(run) for has, run in groupby(RANKS[-1] + RANKS, key=held.__contains__) if has]
    long = [f"{RANK_NAMES[run[0]]} to {RANK_NAMES[run[-1]]}" for run in runs if len(run) >= FULL]
    if long:
        yield f"Five or more in a row: {series(long)}"


def _short(card: str) -> str:
    return "10" if card[0] == "T" else card[0]


def _plural(rank: str) -> str:
    return f"{RANK_NAMES[rank]}{'es' if rank == '6' else 's'}"


def grouped(pieces: Sequence[str]) -> Guide:
    """Part the cards that may follow by suit; the end of a hand and `keep` stand before them."""
    cards = [piece for piece in pieces if piece not in {BAR, KEEP}]
    others = tuple(piece for piece in pieces if piece in {BAR, KEEP})
    suits = tuple((suit.capitalize(), tuple(held)) for suit, held in by_suit(cards))
    return (("", others), *suits) if others else suits


def growing(chosen: Sequence[str]) -> tuple[str, ...]:
    """Tell the hands that the cards chosen so far make, the last of them still open."""
    hands: list[list[str]] = [[]]
    for piece in chosen:
        if piece == BAR:
            hands.append([])
        else:
            hands[-1].append(piece)
    told = (f"{nth} hand: {' '.join(hand) or 'no cards'}" for nth, hand in zip(ORDINALS, hands, strict=False))
    return tuple(f"{line[0].upper()}{line[1:]} ({kind(level(hand))})" for line, hand in zip(told, hands, strict=True))


def hands_of(board: Board, you: int, move: str) -> list[list[str]]:
    """Give the hands of a layout; keeping is the layout that is shown."""
    if move == KEEP:
        return [[*hand] for hand in board["layouts"][you - 1]]
    return [[] if hand == "-" else hand.split(" ") for hand in move.removeprefix("hands ").split(f" {BAR} ")]


def kinds(hands: Sequence[Sequence[str]]) -> str:
    """Name what three hands show."""
    return series([kind(level(hand)) for hand in hands])


def standing(board: Board, names: Names, you: int, hands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Tell for each pair who would win and why, if these hands met those that the other seat has shown."""
    other = board["layouts"][2 - you]
    return tuple(
        _contest(names, you, nth, own, theirs, board["compare"])
        for nth, own, theirs in zip(ORDINALS, hands, other, strict=True)
    )


def _contest(names: Names, you: int, nth: str, own: Sequence[str], theirs: Sequence[str], compare: str) -> str:
    result = contest(own, theirs, compare)
    if not result:
        return f"Nobody would win the {nth} hand: both are empty."
    better, worse, winner = (own, theirs, you) if result > 0 else (theirs, own, 3 - you)
    why = reason(better, worse, (level(better), level(worse)), compare)
    return f"{shown(names[winner - 1])} would win the {nth} hand: {why}."


def named(board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Name ready layouts, and say what their hands show, or how many they would win against those shown."""
    calls: dict[str, str] = {KEEP: "Keep your hands"}
    if board["stage"] == "layout":
        pool = tuple(board["pools"][you - 1])
        for call, layout in zip(_READY, ready(pool, board["compare"]), strict=True):
            move = written(layout)
            calls[move] = f"{calls[move]}, {call.lower()}" if move in calls else call
    return tuple((calls.get(move, "Change to these"), _hint(board, you, move)) for move in moves)


def _hint(board: Board, you: int, move: str) -> str:
    hands = hands_of(board, you, move)
    hint = kinds(hands)
    if board["stage"] == "adjust":
        hint = f"{_won(board, you, hands)}: {hint}"
    return f"{hint[0].upper()}{hint[1:]}"


def _won(board: Board, you: int, hands: Sequence[Sequence[str]]) -> str:
    theirs = board["layouts"][2 - you]
    won = sum(contest(one, two, board["compare"]) > 0 for one, two in zip(hands, theirs, strict=True))
    return f"would win {counted(won, 'hand')} against those shown"
