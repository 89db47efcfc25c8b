"""Replays: a match step by step, with the words of its log, and nothing that was hidden from whoever looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Match as Row
from pbem.games import Eye
from pbem.games.chain import EventEntry, MoveEntry
from pbem.play.archive import replays
from pbem.play.lifecycle import endings, seat_changes
from pbem.play.matches.match_state import load_log, load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from tests.support.play.archive.replays import AT

if TYPE_CHECKING:
    from tests.support.house import House


# -- from the database ---------------------------------------------------------------------------------


def test_a_log_is_read_as_the_chain_has_it(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    house.reply(house.last("Ann"), "resign yes")
    with house.course(match_id) as (table, played):
        assert load_log(table, match_id) == played.log
        move, resigned = played.log
        assert isinstance(move, MoveEntry)
        assert isinstance(resigned, EventEntry)
        assert (resigned.event, resigned.by, resigned.detail) == ("resigned", "seat 1", {})
        assert len(move.salt) == 32
        assert move.at.endswith("Z")
        assert len(move.at) == len(AT)


def test_every_step_names_who_sat_there_then(house: House) -> None:
    match_id = house.start_match("martian-whist", 2, {"sets": 2})
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    with house.transaction() as table:
        match = table.session.get_one(Row, match_id)
        ann = holders(table, match)[0]
        seat_changes.seat_robot(table, match, ann, "clock")
    with house.transaction() as table:
        match = table.session.get_one(Row, match_id)
        endings.resign(table, load_match(table, match), holders(table, match)[0])
    with house.course(match_id) as (table, played):
        names, sitters = player_names(table, played.match), replays.seat_history(table, played.match)
        robot = names[0]
        every = list(replays.steps(played, Eye.OPEN, names, sitters))
        assert [step.who for step in every] == ["", "Ann", robot, robot]
        assert "Ann" in every[1].told[0]
        assert every[2].told == (f"{robot} takes the seat of Ann.",)
        assert [line.who for line in replays.move_list(played, Eye.OPEN, names, sitters)] == ["Ann", robot, robot]
        assert every[3].told == (f"{robot} resigns.",)
