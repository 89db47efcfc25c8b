"""Robots that think: asked when they are to move, thinking in a process of their own, and playing what they chose."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem import robots
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Deadline, Match, OutboxMessage, Thought
from pbem.games import GAMES, Seat
from pbem.games.record import effective_moves
from pbem.play.conditional_moves import robot_moves
from pbem.play.core.context import system_time
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import match_requests, robot_seats
from pbem.play.upkeep import sweeper, thinking
from pbem.robots import Level
from pbem.time_format import format_moment
from tests.support.creating import create_match
from tests.support.robots import ANN, run_clock, thinking_here

if TYPE_CHECKING:
    from tests.support.house import House
    from workers.thinking import Thinking

STRONG = match_requests.robot(Level.STRONG)
THINKING = [key for key in GAMES if Level.STRONG in robots.levels(key)]
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.fixture
def thinkers(house: House) -> Thinking:
    """Return what has the robots' thoughts, in this process."""
    return thinking_here(house)


def start(house: House, *, first: bool = False) -> str:
    guests = [STRONG, ANN] if first else [ANN, STRONG]
    with house.transaction() as ctx:
        return create_match(ctx, "martian-whist", {"sets": 2}, guests, creator=2 if first else 1).id


def thoughts(house: House) -> list[Thought]:
    return house.all(select(Thought))


def moves(house: House, match_id: str) -> list[str]:
    with house.course(match_id) as (_, course):
        return [entry.move for entry in effective_moves(course.log)]


def test_a_robot_thinks_and_its_move_comes_in_one_mail_with_the_receipt(house: House, thinkers: Thinking) -> None:
    match_id = start(house)
    house.reply(house.only("Ann"), "take 3")
    house.judge(match_id)
    assert house.deliver() == 0, "the receipt is held"
    assert moves(house, match_id) == ["take 3"]
    thinkers()
    [thought] = thoughts(house)
    run_clock(house, match_id)
    assert moves(house, match_id) == ["take 3", thought.move]
    assert house.deliver() == 1
    assert "Ada has replied to your move. It is your turn." in house.only("Ann").flat
    assert thought.playouts == sum(tried["times"] for tried in thought.tried or []) > 0


def test_a_robot_that_begins_thinks_first(house: House, thinkers: Thinking) -> None:
    match_id = start(house, first=True)
    thinkers()
    run_clock(house, match_id)
    [thought] = thoughts(house)
    assert moves(house, match_id) == [thought.move]


def test_a_receipt_is_sent_if_the_robot_takes_longer(house: House) -> None:
    match_id = start(house)
    house.reply(house.only("Ann"), "take 3")
    house.judge(match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    assert house.deliver() == 1
    assert "Your move was played" in house.only("Ann").flat


def test_a_robot_without_a_thought_in_time_plays_what_the_game_suggests(house: House, thinkers: Thinking) -> None:
    match_id = start(house, first=True)
    run_clock(house, match_id, system_time() + robot_moves.MAX_WAIT - SECOND)
    assert moves(house, match_id) == []
    run_clock(house, match_id, system_time() + robot_moves.MAX_WAIT + SECOND)
    with house.course(match_id) as (_, course):
        suggested = course.game.suggest(course.first_position, Seat(1))[0]
    assert moves(house, match_id) == [suggested]
    [thought] = thoughts(house)
    assert thought.is_late
    thinkers()
    assert moves(house, match_id) == [suggested]
    late = "Ada did not finish thinking in time, and played what the game suggests."
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    mail = house.last("Ann")
    assert late in mail.flat
    house.reply(mail, house.legal(match_id, 2)[0])
    house.judge(match_id)
    thinkers()
    run_clock(house, match_id)
    assert late not in house.last("Ann").flat


def test_a_thought_that_was_lost_with_its_worker_is_claimed_again(house: House) -> None:
    start(house, first=True)
    with house.transaction() as ctx:
        assert thinking.claim(ctx) is not None
    with house.transaction() as ctx:
        assert thinking.claim(ctx) is None
    with house.transaction(system_time() + thinking.LEASE_TIME + SECOND) as ctx:
        assert thinking.claim(ctx) is not None


def test_a_thought_is_played_once_however_often_it_is_had(house: House) -> None:
    match_id = start(house, first=True)
    with house.transaction() as ctx:
        one = thinking.claim(ctx)
    with house.transaction(system_time() + MINUTE) as ctx:
        other = thinking.claim(ctx)
    assert one == other
    assert one
    for number, wanted in ((3, True), (4, False)):
        with house.transaction() as ctx:
            assert thinking.finish(ctx, one, f"take {number}", 1, []) is wanted
    run_clock(house, match_id)
    assert moves(house, match_id) == ["take 3"]


def test_a_thought_about_a_stage_that_is_over_is_forgotten(house: House) -> None:
    match_id = start(house, first=True)
    with house.transaction() as ctx:
        claimed = thinking.claim(ctx)
        ctx.session.execute(update(Thought).values(ply=7))
    assert claimed
    with house.transaction() as ctx:
        assert thinking.finish(ctx, claimed, "take 3", 1, []) is False
    with house.transaction(system_time() + MINUTE) as ctx:
        assert thinking.claim(ctx) is None
    assert thoughts(house) == []
    assert house.all(select(Deadline.match_id)) == [match_id]


def test_the_sweeper_finds_a_thought_that_nobody_was_told_of(house: House) -> None:
    start(house, first=True)
    with house.transaction(system_time() + MINUTE) as ctx:
        sweeper.sweep(ctx)
        assert (robot_moves.THINK_TASK, ()) in ctx.session.info["wanted tasks"]


# -- what a thinker is sent ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [key for key in THINKING if GAMES[key].seats[0] > 1])
def test_a_thinker_is_sent_what_its_seat_may_know_and_nothing_else(house: House, game: str) -> None:
    others = [STRONG] * (GAMES[game].seats[0] - 2)
    claimed = None
    while claimed is None:
        # In some games it is drawn who begins.
        with house.transaction() as ctx:
            match_id = create_match(ctx, game, {}, [STRONG, ANN, *others], creator=2).id
        with house.transaction() as ctx:
            claimed = thinking.claim(ctx)
    with house.course(match_id) as (_, course):
        exchanged = course.game.exchange(course.position, Seat(claimed.seat), bytes(32))
        assert claimed.request["view"] == asdict(course.game.view(exchanged, Seat(claimed.seat)))
        assert course.match.seed
        for secret in (course.match.seed, course.match.secret):
            assert secret.hex() not in json.dumps(claimed.request)
    assert claimed.request.keys() == {"game", "level", "seed", "view"}


# -- limits --------------------------------------------------------------------------------------------


def test_beyond_the_limit_of_a_day_a_robot_thinks_later_and_never_less(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robot_moves, "MAX_THOUGHTS_PER_PLAYER", 1)
    limited = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    start(limited, first=True)
    start(limited, first=True)
    now, later = sorted(thought.due_at - thought.asked_at for thought in thoughts(house))
    assert now == timedelta()
    assert timedelta(hours=23) < later <= timedelta(days=1)
    thinking_here(house)()
    assert sorted(thought.done_at is None for thought in thoughts(house)) == [False, True]
    waiting = next(thought.match_id for thought in thoughts(house) if thought.done_at is None)
    run_clock(house, waiting, system_time() + timedelta(hours=22))
    assert moves(house, waiting) == []


def test_mails_say_when_a_robot_moves_that_has_thought_enough_today(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robot_moves, "MAX_THOUGHTS_PER_PLAYER", 0)
    limited = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    start(limited)
    turn = limited.only("Ann")
    limited.reply(turn, "take 3")
    [thought] = thoughts(house)
    moves_at = format_moment(thought.due_at + robot_moves.MAX_WAIT, "UTC")
    said = f"Ada has thought a lot today, and moves {moves_at}."
    receipt = limited.only("Ann").flat
    assert "Your move was played." in receipt
    assert said in receipt
    limited.reply(turn, "board")
    assert said in limited.only("Ann").flat
    with house.transaction(thought.due_at + SECOND) as ctx:
        match = ctx.session.get_one(Match, thought.match_id)
        assert robot_moves.postponed_seats(ctx, match) == {}


def test_a_person_plays_ten_matches_with_robots_that_think(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot_seats, "MAX_THINKING_MATCHES", 1)
    limited = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    start(limited)
    with pytest.raises(Refused, match="You play 1 matches with strong robots"):
        start(limited)
    with limited.transaction() as ctx:
        create_match(ctx, "martian-whist", {"sets": 2}, [ANN, match_requests.ROBOT], creator=1)


def test_a_level_that_a_game_does_not_have_is_refused_with_those_it_has(house: House) -> None:
    with pytest.raises(Refused, match=r"Martian Whist has no robot “best”. Choose one of: easy, fair and strong."):  # noqa: SIM117
        with house.transaction() as ctx:
            create_match(ctx, "martian-whist", {}, [ANN, match_requests.robot(Level.BEST)], creator=1)
