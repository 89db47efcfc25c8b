"""A week by mail alone: who takes part, and what they hear before and after its end."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from itertools import count

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import Match, Player, ServiceMail
from pbem.play.inbox import service_mail
from pbem.states import MatchState, ServiceMailStatus
from tests.support.clockwork import at
from tests.support.house import House, Mail, address
from tests.support.play.weekly.weeks import (
    MONDAY,
    NEXT_MONDAY,
    begin_week,
    deal_set,
    enter,
    known_player,
    play,
    robot_match,
    run,
)

DAY = timedelta(days=1)
SERVICE = "games@games.localhost"
NUMBERS = count(1)


def write(house: House, name: str, text: str) -> None:
    """Write a mail to the service, and have it answered."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address(name), SERVICE, "The week"
    mail["Message-ID"] = f"<week.{next(NUMBERS)}@example.org>"
    mail.set_content(f"{text}\n")
    assert house.send(mail.as_bytes(), SERVICE, address(name)).code == 250
    pending = select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)
    for number in house.all(pending):
        with house.transaction() as ctx:
            service_mail.process(ctx, number, parse_mail)


def entries_of(house: House) -> list[Match]:
    return house.all(select(Match).where(Match.set_id == deal_set(house).id, Match.set_place > 1))


def test_one_word_begins_the_match_and_its_first_mail_is_the_answer(house: House) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with at(MONDAY):
        write(house, "Ann", "weekly")
        mail = house.only("Ann")
        assert "Your match of Minimax has begun. It is your turn." in mail.flat
        assert mail.headers["In-Reply-To"]
        house.reply(mail, "#1")
    (match,) = entries_of(house)
    assert match.next_ply == 2


@pytest.mark.parametrize("word", ["woche", "Rad der Woche"])
def test_it_has_german_words(house: House, word: str) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    with at(MONDAY):
        write(house, "Ann", word)
    assert len(entries_of(house)) == 1


def test_asked_again_it_says_how_one_stands(house: House) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with at(MONDAY):
        write(house, "Ann", "weekly")
        turn = house.only("Ann")
    with at(MONDAY + timedelta(minutes=1)):
        house.reply(turn, "weekly")
        assert "Your match is under way. It counts if you finish it before Monday," in house.last("Ann").flat
    points = play(house, entries_of(house)[0].id, MONDAY + DAY)
    with at(MONDAY + DAY):
        house.mails("Ann")
        write(house, "Ann", "weekly")
        assert f"You made {points} points. The table comes on Monday," in house.only("Ann").flat
    assert len(entries_of(house)) == 1


def test_one_enters_the_next_week_with_a_text_for_its_deal(house: House) -> None:
    run(house, MONDAY - DAY)
    known_player(house, "Ann")
    with at(MONDAY - DAY):
        write(house, "Ann", "weekly next  two  blanks ")
        assert "You take part. The wheel is dealt on Monday," in house.only("Ann").flat
    (match,) = entries_of(house)
    assert house.match_seats(match.id)[0].entropy


def test_a_newcomer_is_asked_at_their_address_first(house: House) -> None:
    begin_week(house)
    with at(MONDAY):
        write(house, "Ann", "weekly")
        invitation = house.only("Ann")
        assert [match.state for match in entries_of(house)] == [MatchState.INVITING]
        house.reply(invitation, "accept")
        assert "Your match of Minimax has begun" in house.last("Ann").flat


def test_a_second_account_with_the_same_mailbox_hears_why_not(house: House) -> None:
    begin_week(house)
    enter(house, "Ann")
    known_player(house, "Ann+two")
    with at(MONDAY):
        write(house, "Ann+two", "weekly")
        assert "Somebody with your mail address takes part already" in house.only("Ann+two").flat


def test_all_who_took_part_are_mailed_the_table(house: House) -> None:
    begin_week(house)
    matches = {name: enter(house, name) for name in ("Ann", "Bob", "Cyd")}
    points = [play(house, matches[name], MONDAY + DAY) for name in ("Ann", "Bob")]
    par = play(house, robot_match(house), MONDAY + DAY)
    for name in matches:
        house.mails(name)
    run(house, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        ann, cyd = house.only("Ann"), house.only("Cyd")
    assert f"You made {points[0]} points. You share place 1 of 2." in ann.flat
    assert f"Par is {par}: what the strong robot made." in ann.flat
    assert f"http://127.0.0.1:8000/matches/{matches['Ann']}/replay" in ann.text
    assert "http://127.0.0.1:8000/weekly/40" in ann.text
    assert "You did not finish your match in time" in cyd.flat


def test_the_table_is_mailed_once(house: House) -> None:
    begin_week(house)
    enter(house, "Ann")
    house.mails("Ann")
    for hours in range(3):
        run(house, NEXT_MONDAY + timedelta(hours=hours))
    with at(NEXT_MONDAY + DAY):
        assert len(house.mails("Ann")) == 1


def subscribed(house: House, name: str) -> Mail:
    """Ask for the mail of each Monday, and return that of this one."""
    run(house, MONDAY - DAY)
    known_player(house, name)
    with at(MONDAY - DAY):
        write(house, name, "weekly on")
        assert "From now on you get a mail each Monday" in house.only(name).flat
    run(house, MONDAY)
    with at(MONDAY):
        return house.only(name)


def test_who_wishes_it_hears_that_a_week_has_begun(house: House) -> None:
    known_player(house, "Bob")
    mail = subscribed(house, "Ann")
    assert "The Minimax of the week 40 has begun: everybody plays the same wheel." in mail.flat
    assert house.mails("Bob") == []
    with at(MONDAY):
        write(house, "Ann", "weekly off")
        assert "You get no more mail when a week begins." in house.only("Ann").flat
    run(house, NEXT_MONDAY)
    assert house.mails("Ann") == []


def test_that_mail_can_be_stopped_by_one_click(house: House) -> None:
    mail = subscribed(house, "Ann")
    assert mail.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail.headers["List-Unsubscribe"].strip("<>") in mail.text


def test_who_takes_part_already_gets_the_first_turn_instead(house: House) -> None:
    run(house, MONDAY - DAY)
    known_player(house, "Ann")
    with at(MONDAY - DAY):
        write(house, "Ann", "weekly on")
        write(house, "Ann", "weekly next")
        assert len(house.mails("Ann")) == 2
    run(house, MONDAY)
    with at(MONDAY):
        assert "It is your turn" in house.only("Ann").flat


def test_the_first_mail_says_what_the_match_is_part_of(house: House) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with at(MONDAY):
        write(house, "Ann", "weekly")
        turn = house.only("Ann").flat
        write(house, "Bob", "weekly")
        invitation = house.only("Bob").flat
    for mail in (turn, invitation):
        assert "It is the Minimax of the week 40: everybody plays the same wheel." in mail
        assert "No sowing can be taken back until then." in mail
        assert "text for the deal" not in mail
        assert "The match is public" not in mail


def test_the_last_mail_says_when_the_table_comes(house: House) -> None:
    begin_week(house)
    match = enter(house, "Ann")
    with at(MONDAY):
        house.mails("Ann")
    play(house, match, MONDAY + DAY)
    with at(MONDAY + DAY):
        mail = house.only("Ann")
    assert "Others still play the wheel of the week. Its table is there on Monday," in mail.flat
    assert f"/matches/{match}" not in mail.text
