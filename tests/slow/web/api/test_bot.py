"""The example of a bot is a match for the easy robots: it wins and loses in every game that has a winner."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests.support.play.accounts.live_programs import key_at
from tests.support.web.api.bots import GAMES, bot_at

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

AT_ONCE = 3
"""Matches of each game that are played at the same time."""
MAX_ROUNDS = 20
WITH_WINNERS = [game for game in GAMES if game != "minimax"]


def test_the_bot_wins_and_loses_in_each_game(live_service: LiveService) -> None:
    results: dict[str, set[bool]] = defaultdict(set)
    key = key_at(live_service, "Rival")
    for _ in range(MAX_ROUNDS):
        games = [game for game in WITH_WINNERS if len(results[game]) < 2]
        if not games:
            break
        with bot_at(live_service, key, *games * AT_ONCE) as bot:
            for ending in bot.endings(AT_ONCE * len(games)):
                results[ending.game].add(ending.is_won)
    assert results == {game: {True, False} for game in WITH_WINNERS}
