"""What the letters and digits on pieces and in moves stand for."""

from __future__ import annotations

from pbem.boards.prose import series
from pbem.boards.pyramid_words import colour, size
from pbem.games.pyramids import COLOURS, SIZES
from pbem.i18n import _


def pyramid_legend(colours: str = "".join(COLOURS)) -> str:
    """Return what the letters and digits of pyramids stand for."""
    letters = series([f"{letter} {colour(letter)}" for letter in colours])
    digits = series([f"{digit} {size(digit)}" for digit in SIZES])
    return _("Pyramids: {letters}; {digits}.", letters=letters, digits=digits)


def card_legend() -> str:
    """Return how cards are typed."""
    return _("Cards: type the rank and the first letter of the suit, such as QH or 10C.")
