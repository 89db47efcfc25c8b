"""While a deal is played elsewhere, its tables show others who sits there and how far they are, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from pbem.db.models import Match
from pbem.games import Eye, Seat
from pbem.play.core import tokens
from pbem.play.matches import share_keys
from pbem.play.matches.seats import holders
from pbem.play.matches.views import TableWithheldError, view_for
from pbem.states import Withheld
from tests.support.examples import few
from tests.support.play.canaries import canaries, sighted, told_by
from tests.support.play.deal_sets.closed_tables import TABLES, closed_tables, open_deal
from tests.support.web.account.dashboard import signed_in
from tests.support.web.site import pages_of, visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House
    from tests.support.pages import Visitor
    from tests.support.play.deal_sets.closed_tables import ClosedTables

OF_A_SEAT = ("/m/", "/mail/", "/seat/", "/invitation/", "/operators/", "/api/seats/")
"""Where pages of seats and of operators are."""
GAMES = [*few(TABLES, 2)]


def addresses(house: House, tables: ClosedTables) -> Iterator[str]:
    """List all pages, pictures, feeds and calls about the matches of a deal, and those that list matches."""
    rules = [rule for rule in pages_of(house).url_map.iter_rules() if "GET" in (rule.methods or ())]
    with pages_of(house).test_request_context():
        for match_id in (tables.over, tables.running):
            known = {"match_id": match_id, "set_id": tables.set_id, "seat": 1, "ply": 1}
            for rule in rules:
                if rule.arguments & {"match_id", "set_id"} and not rule.rule.startswith(OF_A_SEAT):
                    yield str(rule.build({name: known[name] for name in rule.arguments})[1])  # type: ignore[index]
    for match_id in (tables.over, tables.running):
        yield f"/matches/{match_id}/picture.png?step=0"
        yield f"/matches/{match_id}/replay?as=1"
        yield f"/oembed?{urlencode({'url': f'http://127.0.0.1:8000/matches/{match_id}'})}"
    yield from ("/", "/matches", "/lobby", "/seats", "/statistics", "/api/lobby", "/api/sought", "/sets", "/api/sets")


def told(site: Visitor, path: str) -> str:
    """Return the text of an answer; a picture of a match is one that shows everything."""
    answer = site.client.get(path, follow_redirects=True)
    assert answer.status_code < 500, path
    pictured = answer.status_code == 200 and answer.content_type.startswith("image/")
    return "a picture" if pictured else answer.get_data(as_text=True)


def leaks(tables: ClosedTables, text: str) -> set[str]:
    """Return what an answer about a match leaks that nobody else may know."""
    drawn = {part for part in ('<figure class="board"', '"board":', "a picture") if part in text}
    return sighted(set(tables.cards), text) | {word for word in tables.words if word in text} | drawn


@pytest.mark.parametrize("game", GAMES)
def test_others_see_nothing_of_a_deal_that_is_still_played(house: House, game: str) -> None:
    tables = closed_tables(house, game)
    sites = [visitor(house), signed_in(house, "Dee")]
    for site in sites:
        read = 0
        for path in addresses(house, tables):
            if site is sites[1] and (tables.running in path or tables.set_id in path):
                # Her own table.
                continue
            text = told(site, path)
            if tables.over in path or tables.running in path or tables.set_id in path:
                assert not leaks(tables, text), path
                read += 1
            assert not any(word in text for word in tables.words), path
        assert read > 20
    page = sites[0].open(f"/matches/{tables.over}")
    assert (page.status, "This match is over." in page.words, "Ann" in page.words) == (200, True, True)
    assert "The deal of this match is still played at other tables. It is shown by" in page.words
    assert "2 moves so far." in sites[0].open(f"/matches/{tables.running}").words


@pytest.mark.parametrize("game", GAMES)
def test_all_of_it_is_there_once_the_deal_is_open(house: House, game: str) -> None:
    tables = closed_tables(house, game)
    open_deal(house, tables)
    everything = "".join(told(visitor(house), path) for path in addresses(house, tables))
    with house.course(tables.over) as (_, course):
        dealt = set().union(*(held_by(course, seat) for seat in map(Seat, range(1, len(TABLES[game][0]) + 1))))
    assert sighted(dealt, everything) == dealt
    assert not {word for word in tables.words if word not in everything}
    assert visitor(house).client.get(f"/matches/{tables.over}/animation.png").status_code == 200


def test_whoever_asks_for_a_closed_table_is_told_until_when_it_is_closed(house: House) -> None:
    tables = closed_tables(house, "montauk")
    site, ann = visitor(house), signed_in(house, "Ann")
    for end in ("", "/record", "/par", "/lookback"):
        answer = site.client.get(f"/api/matches/{tables.over}{end}")
        assert answer.status_code == 404
        assert "still played at other tables" in answer.get_json()["reason"]
    for end in ("replay", "replay.html", "record.txt", "picture.png", "embed", "fork?step=0", "par"):
        page = ann.open(f"/matches/{tables.over}/{end}")
        assert (page.status, "still played at other tables" in page.words) == (404, True), end


def test_the_key_of_a_private_match_does_not_open_its_table_either(house: House) -> None:
    tables = closed_tables(house, "montauk", public=False)
    with house.transaction() as ctx:
        key = share_keys.shared_key(ctx.session.get_one(Match, tables.over))
    site = visitor(house)
    assert site.open(f"/matches/{tables.over}").status == 404
    assert "This match is over." in site.open(f"/matches/{tables.over}?key={key}").words
    for end in ("replay", "picture.png", "record.txt"):
        assert site.open(f"/matches/{tables.over}/{end}?key={key}").status == 404


def test_a_seat_of_a_closed_table_still_sees_what_it_saw_and_how_it_ended(house: House) -> None:
    tables = closed_tables(house, "montauk")
    mail = house.last("Ann")
    site = visitor(house)
    with house.course(tables.over) as (_, course):
        hidden = canaries(course.position, Seat(1)) - shown_to(course, Seat(1))
        own = shown_to(course, Seat(1))
    assert hidden
    pages = [site.open(f"/m/{mail.token}"), site.open(f"/m/{mail.token}/replay?step=0")]
    pages.append(site.open(f"/m/{mail.token}/replay?as=2&step=999"))
    pages.append(site.open(f"/m/{mail.token}/par"))
    for page in pages:
        assert page.status == 200
        assert not sighted(hidden, page.words), page.url
        assert not {word for word in tables.words if len(word) == 64 and word in page.html}
    assert sighted(own, pages[0].words)
    assert "play on" not in pages[1].words.casefold()
    for path in (f"/m/{mail.token}/replay/look-back", f"/m/{mail.token}/replay/step?as=2"):
        assert not sighted(hidden, site.open(path).words)
    seen = site.client.get(f"/api/seats/{mail.token}").get_json()
    assert seen["seat"] == 1
    assert seen["outcome"]


def test_the_last_mail_of_a_closed_table_has_the_result_and_no_record(house: House) -> None:
    tables = closed_tables(house, "montauk")
    mail = house.last("Ann")
    with house.course(tables.over) as (_, course):
        hidden = canaries(course.position, Seat(1)) - shown_to(course, Seat(1))
    assert "only your table sees this match" in mail.flat
    assert not sighted(hidden, f"{mail.text}\n{told_by(mail.html)}")
    assert "/record" not in mail.text
    assert f"/matches/{tables.over}/replay" not in mail.text
    assert {part.get_filename() for part in mail.message.walk()} <= {None, "board.png"}
    house.reply(mail, "replay")
    assert "still played at other tables" in house.last("Ann").flat


def test_an_old_link_shows_nothing_of_a_closed_table(house: House) -> None:
    tables = closed_tables(house, "montauk")
    old = next(mail.token for name in TABLES["montauk"][1] for mail in house.mails(name))
    site = visitor(house)
    page = site.open(f"/m/{old}")
    assert (page.status, "This link is from an earlier turn" in page.words) == (200, True)
    assert not leaks(tables, page.html)
    for path in (f"/api/seats/{old}", f"/m/{old}/replay"):
        answer = site.open(path)
        assert (answer.status, leaks(tables, answer.html)) == (404, set())


def test_an_invitation_tells_nobody_how_a_closed_table_has_ended(house: House) -> None:
    tables = closed_tables(house, "montauk")
    with house.transaction() as ctx:
        ann = holders(ctx, ctx.session.get_one(Match, tables.over))[0]
        tokens.issue(ctx, ann, 0)
        first = tokens.derive(ctx.config.secret_keys[0], tokens.LINK, ann.id, 0, ann.generation)
    page = visitor(house).open(f"/invitation/{first}")
    assert (page.status, "For a rematch, get a fresh link." in page.words) == (200, True)
    assert not leaks(tables, page.html)
    house.reply(house.last("Ann"), "rematch")
    mail = house.last("Bob")
    assert "Accept" in mail.flat
    assert "won" not in mail.flat


def test_what_cannot_be_shown_is_not_drawn_by_mistake(house: House) -> None:
    tables = closed_tables(house, "montauk")
    for match_id in (tables.over, tables.running):
        for eye in (Eye.PUBLIC, Eye.OPEN):
            with house.course(match_id) as (_, course), pytest.raises(TableWithheldError):
                view_for(course, eye)


def test_a_match_whose_record_alone_is_withheld_is_open_otherwise(house: House) -> None:
    tables = closed_tables(house, "montauk", withheld=Withheld.RECORD)
    site = visitor(house)
    page = site.open(f"/matches/{tables.over}")
    assert '<figure class="board"' in page.html
    assert "The record is there once the other match of this deal is over, too." in page.words
    assert site.open(f"/matches/{tables.over}/replay").status == 200
    for end in ("record.txt", "replay.html"):
        refused = site.open(f"/matches/{tables.over}/{end}")
        assert (refused.status, "once the other match of this deal is over" in refused.words) == (404, True)
    assert site.client.get(f"/api/matches/{tables.over}/par").status_code == 404
    fork = signed_in(house, "Ann").open(f"/matches/{tables.over}/fork?step=0")
    assert (fork.status, "Others still play the deal of this match." in fork.words) == (422, True)
    mail = house.last("Ann")
    assert "The record is there once the other match of this deal is over, too." in mail.flat
    assert f"/matches/{tables.over}/replay" in mail.text
    assert "/record" not in mail.text


def held_by(course: LoadedMatch, seat: Seat) -> set[str]:
    """Return the hidden cards that a seat was dealt."""
    return canaries(course.first_position, Seat(0)) - canaries(course.first_position, seat)


def shown_to(course: LoadedMatch, seat: Seat) -> set[str]:
    """Return the cards that a seat's View names at the end."""
    return sighted(canaries(course.first_position, Seat(0)), str(course.game.view(course.position, seat)))
