"""Whole matches on the running service, by SMTP and Maildir alone."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.service.by_mail import MATCHES, play_to_the_end, records_alike

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.outside import Running


@pytest.mark.parametrize(("game", "options", "names"), MATCHES)
def test_a_whole_match_is_played_by_mail(
    running: Running, tmp_path: Path, game: str, options: dict[str, object], names: tuple[str, ...]
) -> None:
    match = running.begin(game, options, *names)
    moves = play_to_the_end(running, match, names, Random(game))
    records_alike(running, match, names, moves, tmp_path / "record.json")
