"""Credit for mail that does not arrive: whom it does not reach loses no time, and keeps what it cost them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Address, BounceReport, ClockPause, Deadline, DomainBackoff, OutboxMessage, Player, SeatHolder
from pbem.play.accounts import profile
from pbem.play.clocks import clock_pauses
from pbem.play.clocks.calculation import Interval
from pbem.play.deadlines import turn_deadlines
from pbem.play.deliverability import bounces, domain_backoff
from pbem.play.matches.match_state import lock_match
from pbem.play.notifications.smtp_status import HARD, SOFT
from pbem.states import MatchState, PauseReason
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, address
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
AT_MOST = clock_pauses.MAX_UNREACHABLE_TIME


@pytest.fixture(autouse=True)
def in_november() -> Iterator[None]:
    """Fix the time at which everything begins."""
    with at(NOW):
        yield


def mover(house: House, match_id: str) -> tuple[int, str]:
    (seat,) = house.match(match_id).to_move
    return seat, address(NAMES[seat - 1])


def stops(house: House, match_id: str, now: datetime) -> list[Interval]:
    """Return the stretches in which the clock of whoever is to move stands still, as they are known at a moment."""
    (seat,) = house.match(match_id).to_move
    with house.transaction(now) as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.seat == seat)).one()
        return list(clock_pauses.stopped_intervals(ctx, lock_match(ctx, match_id), holder, NOW))


def newest(house: House, email: str) -> int:
    (number,) = house.all(select(func.max(OutboxMessage.id)).where(OutboxMessage.recipient == email))
    assert isinstance(number, int)
    return number


# -- a domain that refuses us ------------------------------------------------------------------------


def test_nobody_loses_the_time_for_which_their_domain_refused_us(house: House) -> None:
    match_id = running(house)
    seat, email = mover(house, match_id)
    end, since = due(house), NOW + HOUR
    with house.transaction(since) as ctx:
        until = domain_backoff.record_refusal(ctx, email, "blocked")
    assert stops(house, match_id, since) == [Interval(since, since + AT_MOST, PauseReason.UNREACHABLE)]
    # In the moments in which it is tried again nobody knows yet.
    assert stops(house, match_id, until + MINUTE) == [Interval(since, since + AT_MOST, PauseReason.UNREACHABLE)]
    assert stops(house, match_id, until + 2 * HOUR) == []
    # It is tried at the end of each pause, as long as it goes on.
    while until < end:
        with house.transaction(until) as ctx:
            until = domain_backoff.record_refusal(ctx, email, "blocked")
    tick(house, end + HOUR)
    assert house.match(match_id).state == MatchState.RUNNING
    back = until
    with house.transaction(back) as ctx:
        domain_backoff.clear(ctx, email)
        # What had not refused us is not forgotten either.
        domain_backoff.clear(ctx, "zoe@elsewhere.example")
        assert ctx.session.get_one(Deadline, (match_id, seat), populate_existing=True).next_action_at == back
    assert stops(house, match_id, back) == [Interval(since, back, PauseReason.UNREACHABLE)]
    tick(house, back)
    assert timedelta() <= due(house) - end - (back - since) < HOUR
    assert house.all(select(DomainBackoff)) == []
    assert house.all(select(ClockPause.domain)) == ["example.org"]


def test_others_need_not_wait_longer_than_a_week_for_whom_no_mail_reaches(house: House) -> None:
    match_id = running(house)
    _seat, email = mover(house, match_id)
    end = due(house)
    with house.transaction(NOW) as ctx:
        domain_backoff.record_refusal(ctx, email, "blocked")
        ctx.session.execute(update(DomainBackoff).values(retry_at=NOW + 30 * DAY))
    tick(house, end + MINUTE)
    assert due(house) == end + 7 * DAY
    with house.transaction(NOW + 20 * DAY) as ctx:
        domain_backoff.clear(ctx, email)
    assert stops(house, match_id, NOW + 20 * DAY) == [Interval(NOW, NOW + AT_MOST, PauseReason.UNREACHABLE)]


def test_a_domain_that_refuses_us_once_more_leaves_the_time_that_it_cost_before(house: House) -> None:
    match_id = running(house)
    _seat, email = mover(house, match_id)
    with house.transaction(NOW) as ctx:
        until = domain_backoff.record_refusal(ctx, email, "blocked")
    again = NOW + 2 * DAY
    with house.transaction(again) as ctx:
        domain_backoff.record_refusal(ctx, email, "blocked")
    known = [Interval(NOW, until, PauseReason.UNREACHABLE), Interval(again, again + AT_MOST, PauseReason.UNREACHABLE)]
    assert stops(house, match_id, again) == known


# -- an address that fails ---------------------------------------------------------------------------


def fail(house: House, email: str, since: datetime, kind: str = HARD, **known: object) -> None:
    """Report of the newest mail to an address that it did not arrive."""
    with house.transaction(since) as ctx:
        notice = ctx.session.get_one(OutboxMessage, newest(house, email))
        assert bounces.record_failure(ctx, notice, kind, "5.1.1", "unknown")  # type: ignore[arg-type]
        if known:
            ctx.session.execute(update(Address).where(Address.email == email).values(known))


def test_whoever_says_that_mail_arrives_again_keeps_the_time_that_it_cost(house: House) -> None:
    match_id = running(house)
    seat, email = mover(house, match_id)
    house.mails(NAMES[seat - 1])
    fail(house, email, NOW + HOUR, bounce_score_at=NOW + 2 * HOUR)
    failing = Interval(NOW + HOUR, NOW + HOUR + AT_MOST, PauseReason.UNREACHABLE)
    assert stops(house, match_id, NOW + 3 * HOUR) == [failing]
    back = NOW + 5 * HOUR
    with house.transaction(back) as ctx:
        bounces.confirm_arrival(ctx, email)
    assert stops(house, match_id, back) == [Interval(NOW + HOUR, back, PauseReason.UNREACHABLE)]
    assert house.all(select(ClockPause.player_id)) == house.all(
        select(SeatHolder.player_id).where(SeatHolder.seat == seat)
    )


def test_mail_that_was_sent_and_not_reported_has_arrived_a_day_later_also_before_anybody_notes_it(house: House) -> None:
    match_id = running(house)
    _seat, email = mover(house, match_id)
    house.deliver()
    fail(house, email, NOW + HOUR, kind=SOFT, bounce_score_at=NOW + 2 * HOUR)
    reached = [Interval(NOW + HOUR, NOW + HOUR + DAY, PauseReason.UNREACHABLE)]
    assert stops(house, match_id, NOW + 3 * DAY) == reached
    with house.transaction(NOW + 3 * DAY) as ctx:
        notice = ctx.session.get_one(OutboxMessage, newest(house, email))
        bounces.record_delivery(ctx, notice, bounces.address_status(ctx, email))
    assert house.all(select(Address.failing_since).where(Address.email == email)) == [None]
    assert stops(house, match_id, NOW + 3 * DAY) == reached


def test_a_mail_that_was_refused_and_is_taken_now_shows_that_mail_arrives(house: House) -> None:
    match_id = running(house)
    _seat, email = mover(house, match_id)
    house.deliver()
    fail(house, email, NOW + HOUR, kind=SOFT)
    with house.transaction(NOW + 4 * HOUR) as ctx:
        notice = ctx.session.get_one(OutboxMessage, newest(house, email))
        notice.error = "try later"
        bounces.record_delivery(ctx, notice, bounces.address_status(ctx, email))
    assert stops(house, match_id, NOW + 4 * HOUR) == [Interval(NOW + HOUR, NOW + 4 * HOUR, PauseReason.UNREACHABLE)]


def test_an_address_that_goes_while_it_fails_leaves_the_time_that_it_cost(house: House) -> None:
    match_id = running(house)
    seat, email = mover(house, match_id)
    house.deliver()
    fail(house, email, NOW + HOUR)
    with house.transaction(NOW + 4 * HOUR) as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == NAMES[seat - 1])).one()
        ctx.session.add(Address(email="new@example.net", player=player, created_at=NOW, verified_at=NOW))
        ctx.session.flush()
        profile.remove(ctx, player, email)
    assert stops(house, match_id, NOW + 5 * HOUR) == [Interval(NOW + HOUR, NOW + 4 * HOUR, PauseReason.UNREACHABLE)]


def test_a_failure_that_is_forgotten_counts_only_while_it_is_known(house: House) -> None:
    match_id = running(house)
    seat, email = mover(house, match_id)
    with house.transaction(NOW) as ctx:
        ctx.session.execute(update(Address).where(Address.email == email).values(failing_since=NOW, failure_reason="x"))
        assert clock_pauses.reachable_again_at(ctx, email) == NOW
        assert turn_deadlines.due_or_overdue(ctx, lock_match(ctx, match_id), seat) == due(house) + AT_MOST
    assert house.all(select(BounceReport)) == []
