"""A match against a robot that thinks, on the running service: by mail, to its end, and its record chosen again."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from tests.support.live_service import address, environment, until
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.live_service import LiveService


def test_a_strong_robot_is_played_by_mail_and_its_moves_are_chosen_again(
    live_service: LiveService, tmp_path: Path
) -> None:
    seats = [{"name": "Rob", "email": address("Rob")}, {"bot": True, "level": "strong"}]
    _, made = live_service.ask("/api/matches", {"game": "martian-whist", "options": {"sets": 2}, "seats": seats})
    match = made["id"]
    invitation = until(partial(live_service.mails_about, "Rob", match))[0]
    live_service.reply("Rob", invitation, "accept")
    play_to_the_end(live_service, match, ("Rob",), Random("robots"))
    until(lambda: "Game over" in str(live_service.mails("Rob")[-1]["Subject"]))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(live_service.ask(f"/api/matches/{match}/record")[1]))
    command = [sys.executable, "-m", "pbem", "verify", "--brief", str(file)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(), check=False)
    assert "The robots chose as they do: 20 of 20 moves reproduced." in shown.stdout
    assert shown.returncode == 0
