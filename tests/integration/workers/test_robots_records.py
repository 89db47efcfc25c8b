"""Records of matches with robots: everybody can choose the robots' moves again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Match
from pbem.games import find
from pbem.games.chain import MoveEntry
from pbem.games.verify import UnsoundError, VerifiedEntry, check
from pbem.play.archive import records
from pbem.play.lifecycle import match_requests
from pbem.robots import Level
from pbem.robots.verify import check_robots
from tests.support.creating import create_match
from tests.support.examples import few
from tests.support.robots import ANN, play_on, thinking_here

if TYPE_CHECKING:
    from pbem.games.record import Record
    from tests.support.house import House


def played(house: House, level: Level) -> Record:
    with house.transaction() as ctx:
        guests = [ANN, match_requests.robot(level)]
        match_id = create_match(ctx, "martian-whist", {"sets": 2}, guests, creator=1).id
    play_on(house, match_id, thinking_here(house))
    with house.transaction() as ctx:
        return records.build_record(ctx, ctx.session.get_one(Match, match_id))


def verdict(record: Record) -> str | None:
    entries = [step for step in check(record, find) if isinstance(step, VerifiedEntry)]
    return check_robots(record, entries)


@pytest.mark.parametrize("level", [*few((Level.EASY, Level.STRONG, Level.FAIR))])
def test_the_moves_of_a_robot_are_chosen_again_from_the_record(house: House, level: Level) -> None:
    record = played(house, level)
    assert record.seats == ("Ann", f"Ada ({level} robot, edition 1)")
    moves = sum(isinstance(entry, MoveEntry) and entry.seat == 2 for entry in record.log)
    assert verdict(record) == f"The robots chose as they do: {moves} of {moves} moves reproduced."
    other = Level.EASY if level is Level.FAIR else Level.FAIR
    with pytest.raises(UnsoundError, match=r"Ply \d+ does not hold: the robot at seat 2 would have played"):
        verdict(replace(record, seats=("Ann", f"Ada ({other} robot, edition 1)")))
    claimed = replace(record, seats=("Ann", f"Ada ({level} robot, edition 2)"))
    assert f"0 of {moves} moves reproduced. The others are of an edition" in (verdict(claimed) or "")
