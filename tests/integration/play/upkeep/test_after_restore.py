"""A return to an older state: what could count twice is closed with it, and each table that plays is told once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, text, update

from pbem.db.models import ClockPause, Deadline, Heartbeat, LogEntry, Match, OutboxMessage, Restore, SeatHolder, Token
from pbem.games.chain import EventEntry
from pbem.play.core import tokens
from pbem.play.core.context import timestamp
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_log, load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.upkeep import after_restore
from pbem.states import DeadlinePhase, MatchState, OutboxState
from tests.support.clockwork import act, at, tick
from tests.support.house import NAMES, address, reply
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.play.core.context import Context
    from tests.support.house import House

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
LOST = NOW + 2 * HOUR + 5 * MINUTE


@pytest.fixture(autouse=True)
def in_november() -> Iterator[None]:
    """Fix the time at which everything begins."""
    with at(NOW):
        yield


def close(house: House, lost_after: datetime = LOST, now: datetime = NOW + 10 * HOUR) -> None:
    with house.transaction(now) as ctx:
        after_restore.invalidate(ctx, lost_after)


def tell(house: House, most: int = 10) -> int:
    """Notify all tables; return how many transactions that took."""
    rounds = 0
    while True:
        with house.transaction() as ctx:
            if not after_restore.notify_batch(ctx, most):
                return rounds
        rounds += 1


def acted(house: House, match_id: str) -> list[tuple[str, str]]:
    with house.transaction() as ctx:
        return [(entry.event, entry.by) for entry in load_log(ctx, match_id) if isinstance(entry, EventEntry)]


def test_each_seat_is_told_once_what_was_lost_where_the_match_stands_and_how_to_go_on(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    before, told = {name: house.last(name) for name in NAMES[:2]}, {}
    close(house)
    assert tell(house) == 1
    assert tell(house) == 0
    assert acted(house, match_id) == [("restored", "operator")]
    for name in NAMES[:2]:
        mail = house.only(name)
        assert "moves after Tue 24 Nov 2026, 14:05 UTC were lost." in mail.flat
        assert "The match continues at move 1." in mail.flat
        assert "reply “abandon”" in mail.flat
        assert mail.token != before[name].token
        # Its first link is that of the seat: programs look for it there.
        assert re.search(r"http://\S+/m/(\S+)", mail.text)[1] == mail.token  # type: ignore[index]
        assert mail.reply_to != before[name].reply_to
        told[name] = mail
    assert house.mails("Ann") == house.mails("Bob") == []
    # The way back of before is that of nobody; the new one plays.
    assert house.send(reply(before["Ann"], "take 1").as_bytes(), before["Ann"].reply_to, address("Ann")).code == 550
    house.reply(told["Ann"], house.legal(match_id, 1)[0])
    assert house.match(match_id).ply == 2


def test_a_table_that_would_rather_not_play_on_ends_the_match_and_nobody_has_lost(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    close(house)
    tell(house)
    for name in NAMES[:2]:
        house.reply(house.last(name), "abandon")
    match = house.match(match_id)
    assert match.result == {"scores": None, "winners": [], "ending": "abandoned"}
    assert [event for event, _ in acted(house, match_id)] == ["restored", "abandoned"]


def test_whoever_plays_alone_is_not_asked_to_agree_with_anybody(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    close(house)
    tell(house)
    mail = house.only("Ann")
    assert "It is your turn. Please send again what you have sent since then." in mail.flat
    assert "everybody agrees" not in mail.flat


def test_the_chain_says_after_when_moves_are_lost_and_holds(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    close(house)
    tell(house)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        (entry,) = load_log(ctx, match_id)
        assert entry.data()["detail"] == {"after": timestamp(LOST)}
        assert match.log_length == 1
        endings.resign(ctx, load_match(ctx, lock_match(ctx, match_id)), holders(ctx, match)[0])


def test_only_matches_that_were_running_are_told(house: House) -> None:
    over, inviting, played = (
        house.start_match("minimax", 1),
        house.make("middle-card", 3),
        house.start_match("minimax", 1),
    )
    with house.transaction() as ctx:
        match = lock_match(ctx, over)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    close(house)
    with at(NOW + 11 * HOUR):
        later = house.start_match("minimax", 1)
    assert tell(house, 1) == 3
    assert [acted(house, each)[-1:] for each in (inviting, played, later)] == [[], [("restored", "operator")], []]
    assert acted(house, over) == [("resigned", "seat 1")]
    (row,) = house.all(select(Restore))
    assert (row.notified_count, row.finished_at is None) == (1, False)


def test_a_match_that_cannot_be_told_holds_nobody_up(house: House, caplog: pytest.LogCaptureFixture) -> None:
    every = sorted(house.start_match("minimax", 1) for _ in range(3))
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == every[1]).values(edition=9))
    close(house)
    assert tell(house, 2) == 2
    assert f"could not notify the players of match {every[1]}" in caplog.text
    told = house.all(select(LogEntry.match_id).where(LogEntry.event == "restored").order_by(LogEntry.match_id))
    assert told == [every[0], every[2]]


def test_two_workers_tell_nobody_twice(house: House) -> None:
    house.start_match("minimax", 1)
    close(house)
    with house.transaction() as first:
        assert after_restore.notify_batch(first)
        with house.transaction() as second:
            assert not after_restore.notify_batch(second)
    assert tell(house) == 0
    assert len(house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "restored"))) == 1


def test_an_invitation_still_holds_and_the_stages_after_it_have_other_links(house: House) -> None:
    match_id = house.make("middle-card", 3)
    invited = {name: house.only(name) for name in NAMES[:3]}
    would_be = {}
    with house.transaction() as ctx:
        for holder in holders(ctx, lock_match(ctx, match_id)):
            would_be[holder.id] = tokens.derive("0" * 40, tokens.REPLY, holder.id, 1, holder.generation)
    close(house)
    for mail in invited.values():
        house.reply(mail, "accept")
    assert house.match(match_id).state == MatchState.RUNNING
    with house.transaction() as ctx:
        assert all(tokens.find(ctx, token, tokens.REPLY) is None for token in would_be.values())
        assert tokens.find(ctx, house.last("Ann").token, tokens.LINK)


def test_an_invitation_that_was_to_go_out_later_still_does_with_a_link_that_holds(house: House) -> None:
    match_id = house.make("middle-card", 3)
    back = NOW + 10 * HOUR
    with house.transaction() as ctx:
        ctx.session.execute(
            update(OutboxMessage).where(OutboxMessage.recipient == address("Ann")).values(due_at=back + HOUR)
        )
    close(house, LOST, back)
    with at(back + 2 * HOUR):
        tell(house)
        house.reply(house.only("Ann"), "accept")
        assert house.mails("Bob") == []
    assert [seat.accepted_at is not None for seat in house.match_seats(match_id)] == [True, False, False]


def test_a_match_that_began_since_is_told_of_nothing(house: House) -> None:
    match_id = house.make("minimax", 1)
    mail = house.only("Ann")
    close(house, LOST, NOW - HOUR)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(created_at=NOW - 2 * HOUR))
    house.reply(mail, "accept")
    tell(house)
    assert house.match(match_id).state == MatchState.RUNNING
    assert acted(house, match_id) == []


def test_what_was_owed_goes_out_no_more_and_what_is_not_due_yet_still_does(house: House) -> None:
    house.start_match("middle-card", 3)
    waiting = house.make("middle-card", 3)
    with house.transaction() as ctx:
        late = (
            select(OutboxMessage.id)
            .where(OutboxMessage.match_id == waiting)
            .order_by(OutboxMessage.id)
            .limit(1)
            .scalar_subquery()
        )
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.id == late).values(due_at=NOW + 20 * HOUR))
    close(house)
    found = house.rows(
        select(OutboxMessage.state, OutboxMessage.match_id == waiting).where(OutboxMessage.state != OutboxState.SENT)
    )
    assert sorted(found) == [("dropped", False)] * 3 + [("dropped", True)] * 2 + [("pending", True)]
    assert all(
        "older state" in error
        for error in house.all(select(OutboxMessage.error).where(OutboxMessage.state == OutboxState.DROPPED))
    )
    assert {
        *map(str, house.all(select(OutboxMessage.render_data).where(OutboxMessage.state == OutboxState.DROPPED)))
    } == {"{}"}


def test_no_number_is_given_to_two_rows(house: House) -> None:
    house.start_match("minimax", 1)
    first = house.all(select(func.max(SeatHolder.id)))[0]
    close(house)
    house.start_match("minimax", 1)
    assert house.all(select(func.max(SeatHolder.id)))[0] > first + 10**9
    # All that count on their own do: none is left behind.
    counting = "SELECT sequencename FROM pg_sequences WHERE coalesce(last_value, 0) < 1000000000"
    assert house.all(text(counting)) == []


def test_the_time_for_which_it_was_down_is_given_back_and_no_deadline_passes(house: House) -> None:
    match_id = running(house)
    end = due(house)
    back = end + 30 * HOUR
    with house.transaction(LOST) as ctx:
        ctx.session.merge(Heartbeat(part="clock", seen_at=LOST + MINUTE))
    close(house, LOST, back)
    with at(back):
        tell(house)
    act(house, back)
    act(house, back + MINUTE)
    assert house.match(match_id).state == MatchState.RUNNING
    assert [(row.reason, row.started_at, row.ended_at) for row in house.all(select(ClockPause))] == [
        ("outage", LOST, back)
    ]
    assert due(house) - end >= back - LOST
    assert house.all(select(Deadline.phase)) == [DeadlinePhase.RUNNING]
    tick(house, due(house) + turn_deadlines.CLOCK_DELAY)
    assert house.match(match_id).state == MatchState.OVER


def test_a_clock_that_never_beat_gets_its_sign_and_one_that_stood_longer_keeps_it(house: House) -> None:
    close(house)
    with house.transaction() as ctx:
        assert after_restore.last_heartbeat_at(ctx) == LOST
    with house.transaction() as ctx:
        ctx.session.merge(Heartbeat(part="clock", seen_at=NOW))
    close(house)
    assert house.all(select(Heartbeat.seen_at)) == [NOW]


def test_the_script_says_the_same_as_the_use_case(house: House) -> None:
    house.start_match("middle-card", 3)
    house.make("middle-card", 3)
    now = NOW + 10 * HOUR
    asked = (
        select(SeatHolder.id, SeatHolder.generation),
        select(Token.hash, Token.generation),
        select(
            OutboxMessage.id,
            OutboxMessage.state,
            OutboxMessage.finished_at,
            OutboxMessage.error,
            OutboxMessage.render_data,
            OutboxMessage.recipient,
        ),
        select(Heartbeat.part, Heartbeat.seen_at),
        select(Restore.lost_after, Restore.restored_at),
    )

    def state(ctx: Context, change: Callable[[], object]) -> list[list[str]]:
        with ctx.session.begin_nested() as undone:
            change()
            found = [sorted(map(str, ctx.session.execute(each).all())) for each in asked]
            undone.rollback()
        return found

    with house.transaction(now) as ctx:
        script = after_restore.invalidation_script(LOST, now).replace("%", "%%")
        before = state(ctx, lambda: None)
        closed = state(ctx, lambda: after_restore.invalidate(ctx, LOST))
        assert state(ctx, lambda: ctx.session.connection().exec_driver_sql(script)) == closed != before
