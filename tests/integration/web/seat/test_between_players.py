"""Laws of what players see of each other: no address, and of a name only its letters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Player
from pbem.play.accounts import feeds
from pbem.play.chat import conversation, messages
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.rematching import signed_in

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

MOST = 120
"""So many pages are opened for each person."""
ODD = "<b>\"'&"


@dataclass
class Crawl:
    """Everything that somebody finds by opening every link, beginning with those of their mails."""

    site: Visitor
    opened: set[str] = field(default_factory=set)
    found: dict[str, str] = field(default_factory=dict)
    """The pages by the address at which each was shown."""

    def begin(self, mails: list[Mail], *more: str) -> Crawl:
        waiting = [*more]
        for mail in mails:
            waiting += re.findall(r"http://127\.0\.0\.1:8000(/[^\s<>\"]*)", mail.text + unescape(mail.html))
        while waiting and len(self.opened) < MOST:
            path = waiting.pop(0).partition("#")[0]
            # The same page for another move or chosen piece shows nobody else.
            if path.partition("?")[0] in self.opened:
                continue
            self.opened.add(path.partition("?")[0])
            answer = self.site.client.get(path, follow_redirects=True, buffered=True)
            assert answer.status_code < 500, path
            if answer.mimetype == "image/png":
                continue
            self.found[answer.request.path] = text = answer.get_data(as_text=True)
            links = re.findall(r'(?:href|action|data-live)="(/[^"]*)"', text)
            waiting += [unescape(link) for link in links if not link.startswith(("/static/", "/rules/"))]
        return self


def a_match(house: House, one: str, other: str) -> list[Mail]:
    """Play a match with everything that people do at a table, and ask for another; gives all mails there were."""
    guests = [Invitee(one, address("Ann")), Invitee(other, address("Bob"))]
    with house.transaction() as ctx:
        match_id = create_match(ctx, "martian-whist", {"sets": 2}, guests, creator=1, words="Shall we?").id
    ann = house.only("Ann")
    house.reply(house.only("Bob"), "yes")
    first = "Ann" if house.match(match_id).to_move == [1] else "Bob"
    second = {"Ann": "Bob", "Bob": "Ann"}[first]
    house.reply(house.last(first), "say Hello!\n\ntake 1")
    house.reply(house.last(second), "take 99\n\nWhich one?")
    house.reply(house.last(second), "take 1", sender="phone@example.net")
    house.reply(house.last(second), "take 2\n\nA word below my move.")
    house.reply(house.last(second), "yes")
    for words in ("board", "help", "history", "draw", "mute", "unmute", "report", "list"):
        house.reply(house.last(first), words)
    house.mails(second)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        speaker = next(one for one in holders(ctx, match) if one.email == address("Bob"))
        assert conversation.post(ctx, match, speaker, messages.sanitise("See you."))
    house.mails("Ann")
    house.mails("Bob")
    turn = next(mail for mail in reversed(house.every_mail) if mail.name == first)
    house.reply(turn, "resign yes")
    house.reply(house.last("Ann"), "rematch")
    house.mails("Ann")
    house.mails("Bob")
    assert ann in house.every_mail
    return house.every_mail


def crawled(house: House, name: str, player: str) -> Crawl:
    site = signed_in(house, player)
    with house.transaction() as ctx:
        number = ctx.session.scalars(select(Player.id).where(Player.name == player)).one()
        feeds.renew(ctx, number)
        token = feeds.current_token(ctx, number)
    paths = [f"/feed/{token}.atom", f"/calendar/{token}.ics", "/", "/mine", "/me", "/lobby", "/me/keys", "/me/leave"]
    ids = house.match_ids()
    paths += [f"{path}/{match}{more}" for match in ids for path, more in (("/matches", ""), ("/api/matches", ""))]
    paths += [f"/api/matches/{match}/record" for match in ids] + [f"/matches/{match}/live" for match in ids]
    tokens = {mail.token for mail in house.every_mail if mail.name == name}
    paths += [f"{front}/{one}{more}" for one in sorted(tokens) for front, more in (("/api/seats", ""), ("/m", "/talk"))]
    return Crawl(site).begin([mail for mail in house.every_mail if mail.name == name], *paths)


def whole(mail: Mail) -> str:
    """A mail's headers, and its parts as its reader sees them."""
    return "\n".join([*(f"{name}: {value}" for name, value in mail.message.items()), mail.text, mail.html])


class Tags(HTMLParser):
    """Names the tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.found.append(tag)


def bold(page: str) -> bool:
    """Return whether a page has a tag that stands in nothing we write, but in a name."""
    return "b" in Tags(page).found


def test_nobody_is_shown_the_others_address_save_who_is_invited(house: House) -> None:
    mails = a_match(house, "Ann", "Bob")
    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        shown = [mail for mail in mails if mail.name == name and address(other) in whole(mail)]
        assert all(f"{other} ({address(other)})" in mail.flat for mail in shown)
        assert len(shown) <= 1
        assert all("/invitation/" in mail.text for mail in shown)
        pages = crawled(house, name, name).found
        assert len(pages) > 25
        held = [path for path, page in pages.items() if address(other) in unescape(page)]
        # The page behind the invitation says whom it is from, as the mail does; the API's examples are of others.
        assert all(path.startswith(("/invitation/", "/api/openapi.json")) for path in held), held
    # Such an invitation there was, else this had shown nothing.
    assert any("Ann (ann@example.org) would like a rematch" in mail.flat for mail in mails)


def test_a_name_is_letters_wherever_it_stands(house: House) -> None:
    mails = a_match(house, ODD, "Bob")
    assert any(ODD in mail.text for mail in mails if mail.name == "Bob")
    for mail in mails:
        assert not bold(mail.html)
    for name, player in (("Ann", ODD), ("Bob", "Bob")):
        pages = crawled(house, name, player).found
        named = [path for path, page in pages.items() if ODD in unescape(page)]
        assert len(named) > 10
        for path, page in pages.items():
            if not path.startswith("/api/") and not path.endswith(".txt"):
                assert not bold(page), path


@pytest.mark.parametrize("path", ["talk", "report?seat=2", "rematch"])
def test_what_belongs_to_a_seat_is_unknown_to_everybody_else(site: Visitor, path: str) -> None:
    assert site.open(f"/m/{'0' * 26}/{path}").status in {404, 405}
