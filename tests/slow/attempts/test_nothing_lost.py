"""Nothing that was acknowledged is lost: after a 202 or a 250 comes a verdict, whatever is killed meanwhile."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPException
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import token_of
from tests.support.live_service import until
from tests.support.mailservers import listens

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player, Table

PARTS = ("worker", "web", "mail", "broker")


def kill(house: House, part: str) -> int:
    """Kill one part of the service, which starts it again."""
    pid: int = until(lambda: house.running.processes().get(part))
    os.kill(pid, signal.SIGKILL)
    return pid


def is_back(house: House, part: str, pid: int) -> bool:
    """Return whether a part was started again, and both doors are open."""
    return house.running.processes().get(part, pid) != pid and listens(house.running.smtp_port) and answers(house)


def answers(house: House) -> bool:
    try:
        return house.anybody.get("/readyz").status == 200
    except (OSError, HTTPException):
        return False


def statused(house: House, submission: str) -> str:
    """Ask what became of something, as long as there is an answer."""
    try:
        answer = house.anybody.get(f"/api/submissions/{submission}")
    except (OSError, HTTPException):
        return ""
    return str(answer.json["status"]) if answer.status == 200 else ""


def judged(house: House, submission: str) -> str:
    found: str = until(lambda: (said := statused(house, submission)) not in {"", "pending"} and said, seconds=120)
    return found


@pytest.fixture
def table(here: House) -> Table:
    return here.table("martian-whist", "Ann", "Bob")


@pytest.mark.parametrize("part", PARTS)
def test_a_move_of_a_program_is_judged_though_a_part_was_killed(here: House, table: Table, part: str) -> None:
    link = token_of(table.turn(table.mover))
    taken = here.visitor().send(f"/api/seats/{link}/moves", {"ply": 1, "move": "take 1"})
    assert taken.status == 202
    pid = kill(here, part)
    assert judged(here, taken.json["submission"]) == "played"
    until(partial(is_back, here, part, pid), seconds=120)
    assert table.view["ply"] == 2


@pytest.mark.parametrize("part", PARTS)
def test_a_mail_is_judged_though_a_part_was_killed(here: House, table: Table, part: str) -> None:
    player = table.mover
    assert player.reply(table.turn(player), "take 1") == 250
    pid = kill(here, part)
    until(partial(is_back, here, part, pid), seconds=120)
    until(lambda: table.view["ply"] == 2, seconds=120)
    # And the next player is told.
    other = next(each for each in table.players if each != player)
    assert table.turn(other)


@pytest.mark.full
@pytest.mark.parametrize("part", ["worker", "broker"])
def test_what_came_while_a_part_was_away_is_judged(here: House, part: str) -> None:
    tables = [here.table("martian-whist", "Ann", "Bob") for _ in range(4)]
    turns = [(table, table.mover, table.turn(table.mover)) for table in tables]
    pid = kill(here, part)
    with ThreadPoolExecutor(len(turns)) as threads:
        codes = list(threads.map(replied, turns))
    assert set(codes) == {250}
    until(partial(is_back, here, part, pid), seconds=120)
    for table in tables:
        until(partial(has_moved, table), seconds=120)


def has_moved(table: Table) -> bool:
    return bool(table.view["ply"] == 2)


def replied(turn: tuple[Table, Player, EmailMessage]) -> int:
    _, player, mail = turn
    return player.reply(mail, "take 1")


@pytest.mark.full
@pytest.mark.parametrize("kind", ["letter", "resign", "draw", "illegal"])
def test_every_mail_has_an_end(here: House, table: Table, kind: str) -> None:
    """What was taken is answered or done, even where it is no move."""
    player = table.mover
    turn, known = table.turn(player), len(player.mails)
    line = {"letter": "help", "resign": "resign yes", "draw": "draw", "illegal": "take 99"}[kind]
    assert player.reply(turn, line) == 250
    pid = kill(here, "worker")
    until(lambda: len(player.mails) > known, seconds=120)
    until(partial(is_back, here, "worker", pid), seconds=120)
