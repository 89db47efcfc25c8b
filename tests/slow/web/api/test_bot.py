"""The example of a bot is a match for the easy robots: it wins and loses in every game that has a winner."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.support.live_service import until
from tests.support.play.accounts.live_programs import key_at
from tests.support.web.api.bots import GAMES, bot_at, call

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

AT_ONCE = 3
"""Matches of each game that are played at the same time."""
MAX_ROUNDS = 20


def test_the_bot_wins_and_loses_in_each_game(live_service: LiveService) -> None:
    results: dict[str, set[bool]] = defaultdict(set)
    for number in range(MAX_ROUNDS):
        key = key_at(live_service, f"Rival{number}")
        games = [game for game in GAMES if len(results[game]) < 2]
        if not games:
            break
        with bot_at(live_service, key, *games * AT_ONCE) as bot:
            for ending in bot.endings(AT_ONCE * len(games)):
                if ending.game != "minimax":
                    results[ending.game].add(ending.is_won)
        if "minimax" in games:
            results["minimax"] |= reached_par(live_service, key)
    assert {game: results[game] for game in GAMES} == {game: {True, False} for game in GAMES}


def reached_par(live_service: LiveService, key: str) -> set[bool]:
    """Ask whether each match of Minimax made as much as the strong robot on average of its plays."""
    found = set()
    for match in call(live_service, key, "/api/me/matches"):
        if match["game"] == "minimax":
            path = f"/api/matches/{match['match']}/par"
            call(live_service, key, path, {})
            par = until(partial(finished, live_service, key, path), seconds=300)
            average = sum(points for (points,) in par["plays"]) / len(par["plays"])
            found.add(match["outcome"]["scores"]["1"] >= average)
    return found


def finished(live_service: LiveService, key: str, path: str) -> Any:
    """Return what the robot made once it has played, else None."""
    known = call(live_service, key, path)
    return known if known["state"] == "done" else None
