"""What tests of canaries share."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from emails.content.html import render_html
from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content
from emails.parsing import html_text
from pbem.boards import card_words
from pbem.games import Seat
from pbem.games.cards import DECK
from pbem.games.hidden import Eye, Hidden
from pbem.i18n import LANGUAGES, use_locale
from pbem.play.notifications.outbox import view_facts
from tests.support.games.random_play import walk
from tests.support.house import NAMES
from tests.support.play.matches.mail_facts import config, course_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config
    from tests.support.games.random_play import Match as Deal
    from tests.support.games.random_play import Turn

__all__ = ["config"]

SECRETIVE = ("amazonian-buffet", "martian-trickery", "montauk")
"""The games that have hands or sealed moves."""
TOLD_AGAIN = 24
"""A card that was shown so few moves ago may be told as news, though it has been dealt anew since."""
CARD = r"\b[2-9TJQKA][SHDC]\b"
HAND = 5
SUITS_OF_A_CANARY = 3
"""A sealed hand of fewer suits may stand in the same order in the list of all cards that its seat has."""
PIPS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def hidden_in(value: object) -> Iterator[Hidden[Any]]:
    """Find the secrets of a position, wherever they are."""
    if isinstance(value, Hidden):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from hidden_in(each)
    elif is_dataclass(value):
        for each in fields(value):
            yield from hidden_in(getattr(value, each.name))


def canaries(position: object, viewer: Seat) -> set[str]:
    """Return what a seat may not know: cards, and hands that were sealed and not opened before."""
    unknown = [secret.value for secret in hidden_in(position) if secret.shown_to(viewer) is None]
    opened = {hand for pair in getattr(position, "shown", ()) for layout in pair for hand in layout}
    sealed = {hand for move in unknown if isinstance(move, str) for hand in hands_of(move)} - opened
    cards = {card for held in unknown for card in (held if isinstance(held, tuple) else (held,)) if card in DECK}
    return cards | {" ".join(hand) for hand in sealed if len({card[1] for card in hand}) >= SUITS_OF_A_CANARY}


def hands_of(move: str) -> set[tuple[str, ...]]:
    """Return the hands of five cards that a sealed move lays out, if it lays out any."""
    hands = (tuple(re.findall(CARD, part)) for part in move.split("|"))
    return {hand for hand in hands if len(hand) == HAND}


def own_canaries(position: object, seat: Seat) -> set[str]:
    """Return what a seat knows and another does not."""
    everything = canaries(position, Seat(0))
    return everything - canaries(position, seat)


def forms(secret: str) -> Iterator[str]:
    """Write a card in every way in which drawings, pages and logs might."""
    rank, suit = secret[0], secret[1]
    # In capitals, as moves and lists have it: "as" is a word.
    yield rf"(?-i:(?<![A-Za-z0-9]){secret}(?![A-Za-z0-9]))"
    yield rf"{'(?:10|T)' if rank == 'T' else rank}\s?{PIPS[suit]}"
    for language in LANGUAGES:
        with use_locale(language):
            yield rf"(?<!\w){re.escape(card_words.name(secret))}(?!\w)"


PATTERNS = {card: re.compile("|".join(f"(?:{form})" for form in forms(card)), re.IGNORECASE) for card in DECK}


def sighted(secrets: set[str], text: str) -> set[str]:
    """Return the secrets that a text tells."""
    flat = " ".join(text.replace("\u00a0", " ").split())
    words = " ".join(re.findall(r"\w+", flat))
    return {each for each in secrets if (PATTERNS[each].search(flat) if each in PATTERNS else each in words)}


def leaks(config: Config, deal: Deal) -> tuple[int, int, list[str]]:
    """Play a match at random and read everybody's mails; gives how many mails, own secrets in them, and leaks."""
    mails, own, found = 0, 0, list[str]()
    before: list[Turn] = []
    shown: dict[Seat, deque[set[str]]] = {}
    for turn in walk(deal):
        dealt_anew = set[str]()
        # Seat 0 is nobody's: it knows what everybody may know.
        for seat in map(Seat, range(deal.seats + 1)):
            unknown = canaries(turn.before, seat)
            lately = shown.setdefault(seat, deque(maxlen=TOLD_AGAIN))
            if lately and lately[-1] & unknown:
                # The cards were dealt anew, by a move that showed the last ones of the deal before.
                told = deal.game.view(turn.before, Eye.PUBLIC).log[-1]
                lately.append(set(re.findall(CARD, str(told))))
            lately.append(set(DECK) - unknown)
            if not seat:
                dealt_anew = set().union(*lately) & unknown
                continue
            inbox, whole = mailed(config, deal, before, turn.before, seat)
            mails += 1
            held = own_canaries(turn.before, seat)
            own += len(sighted(held, whole))
            # What was open in one deal may be hidden in the next, and still be told of the one before.
            others = unknown - set().union(*lately)
            for place, secrets, text in (("mail", others, whole), ("inbox", held - dealt_anew, inbox)):
                found += [f"{each} in the {place} of {seat}: {text}" for each in sighted(secrets, text)]
        before.append(turn)
    return mails, own, found


def mailed(config: Config, deal: Deal, before: list[Turn], position: Any, seat: Seat) -> tuple[str, str]:
    """Compose a seat's mail; gives what an inbox shows of it, and all of it, with its page and addresses."""
    names = NAMES[: deal.seats]
    course = course_of(deal, before, position)
    facts = view_facts(course, seat, names) | {
        "seat": seat, "name": names[seat - 1], "game": deal.game.key, "match": course.match.id,
        "head": course.match.chain_head.hex(), "commitment": course.match.commitment.hex(),
    }  # fmt: skip
    kind = "turn" if seat in deal.game.to_move(position) else "board"
    content = build_content(kind, MessageContext(facts, config, "0123456789abcdefghjkmnpqrs", "play"))
    lead = content.parts[0]
    assert isinstance(lead, str)
    whole = [content.subject, render_text(content.parts), told_by(render_html(content.subject, content.parts))]
    return f"{content.subject}\n{lead}", "\n".join(whole)


def told_by(html: str) -> str:
    """Return what a page tells: its words, and its attributes, such as addresses and what is told to ears."""
    return "\n".join([html_text.to_text(html), *re.findall(r'="([^"]*)"', html)])
