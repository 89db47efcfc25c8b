"""Asking for a link to sign in: nobody learns who is known here, and nobody is flooded with links."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import OutboxMessage, SignInLink, Suppression
from pbem.play.accounts import sign_in as accounts_sign_in
from pbem.play.players import unsubscribes
from pbem.play.players.unsubscribes import UNSUBSCRIBED
from pbem.web.request import request_log
from tests.support.house import address
from tests.support.web.account.sign_in import ASK, NEW, USE, ask, browser, is_in, link_of, sign_in
from tests.support.web.common.scanners import AGENTS, opened, written
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.pages import Page, Visitor

__all__ = ["browser"]


# -- nobody learns who is known here ---------------------------------------------------------------


@pytest.fixture
def statements(local: House) -> Iterator[list[str]]:
    """What the database is asked, without what it is asked about."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        said.append(statement)

    event.listen(local.engine, "before_cursor_execute", note)
    yield said
    event.remove(local.engine, "before_cursor_execute", note)


def test_known_and_unknown_addresses_are_answered_alike_by_the_same_statements(
    local: House, statements: list[str]
) -> None:
    local.start_match("minimax", 1)
    local.make("martian-whist", 2)
    with local.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Bob"))
        row = Suppression(hash=unsubscribes.address_hash(address("Dee")), reason="bounce", suppressed_at=ctx.now)
        ctx.session.add(row)
    site = visitor(local)
    form = site.open("/sign-in").form(ASK)
    asked, said = {}, {}
    for name in ("Ann", "Bob", "Cyd", "Dee"):
        statements.clear()
        answer = site.send(form, {**form.fields, "email": address(name)}, follow=False)
        asked[name] = tuple(statements)
        headers = {
            (name, value) for name, value in answer.response.headers.items() if name != request_log.REQUEST_ID_HEADER
        }
        said[name] = answer.status, answer.html, sorted(headers)
        assert answer.status == 303
    assert len({*asked.values()}) == 1
    assert len({repr(one) for one in said.values()}) == 1
    assert len(asked["Ann"]) >= 3


def test_whoever_wants_no_mail_still_gets_the_link_they_ask_for(local: House, browser: Visitor) -> None:
    with local.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Ann"))
    sign_in(local, browser, "Ann")
    assert is_in(browser, "Ann")
    assert local.all(select(Suppression.reason)) == [UNSUBSCRIBED]


@pytest.mark.parametrize("typed", ["", "nonsense", "a@b@c", "a\0@x.org", "x" * 250 + "@example.org"])
def test_what_is_no_address_is_said_so(local: House, browser: Visitor, typed: str) -> None:
    page = browser.open("/sign-in").press(ASK, email=typed)
    assert page.status == 422
    assert "Enter a mail address" in page.words
    assert not local.all(select(SignInLink))


def test_scanners_that_open_every_link_change_nothing(local: House, browser: Visitor) -> None:
    ask(browser, "Ann")
    link = link_of(local.only("Ann"))
    links = [
        link,
        "/sign-in",
        "/sign-in?then=/new/minimax",
        "/sign-in/mailed",
        "/sign-out",
        "/welcome",
        f"{link}/again",
    ]
    before = written(local)
    opened(visitor(local), links, AGENTS)
    assert written(local) == before
    browser.open(link).press(USE)
    assert is_in(browser, "Ann")


# -- floods ----------------------------------------------------------------------------------------


@pytest.fixture
def limited(local: House) -> House:
    return replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS))


def asked_from(house: House, name: str, *hops: str, relay: str = "127.0.0.1") -> Page:
    site = visitor(house)
    site.client.environ_base["REMOTE_ADDR"] = relay
    if hops:
        site.client.environ_base["HTTP_X_FORWARDED_FOR"] = ", ".join(hops)
    form = site.open("/sign-in").form(ASK)
    return site.send(form, {**form.fields, "email": address(name)}, follow=False)


def sent(house: House) -> int:
    return len(house.all(select(OutboxMessage)))


@pytest.mark.parametrize("name", ["Ann", "Stranger"])
def test_an_address_gets_three_links_an_hour(limited: House, name: str) -> None:
    limited.start_match("minimax", 1)
    before = sent(limited)
    answers = [asked_from(limited, name, f"198.51.{number}.1") for number in range(5)]
    assert [answer.status for answer in answers] == [303, 303, 303, 429, 429]
    last = answers[-1]
    assert 0 < int(last.response.headers["Retry-After"]) <= 3600
    assert "Try again in 60 minutes." in last.words
    assert "Nothing was changed or mailed." in last.words
    assert sent(limited) == before + 3
    assert asked_from(limited, "Bob", "198.51.100.1").status == 303


def test_an_address_gets_ten_links_a_day_and_all_a_thousand_an_hour() -> None:
    limits = {each.namespace: each for each in accounts_sign_in.limits("ann@example.org")}
    assert (limits["sign in a day"].maximum, limits["sign in a day"].seconds) == (10, 86400)
    assert (limits["sign in"].maximum, limits["sign in"].seconds, limits["sign in"].subject) == (
        1000,
        3600,
        "everybody",
    )


@pytest.mark.parametrize("nets", [("198.51.100.{}", "198.51.101.1"), ("2001:db8:0:4{:02x}::1", "2001:db8:0:500::1")])
def test_a_network_may_ask_for_twenty_links_an_hour(limited: House, nets: tuple[str, str]) -> None:
    same, other = nets
    answers = [asked_from(limited, f"p{number}", same.format(number)) for number in range(22)]
    assert [answer.status for answer in answers] == [303] * 20 + [429] * 2
    assert sent(limited) == 20
    assert asked_from(limited, "Ann", other).status == 303


def test_a_network_is_who_connects_unless_a_machine_of_ours_says_otherwise(limited: House) -> None:
    for number in range(20):
        assert asked_from(limited, f"p{number}", f"192.0.{number}.1", relay="203.0.113.9").status == 303
    assert asked_from(limited, "Ann", "192.0.77.1", relay="203.0.113.10").status == 429
    assert asked_from(limited, "Ann", "203.0.113.9").status == 429
    # What the client itself has written stands before what our machine adds.
    assert asked_from(limited, "Ann", "192.0.78.1", "203.0.113.9").status == 429
    assert asked_from(limited, "Ann", "::ffff:203.0.113.77").status == 429
    assert asked_from(limited, "Ann", "192.0.79.1", "127.0.0.1").status == 303
    assert asked_from(limited, "Bob", "nonsense").status == 303
    assert asked_from(limited, "Bob", relay="").status == 303


def test_a_new_link_in_the_stead_of_an_old_one_is_counted_too(limited: House) -> None:
    site = visitor(limited, keeps=True)
    sign_in(limited, site, "Ann")
    over = visitor(limited).open(link_of(limited.every_mail[-1]))
    assert [over.press(NEW).status for _ in range(3)] == [200, 200, 429]


def test_without_limits_any_number_is_mailed(local: House) -> None:
    assert {asked_from(local, "Ann").status for _ in range(15)} == {303}
