"""Two opposing hands of Amazonian Buffet, as lines of text and as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.amazonian_buffet.choices import format_hand, ordinals
from pbem.boards.card_words import card_list
from pbem.boards.hand_comparison import level_phrase, reason
from pbem.boards.prose import clean_name
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.boards.drawing import Board, Names


def lines(board: Board, names: Names, number: int) -> Iterator[str]:
    """Yield two opposing hands as lines of text, and who wins or is ahead."""
    result, nth = board["comparisons"][number], ordinals()[number]
    winner = clean_name(names[result["winner"] - 1]) if result["winner"] else ""
    if not winner:
        yield _("The {nth} hands: nobody wins", nth=nth)
    elif board["stage"] == "over":
        yield _("The {nth} hands: {name} wins", nth=nth, name=winner)
    else:
        yield _("The {nth} hands: {name} is ahead", nth=nth, name=winner)
    for seat, name in enumerate(names):
        cards = format_hand(board["layouts"][seat][number])
        yield f"  {clean_name(name)}: {cards} ({level_phrase(result['levels'][seat])})"
    yield ""


def sentences(board: Board, names: Names, number: int) -> Iterator[str]:
    """Yield sentences on two opposing hands: what they are, who wins and why."""
    result, nth = board["comparisons"][number], ordinals()[number]
    for seat, name in enumerate(names):
        hand, shows = board["layouts"][seat][number], level_phrase(result["levels"][seat])
        parts = {"nth": nth, "name": clean_name(name), "kind": shows}
        if hand:
            yield _("The {nth} hand of {name} is {kind}: {cards}.", **parts, cards=card_list(hand))
        else:
            yield _("The {nth} hand of {name} is {kind}.", **parts)
    winner = result["winner"]
    if winner is None:
        yield _("Nobody wins the {nth} hand: both are empty.", nth=nth)
        return
    better, worse = board["layouts"][winner - 1][number], board["layouts"][2 - winner][number]
    levels = result["levels"][winner - 1], result["levels"][2 - winner]
    why = {"name": clean_name(names[winner - 1]), "nth": nth, "why": reason(better, worse, levels, board["compare"])}
    if board["stage"] == "over":
        yield _("{name} wins the {nth} hand: {why}.", **why)
    else:
        yield _("{name} would win the {nth} hand: {why}.", **why)
