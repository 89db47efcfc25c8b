"""What tests of by mail share."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from tests.support.live_service import LiveService, environment, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

MATCHES = [
    ("minimax", {"size": "long"}, ("Bea",)),
    ("martian-whist", {"sets": 2}, ("Ann", "Bob")),
    ("montauk", {"rounds": 1}, ("Fay", "Gus")),
    ("martian-trickery", {"hands": 1}, ("Hal", "Ida", "Jon")),
    ("amazonian-buffet", {}, ("Kit", "Lou")),
    ("middle-card", {}, ("Cyd", "Dee", "Eve")),
]


def play_to_the_end(
    live_service: LiveService,
    match: str,
    names: tuple[str, ...],
    chance: Random,
    before_move: Callable[[int], None] = lambda _number: None,
    seconds: float = 600,
) -> list[tuple[int, str]]:
    """Answer each turn of everybody with a random legal move; return the moves in the order sent."""
    moves: list[tuple[int, str]] = []
    answered: set[str] = set()
    end = time.monotonic() + seconds
    while True:
        status, public = live_service.ask(f"/api/matches/{match}")
        if status == 200 and public["outcome"]:
            return moves
        for name in names:
            turn = live_service.turn(name, match)
            if turn and turn[0]["Message-ID"] not in answered:
                mail, view = turn
                answered.add(mail["Message-ID"])
                before_move(len(moves))
                move = chance.choice(view["moves"])
                assert live_service.reply(name, mail, move)
                moves.append((view["seat"], move))
                until(partial(acted, live_service, match, view), 60)
        assert time.monotonic() < end, f"not over after {len(moves)} moves"
        time.sleep(0.02)


def acted(live_service: LiveService, match: str, view: dict[str, object]) -> bool:
    """Return whether a seat has acted since it saw a View."""
    status, public = live_service.ask(f"/api/matches/{match}")
    return status == 200 and (public["ply"] != view["ply"] or view["seat"] not in public["to_move"])


def records_alike(
    live_service: LiveService, match: str, names: tuple[str, ...], moves: list[tuple[int, str]], file: Path
) -> None:
    """Compare a match with the moves that were sent, one last mail a player, and a record that verifies."""
    status, record = live_service.ask(f"/api/matches/{match}/record")
    assert status == 200
    assert [(entry["seat"], entry["move"]) for entry in record["log"]] == moves
    for name in names:
        final = until(partial(live_service.mails_about, name, f"/matches/{match}/record"))
        assert len(final) == 1
    file.write_text(json.dumps(record))
    command = [sys.executable, "-m", "pbem", "verify", str(file)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert verified.returncode == 0, verified.stderr
