"""Robots that answer robots: whatever they send, it comes to an end by itself."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.inbound.smtp_replies import MAIL_LOOP, OK
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import ServiceMail, Submission
from tests.support.house import House, address, reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import Mail

ROUNDS = 40


def answered_by(house: House, robot: Callable[[Mail, int], bytes], sender: str = "ann@example.org") -> int:
    """Answer every mail that a player gets, as a robot does; return how many it was sent after the first."""
    match_id = house.start_match("minimax", 1)
    waiting, heard = house.mails("Ann"), 0
    for number in range(ROUNDS):
        if not waiting:
            return heard
        mail = waiting.pop(0)
        house.send(robot(mail, number), mail.reply_to, sender)
        house.judge(match_id)
        more = house.mails("Ann")
        heard += len(more)
        waiting += more
    raise AssertionError(f"they went on after {heard} mails")


def away(mail: Mail, _number: int, *, said: str = "I am away until Monday.", **headers: str) -> bytes:
    return reply(mail, said, **headers).as_bytes()


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<a.example.org>"},
    ],
)
def test_a_robot_that_says_what_it_is_hears_nothing(house: House, headers: dict[str, str]) -> None:
    assert answered_by(house, lambda mail, number: away(mail, number, **headers)) == 0


def test_a_robot_that_sends_as_nobody_hears_nothing(house: House) -> None:
    assert answered_by(house, away, "") == 0


def test_a_robot_that_says_nothing_of_itself_hears_once_of_the_same(house: House) -> None:
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    assert answered_by(house, away) == 1


def test_a_robot_that_says_something_new_each_time_hears_five_times_a_day(house: House) -> None:
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    assert answered_by(house, lambda mail, number: away(mail, number, said=f"Ticket {number} was opened.")) == 5


def test_our_own_mail_that_comes_back_is_kept_and_nothing_comes_of_it(house: House) -> None:
    assert answered_by(house, lambda mail, _: mail.raw) == 0
    assert house.all(select(Submission.status)) == ["ignored"]


@pytest.mark.parametrize("lost", ["Message-ID", "From"])
def test_our_own_mail_is_known_again_by_what_is_left_of_it(house: House, lost: str) -> None:
    def stripped(mail: Mail, number: int) -> bytes:
        message = email.message_from_bytes(mail.raw, policy=email.policy.default)
        for name in ("Auto-Submitted", "X-Auto-Response-Suppress", "List-Id", "List-Unsubscribe", lost):
            del message[name]
        message[lost] = address("Ann") if lost == "From" else f"<{number}@elsewhere>"
        return message.as_bytes()

    assert answered_by(house, stripped) == 0
    assert house.all(select(Submission.status)) == ["ignored"]


@pytest.mark.parametrize("sender", ["games@games.localhost", "Postmaster@GAMES.localhost", "play+x@games.localhost"])
def test_mail_from_our_own_mailboxes_is_not_forwarded(house: House, sender: str) -> None:
    house = replace(house, config=replace(house.config, operator_email=address("Operator")))
    for number, author in enumerate((sender, "ann@example.org")):
        raw = f"From: {author}\nMessage-ID: <{number}@x>\n\nHello".encode()
        assert house.send(raw, "games@games.localhost", sender) == OK
    assert len(house.all(select(ServiceMail.id))) == 2
    assert house.mails("Operator") == []


def test_a_player_of_our_own_domain_is_a_player(house: House) -> None:
    house = replace(house, config=replace(house.config, mail_domain="example.org"))
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    assert house.match(match_id).log_length == 1


@pytest.mark.parametrize(("hops", "answer"), [(50, OK), (51, MAIL_LOOP)])
def test_a_mail_that_went_through_fifty_machines_is_taken_and_no_further_one(
    house: House, hops: int, answer: object
) -> None:
    raw = b"received: from a by b\r\n" * hops + b"From: a@x.org\r\n\r\nReceived: from c by d\r\n"
    assert house.send(raw, "games@games.localhost", "a@x.org") == answer
    assert MAIL_LOOP.code == 554
