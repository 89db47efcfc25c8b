"""Opening: nobody sees hidden cards before a match is opened, and nothing beyond what was there when it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.boards import drawing_for
from pbem.db.models import Match
from pbem.games import Eye, Seat
from pbem.play.core.actors import ActionError
from pbem.play.matches.match_state import load_log, replay_log
from pbem.play.matches.views import MatchNotOverError, render_revealed
from pbem.play.operators import match_actions, reveal
from tests.support.house import NAMES
from tests.support.play.operators.office import WHY, acted, audited, does, must_verify, operator
from tests.support.play.upkeep.deadline_tasks import running

if TYPE_CHECKING:
    from tests.support.house import House

GAME = "martian-trickery"


def hands(house: House, match_id: str) -> str:
    """Return what an eye that sees everything sees of a match as it stands, as it is written."""
    with house.course(match_id) as (_, course):
        return json.dumps(course.game.view(course.position, Eye.OPEN).board, sort_keys=True)


def play(house: House, match_id: str) -> None:
    seat = house.match(match_id).to_move[0]
    mails = {mail.reply_to: mail for mail in house.mails(NAMES[seat - 1])}
    house.reply([*mails.values()][-1], house.legal(match_id, seat)[0])


def test_nothing_hidden_is_shown_before_a_match_is_opened(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    with pytest.raises(ActionError, match="was not revealed"):
        does(house, reveal.show, match_id)
    does(house, match_actions.abort, house.start_match("minimax", 1))
    for done in (does(house, reveal.reveal_hidden, match_id), does(house, reveal.reveal_hidden, match_id)):
        assert done.revealed is None
    assert json.dumps(does(house, reveal.show, match_id).revealed["board"], sort_keys=True) == hands(house, match_id)  # type: ignore[index]


def test_every_seat_is_told_at_once_who_looked_and_why(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    for name in NAMES[:3]:
        house.mails(name)
    does(house, reveal.reveal_hidden, match_id)
    for name in NAMES[:3]:
        text = house.only(name).flat
        assert "The operator has looked at what is hidden in this match." in text
        assert f"Their reason: “{WHY}”" in text
        assert "They saw the position at move 1." in text
    assert acted(house, match_id) == [("opened", "operator", None)]
    must_verify(house, match_id)


def test_a_mail_that_a_match_was_opened_shows_its_reader_nothing_new(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    for name in NAMES[:3]:
        house.mails(name)
    does(house, reveal.reveal_hidden, match_id)
    with house.course(match_id) as (_, course):
        for seat in (1, 2, 3):
            mail = house.only(NAMES[seat - 1])
            board = course.game.view(course.position, Seat(seat)).board
            own = drawing_for(GAME).text(board, NAMES[:3], seat)
            assert " ".join(own.split()[:8]) in mail.flat


def test_a_match_is_opened_once_until_somebody_moves_and_later_cards_take_another_opening(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    does(house, reveal.reveal_hidden, match_id)
    assert not does(house, reveal.reveal_hidden, match_id).changed
    then = hands(house, match_id)
    play(house, match_id)
    seen = does(house, reveal.show, match_id).revealed
    assert seen is not None
    assert json.dumps(seen["board"], sort_keys=True) == then != hands(house, match_id)
    assert seen["log"] == []
    assert does(house, reveal.reveal_hidden, match_id).changed
    seen = does(house, reveal.show, match_id).revealed
    assert seen is not None
    assert json.dumps(seen["board"], sort_keys=True) == hands(house, match_id)
    assert acted(house, match_id) == [("opened", "operator", None)] * 2
    must_verify(house, match_id)


def test_what_else_is_done_to_a_match_opens_it_no_further(house: House) -> None:
    match_id = running(house)
    does(house, reveal.reveal_hidden, match_id)
    does(house, match_actions.pause, match_id)
    assert not does(house, reveal.reveal_hidden, match_id).changed
    must_verify(house, match_id)


def test_each_look_is_written_down(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    ann = operator(house, "Ann")
    does(house, reveal.reveal_hidden, match_id, actor=ann)
    does(house, reveal.show, match_id, actor=ann, why="")
    does(house, reveal.show, match_id, actor=ann, why="")
    lines = audited(house, subject=("match", match_id))
    assert [(line.act, line.by) for line in lines] == [("look", "Ann"), ("look", "Ann"), ("open", "Ann")]
    assert all("board" not in str(line.detail) for line in lines)


def test_a_match_that_is_over_is_open_already_and_one_that_has_not_begun_hides_nothing(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    with pytest.raises(ActionError, match="can already see everything"):
        does(house, reveal.reveal_hidden, match_id)
    with pytest.raises(ActionError, match="nothing is hidden"):
        does(house, reveal.reveal_hidden, house.make(GAME, 3))
    with pytest.raises(ActionError, match="Give a reason"):
        does(house, reveal.reveal_hidden, match_id, why="")
    for act in (reveal.reveal_hidden, reveal.show):
        with pytest.raises(ActionError, match=r"There is no match|not revealed"):
            does(house, act, "nosuchmatch")


def test_only_a_course_that_ends_with_an_opening_is_shown(house: House) -> None:
    match_id = house.start_match(GAME, 3)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        with pytest.raises(MatchNotOverError):
            render_revealed(replay_log(match, load_log(ctx, match_id)), NAMES[:3])
    does(house, reveal.reveal_hidden, match_id)
    play(house, match_id)
    with house.course(match_id) as (_, course), pytest.raises(MatchNotOverError):
        render_revealed(course, NAMES[:3])
    assert house.all(select(Match.state)) == ["running"]
