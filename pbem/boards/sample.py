"""Sample of the colours: every pyramid's and every suit's, side by side."""

from __future__ import annotations

from pbem.boards.playing_cards import SUIT_ORDER, PlayingCards
from pbem.boards.shapes import WIDTH, sheet
from pbem.boards.stacks import Pyramids
from pbem.games.pyramids import COLOURS
from pbem.i18n import _

_STEP = 84.0


def sample(prefix: str) -> str:
    """Draw a large pyramid of each colour and an ace of each suit; `prefix` keeps two samples on a page apart."""
    pyramids, cards = Pyramids(f"{prefix}p"), PlayingCards(f"{prefix}c")
    drawn = [pyramids.stack((f"{colour}3",), 60 + at * _STEP, 118) for at, colour in enumerate(COLOURS)]
    left = 60 + len(COLOURS) * _STEP - 10
    step = (WIDTH - 24 - left) / len(SUIT_ORDER)
    drawn += [cards.card(f"A{suit}", left + at * step, 32, 0.62) for at, suit in enumerate(SUIT_ORDER)]
    what = _("A pyramid of each colour, and a card of each suit.")
    return sheet(_("The colours"), what, 150, drawn, pyramids.definitions() + cards.definitions())
