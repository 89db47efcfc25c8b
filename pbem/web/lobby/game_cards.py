"""Cards of the games on the home page: a picture, one sentence, and how much time a match takes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.boards import drawing_for
from pbem.boards.rules import rules_for, translated
from pbem.games import GAMES
from pbem.games.chance import Chance
from pbem.games.hidden import Eye
from pbem.i18n import _, current_locale, several
from pbem.play.clocks import match_lengths, time_controls
from pbem.play.matches import descriptions
from pbem.web.common.board_images import inline_svg

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.boards import Board, Names
    from pbem.games import Game

_SAMPLE_SEED = bytes(32)
_IDS = re.compile(r'( id="| href="#)')
_TITLE = re.compile(r"<title>.*?</title>(<desc>.*?</desc>)?", re.DOTALL)
_SAMPLE_NAMES = ("Ann", "Bob", "Cyd", "Dan")


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the home page presents it; `facts` are the players, and the time for a move and for a match."""

    game: Game[Any]
    picture: Markup
    tagline: str
    facts: tuple[str, ...]

    @property
    def solo(self) -> bool:
        """Whether nobody else plays, so that there is neither a robot nor a friend."""
        return self.game.seats[-1] == 1


def all_cards() -> list[GameCard]:
    """Return a card for each game, those for few players first."""
    return [_card(key) for key in sorted(GAMES, key=lambda key: (GAMES[key].seats[0], GAMES[key].name))]


def _card(key: str) -> GameCard:
    rules = translated(rules_for(key))
    picture = inline_svg(_picture(key, current_locale()))
    return GameCard(GAMES[key], picture, rules.tagline or rules.lead, tuple(_facts(key, rules.minutes)))


def _facts(key: str, minutes: int | None) -> list[str]:
    """Describe how many play, and how long a move and a match take with what the form offers first."""
    seats, short = GAMES[key].seats[0], match_lengths.SHORT_OPTIONS.get(key, {})
    each = several("about a minute a move", "about {number} minutes a move", minutes) if minutes else ""
    length = match_lengths.describe(key, seats, GAMES[key].settle(seats, short), time_controls.DEFAULT)
    return [fact for fact in (descriptions.player_count(key), each, length) if fact]


@cache
def _picture(key: str, language: str) -> str:  # noqa: ARG001 -- the drawing has words in the current language
    """Draw a sample position of a game; the picture fills the card's frame, cut off at the bottom if it is too tall.

    Its ids are its own, since a page shows several pictures.
    """
    board, names, you = _sample(key)
    svg = _IDS.sub(rf"\g<1>{key}-", drawing_for(key).svg(board, names, you))
    svg = _TITLE.sub(f"<title>{_('A board of {game}', game=GAMES[key].name)}</title>", svg, count=1)
    return svg.replace("<svg ", '<svg preserveAspectRatio="xMidYMin slice" ', 1)


def _sample(key: str) -> tuple[Board, Names, int | None]:
    """Return the first example of a game's rules, or the opening position of a game without examples."""
    examples = rules_for(key).examples
    if examples:
        return examples[0].board, examples[0].names, examples[0].you
    game, seats = GAMES[key], GAMES[key].seats[0]
    position = game.setup(seats, {}, Chance(_SAMPLE_SEED))
    return game.view(position, Eye.PUBLIC).board, _SAMPLE_NAMES[:seats], None
