"""Letters to the service in somebody's name: a forged From does nothing, and asks only its owner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import ClockPause, Match, Player, SeatHolder, ServiceMail
from pbem.play.inbox import service_mail
from pbem.play.lobby import request_parser
from pbem.play.submissions.sender_policy import ALIGNED, FROM, MAX_QUESTIONS_PER_DAY, POLICIES, TOKEN
from pbem.states import ServiceMailStatus
from tests.support.house import NUMBERS
from tests.support.play.lobby.request_parser import TO, made, verified
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House

OURS = "mx.games.localhost"
PASS = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org"
FAIL = f"Authentication-Results: {OURS}; dmarc=fail header.from=example.org"


@pytest.fixture(params=[False, True], ids=["closed", "open"])
def at_home(house: House, request: pytest.FixtureRequest) -> House:
    """A house that others can write to, and one that they cannot; Ann and Bob are known to it."""
    verified(house, "Ann", "Bob")
    return replace(house, config=replace(house.config, allow_anonymous=request.param))


def write(house: House, typed: str, *above: str, answers: str = "<nobody@example.net>", sender: str = "ann") -> None:
    """Write to the service itself in somebody's name, as our own mail server hands it on."""
    rows = (
        *above,
        f"Received: from mail.example.org by {OURS}; Sat, 21 Nov 2026 10:00:00 +0000",
        f"From: {sender}@example.org",
        f"Message-ID: <{next(NUMBERS)}.forged@example.net>",
        f"In-Reply-To: {answers}",
    )
    raw = "\n".join([*rows, "", typed, ""]).encode()
    assert house.send(raw, TO, f"{sender}@example.org").code == 250
    for number in house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)):
        with house.transaction() as ctx:
            service_mail.process(ctx, number, lambda raw: parse_mail(raw, server=OURS))


def absences(house: House) -> int:
    return len(house.all(select(ClockPause.id)))


def closed(house: House) -> bool:
    return not house.config.allow_anonymous


@pytest.mark.parametrize("policy", POLICIES)
def test_from_alone_takes_nobody_away_where_others_can_write(at_home: House, policy: str) -> None:
    with at_home.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy=policy))
    write(at_home, "away 5 days", FAIL)
    assert absences(at_home) == 0
    asked = at_home.only("Ann")
    assert "so nothing was done" in asked.flat
    write(at_home, "away 5 days")
    acts = not closed(at_home) and policy != ALIGNED
    assert absences(at_home) == acts
    answered = at_home.only("Ann")
    assert ("You are away from" in answered.flat) == acts
    write(at_home, "away 5 days", PASS, answers="")
    assert absences(at_home) == 1


@pytest.mark.parametrize("state", ["running", "over"])
def test_an_answer_to_a_mail_that_may_have_been_passed_on_shows_nothing(house: House, state: str) -> None:
    verified(house, "Ann", "Bob")
    at_home = replace(house, config=replace(house.config, allow_anonymous=False))
    at_home.start_match("minimax", 1)
    mail = at_home.last("Ann")
    if state == "over":
        at_home.reply(mail, "resign yes")
        mail = at_home.last("Ann")
    write(at_home, "away 5 days", answers=mail.message["Message-ID"])
    assert absences(at_home) == (state == "running")


@pytest.mark.parametrize("policy", [TOKEN, FROM])
def test_an_answer_to_the_mail_that_asks_says_it_was_theirs(at_home: House, policy: str) -> None:
    if not closed(at_home):
        return
    with at_home.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy=policy))
    write(at_home, "away 5 days")
    asked = at_home.only("Ann").message["Message-ID"]
    write(at_home, "away 5 days", sender="bob", answers=asked)
    assert absences(at_home) == 0
    assert "reply to this one with the same line" in at_home.only("Bob").flat
    write(at_home, "away 5 days", FAIL, answers=asked)
    assert absences(at_home) == 0
    write(at_home, "away 5 days", answers=asked)
    assert absences(at_home) == 1
    away = at_home.last("Ann")
    assert "reply “back”" in away.flat
    write(at_home, "back", answers=away.message["Message-ID"])
    assert "so nothing was done" not in at_home.only("Ann").flat


def test_who_wants_our_servers_word_is_not_told_to_answer(at_home: House) -> None:
    with at_home.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy=ALIGNED))
    write(at_home, "back")
    asked = at_home.only("Ann")
    assert "so nothing was done. Please use the page." in asked.flat
    write(at_home, "away 5 days", answers=asked.message["Message-ID"])
    assert absences(at_home) == 0


def test_nobody_is_asked_more_than_three_times_a_day_whether_mails_were_theirs(at_home: House) -> None:
    for name in ("Ann", "Bob"):
        with at_home.transaction() as ctx:
            ctx.session.execute(update(Player).where(Player.name == name).values(mail_policy=ALIGNED))
    at_home.start_match("martian-whist", 2)
    (turn,) = (mail for mail in at_home.mails("Ann") if "Reply with your move" in mail.flat)
    at_home.mails("Bob")
    for number in range(2):
        write(at_home, f"away {number + 1} days")
        write(at_home, "come back")
        at_home.reply(turn, "take 1", sender="someone@example.org")
    assert len(at_home.mails("Ann")) == MAX_QUESTIONS_PER_DAY == 3
    write(at_home, "away 1 day", sender="bob")
    assert "so nothing was done" in at_home.only("Bob").flat


def test_a_match_in_somebodys_name_is_asked_of_them_first(at_home: House) -> None:
    write(at_home, "new whist with bob@example.org")
    told = at_home.only("Ann")
    assert ("Accept to begin it." in told.flat) == closed(at_home)
    assert bool(at_home.mails("Bob")) != closed(at_home)
    if closed(at_home):
        at_home.reply(told, "accept")
        assert "Ann (ann@example.org) invites you" in at_home.only("Bob").flat


def test_what_is_asked_for_in_their_name_uses_up_nothing_of_theirs(
    at_home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_parser, "MAX_MATCHES_PER_DAY", 2)
    monkeypatch.setattr(request_parser, "MAX_UNVERIFIED_PER_DAY", 2)
    monkeypatch.setattr(service_mail, "MAX_REFUSALS_PER_DAY", 1)
    monkeypatch.setattr(service_mail, "MAX_ANSWERS_PER_DAY", 1)
    for _ in range(4):
        write(at_home, "new minimax", FAIL)
        write(at_home, "list", FAIL)
    assert len(made(at_home, "minimax")) == 2
    told = [mail.flat for mail in at_home.mails("Ann")]
    assert sum("A match of Minimax waits for you." in each for each in told) == 2
    assert sum("2 matches were requested in your name today." in each for each in told) == 1
    assert len(told) == 4
    write(at_home, "list", PASS)
    assert at_home.only("Ann").message["Subject"] == "Your matches"
    write(at_home, "new minimax", PASS)
    write(at_home, "new minimax", PASS)
    assert len(made(at_home, "minimax")) == 4


def test_a_seat_is_given_to_nobody_in_whose_name_others_may_have_asked(at_home: House) -> None:
    match_id = opened(at_home, name="Cyd")
    write(at_home, f"join {match_id[:5]}", sender="bob")
    taken = SeatHolder.match_id == match_id, SeatHolder.email == "bob@example.org"
    assert len(at_home.all(select(SeatHolder.id).where(*taken))) != closed(at_home)
    write(at_home, "take over zzzzz")
    refused = at_home.last("Ann").flat
    assert ("reply to this one with the same line" in refused) == closed(at_home)


def test_what_only_tells_somebody_of_their_own_matches_goes_to_them(at_home: House) -> None:
    for word, subject in (("list", "Your matches"), ("help", "What you can write here"), ("lobby", "Open tables")):
        write(at_home, word)
        assert at_home.only("Ann").message["Subject"] == subject
    assert at_home.all(select(Match.state).where(Match.game != "middle-card")) == []
