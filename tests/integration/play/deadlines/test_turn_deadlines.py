"""Deadlines: by when a move should come, written when it is asked for and gone when it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Deadline, MoveTiming, Player
from pbem.i18n import use_locale
from pbem.play.clocks import time_controls
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches.match_state import load_match, lock_match, play_move
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import NOON, begun

if TYPE_CHECKING:
    from tests.support.house import House


def rows(house: House) -> list[tuple[int, int, bool]]:
    found = house.all(select(Deadline).order_by(Deadline.seat))
    return [(row.seat, row.ply, row.due_at is not None) for row in found]


def test_every_clock_is_said_in_every_language() -> None:
    for language in ("en", "de"):
        with use_locale(language):
            assert len({time_controls.description(key) for key in time_controls.PRESETS}) == len(time_controls.PRESETS)
            assert len({time_controls.short_description(key) for key in time_controls.PRESETS}) == len(
                time_controls.PRESETS
            )
    assert time_controls.DEFAULT in time_controls.PRESETS


def test_a_deadline_goes_from_seat_to_seat_with_the_turn_and_ends_with_the_match(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    (first,) = house.match(match_id).to_move
    assert rows(house) == [(first, 1, True)]
    mail = house.last(NAMES[first - 1])
    assert "Please move by " in mail.flat
    assert "Please move by " not in house.last(NAMES[2 - first]).flat
    house.reply(mail, house.legal(match_id, first)[0])
    assert rows(house) == [(3 - first, 2, True)]
    house.reply(house.last(NAMES[2 - first]), "resign yes")
    assert rows(house) == []


def test_turns_that_end_in_the_transaction_in_which_they_began_leave_the_last_one(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for _turn in range(3):
            course = load_match(ctx, match)
            (seat,) = course.game.to_move(course.position)
            play_move(ctx, course, seat, course.game.suggest(course.position, seat)[0], ctx.now)
            turn_deadlines.sync(ctx, match)
    (row,) = house.all(select(Deadline))
    assert (row.seat, row.ply) == (*house.match(match_id).to_move, 4)
    assert len(house.all(select(MoveTiming.ply))) == 3


def test_seats_that_act_together_keep_their_time_until_they_have_acted(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "1 day", {"swap": False})
    assert rows(house) == [(1, 1, True), (2, 1, True), (3, 1, True)]
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(asked_at=NOON))
    mails = {name: house.last(name) for name in NAMES[:3]}
    house.reply(mails["Ann"], "nonsense")
    house.reply(mails["Ann"], house.legal(match_id, 1)[0])
    assert rows(house) == [(2, 1, True), (3, 1, True)]
    assert set(house.all(select(Deadline.asked_at))) == {NOON}
    for seat, name in ((2, "Bob"), (3, "Cyd")):
        house.reply(mails[name], house.legal(match_id, seat)[0])
    assert {row[1] for row in rows(house)} == {house.match(match_id).ply}
    assert NOON not in house.all(select(Deadline.asked_at))


def test_without_a_clock_it_is_kept_since_when_a_move_is_waited_for(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (first,) = house.match(match_id).to_move
    assert rows(house) == [(first, 1, False)]
    assert "Please move by" not in house.last(NAMES[first - 1]).flat


def test_a_deadline_is_said_in_the_zone_and_language_of_its_reader(house: House) -> None:
    house.make("martian-whist", 2)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Berlin", language="de", link_only=True))
    match_id = begun(house, "martian-whist", 2, "7 days")
    (first,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        due = turn_deadlines.due_or_overdue(ctx, ctx.session.merge(house.match(match_id)), first)
        assert due
        assert turn_deadlines.due_or_overdue(ctx, ctx.session.merge(house.match(match_id)), 3 - first) is None
    told = house.last(NAMES[first - 1]).flat
    assert "Zeitzone: Europe/Berlin." in told
