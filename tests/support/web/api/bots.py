"""The example of a bot, run as a program against a service that runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from subprocess import Popen

    from tests.support.live_service import LiveService

BOT = ROOT / "examples" / "bot.py"
GAMES = ("amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, as the bot prints it."""

    game: str
    seat: int
    outcome: dict[str, Any]

    @property
    def is_won(self) -> bool:
        return self.seat in self.outcome["winners"]


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that runs."""

    process: Popen[str]

    def endings(self, count: int) -> list[Ending]:
        """Read how so many matches end."""
        assert self.process.stdout is not None
        found = []
        for line in self.process.stdout:
            game, seat, outcome = line.split(" ", 2)
            found.append(Ending(game, int(seat), json.loads(outcome)))
            if len(found) == count:
                return found
        raise AssertionError(f"the bot has ended after {len(found)} matches")


@contextmanager
def bot_at(live_service: LiveService, key: str, *games: str) -> Iterator[Bot]:
    """Run the bot for as long as a `with` block lasts; it starts a match of each game that is named."""
    environment = {**os.environ, "BASE": live_service.url, "KEY": key}
    process = subprocess.Popen(
        (sys.executable, str(BOT), *games), env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT.parent
    )
    try:
        yield Bot(process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def call(live_service: LiveService, key: str, path: str, body: Any = None) -> Any:
    """Call the API with a key; return the JSON of the answer."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(live_service.url + path, data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
