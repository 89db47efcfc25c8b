"""Looking back by mail: one mail to each who asks, when the robot is done, and never unasked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Match, OutboxMessage, Player
from pbem.pictures.png import png
from pbem.play.analysis import looking_back, looking_back_chart, looking_back_mails, requests
from pbem.play.analysis.requests import MAX_PER_DAY
from pbem.play.matches import share_keys
from pbem.play.matches.seats import holders
from pbem.robots.analyses import LOOKING_BACK
from tests.support.play.analysis.facts import facts, turning_point
from tests.support.play.analysis.looking_back import editions, finish, looked_back, robot_looks_back
from tests.support.play.core.rate_limits import counting
from tests.support.web.matches.replay import finished, play

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["counting", "robot_looks_back"]

pytestmark = pytest.mark.usefixtures("robot_looks_back")

SOON = "A robot looks back at your match of Montauk now. We will mail you what it finds."
FOUND = "This is what a robot found when it looked back at your match of Montauk."


def test_who_asks_is_answered_at_once_and_mailed_when_it_is_done(house: House) -> None:
    match_id = finished(house)
    final = house.last("Ann")
    said = house.reply(final, "look back")
    soon = house.only("Ann")
    assert SOON in soon.flat
    assert soon.message["In-Reply-To"] == said
    house.mails("Bob")
    finish(house, match_id, facts(4, turning_points=[turning_point(2, 2), turning_point(3, 1)]))
    mail = house.only("Ann")
    assert house.mails("Bob") == []
    assert mail.message["In-Reply-To"] == said
    assert FOUND in mail.flat
    assert "Ann: 50 after the deal, 100 at the end, in between from 50 to 100." in mail.flat
    assert mail.flat.index("Your turning points: * Move 3") < mail.flat.index("Bob’s turning points: * Move 2")
    assert mail.flat.index("You began with 50 of 100.") < mail.flat.index("Bob began with 50 of 100.")
    assert f"/matches/{match_id}/replay#looking-back" in mail.text
    assert f"/matches/{match_id}/fork?step=2" in mail.text


def test_the_mail_names_the_words_that_are_of_use_after_the_end(house: House) -> None:
    match_id = finished(house)
    looked_back(house, match_id)
    house.reply(house.last("Ann"), "look back")
    words = "help, rules, rematch, replay, look back, par"
    assert f"You may also reply with one word: {words}." in house.only("Ann").flat


def test_each_who_asks_gets_one_mail(house: House) -> None:
    match_id = finished(house)
    mails = {name: house.last(name) for name in ("Ann", "Bob")}
    house.reply(mails["Ann"], "look back")
    house.reply(mails["Ann"], "Rückblick")
    house.reply(mails["Bob"], "look back")
    assert [SOON in mail.flat for mail in house.mails("Ann")] == [True, True]
    assert SOON in house.only("Bob").flat
    finish(house, match_id, facts())
    for name in ("Ann", "Bob"):
        assert FOUND in house.only(name).flat
    assert editions(house, match_id) == [1]


def test_what_was_found_already_is_in_the_answer(house: House) -> None:
    match_id = finished(house)
    looked_back(house, match_id, facts(turning_points=[]))
    house.reply(house.last("Bob"), "look back")
    mail = house.only("Bob")
    assert FOUND in mail.flat
    assert "No move lost more than chance could explain." in mail.flat
    assert "Play on before" not in mail.flat


@pytest.mark.drawn
def test_the_chart_is_a_picture(house: House) -> None:
    match_id = finished(house)
    looked_back(house, match_id)
    house.reply(house.last("Ann"), "look back")
    mail = house.only("Ann")
    (picture,) = (part for part in mail.message.walk() if part.get_content_type() == "image/png")
    drawn = looking_back_chart.draw(looking_back.read(facts(), {}), ("Ann", "Bob"), 1)
    assert picture.get_payload(decode=True) == png(drawn)
    assert 'alt="Ann: 50 after the deal, 100 at the end' in mail.html


def test_a_private_match_is_linked_with_its_key(house: House) -> None:
    match_id = finished(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(public=False))
    house.reply(house.last("Ann"), "look back")
    house.mails("Ann")
    finish(house, match_id, facts())
    key = share_keys.shared_key(house.match(match_id))
    text = house.only("Ann").text
    assert f"/replay?key={key}#looking-back" in text
    assert f"/fork?key={key}&step=1" in text


def test_failing_is_mailed_and_may_be_asked_for_again(house: House) -> None:
    match_id = finished(house)
    final = house.last("Ann")
    house.reply(final, "look back")
    house.mails("Ann")
    finish(house, match_id, None)
    mail = house.only("Ann")
    assert "The robot could not look back at this match. To ask again, reply “look back”." in mail.flat
    house.reply(final, "look back")
    assert SOON in house.only("Ann").flat
    finish(house, match_id, facts())
    assert FOUND in house.only("Ann").flat


def test_a_mail_is_not_held_for_ever(house: House) -> None:
    finished(house)
    house.reply(house.last("Ann"), "look back")
    house.mails("Ann")
    (due_at,) = house.all(select(OutboxMessage.due_at).where(OutboxMessage.kind == looking_back_mails.KIND))
    with house.transaction() as ctx:
        assert due_at <= ctx.now + looking_back_mails.MAX_HOLD
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    assert "The robot could not look back at this match." in house.only("Ann").flat


def test_a_running_match_is_not_looked_back_at(house: House) -> None:
    match_id = house.start_match("montauk", 2, {"rounds": 1})
    play(house, match_id, 1)
    looked_back(house, match_id)
    house.reply(house.last("Ann"), "look back")
    mail = house.only("Ann")
    assert "This one still runs." in mail.flat
    assert "began with" not in mail.flat


def test_a_limit_says_when_to_ask_again(house: House, counting: House) -> None:
    others = [finished(house) for _ in range(MAX_PER_DAY[LOOKING_BACK])]
    finished(house)
    final = house.last("Ann")
    strict = replace(counting, config=replace(counting.config, limits=DEFAULT_RATE_LIMITS))
    with strict.transaction() as ctx:
        for match_id in others:
            match = ctx.session.get_one(Match, match_id)
            requests.ask(ctx, match, LOOKING_BACK, holders(ctx, match)[0].player_id)
    strict.reply(final, "look back")
    text = house.only("Ann").flat
    assert "No robot looked back at your match." in text
    assert "on you can ask again." in text


def test_it_is_asked_for_and_answered_in_german(house: House) -> None:
    match_id = finished(house)
    final = house.last("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    house.reply(final, "zurückblicken")
    house.mails("Ann")
    finish(house, match_id, facts())
    mail = house.only("Ann")
    assert "Deine Wendepunkte: * Zug 2: 7H hielt 62 von 100, JS hätte 78 gehalten." in mail.flat
    assert "Du hast mit 50 von 100 begonnen." in mail.flat
    assert "dein Spiel +38,7" in mail.flat
