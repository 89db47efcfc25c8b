"""Whole matches on the running service by links alone: invitations, turns and the end are pages without scripts."""

from __future__ import annotations

from pbem.games import GAMES
from tests.support.service.by_mail import MATCHES


def test_every_game_is_played_here() -> None:
    assert {game for game, _, _ in MATCHES} == set(GAMES)
