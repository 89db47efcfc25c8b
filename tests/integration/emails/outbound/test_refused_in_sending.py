"""Mail that is refused in the dialogue of sending: whom it counts against, and for how long."""

from __future__ import annotations

import errno
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.outbound import relay as relays
from emails.outbound.relay import deliver_shard
from pbem.db.models import Address, BounceReport, DomainBackoff, Match, OutboxMessage
from pbem.play.clocks import clock_pauses
from pbem.play.core import tokens
from pbem.play.deliverability import domain_backoff
from pbem.play.matches.seats import holders
from pbem.play.players import reachability
from pbem.states import OutboxState
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.emails.parsing.bounces import came_back, failures, report, score, suppressed
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Context
    from tests.support.house import House


BLOCKED = ("failed", "5.7.1", "smtp; 550 5.7.1 Service unavailable; client host blocked using a block list")


@pytest.fixture
def neighbour() -> Neighbour:
    return Neighbour()


@pytest.fixture
def city(house: House, neighbour: Neighbour) -> Iterator[House]:
    """A house whose mail goes to a neighbouring server, and whose operator has an address."""
    with listening(neighbour) as where:
        yield replace(house, config=replace(house.config, smtp_url=f"smtp://{where}", operator_email="op@example.net"))


def held_up(ctx: Context, match: Match) -> set[int]:
    """Return the seats that lose no time, as mail does not reach them."""
    return {
        holder.seat for holder in holders(ctx, match) if clock_pauses.stopped_intervals(ctx, match, holder, ctx.now)
    }


def shard_of(email: str) -> int:
    return sum(email.encode()) % 4


def send(house: House, name: str = "Ann") -> int:
    return deliver_shard(house.engine, house.config, shard_of(address(name)))


def test_a_refusal_at_sending_counts_as_a_report_does(city: House, neighbour: Neighbour) -> None:
    for _ in range(3):
        city.make("minimax", 1)
    neighbour.at_rcpt = ["550 5.1.1 No such user", "550 No such user here"]
    assert send(city) == 0
    assert suppressed(city) == ["bounce"]
    assert [state for (state,) in city.rows(select(OutboxMessage.state).order_by(OutboxMessage.id))] == [
        "failed",
        "failed",
        "dropped",
    ]


def test_a_temporary_refusal_counts_once_and_only_after_an_hour(city: House, neighbour: Neighbour) -> None:
    city.make("minimax", 1)
    neighbour.at_rcpt = ["451 4.3.0 Later"] * 7
    for attempt in range(7):
        send(city)
        assert score(city, "Ann") == (attempt >= 5)
        with city.transaction() as ctx:
            ctx.session.execute(update(OutboxMessage).values(due_at=datetime.now(UTC)))
    assert city.all(select(Address.failure_reason)) == ["later"]
    # Then it is taken after all, and nothing fails any more.
    assert send(city) == 1
    assert city.all(select(Address.failing_since)) == [None]
    assert score(city, "Ann") == 0.9


def test_a_line_that_breaks_is_nobodys_fault(city: House, neighbour: Neighbour) -> None:
    city.make("minimax", 1)
    neighbour.at_data = ["cut"]
    send(city)
    assert not failures(city)


def test_a_mail_that_finds_no_room_while_it_is_written_waits_and_is_never_given_up(
    city: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    city.make("minimax", 1)
    for _attempt in range(9):
        with monkeypatch.context() as full:
            full.setattr(relays, "compose", no_room)
            assert send(city) == 0
        with city.transaction() as ctx:
            assert ctx.session.execute(select(OutboxMessage.state, OutboxMessage.due_at > ctx.now)).all() == [
                ("pending", True)
            ]
            ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    assert not failures(city)
    assert send(city) == 1


@pytest.mark.parametrize(
    "refusal", ["550 5.7.1 Message rejected", "421 4.7.0 Too many connections", "554 Blocked, see Spamhaus"]
)
def test_a_refusal_for_policy_holds_the_domain_blames_nobody_and_ends_by_itself(
    city: House, neighbour: Neighbour, refusal: str
) -> None:
    for _ in range(3):
        city.make("minimax", 1)
    neighbour.at_rcpt = [refusal]
    assert send(city) == 0
    assert not neighbour.taken
    assert score(city, "Ann") == 0
    assert not suppressed(city)
    owed = select(OutboxMessage).where(OutboxMessage.recipient == address("Ann")).order_by(OutboxMessage.id)
    (held,) = city.all(select(DomainBackoff))
    assert (held.domain, held.refusals) == ("example.org", 1)
    assert [(one.state, one.attempts, one.due_at) for one in city.all(owed)] == [("pending", 0, held.retry_at)] * 3
    # Each pause is longer than the one before; whoever runs the service is told once a day.
    for number in (2, 3):
        with city.transaction() as ctx:
            past = datetime.now(UTC) - timedelta(seconds=1)
            ctx.session.execute(update(DomainBackoff).values(retry_at=past))
            ctx.session.execute(
                update(OutboxMessage).where(OutboxMessage.recipient == address("Ann")).values(due_at=past)
            )
        neighbour.at_rcpt = [refusal]
        before = datetime.now(UTC)
        send(city)
        (held,) = city.all(select(DomainBackoff))
        assert held.refusals == number
        assert held.retry_at - before >= (timedelta(hours=1), timedelta(hours=4))[number - 2]
    assert len(city.all(select(OutboxMessage.id).where(OutboxMessage.kind == "refused us"))) == 1
    assert send(city, "op@example.net") == 0
    neighbour.at_rcpt = []
    assert deliver_shard(city.engine, city.config, shard_of("op@example.net")) == 1
    assert b"example.org" in neighbour.taken[-1][1]
    with city.transaction() as ctx:
        ctx.session.execute(update(DomainBackoff).values(retry_at=past))
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING).values(due_at=past))
    assert send(city) == 3
    assert not city.all(select(DomainBackoff))
    assert len(failures(city)) == 1
    assert failures(city)[0][0] == "policy"


def token_of(house: House, name: str) -> str:
    """Return the token that a report about somebody's first turn comes back to."""
    turns = select(OutboxMessage).where(
        OutboxMessage.kind.in_(("turn", "begun")), OutboxMessage.recipient == address(name)
    )
    (notice,) = house.all(turns)
    with house.transaction() as ctx:
        return tokens.bounce_token(ctx, notice.message_id, "")


def reported(house: House, name: str, *what: str) -> None:
    assert came_back(house, f"bounce+{token_of(house, name)}@games.localhost", report(*what)) == 250


LATE = ("delayed", "4.7.1", "smtp; 421 4.7.1 Try again later")


def test_a_lone_report_for_policy_holds_nobody_elses_mail(city: House, neighbour: Neighbour) -> None:
    city.start_match("middle-card", 3)
    city.deliver()
    neighbour.taken.clear()
    began = datetime.now(UTC)
    reported(city, "Ann", *BLOCKED)
    reported(city, "Bob", *BLOCKED)
    assert city.all(select(DomainBackoff.domain)) == []
    # Each mail waits by itself, and longer when that one is refused too.
    again = city.all(select(OutboxMessage).where(OutboxMessage.kind == "board").order_by(OutboxMessage.id))
    assert [(one.recipient, one.state) for one in again] == [(address("Ann"), "pending"), (address("Bob"), "pending")]
    assert all(timedelta(minutes=14) < one.due_at - began < timedelta(minutes=30) for one in again)
    assert send(city) == 0
    with city.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.kind == "board").values(due_at=began))
        token = tokens.bounce_token(ctx, again[0].message_id, "")
    assert send(city) == 1
    assert came_back(city, f"bounce+{token}@games.localhost", report(*BLOCKED)) == 250
    once_more = city.all(select(OutboxMessage).where(OutboxMessage.kind == "board").order_by(OutboxMessage.id))[-1]
    assert timedelta(minutes=59) < once_more.due_at - began < timedelta(hours=2)
    assert city.all(select(DomainBackoff.domain)) == []
    # Reports of long ago say nothing of today.
    with city.transaction() as ctx:
        ctx.session.execute(update(BounceReport).values(reported_at=began - timedelta(days=2)))
    reported(city, "Cyd", *LATE)
    assert city.all(select(DomainBackoff.domain)) == []


def test_reports_for_policy_of_several_hold_the_domain_and_owe_the_mail_again(
    city: House, neighbour: Neighbour
) -> None:
    match_id = city.start_match("middle-card", 3)
    city.deliver()
    neighbour.taken.clear()
    reported(city, "Bob", *LATE)
    reported(city, "Cyd", *LATE)
    reported(city, "Ann", *BLOCKED)
    assert (score(city, "Ann"), suppressed(city)) == (0, [])
    assert send(city) == 0
    (again,) = city.all(select(OutboxMessage).where(OutboxMessage.kind == "board"))
    (held,) = city.all(select(DomainBackoff))
    assert (again.state, again.due_at) == ("pending", held.retry_at)
    with city.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        assert held_up(ctx, match) == {1, 2, 3}
        # A table need not hear of what is over within the hour.
        assert reachability.unreachable_seats(ctx, match) == {}
    with city.transaction(datetime.now(UTC) + timedelta(minutes=14)) as ctx:
        assert held_up(ctx, ctx.session.get_one(Match, match_id)) == {1, 2, 3}
    with city.transaction() as ctx:
        ctx.session.execute(update(DomainBackoff).values(started_at=datetime.now(UTC) - timedelta(hours=2)))
    with city.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        assert set(reachability.unreachable_seats(ctx, match)) == {1, 2, 3}
    # It is owed again once, and none that is only late.
    reported(city, "Ann", *BLOCKED)
    assert [kind for kind, _ in failures(city)] == ["policy"] * 3
    assert len(city.all(select(OutboxMessage.id).where(OutboxMessage.kind == "board"))) == 1
    # It goes out by itself once the pause is over.
    with city.transaction() as ctx:
        past = datetime.now(UTC) - timedelta(seconds=1)
        ctx.session.execute(update(DomainBackoff).values(retry_at=past))
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING).values(due_at=past))
    assert send(city) == 1
    # What was told by a report is remembered for a day: a 250 of our own mail server is no proof.
    assert city.all(select(DomainBackoff.refusals)) == [1]
    with city.transaction() as ctx:
        domain = ctx.session.get_one(DomainBackoff, "example.org")
        domain.retry_at = datetime.now(UTC) - timedelta(days=2)
    with city.transaction() as ctx:
        domain_backoff.record_refusal(ctx, address("Ann"), "again")
        assert ctx.session.get_one(DomainBackoff, "example.org").refusals == 1
