"""Ratings in mails: asked for, in the last mail of a match, and in an invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Match, OutboxMessage, Player
from pbem.play.ratings import standings, wording
from tests.support.db.statements import statements
from tests.support.ended import NOON
from tests.support.play.lobby.request_parser import write
from tests.support.play.ratings.rated import rate, rated, run

if TYPE_CHECKING:
    from tests.support.house import House


def test_ones_ratings_are_asked_for_in_reply_to_any_mail(house: House) -> None:
    house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    house.reply(mail, "rating")
    told = house.last("Ann")
    assert told.message["Subject"] == "Your ratings"
    assert "You have no rating yet. Rated: the result changes the players’ ratings" in told.flat
    house.reply(mail, "resign yes")
    run(house, update(Address).values(verified_at=NOON))
    rate(house)
    house.reply(mail, "rating")
    told = house.last("Ann")
    assert "Your rating is 1437 ± 194, from one match." in told.flat
    assert "with Bob: 1500 → 1437" in told.flat


def test_the_service_itself_tells_who_is_known(house: House) -> None:
    rated(house, "Ann", "Bob")
    rate(house)
    write(house, "ratings", "bob@example.org")
    assert "with Ann: 1500 → 1437" in house.last("Bob").flat
    write(house, "rating", "stranger@example.org")
    assert not house.all(select(OutboxMessage.id).where(OutboxMessage.recipient == "stranger@example.org"))


def finish(house: House, **terms: Any) -> str:
    """Begin a match and let the second player resign; the mails of that are not delivered yet."""
    match_id = house.start_match("martian-whist", 2, **terms)
    mail = house.last("Bob")
    house.reply(mail, "resign yes")
    run(house, update(Address).values(verified_at=NOON))
    return match_id


def test_the_last_mail_says_what_the_match_did_if_that_is_known_when_it_is_written(house: House) -> None:
    finish(house)
    rate(house)
    mail = house.last("Ann")
    assert "Thank you for playing. Your rating in Martian Whist: 1500 → 1563." in mail.flat
    assert "Your rating in Martian Whist: 1500 → 1437." in house.last("Bob").flat


def test_the_last_mail_does_not_wait_for_it_and_says_where_it_will_stand(house: House) -> None:
    finish(house)
    told = house.last("Ann").flat
    assert "What it does to your rating stands here in a minute" in told
    assert "http://127.0.0.1:8000/me/ratings" in told


def test_judging_the_end_of_a_match_asks_nothing_about_ratings(house: House) -> None:
    house.start_match("martian-whist", 2)
    mail = house.last("Bob")
    with statements(house.engine) as asked:
        house.reply(mail, "resign yes")
    assert asked
    assert not [one for one in asked if "rating_changes" in one or "FROM ratings" in one]


@pytest.mark.parametrize("terms", [{"rated": False}, {"public": False}])
def test_the_last_mail_of_a_match_that_is_not_rated_is_silent(house: House, terms: dict[str, bool]) -> None:
    finish(house, **terms)
    rate(house)
    assert "your rating" not in house.last("Ann").flat.lower()


def test_an_invitation_says_who_is_likelier_to_win_once_both_have_a_rating(house: House) -> None:
    house.make("martian-whist", 2)
    assert "By your ratings" not in house.last("Bob").flat
    for days in (1, 2):
        rated(house, "Bob", "Ann", days=days)
    rate(house)
    house.make("martian-whist", 2)
    assert "By your ratings it is about 80 to 20 for Bob." in house.last("Bob").flat
    house.make("martian-whist", 2, rated=False)
    assert "By your ratings" not in house.last("Bob").flat


def test_even_chances_are_said_without_a_name() -> None:
    assert wording.chances_sentence("Ann", 50) == "By your ratings it is about even."
    assert wording.chances_sentence("Ann", 70) == "By your ratings it is about 70 to 30 for Ann."


def test_chances_are_for_two_players_who_have_a_rating(house: House) -> None:
    rated(house, "Ann", "Bob", "Cyd", game="montauk")
    rate(house)
    three = house.make("middle-card", 3)
    with house.transaction() as ctx:
        assert standings.chances(ctx, ctx.session.get_one(Match, three)) is None


def test_ratings_are_known_by_address_and_not_by_name(house: House) -> None:
    rated(house, "Ann", "Bob")
    rate(house)
    run(house, update(Player).values(language="de"))
    run(house, update(Address).values(verified_at=None))
    write(house, "wertung", "ann@example.org")
    assert not house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "ratings"))
