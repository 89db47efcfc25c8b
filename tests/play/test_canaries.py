"""What a seat holds hidden is in nobody else's mail, in no inbox, and in no log, however it may be written.

That no byte depends on it is held by `test_secrecy.py`; here its very names are looked for.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections import deque
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from emails import page
from emails.accept import accept
from emails.letters import Reader, letter
from emails.markup import as_html
from emails.parts import Say
from emails.text import as_text
from pbem.boards import card_words
from pbem.db.session import connect
from pbem.games import Seat
from pbem.games.cards import DECK
from pbem.games.hidden import Eye, Hidden
from pbem.play.notices import seen_facts
from pbem.words import LANGUAGES, speaking
from tests.games.random_play import walk
from tests.house import NAMES, address, reply
from tests.play.test_mail_lines import config, course_of, deals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config
    from tests.games.random_play import Match as Deal
    from tests.games.random_play import Turn
    from tests.house import House

__all__ = ["config"]

SECRETIVE = ("amazonian-buffet", "martian-trickery", "montauk")
"""The games that have hands or sealed moves."""
TOLD_AGAIN = 24
"""A card that was shown so few moves ago may be told as news, though it has been dealt anew since."""
CARD = r"\b[2-9TJQKA][SHDC]\b"
HAND = 5
SUITS_OF_A_CANARY = 3
"""A sealed hand of fewer suits may stand in the same order in the list of all cards that its seat has."""
GAMES_LOOKED_AT = int(os.environ.get("TEST_GAMES", "1000"))
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
    """Give what a seat may not know: cards, and hands that were sealed and not opened before."""
    unknown = [secret.value for secret in hidden_in(position) if secret.shown_to(viewer) is None]
    opened = {hand for pair in getattr(position, "shown", ()) for layout in pair for hand in layout}
    sealed = {hand for move in unknown if isinstance(move, str) for hand in hands_of(move)} - opened
    cards = {card for held in unknown for card in (held if isinstance(held, tuple) else (held,)) if card in DECK}
    return cards | {" ".join(hand) for hand in sealed if len({card[1] for card in hand}) >= SUITS_OF_A_CANARY}


def hands_of(move: str) -> set[tuple[str, ...]]:
    """Give the hands of five cards that a sealed move lays out, if it lays out any."""
    hands = (tuple(re.findall(CARD, part)) for part in move.split("|"))
    return {hand for hand in hands if len(hand) == HAND}


def own_canaries(position: object, seat: Seat) -> set[str]:
    """Give what a seat knows and another does not."""
    everything = canaries(position, Seat(0))
    return everything - canaries(position, seat)


def forms(secret: str) -> Iterator[str]:
    """Write a card in every way in which drawings, pages and logs might."""
    rank, suit = secret[0], secret[1]
    # In capitals, as moves and lists have it: "as" is a word.
    yield rf"(?-i:(?<![A-Za-z0-9]){secret}(?![A-Za-z0-9]))"
    yield rf"{'(?:10|T)' if rank == 'T' else rank}\s?{PIPS[suit]}"
    for language in LANGUAGES:
        with speaking(language):
            yield rf"(?<!\w){re.escape(card_words.name(secret))}(?!\w)"


PATTERNS = {card: re.compile("|".join(f"(?:{form})" for form in forms(card)), re.IGNORECASE) for card in DECK}


def sighted(secrets: set[str], text: str) -> set[str]:
    """Give the secrets that a text tells."""
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
    facts = seen_facts(course, seat, names) | {
        "seat": seat, "name": names[seat - 1], "game": deal.game.key, "match": course.match.id,
        "head": course.match.head.hex(), "commitment": course.match.commitment.hex(), "public": True,
    }  # fmt: skip
    kind = "turn" if seat in deal.game.to_move(position) else "board"
    content = letter(kind, Reader(facts, config, "0123456789abcdefghjkmnpqrs", "play"))
    lead = content.parts[0]
    assert isinstance(lead, Say)
    whole = [content.subject, as_text(content.parts), told_by(as_html(content.subject, content.parts))]
    return f"{content.subject}\n{lead.text}", "\n".join(whole)


def told_by(html: str) -> str:
    """Give what a page tells: its words, and its attributes, such as addresses and what is told to ears."""
    return "\n".join([page.plain(html), *re.findall(r'="([^"]*)"', html)])


@pytest.mark.parametrize("key", SECRETIVE)
def test_no_mail_tells_what_another_seat_holds(config: Config, key: str) -> None:
    deal = next(each for each in deals(key) if is_short(each))
    mails, own, found = leaks(config, deal)
    assert not found
    assert mails > deal.seats * 10
    # The same eyes do see what the reader's own hand holds.
    assert own > 0


def is_short(deal: Deal) -> bool:
    return deal.options.get("rounds", 1) == 1 and deal.options.get("hands", 1) == 1


@pytest.mark.slow
def test_no_mail_of_many_matches_tells_what_another_seat_holds(
    config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, mails, own, matches = time.perf_counter(), 0, 0, 0
    each = -(-GAMES_LOOKED_AT // len(SECRETIVE))
    for key in SECRETIVE:
        for deal in islice(deals(key), each):
            read, seen, found = leaks(config, deal)
            assert not found, deal
            mails, own, matches = mails + read, own + seen, matches + 1
    with capsys.disabled():
        sys.stdout.write(
            f"\n{matches} whole matches of {len(SECRETIVE)} games, {mails} mails, 0 cards or sealed moves of others, "
            f"{own} times the reader's own; {time.perf_counter() - begun:.0f} s\n"
        )
    assert matches >= GAMES_LOOKED_AT


def test_a_card_is_seen_however_it_is_written() -> None:
    for text in ("9H", "9H.", "9♥", "9 ♥", "the nine of hearts", "Nine of\nHearts", "take 9H, please", "Herz-Neun"):
        assert sighted({"9H"}, text) == {"9H"}
    for text in ("TH", "10♥", "T♥", "ten of hearts"):
        assert sighted({"TH"}, text) == {"TH"}
    for text in ("19H", "9HX", "nine of spades", "nineteen of hearts", "9 hearts won"):
        assert not sighted({"9H"}, text)
    hand = "KH QH 8D 7C 5C"
    assert hands_of(f"hands {hand} | 6S 6C") == {tuple(hand.split())}
    assert sighted({hand}, "You sealed KH, QH,\n  8D, 7C, 5C.") == {hand}
    assert not sighted({hand}, "You hold 5C 7C 8D KH QH.")


@pytest.mark.parametrize(("key", "seats", "options"), [("montauk", 2, {"rounds": 1}), ("martian-trickery", 3, {})])
def test_nothing_hidden_is_in_a_header_an_address_or_a_log(
    house: House, caplog: pytest.LogCaptureFixture, key: str, seats: int, options: dict[str, object]
) -> None:
    caplog.set_level(logging.DEBUG)
    match_id, read = house.begin(key, seats, options), 0
    for _ in range(6):
        with house.course(match_id) as (_, course):
            position, game = course.position, course.game
        moving = game.to_move(position)[0]
        for seat, name in enumerate(NAMES[:seats], 1):
            unknown, held = canaries(position, Seat(seat)), own_canaries(position, Seat(seat))
            for mail in house.mails(name):
                read += 1
                headers = "\n".join(f"{each}: {value}" for each, value in mail.message.items())
                assert not sighted(unknown, f"{mail.text}\n{told_by(mail.html)}\n{headers}")
                addresses = [each.partition("?")[0] for each in re.findall(r"(?:https?|mailto):\S+", mail.text)]
                assert not sighted(held, "\n".join([headers, *addresses]))
        last = next(mail for mail in reversed(house.every_mail) if mail.name == NAMES[moving - 1])
        house.reply(last, "play something else")
        house.reply(last, house.legal(match_id, moving)[0])
    assert read > 6
    everything = canaries(position, Seat(0))
    assert not sighted(everything, caplog.text)


def test_a_database_that_refuses_leaves_no_mail_in_the_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    match_id = house.begin("montauk", 2)
    (mail,) = [mail for mail in house.mails("Ann") + house.mails("Bob") if "It is your turn" in mail.flat]
    with house.course(match_id) as (_, course):
        held = own_canaries(course.position, Seat(1)) | own_canaries(course.position, Seat(2))
    url = house.engine.url.update_query_dict({"options": "-c default_transaction_read_only=on"})
    engine = connect(url.render_as_string(hide_password=False))
    raw = reply(mail, " ".join(held)).as_bytes()
    assert accept(engine, house.config, raw, mail.reply_to, address(mail.name)).code == 451
    engine.dispose()
    assert "could not keep a mail" in caplog.text
    assert "read-only" in caplog.text
    assert "[parameters:" not in caplog.text
    assert not sighted(held, caplog.text)
    assert mail.reply_to.partition("@")[0] not in caplog.text
