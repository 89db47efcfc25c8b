"""Whole matches on the running service, by SMTP and Maildir alone."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.service.by_mail import MATCHES, play_to_the_end, records_alike

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.live_service import LiveService


@pytest.mark.parametrize(("game", "options", "names"), MATCHES)
def test_a_whole_match_is_played_by_mail(
    live_service: LiveService, tmp_path: Path, game: str, options: dict[str, object], names: tuple[str, ...]
) -> None:
    match = live_service.start_match(game, options, *names)
    moves = play_to_the_end(live_service, match, names, Random(game))
    records_alike(live_service, match, names, moves, tmp_path / "record.json")
