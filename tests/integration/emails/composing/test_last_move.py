"""The board of a mail marks the move that led to it."""

from __future__ import annotations

import email
from typing import TYPE_CHECKING

import pytest

from pbem.boards import Turn, drawing_for
from pbem.games import Seat
from pbem.pictures.png import png
from pbem.play.matches.views import player_names
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House, Mail


def pictures(mail: Mail) -> list[object]:
    parts = email.message_from_bytes(mail.raw).walk()
    return [part.get_payload(decode=True) for part in parts if part.get_content_type() == "image/png"]


@pytest.mark.drawn
@pytest.mark.parametrize("game", ["martian-whist", "montauk"])
def test_a_turn_mail_shows_the_move_before_it(game: str, house: House) -> None:
    match_id = house.start_match(game, 2)
    (mover,) = house.match(match_id).to_move
    other = Seat(3 - mover)
    house.reply(house.last(NAMES[mover - 1]), house.legal(match_id, mover)[0])
    with house.course(match_id) as (ctx, course):
        view, names = course.game.view(course.position, other), player_names(ctx, course.match)
    svg = drawing_for(game).svg(view.board, names, other, Turn(view.to_move, view.log))
    assert 'class="last"' in svg
    assert pictures(house.last(NAMES[other - 1])) == [png(svg)]


@pytest.mark.drawn
def test_a_preview_shows_the_move_that_was_asked_about(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (mover,) = house.match(match_id).to_move
    turn = house.last(NAMES[mover - 1])
    house.reply(turn, "preview take 3")
    shown = pictures(house.last(NAMES[mover - 1]))
    house.reply(turn, "take 3")
    with house.course(match_id) as (ctx, course):
        view, names = course.game.view(course.position, Seat(mover)), player_names(ctx, course.match)
    svg = drawing_for("martian-whist").svg(view.board, names, mover, Turn(view.to_move, view.log))
    assert shown == [png(svg)]
