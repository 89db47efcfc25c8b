"""Link cards (Open Graph): what other services show of a link to a public page."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING

from pbem.boards import drawing_for
from pbem.boards.poster import HEIGHT, WIDTH, poster
from pbem.boards.prose import series
from pbem.boards.rules import rules_for, translated
from pbem.games import GAMES
from pbem.i18n import _, current_locale
from pbem.play.matches import descriptions
from pbem.web.common.urls import absolute_url

if TYPE_CHECKING:
    from pbem.boards import Board
    from pbem.db.models import Match

_MAX_ALT_LENGTH = 400
"""Maximum characters of an image description; services cut off longer ones."""
_MAX_SENTENCE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Card:
    """A page's title, a sentence about it, its URL, and an image with its description."""

    title: str
    sentence: str
    page: str
    image: str = ""
    alt: str = ""
    oembed: str = ""
    width: int = WIDTH
    height: int = HEIGHT


def match_card(
    match: Match, names: tuple[str, ...], sentence: str = "", board: Board | None = None, step: int | None = None
) -> Card | None:
    """Build the card of a match, or of a step of it; None if it is private."""
    if not match.public:
        return None
    title = match_title(match, names)
    page = absolute_url("matches.match" if step is None else "replay.match", match_id=match.id, step=step)
    if board is None:
        return Card(title, sentence or _("This match has not started yet."), page)
    image = absolute_url("share.match_poster", match_id=match.id, step=step, lang=current_locale())
    words = " ".join(drawing_for(match.game).words(board, names).split())
    oembed = absolute_url("share.oembed", url=page)
    return Card(title, sentence or title, page, image, shorten(words, _MAX_ALT_LENGTH, placeholder=" …"), oembed)


def rules_card(game: str) -> Card:
    """Build the card of a game's rules."""
    rules = translated(rules_for(game))
    title = _("{game}: the rules", game=GAMES[game].name)
    sentence = rules.lead or _("{game} is {players}.", game=GAMES[game].name, players=descriptions.player_count(game))
    page, sentence = absolute_url("rules.rules", game=game), shorten(sentence, _MAX_SENTENCE_LENGTH, placeholder=" …")
    if not rules.examples:
        return Card(title, sentence, page)
    image = absolute_url("share.rules_poster", game=game, lang=current_locale())
    return Card(title, sentence, page, image, _("A picture of {game}, as others play it.", game=GAMES[game].name))


def match_title(match: Match, names: tuple[str, ...]) -> str:
    """Return the title of a match: its game and its players."""
    return f"{GAMES[match.game].name}: {descriptions.player_list(names)}"


def match_poster(match: Match, names: tuple[str, ...], svg: str, sentence: str) -> str:
    """Render the image of a match's card."""
    sentences = [f"{series(names)}.", sentence]
    return poster(svg, GAMES[match.game].name, sentences, _("Slow games by mail"))


def rules_poster(game: str) -> str | None:
    """Render the image of the card of a game's rules; None if the rules have no example to show."""
    rules = translated(rules_for(game))
    if not rules.examples:
        return None
    first = rules.examples[0]
    svg = drawing_for(game).svg(first.board, first.names, first.you)
    return poster(svg, GAMES[game].name, [_("The rules"), descriptions.player_count(game)], _("Slow games by mail"))
