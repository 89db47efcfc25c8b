"""Help with making three hands of Amazonian Buffet: the sorted pool, and what hands are worth."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pbem.boards import amounts
from pbem.boards.card_words import by_suit, rank, ranks, suit
from pbem.boards.hand_comparison import level_phrase, reason
from pbem.boards.player_names import deed_sentence
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import capitalized, series
from pbem.games.amazonian_buffet.advice import ready_layouts
from pbem.games.amazonian_buffet.layouts import BAR, KEEP, format_layout, split_hands
from pbem.games.cards import RANKS
from pbem.games.game import Move
from pbem.games.poker import FULL_HAND, contest, level
from pbem.i18n import _, marked, meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Guide, Names

_RANK_COUNT_LABELS = (
    marked("Alone: {cards}"),
    marked("Pairs: {cards}"),
    marked("Three of a rank: {cards}"),
    marked("Four of a rank: {cards}"),
)
_READY_NAMES = (marked("Strongest first"), marked("Balanced"), marked("Two strong"))


def ordinals() -> tuple[str, ...]:
    """Return the ordinals of the three hands: "first", "second", "third"."""
    return meaning("hand", "first"), meaning("hand", "second"), meaning("hand", "third")


def pool_guide(pool: Sequence[str]) -> Guide:
    """Return a pool sorted by suit, by rank and into runs."""
    suits = tuple(
        _(
            "{suit}, {count}: {cards}",
            suit=capitalized(suit),
            count=amounts.cards(len(held)),
            cards=", ".join("10" if card[0] == "T" else card[0] for card in held),
        )
        for suit, held in by_suit(pool)
    )
    return ((_("Your cards by suit"), suits), (_("Your cards by rank"), (*_by_rank(pool), *_in_a_row(pool))))


def _by_rank(pool: Sequence[str]) -> Iterator[str]:
    suits = {rank: "".join(card[1] for card in sorted_by_suit(pool) if card[0] == rank) for rank in RANKS}
    for count in range(len(_RANK_COUNT_LABELS), 0, -1):
        alike = [one for one in reversed(RANKS) if len(suits[one]) == count]
        if count == 1:
            held = [f"{rank(one)} ({suit(suits[one])})" for one in alike]
        else:
            held = [f"{ranks(one)} ({' '.join(suits[one])})" for one in alike]
        if held:
            yield _(_RANK_COUNT_LABELS[count - 1], cards=", ".join(held))


def _in_a_row(pool: Sequence[str]) -> Iterator[str]:
    held = {card[0] for card in pool}
    runs = ["".join(run) for has, run in groupby(RANKS[-1] + RANKS, key=held.__contains__) if has]
    long = [_("{low} to {high}", low=rank(run[0]), high=rank(run[-1])) for run in runs if len(run) >= FULL_HAND]
    if long:
        yield _("Five or more in a row: {runs}", runs=series(long))


def group_pieces(pieces: Sequence[str]) -> Guide:
    """Group the cards that may follow by suit, after the end of a hand and `keep`."""
    cards = [piece for piece in pieces if piece not in {BAR, KEEP}]
    others = tuple(piece for piece in pieces if piece in {BAR, KEEP})
    suits = tuple((capitalized(suit), tuple(held)) for suit, held in by_suit(cards))
    return (("", others), *suits) if others else suits


def describe_chosen(chosen: Sequence[str]) -> tuple[str, ...]:
    """Describe the hands made by the cards chosen so far; the last one is still open."""
    hands: list[list[str]] = [[]]
    for piece in chosen:
        if piece == BAR:
            hands.append([])
        else:
            hands[-1].append(piece)
    return tuple(
        capitalized(_("{nth} hand: {cards} ({kind})", nth=nth, cards=format_hand(hand), kind=level_phrase(level(hand))))
        for nth, hand in zip(ordinals(), hands, strict=False)
    )


def format_hand(hand: Sequence[str]) -> str:
    """Format a hand in card codes."""
    return " ".join(hand) or _("no cards")


def parse_hands(board: Board, you: int, move: str) -> Sequence[Sequence[str]]:
    """Parse a move into its three hands; `keep` stands for the layout that is shown."""
    shown: Sequence[Sequence[str]] = board["layouts"][you - 1]
    return shown if move == KEEP else split_hands(Move(move))


def level_names(hands: Sequence[Sequence[str]]) -> str:
    """Return the levels of three hands in words."""
    return series([level_phrase(level(hand)) for hand in hands])


def predict_contests(board: Board, names: Names, you: int, hands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return for each pair who would win and why, if these hands met those that the other seat has shown."""
    other = board["layouts"][2 - you]
    return tuple(
        _contest(names, you, nth, own, theirs, board["compare"])
        for nth, own, theirs in zip(ordinals(), hands, other, strict=True)
    )


def _contest(names: Names, you: int, nth: str, own: Sequence[str], theirs: Sequence[str], compare: str) -> str:
    result = contest(own, theirs, compare)
    if not result:
        return _("Nobody would win the {nth} hand: both are empty.", nth=nth)
    better, worse, winner = (own, theirs, you) if result > 0 else (theirs, own, 3 - you)
    why = reason(better, worse, (level(better), level(worse)), compare)
    return deed_sentence(
        names[winner - 1],
        "You would win the {nth} hand: {why}.",
        "{name} would win the {nth} hand: {why}.",
        nth=nth,
        why=why,
    )


def name_layouts(board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return a name and a hint for each move: what its hands show, or how many would win against those shown."""
    names: dict[str, str] = {KEEP: _("Keep your hands")}
    if board["stage"] == "layout":
        pool = tuple(board["pools"][you - 1])
        for label, layout in zip(_READY_NAMES, ready_layouts(pool, board["compare"]), strict=True):
            move, name = format_layout(layout), _(label)
            names[move] = f"{names[move]}, {name[0].lower()}{name[1:]}" if move in names else name
    return tuple((names.get(move, _("Change to these")), _hint(board, you, move)) for move in moves)


def _hint(board: Board, you: int, move: str) -> str:
    hands = parse_hands(board, you, move)
    hint = level_names(hands)
    if board["stage"] == "adjust":
        theirs = board["layouts"][2 - you]
        won = sum(contest(one, two, board["compare"]) > 0 for one, two in zip(hands, theirs, strict=True))
        hint = several(
            "would win one hand against those shown: {kinds}",
            "would win {number} hands against those shown: {kinds}",
            won,
            kinds=hint,
        )
    return hint
