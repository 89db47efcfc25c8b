"""Tables that wait: what is due when, what is told to whom, and that nothing is told twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import LogEntry, Match, OutboxMessage, SeatHolder
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import table_expiry
from pbem.play.lobby.table_expiry import DueAction, due_action
from pbem.play.matches.seats import holders
from pbem.play.players import unsubscribes
from pbem.states import MatchState
from tests.support.house import address
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House

MADE = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "told", "expected"),
    [
        (0, None, None),
        (2.99, None, None),
        (3, None, DueAction.REMIND),
        (6.99, 3, None),
        (6.99, 4, None),
        (7, 3, DueAction.REMIND),
        (7, 6.99, DueAction.REMIND),
        (7, 7, None),
        # A service that slept tells only once.
        (12, None, DueAction.REMIND),
        (20.99, 12, None),
        (20.99, None, DueAction.REMIND),
        (21, 12, DueAction.END),
        (400, None, DueAction.END),
    ],
)
def test_what_is_due_follows_from_when_a_table_was_made(
    days: float, told: float | None, expected: DueAction | None, house: House
) -> None:
    told_at = None if told is None else MADE + timedelta(days=told)
    now = MADE + timedelta(days=days)
    assert due_action(MADE, told_at, now) is expected
    # What the database is asked for is what is due.
    match_id = house.make("middle-card", 3, creator=1)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        match.created_at, match.host_reminded_at = MADE, told_at
    with house.transaction(now) as ctx:
        assert table_expiry.process_next(ctx) is (expected is not None)
        assert (ctx.session.get_one(Match, match_id).state == "over") is (expected is DueAction.END)


def later(house: House, days: float) -> int:
    """Pass so many days, and process all tables; return how many needed it."""
    ago = timedelta(days=days)
    with house.transaction() as ctx:
        aged = {"created_at": Match.created_at - ago, "host_reminded_at": Match.host_reminded_at - ago}
        ctx.session.execute(update(Match).values(aged))
        ctx.session.execute(update(SeatHolder).values(seated_at=SeatHolder.seated_at - ago))
    return looked(house)


def looked(house: House, now: datetime | None = None) -> int:
    count = 0
    while True:
        with house.transaction(now) as ctx:
            if not table_expiry.process_next(ctx):
                return count
            count += 1


def test_the_host_is_told_after_three_days_and_after_seven_and_nobody_else(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    assert later(house, 2.9) == 0
    assert later(house, 0.2) == 1
    told = house.only("Ann")
    assert "Your match of Middle Card has waited since" in told.flat
    assert "Bob and Cyd have not answered yet." in told.flat
    assert "“replace 2 with bob@example.org”" in told.flat
    assert "“remind” to remind" in told.flat
    assert f"http://127.0.0.1:8000/table/{house.every_mail[0].token}" in told.text
    assert "/join/" not in told.text
    assert later(house, 3.8) == 0
    assert later(house, 0.2) == 1
    assert later(house, 0.1) == 0
    assert len(house.mails("Ann")) == 1
    assert not house.mails("Bob")
    assert not house.mails("Cyd")
    assert house.match(match_id).state == MatchState.INVITING


def test_the_host_of_open_seats_is_given_the_address_to_hand_on(house: House) -> None:
    match_id = opened(house, public=False)
    house.mails("Ann")
    later(house, 4)
    told = house.only("Ann").flat
    assert "One seat is still open." in told
    assert "remind" not in told
    assert f"http://127.0.0.1:8000/join/{match_id}-" in told


def test_a_table_that_nobody_came_to_ends_politely(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        acceptance.accept(ctx, match, holders(ctx, match)[1], "")
    assert later(house, 21.1) == 1
    match = house.match(match_id)
    assert match.state == MatchState.OVER
    assert match.result == {"scores": None, "winners": [], "ending": "aborted"}
    (entry,) = house.all(select(LogEntry))
    assert (entry.event, entry.seat, entry.by, entry.detail) == ("aborted", None, "clock", {})
    for name in ("Ann", "Bob"):
        assert "Your match of Middle Card expired before it began" in house.only(name).flat
    assert not house.mails("Cyd")
    assert later(house, 9) == 0


def test_nobody_is_mailed_of_a_table_whose_host_never_showed_who_they_are(house: House) -> None:
    match_id = opened(house, known=False)
    house.mails("Ann")
    assert later(house, 4) == 1
    assert later(house, 18) == 1
    assert house.match(match_id).state == MatchState.OVER
    assert not house.mails("Ann")


def test_a_table_that_somebody_made_for_others_has_no_host_to_tell(house: House) -> None:
    house.make("middle-card", 3)
    house.mails("Ann")
    assert later(house, 4) == 1
    assert not house.mails("Ann")


def test_whoever_stopped_mail_is_not_told(house: House) -> None:
    opened(house)
    house.mails("Ann")
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Ann"))
    later(house, 4)
    assert not house.mails("Ann")


def test_two_who_look_at_once_tell_nothing_twice(house: House) -> None:
    made = [opened(house, name=f"P{number}") for number in range(6)]
    now = datetime.now(UTC) + timedelta(days=4)

    with ThreadPoolExecutor(4) as crew:
        assert sum(crew.map(lambda _number: looked(house, now), range(4))) == len(made)
    told = house.all(select(OutboxMessage.match_id).where(OutboxMessage.kind == "waiting"))
    assert sorted(told) == sorted(made)
    with house.transaction(now + timedelta(days=18)) as one, house.transaction(now + timedelta(days=18)) as other:
        # Held by one transaction, a table is nobody else's, and nobody waits for it.
        for _each in made:
            assert table_expiry.process_next(one)
        assert not table_expiry.process_next(other)
