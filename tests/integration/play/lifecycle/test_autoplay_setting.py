"""Moves without a choice, played by the service for those who want it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, LogEntry, Match, MoveTiming, Player, SeatHolder
from pbem.games import Seat
from pbem.play.conditional_moves import selection
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, autoplay_setting, turn_mails
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.states import DeadlinePhase, MatchState
from tests.support import clockwork
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)


def wish(house: House, name: str, *, on: bool = True) -> None:
    """Set a player's preference whether their only moves are played for them."""
    with house.transaction(NOON) as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name)).one()
        autoplay_setting.set_preference(ctx, player, on=on)


def move(house: House, match_id: str, seat: int, now: datetime) -> None:
    """Play the first legal move of a seat, and whatever follows by itself."""
    with house.transaction(now) as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        chosen = next(course.game.moves(course.position, Seat(seat)))
        play_move(ctx, course, Seat(seat), chosen, now)
        turn_deadlines.sync(ctx, course.match)
        autoplay.play_due_moves(ctx, course.match)
        if course.match.state == MatchState.RUNNING:
            turn_mails.enqueue(ctx, course.match, {})


def to_the_last_cards(house: House) -> str:
    """Begin a match of hidden cards and play until all have one card left; the mails of that turn are not read."""
    match_id = house.start_match("middle-card", 3, {"swap": False})
    for hour in range(2):
        for seat in (1, 2, 3):
            for name in NAMES[:3]:
                house.mails(name)
            move(house, match_id, seat, NOON + timedelta(hours=hour))
    return match_id


def row(house: House, match_id: str, seat: int = 1) -> Deadline:
    (found,) = house.all(select(Deadline).where(Deadline.match_id == match_id, Deadline.seat == seat))
    assert isinstance(found, Deadline)
    return found


def test_where_nothing_is_hidden_what_must_be_played_is_played_at_once(house: House) -> None:
    match_id = house.start_match("martian-whist", 2, {"sets": 2})
    wish(house, "Ann")
    must: set[int] = set()
    free: set[int] = set()
    for minute in range(300):
        match = house.match(match_id)
        if match.state == MatchState.OVER or must:
            break
        for seat in match.to_move:
            only = len(house.legal(match_id, seat)) == 1
            assert not (only and seat == 1)
            move(house, match_id, seat, NOON + timedelta(minutes=minute))
        played = house.all(select(MoveTiming).where(MoveTiming.match_id == match_id))
        must = {turn.ply for turn in played if turn.automatic_reason}
        free = {turn.ply for turn in played if not turn.automatic_reason}
    assert must
    assert free
    assert set(house.all(select(MoveTiming.automatic_reason).where(MoveTiming.ply.in_(must)))) == {selection.FORCED}


def test_where_cards_are_hidden_it_is_played_when_its_player_would_and_told_in_one_mail(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    wish(house, "Ann")
    for hour in range(2):
        for seat in (1, 2, 3):
            move(house, match_id, seat, NOON + timedelta(hours=hour))
    for name in NAMES[:3]:
        house.mails(name)
    found = row(house, match_id)
    assert found.robot_moves_at
    assert found.robot_moves_at > NOON + timedelta(hours=1)
    assert found.next_action_at == found.robot_moves_at
    for seat in (2, 3):
        move(house, match_id, seat, NOON + timedelta(hours=1, minutes=1))
    # It is no sooner because nobody else is awaited.
    assert house.match(match_id).to_move == [1]
    assert not house.mails("Ann")
    assert clockwork.tick(house, found.robot_moves_at - timedelta(seconds=1)) == 0
    clockwork.tick(house, found.robot_moves_at + timedelta(seconds=3))
    assert house.match(match_id).state == MatchState.OVER
    last = house.all(select(LogEntry).where(LogEntry.match_id == match_id).order_by(LogEntry.number.desc()))[0]
    assert abs(last.logged_at - found.robot_moves_at) < timedelta(milliseconds=1)
    mail = house.only("Ann")
    assert f"Played for you, as it was your only move: {last.move}." in mail.flat
    assert "Played for you" not in house.only("Bob").flat


def test_a_move_that_was_played_long_after_the_moment_set_for_it_is_dated_when_it_was_played(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    wish(house, "Ann")
    for hour in range(2):
        for seat in (1, 2, 3):
            move(house, match_id, seat, NOON + timedelta(hours=hour))
    found = row(house, match_id)
    assert found.robot_moves_at
    later = found.robot_moves_at + timedelta(hours=5)
    clockwork.tick(house, later)
    (at,) = house.all(
        select(LogEntry.logged_at).where(LogEntry.match_id == match_id, LogEntry.seat == 1, LogEntry.ply == found.ply)
    )
    assert abs(at - later) < timedelta(milliseconds=1)


def test_nobody_is_asked_for_a_move_that_is_played_for_them(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    wish(house, "Ann")
    for hour in range(2):
        for seat in (1, 2, 3):
            for name in NAMES[:3]:
                house.mails(name)
            move(house, match_id, seat, NOON + timedelta(hours=hour))
    assert house.match(match_id).to_move == [1, 2, 3]
    assert not house.mails("Ann")
    assert "It is your turn" in house.only("Bob").flat


def test_who_sends_a_move_by_mail_hears_that_the_next_is_played_for_them(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    wish(house, "Cyd")
    for seat in (1, 2, 3, 1, 2):
        move(house, match_id, seat, NOON)
    (only, _other) = house.legal(match_id, 3)
    house.reply(house.last("Cyd"), only)
    mail = house.only("Cyd")
    assert "Your move was played." in mail.flat
    assert "we play it for you in a while: you need not do anything." in mail.flat


def test_its_player_may_be_sooner(house: House) -> None:
    match_id = to_the_last_cards(house)
    wish(house, "Ann")
    move(house, match_id, 1, NOON + timedelta(hours=1, seconds=1))
    assert house.match(match_id).to_move == [2, 3]
    assert not any(turn.automatic_reason for turn in house.all(select(MoveTiming)))


def test_whoever_wants_it_now_has_the_present_move_played_too(house: House) -> None:
    match_id = to_the_last_cards(house)
    assert row(house, match_id).robot_moves_at is None
    wish(house, "Ann")
    found = row(house, match_id)
    assert found.robot_moves_at
    assert found.next_action_at == found.robot_moves_at


def test_whoever_wants_it_no_more_is_asked_at_once(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    wish(house, "Ann")
    for hour in range(2):
        for seat in (1, 2, 3):
            for name in NAMES[:3]:
                house.mails(name)
            move(house, match_id, seat, NOON + timedelta(hours=hour))
    wish(house, "Ann", on=False)
    assert "It is your turn" in house.only("Ann").flat
    assert row(house, match_id).robot_moves_at is None
    wish(house, "Ann", on=False)
    assert not house.mails("Ann")


def test_what_is_wanted_no_more_when_its_moment_comes_is_not_played(house: House) -> None:
    match_id = to_the_last_cards(house)
    wish(house, "Ann")
    house.mails("Ann")
    moment = row(house, match_id).robot_moves_at
    assert moment
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(auto_play_forced=False))
    clockwork.tick(house, moment)
    assert house.match(match_id).to_move == [1, 2, 3]
    assert row(house, match_id).robot_moves_at is None


@pytest.mark.parametrize(("words", "on"), [("forced on", True), ("forced off", False), ("Zwangszüge an", True)])
def test_it_is_chosen_by_mail(house: House, words: str, on: bool) -> None:  # noqa: FBT001
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), words)
    assert house.all(select(Player.auto_play_forced).where(Player.name == "Ann")) == [on]
    assert ("reply “forced off”" if on else "reply “forced on”") in house.only("Ann").flat


def test_by_mail_it_holds_for_the_present_move(house: House) -> None:
    match_id = to_the_last_cards(house)
    house.reply(house.last("Ann"), "forced on")
    assert row(house, match_id).robot_moves_at
    house.reply(house.only("Ann"), "forced off")
    assert row(house, match_id).robot_moves_at is None


def test_before_a_match_begins_it_is_kept_for_later(house: House) -> None:
    house.make("middle-card", 3)
    house.reply(house.only("Ann"), "forced on")
    assert house.all(select(Player.auto_play_forced).where(Player.name == "Ann")) == [True]
    assert "we play it for you" in house.only("Ann").flat
    assert not house.all(select(SeatHolder.id).join(Match).where(Match.state == MatchState.RUNNING))


def test_whoever_has_gone_away_since_is_played_for_when_they_are_back(house: House) -> None:
    match_id = to_the_last_cards(house)
    wish(house, "Ann")
    moment = row(house, match_id).robot_moves_at
    assert moment
    back = moment + timedelta(days=5)
    with house.transaction(NOON) as ctx:
        player = holders(ctx, ctx.session.get_one(Match, match_id))[0].player_id
        ctx.session.add(ClockPause(reason="away", player_id=player, started_at=moment, ended_at=back))
    clockwork.tick(house, moment)
    assert 1 in house.match(match_id).to_move
    later = row(house, match_id).robot_moves_at
    assert later
    assert later > back
    clockwork.tick(house, later)
    assert 1 not in house.match(match_id).to_move


def test_what_is_late_already_is_put_off_no_more(house: House) -> None:
    match_id = to_the_last_cards(house)
    wish(house, "Ann")
    moment = row(house, match_id).robot_moves_at
    assert moment
    with house.transaction(NOON) as ctx:
        player = holders(ctx, ctx.session.get_one(Match, match_id))[0].player_id
        ctx.session.add(
            ClockPause(reason="away", player_id=player, started_at=NOON, ended_at=moment + timedelta(days=5))
        )
        late = {"due_at": NOON, "phase_started_at": NOON, "phase_ends_at": moment + timedelta(days=9)}
        ctx.session.execute(update(Deadline).where(Deadline.seat == 1).values(late | {"phase": DeadlinePhase.GRACE}))
    clockwork.tick(house, moment)
    assert 1 not in house.match(match_id).to_move


def test_nobody_is_reminded_of_what_is_played_for_them(house: House) -> None:
    match_id = to_the_last_cards(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(time_control="3 days"))
    with house.transaction(NOON) as ctx:
        for one in turn_deadlines.for_match(ctx, ctx.session.get_one(Match, match_id)):
            match = ctx.session.get_one(Match, match_id)
            turn_deadlines.update_times(ctx, match, holders(ctx, match)[one.seat - 1], one)
    assert row(house, match_id).remind_at
    wish(house, "Ann")
    assert row(house, match_id).robot_moves_at
    assert row(house, match_id).remind_at is None
    wish(house, "Ann", on=False)
    assert row(house, match_id).remind_at
