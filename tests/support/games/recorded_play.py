"""The matches that are kept as playthroughs; `python -m tests.support.games.recorded_play` writes them anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, Game
from tests.support.games.playthrough import playthrough
from tests.support.games.random_play import refused
from tests.support.places import DATA

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = DATA / "playthroughs"
SEED = bytes(range(32))


@dataclass(frozen=True)
class Recorded:
    """Names one playthrough: a game with the options that are not its defaults."""

    game: Game[Any]
    seats: int
    options: dict[str, object]

    @property
    def path(self) -> Path:
        chosen = "".join(f"-{name}-{value}" for name, value in self.options.items())
        seats = f"-{self.seats}" if len(self.game.seats) > 1 else ""
        return FOLDER / f"{self.game.key}{seats}{chosen}.txt"

    def text(self) -> str:
        return "".join(f"{line}\n" for line in playthrough(self.game, self.seats, self.options, SEED))


def recorded() -> list[Recorded]:
    """Find them: each game with its defaults for every number of seats, and with each option's last value."""
    found = []
    for game in GAMES.values():
        found += [Recorded(game, seats, {}) for seats in game.seats]
        lasts: list[dict[str, object]] = [{name: values[-1]} for name, values in game.options.items()]
        found += [Recorded(game, game.seats[0], last) for last in lasts if not refused(game, game.seats[0], last)]
    return found


def rewrite() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.txt"):
        stale.unlink()
    for kept in recorded():
        kept.path.write_text(kept.text(), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
