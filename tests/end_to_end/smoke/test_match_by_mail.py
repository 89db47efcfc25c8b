"""One match on the running service by SMTP and Maildir alone: the least that must hold before anything is shown."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.support.service.by_mail import play_to_the_end, records_alike

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.live_service import LiveService


def test_a_short_match_is_played_by_mail_and_its_record_verifies(live_service: LiveService, tmp_path: Path) -> None:
    match = live_service.start_match("minimax", {}, "Ada")
    moves = play_to_the_end(live_service, match, ("Ada",), Random("minimax"))
    records_alike(live_service, match, ("Ada",), moves, tmp_path / "record.json")
