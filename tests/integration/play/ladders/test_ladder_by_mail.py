"""A ladder played by mail alone."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LadderChallenge
from pbem.states import ChallengeState
from tests.support.clockwork import at
from tests.support.play.events.entering import person
from tests.support.play.ladders.climbing import (
    DAY,
    OPENED,
    challenge,
    climb,
    end_match,
    found_challenge,
    ladder_matches,
    mail_kinds,
    order,
    run_steps,
)
from tests.support.play.ladders.letters import answer, mailed, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tests.support.house import House, Mail


@pytest.fixture(autouse=True)
def kept_mails(house: House) -> Iterator[None]:
    """Keep the mails of a test as text in the folder that LADDER_MAILS names, to look at them."""
    yield
    if folder := os.environ.get("LADDER_MAILS"):
        for number, mail in enumerate(house.every_mail):
            name = f"{number:03} {mail.name} {mail.headers['Subject']}".replace("/", " ")
            Path(folder, f"{name}.txt").write_text(mail.text, encoding="utf-8")


def said(mail: Mail | None) -> str:
    assert mail is not None
    return mail.flat


def known(house: House, *people: str) -> None:
    with house.transaction(OPENED) as ctx:
        for name in people:
            person(ctx, name)


def test_three_people_play_a_ladder_by_mail_alone(house: House) -> None:
    run_steps(house, OPENED)
    known(house, "Ann", "Bob", "Cleo")
    assert "Martian Whist: nobody yet." in said(write(house, OPENED, "Ann", "ladders"))
    assert "Your place is 1 of 1." in said(write(house, OPENED, "Ann", "enter ladder whist"))
    assert "Your place is 2 of 2." in said(write(house, OPENED, "Bob", "Enter ladder Martian Whist"))
    listed = said(write(house, OPENED, "Cleo", "enter ladder whist"))
    assert "1. Ann (you can challenge)" in listed
    assert "3. Cleo (you)" in listed

    # Cleo challenges the first; Ann accepts in reply, and loses.
    sent = said(write(house, OPENED + DAY, "Cleo", "challenge 1 whist"))
    assert "You have challenged Ann for place 1 on the ladder of Martian Whist." in sent
    asked = mailed(house, OPENED + DAY, "Ann")
    assert "Cleo challenges you for place 1 on the ladder of Martian Whist. Their place is 3." in asked.flat
    assert "You have accepted Cleo’s challenge" in "".join(
        one.flat for one in answered(house, OPENED + 2 * DAY, asked, "accept")
    )
    (match,) = ladder_matches(house)
    end_match(house, match.id, OPENED + 5 * DAY, loser="Ann")
    run_steps(house, OPENED + 5 * DAY)
    result = mailed(house, OPENED + 5 * DAY, "Ann").flat
    assert "You lost your match with Cleo on the ladder of Martian Whist." in result
    assert "Cleo: place 1, before 3" in result
    assert "Ann: place 2, before 1" in result
    assert order(house) == ["Cleo", "Ann", "Bob"]

    # Bob challenges by name; Ann declines once, and does not answer the second time.
    write(house, OPENED + 6 * DAY, "Bob", "challenge ann whist")
    declined = said(answer(house, OPENED + 7 * DAY, mailed(house, OPENED + 6 * DAY, "Ann"), "no"))
    assert "You have declined Bob’s challenge" in declined
    assert "No place changes." in declined
    write(house, OPENED + 37 * DAY, "Bob", "challenge 2")
    run_steps(house, OPENED + 41 * DAY)
    assert "Bob still waits for your answer" in news(house, OPENED + 41 * DAY, "Ann")
    run_steps(house, OPENED + 42 * DAY)
    lapsed = news(house, OPENED + 42 * DAY, "Ann")
    assert "You have not answered Bob’s challenge" in lapsed
    assert "Your place is 3 now." in lapsed
    assert order(house) == ["Cleo", "Bob", "Ann"]

    # Nobody plays: all are asked, then off, but for those who leave.
    assert "Do you want to stay?" in news(house, OPENED + 42 * DAY, "Cleo")
    assert "You have left the ladder" in said(write(house, OPENED + 43 * DAY, "Ann", "leave ladder whist"))
    run_steps(house, OPENED + 50 * DAY)
    assert order(house) == []
    assert "you have played no match there for 45 days" in news(house, OPENED + 50 * DAY, "Cleo")


def news(house: House, moment: datetime, name: str) -> str:
    """Return the text of all new mails of somebody."""
    with at(moment):
        return " ".join(one.flat for one in house.mails(name))


def answered(house: House, moment: datetime, mail: Mail, text: str) -> list[Mail]:
    """Reply to a mail, and return all that its writer has been mailed since."""
    before = len(house.every_mail)
    answer(house, moment, mail, text)
    return [one for one in house.every_mail[before:] if one.name == mail.name]


def test_a_challenger_takes_a_challenge_back_by_mail(house: House) -> None:
    climb(house)
    sent = write(house, OPENED, "Cleo", "challenge Bob whist")
    assert sent is not None
    assert "You have taken back your challenge to Bob" in said(answer(house, OPENED + DAY, sent, "take back"))
    assert "Cleo has taken back the challenge to you" in mailed(house, OPENED + DAY, "Bob").flat


def test_an_answer_that_replies_to_no_mail_is_to_the_only_challenge(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Bob", OPENED)
    write(house, OPENED, "Bob", "accept")
    assert found_challenge(house, number).state == ChallengeState.ACCEPTED


def test_an_answer_to_one_of_several_needs_the_mail_of_it(house: House) -> None:
    climb(house)
    first, _second = challenge(house, "Cleo", "Bob", OPENED), challenge(house, "Dan", "Bob", OPENED)
    with at(OPENED):
        (mail,) = [one for one in house.mails("Bob") if "Cleo challenges" in one.flat]
    assert "Several challenges wait" in said(write(house, OPENED, "Bob", "accept"))
    answer(house, OPENED, mail, "yes")
    assert found_challenge(house, first).state == ChallengeState.ACCEPTED
    assert "no longer waits for an answer" in said(answer(house, OPENED, mail, "accept"))


def test_a_word_of_an_answer_without_a_challenge_is_explained_as_before(house: House) -> None:
    climb(house)
    assert "reply with it to a mail of that match" in said(write(house, OPENED, "Bob", "accept"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("enter ladder trickery", "Martian Trickery has no ladder: a challenge is between two players."),
        ("enter ladder chess", "Unknown game “chess”"),
        ("enter ladder whist", "You have already entered."),
        ("leave ladder montauk", "You are not on this ladder."),
        ("challenge Nemo whist", "Nobody on this ladder is called “Nemo”"),
        ("challenge 6 whist", "Fred is below you."),
        ("challenge 1 montauk", "Nobody on this ladder is called “1”"),
    ],
)
def test_what_cannot_be_done_is_answered_with_the_reason(house: House, line: str, why: str) -> None:
    climb(house)
    assert why in said(write(house, OPENED, "Bob", line))


def test_a_ladder_can_be_looked_at_by_those_who_are_not_on_it(house: House) -> None:
    climb(house)
    challenge(house, "Cleo", "Bob", OPENED)
    known(house, "Zoe")
    listed = said(write(house, OPENED, "Zoe", "ladder whist"))
    assert "6 players are on the ladder of Martian Whist." in listed
    assert "Cleo has challenged Bob, who can answer until" in listed
    assert "(you" not in listed
    assert "enter ladder martian-whist" in listed
    assert "Nobody is on the ladder of Montauk yet." in said(write(house, OPENED, "Zoe", "ladder montauk"))


def test_the_list_has_ones_own_places_and_the_ladder_the_matches_that_are_played(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Bob", OPENED)
    write(house, OPENED, "Bob", "accept")
    assert found_challenge(house, number).match_id
    assert "Martian Whist: 6 players; Ann is first. Your place is 2." in said(write(house, OPENED, "Bob", "ladder"))
    assert "Cleo and Bob: they play now." in said(write(house, OPENED, "Bob", "ladder whist"))


def test_a_mail_that_proves_nothing_does_nothing(house: House) -> None:
    climb(house)
    strict = replace(house, config=replace(house.config, allow_anonymous=False))
    assert "Nothing was done." in said(write(strict, OPENED, "Cleo", "challenge Bob whist"))
    assert house.all(select(LadderChallenge)) == []
    number = challenge(house, "Cleo", "Bob", OPENED)
    assert "Nothing was done." in said(write(strict, OPENED, "Bob", "accept"))
    assert found_challenge(house, number).state == ChallengeState.OFFERED
    assert "6 players are on the ladder" in said(write(strict, OPENED, "Bob", "ladder whist"))


def test_commands_about_ladders_work_in_reply_to_a_match(house: House) -> None:
    climb(house)
    house.start_match("montauk", 2, mailed=True)
    house.reply(house.last("Ann"), "ladder whist")
    assert mail_kinds(house, "Ann") == ["ladder"]


def test_a_challenge_by_mail_is_made_once(house: House) -> None:
    climb(house)
    write(house, OPENED, "Cleo", "challenge Bob whist")
    assert "one challenge out" in said(write(house, OPENED, "Cleo", "challenge Ann whist"))
    assert len(house.all(select(LadderChallenge))) == 1
