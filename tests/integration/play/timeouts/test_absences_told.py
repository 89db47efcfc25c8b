"""Being away, said by mail; what the table is told, and what else knows of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import LogEntry, OutboxMessage, Player
from pbem.play.accounts import data_export, deletion, merge
from pbem.play.clocks import clock_pauses
from pbem.play.clocks.calculation import DAY
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from pbem.play.players import registry
from pbem.play.timeouts import absence_mail, absences
from pbem.play.upkeep import deadline_tasks
from pbem.states import MatchState
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, address
from tests.support.play.lobby.request_parser import write
from tests.support.play.timeouts.absences import HOUR, NOW, YEAR, in_november, known, spans
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["in_november"]


# -- what the table is told ------------------------------------------------------------------------


def test_the_others_are_told_until_which_day_and_nothing_of_the_zone(house: House) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    mover, other = NAMES[seat - 1], NAMES[2 - seat]
    mail = house.last(mover)
    with known(house, name=other, time_zone="Pacific/Auckland") as (table, player):
        absences.start(table, player, DateRange(None, date(2026, 12, 2)))
    house.reply(mail, "board")
    told = house.only(mover).flat
    assert f"{other} is away until Wednesday, 2 December 2026." in told
    assert "Auckland" not in told
    house.mails(other)
    house.reply(next(one for one in reversed(house.every_mail) if one.name == other), "board")
    assert "is away until" not in house.only(other).flat
    assert house.match(match_id).state == MatchState.RUNNING


def test_nobody_is_told_that_they_are_away_themselves(house: House) -> None:
    match_id = running(house)
    with known(house, name="Bob") as (table, bob):
        absences.start(table, bob, DateRange(None, date(2026, 12, 2)))
        match, names = lock_match(table, match_id), ("Ann", "Bob")
        (sentence,) = clock_pauses.describe_absences(table, match, names, you=1)
        assert sentence.startswith("Bob is away until")
        assert clock_pauses.describe_absences(table, match, names, you=2) == []
        assert clock_pauses.describe_absences(table, match, names) == [sentence]


# -- by mail ---------------------------------------------------------------------------------------


def test_away_and_back_are_said_in_reply_to_any_mail(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Berlin"))
    with at(NOW):
        said = house.reply(mail, "away until 17 Dec")
        answer = house.only("Ann")
        assert answer.message["In-Reply-To"] == said
        assert answer.message["Subject"] == "Your absence"
        assert "You are away from Tue 24 Nov 2026, 13:00" in answer.flat
        assert "until Fri 18 Dec 2026, 00:00." in answer.flat
        assert "You have 6 days of absence left in 2026." in answer.flat
    with at(NOW + 2 * DAY):
        house.reply(mail, "back")
        answer = house.only("Ann")
        assert "Your clocks run again from Thu 26 Nov 2026, 13:00" in answer.flat
        assert "You have 28 days of absence left in 2026." in answer.flat
        house.reply(mail, "back")
        assert "Nothing changed: you were not away." in house.only("Ann").flat
        house.reply(mail, "away 24 Dec - 26 Dec")
        assert "until Sun 27 Dec 2026, 00:00" in house.only("Ann").flat
        house.reply(mail, "back")
        assert "Your absence is cancelled." in house.only("Ann").flat
    assert house.match(match_id).log_length == 0


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("away", "Write for how long, such as “away until 17 Aug”"),
        ("away we go", "Write for how long"),
        ("away until 31 Feb", "“31 feb” is not a valid date."),
        ("away until 17 Nov", "an absence cannot be in the past"),
        ("away 40 days", "at most 30 days"),
    ],
)
def test_a_mail_that_cannot_be_followed_is_answered_with_the_reason(house: House, typed: str, sentence: str) -> None:
    house.start_match("minimax", 1)
    with at(NOW):
        house.reply(house.last("Ann"), typed)
        assert sentence in house.only("Ann").flat
    assert spans(house) == []


def test_no_more_is_answered_than_so_much_a_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence_mail, "MAX_ANSWERS_PER_DAY", 1)
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, "back")
    assert "you were not away" in house.only("Ann").flat
    house.reply(mail, "away 2 days")
    assert house.mails("Ann") == []
    assert len(spans(house)) == 1


def test_german_words_are_understood_and_answered_in_german(house: House) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    with at(NOW):
        house.reply(mail, "Abwesend bis 17. Dezember")
        assert "Fr. 18. Dez. 2026, 00:00" in house.only("Ann").flat
    with at(NOW + HOUR):
        house.reply(mail, "zurück")
        assert "Willkommen zurück" in house.only("Ann").flat


def test_a_letter_to_the_service_says_it_too(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    write(house, "away until 17 Dec")
    assert "You are away from Tue 24 Nov 2026, 12:00 UTC" in house.only("Ann").flat
    with at(NOW + HOUR):
        write(house, "back")
        assert "Welcome back!" in house.only("Ann").flat
        write(house, "back")
        assert "you were not away" in house.only("Ann").flat


def test_a_letter_that_others_may_have_written_does_nothing(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy="token+from+aligned"))
    write(house, "away until 17 Dec")
    assert "We cannot tell whether this mail is yours" in house.only("Ann").flat
    assert spans(house) == []
    write(house, "away until 17 Dec", sender="mallory@example.net")
    assert house.mails("Mallory") == []


# -- what else knows of it -------------------------------------------------------------------------


def test_an_account_that_becomes_part_of_another_brings_its_absences(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(None, count=3))
        bob = registry.get_or_create(table, {address("Bob"): "Bob"})[address("Bob")]
        merge.merge(table, ann, bob)
        assert absences.days_left(table, bob) == YEAR - 3


def test_an_export_holds_them_and_whoever_leaves_takes_them_along(house: House) -> None:
    with known(house, quiet_from=1, quiet_until=5, auto_vacation=False) as (table, ann):
        absences.start(table, ann, DateRange(None, count=3))
        (absence,) = data_export.build(table, ann.id)["absences"]
        begin, end = "2026-11-24T12:00:00.000Z", "2026-11-27T12:00:00.000Z"
        assert absence == {"reason": "away", "started_at": begin, "ended_at": end, "automatic": False}
        deletion.delete(table, ann)
        assert (ann.quiet_from, ann.quiet_until, ann.auto_vacation) == (22, 8, True)
    assert spans(house) == []


def test_no_player_is_mailed_more_than_once_however_often_the_clock_looks(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    moment = due(house) + CLOCK_DELAY
    for _ in range(3):
        tick(house, moment)
        with house.transaction(moment) as ctx:
            deadline_tasks.run_match(ctx, match_id, lambda _: pytest.fail("there is nothing to read"))
    kinds = house.all(select(OutboxMessage.kind).where(OutboxMessage.kind.in_(("vacation", "vacation taken"))))
    assert sorted(kinds) == ["vacation", "vacation taken"]
    assert house.all(select(LogEntry.event).where(LogEntry.event.is_not(None))) == []
