"""What operators do to matches: each act stands in the chain, is told to the table, and done once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import ClockPause, Deadline, OutboxMessage, SeatHolder
from pbem.play.core.actors import ActionError
from pbem.play.operators import match_actions, membership
from pbem.play.players import reliability
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import begun
from tests.support.play.operators.office import WHY, acted, audited, does, must_verify, operator, player_of
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House

DAY = timedelta(days=1)


def over(house: House) -> str:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    return match_id


def told(house: House) -> list[str]:
    """Return the newest mail of each at the table, without line breaks."""
    return [house.last(name).flat for name in NAMES[:2]]


def test_clocks_are_stopped_and_go_on_and_both_are_told_with_the_reason(house: House) -> None:
    match_id = running(house)
    before = due(house)
    for name in NAMES[:2]:
        house.mails(name)
    done = does(house, match_actions.pause, match_id, days=10)
    assert done.changed
    assert due(house) >= before + 10 * DAY
    for text in told(house):
        assert "The operator has paused the clocks." in text
        assert f"Their reason: “{WHY}”" in text
    assert does(house, match_actions.resume, match_id).changed
    for text in told(house):
        assert "The operator has resumed the clocks of this match." in text
    assert due(house) < before + DAY
    assert acted(house, match_id) == [("paused", "operator", None), ("resumed", "operator", None)]
    must_verify(house, match_id)


def test_what_an_operator_has_stopped_no_player_lets_go_on(house: House) -> None:
    match_id = running(house)
    does(house, match_actions.pause, match_id)
    mail = house.last("Ann")
    assert "To resume the clocks" not in mail.flat
    house.reply(mail, "resume")
    assert "The operator has stopped these clocks. Only they can restart them." in house.last("Ann").flat
    assert acted(house, match_id) == [("paused", "operator", None)]


def test_clocks_are_stopped_once_and_resumed_once(house: House) -> None:
    match_id = running(house)
    does(house, match_actions.pause, match_id)
    again = does(house, match_actions.pause, match_id)
    assert not again.changed
    assert "already stopped" in again.message
    does(house, match_actions.resume, match_id)
    assert not does(house, match_actions.resume, match_id).changed
    assert len(acted(house, match_id)) == 2
    assert len(house.all(select(ClockPause))) == 1


def test_an_extension_said_twice_is_given_once_and_a_longer_one_adds_what_is_missing(house: House) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    before = due(house)
    assert does(house, match_actions.extend, match_id, seat=seat, days=2).changed
    assert does(house, match_actions.extend, match_id, seat=seat, days=2).message.endswith("extra for this move.")
    assert due(house) == before + 2 * DAY
    assert does(house, match_actions.extend, match_id, seat=seat, days=5).detail == {"seat": seat, "days": 3}
    assert due(house) == before + 5 * DAY
    assert f"Their reason: “{WHY}”" in house.last(NAMES[seat - 1]).flat
    assert acted(house, match_id) == [("extended", "operator", seat)] * 2
    must_verify(house, match_id)


@pytest.mark.parametrize("days", [0, 31])
def test_an_extension_has_its_bounds(house: House, days: int) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    with pytest.raises(ActionError, match="one to 30 extra days"):
        does(house, match_actions.extend, match_id, seat=seat, days=days)
    with pytest.raises(ActionError, match=f"Seat {3 - seat} is not to move. To move: {seat}"):
        does(house, match_actions.extend, match_id, seat=3 - seat, days=2)
    with pytest.raises(ActionError, match="one to 90 days"):
        does(house, match_actions.pause, match_id, days=days * 3)
    assert house.all(select(Deadline.extra_seconds)) == [0]


def test_what_has_no_clock_is_neither_stopped_nor_extended(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "none")
    (seat,) = house.match(match_id).to_move
    with pytest.raises(ActionError, match="has no clock"):
        does(house, match_actions.pause, match_id)
    with pytest.raises(ActionError, match="has no clock"):
        does(house, match_actions.extend, match_id, seat=seat, days=1)
    assert not does(house, match_actions.resume, match_id).changed


def test_a_match_is_called_off_for_nobodys_loss_and_everybody_is_told_why(house: House) -> None:
    match_id = running(house)
    for name in NAMES[:2]:
        house.mails(name)
    does(house, match_actions.abort, match_id)
    match = house.match(match_id)
    assert match.result == {"scores": None, "winners": [], "ending": "aborted"}
    for name in NAMES[:2]:
        text = house.only(name).flat
        assert "The operator has called it off; it does not count." in text
        assert f"Their reason: “{WHY}”" in text
    with house.transaction() as ctx:
        players = [player_of(house, name) for name in NAMES[:2]]
        assert [one.matches for one in reliability.for_players(ctx, players).values()] == [0, 0]
    assert not does(house, match_actions.abort, match_id).changed
    assert acted(house, match_id) == [("aborted", "operator", None)]
    must_verify(house, match_id)


def test_a_match_that_has_not_begun_is_called_off_and_those_who_accepted_are_told(house: House) -> None:
    match_id = house.make("martian-whist", 2)
    invitation = house.last("Ann")
    house.last("Bob")
    house.reply(invitation, "accept")
    house.mails("Ann")
    does(house, match_actions.abort, match_id)
    text = house.only("Ann").flat
    assert "The operator has called off your match of Martian Whist." in text
    assert f"Their reason: “{WHY}”" in text
    assert house.mails("Bob") == []
    assert not does(house, match_actions.abort, match_id).changed
    assert acted(house, match_id) == [("aborted", "operator", None)]


ON_MATCHES: list[tuple[Any, dict[str, Any]]] = [
    (match_actions.pause, {}),
    (match_actions.resume, {}),
    (match_actions.extend, {"seat": 1, "days": 1}),
    (match_actions.abort, {}),
]


@pytest.mark.parametrize(("act", "named"), ON_MATCHES)
def test_nothing_is_done_to_a_match_that_is_over_or_is_none(
    house: House, act: Callable[..., Any], named: dict[str, Any]
) -> None:
    match_id = over(house)
    with pytest.raises(ActionError, match="The match is over"):
        does(house, act, match_id, **named)
    for wrong in ("nosuchmatch", "", "\0", "%"):
        with pytest.raises(ActionError, match="There is no match"):
            does(house, act, wrong, **named)
    with pytest.raises(ActionError, match="Give a reason"):
        does(house, act, match_id, why=" \n", **named)
    with pytest.raises(ActionError, match="too long"):
        does(house, act, match_id, why="x" * 501, **named)
    assert audited(house) == []
    assert [event for event, _by, _seat in acted(house, match_id)] == ["resigned"]


@pytest.mark.parametrize(("act", "named"), ON_MATCHES[:3])
def test_nothing_is_done_to_the_clock_of_a_match_that_has_not_begun(
    house: House, act: Callable[..., Any], named: dict[str, Any]
) -> None:
    match_id = house.make("martian-whist", 2)
    with pytest.raises(ActionError, match="has not started"):
        does(house, act, match_id, **named)


def test_a_table_is_told_in_its_own_languages(house: House) -> None:
    match_id = running(house, language="de")
    for name in NAMES[:2]:
        house.mails(name)
    does(house, match_actions.pause, match_id)
    for text in told(house):
        assert "Wer diesen Dienst betreibt, hat die Uhren für eine Weile angehalten." in text
        assert f"Die Begründung: „{WHY}“" in text


def test_who_is_no_operator_any_more_does_nothing(house: House) -> None:
    match_id = running(house)
    ann = operator(house, "Ann")
    assert does(house, match_actions.pause, match_id, actor=ann).changed
    (line,) = audited(house, subject=("match", match_id))
    assert (line.by, line.act, line.reason, line.request) == ("Ann", "pause", WHY, "r2")
    does(house, membership.dismiss, player_of(house, "Ann"))
    with pytest.raises(ActionError, match="Only operators may do that"):
        does(house, match_actions.resume, match_id, actor=ann)
    assert acted(house, match_id) == [("paused", "operator", None)]
    assert house.all(select(SeatHolder.id).where(SeatHolder.left_at.is_not(None))) == []
    assert "resumed" not in house.all(select(OutboxMessage.kind))
