"""How long matches are, for players who choose one: `make lengths` writes pbem/play/clocks/match_lengths.toml.

Every game is played to its end many times by its own suggestions, any of the best few, with each option changed
alone. A turn is a stage at which a seat acts, as it gets a mail for; a wait is each time that a match comes to wait
for somebody else.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.options import Options
from pbem.games import GAMES, Chance
from pbem.play.clocks import match_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games import Game

RANDOM = random.Random(1)  # noqa: S311 -- any deals will do
BEST = 3
"""One of so many of the best suggestions is played."""
FEW = 5
"""Of an option with more values than these, some are measured and the rest reckoned from them."""
HEAD = """\
# How long matches are: the median turns of a player, and how often the match waits for somebody else.
# Written by `make lengths` from {games} games of each kind.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """One match that was played: the turns of the seat that had most of them, and how often it waited."""

    turns: int
    waits: int


def play(game: Game[Any], seats: int, options: Mapping[str, object]) -> Played:
    """Play one match to its end."""
    chance = Chance(RANDOM.randbytes(32))
    position = game.setup(seats, options, chance)
    stages: list[set[int]] = [set() for _ in range(seats)]
    waits, before = 0, frozenset[int]()
    while asked := game.to_move(position):
        seat = asked[0]
        # Who acts together is waited for once.
        waits += not (before and before >= frozenset(asked))
        before = frozenset(asked)
        stages[seat - 1].add(game.stage(position))
        position = game.apply(position, seat, RANDOM.choice(game.suggest(position, seat)[:BEST]), chance)
    return Played(max(map(len, stages)), waits)


def ways(game: Game[Any], seats: int) -> Iterator[Mapping[str, object]]:
    """Yield the defaults first, then each option changed alone."""
    usual = game.settle(seats, {})
    yield usual
    for option, values in game.options.items():
        others = values[1:]
        if len(values) > FEW:
            ordered = sorted(others, key=lambda value: (str(type(value)), value))
            others = (*ordered[:3], ordered[len(ordered) // 2], ordered[-1])
        yield from (game.settle(seats, {option: value}) for value in others)


def written(value: object) -> str:
    """Write a value as TOML does."""
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else f'"{value}"'


def main() -> None:
    """Measure, and write what was found."""
    said = Options(__doc__)
    said.number("--games", 100, 1, "so many games of each kind")
    said.add_argument("--to", type=Path, help="where to write, unless it is where the service looks")
    asked = said.told()
    to = asked.to or (Path(os.devnull) if asked.smoke else match_lengths.MEASUREMENTS_PATH)
    lines = [HEAD.format(games=asked.games)]
    ours = {key: game for key, game in GAMES.items() if type(game).__module__.startswith("pbem.")}
    for key, game in ours.items():
        for seats in game.seats:
            for options in ways(game, seats):
                found = [play(game, seats, options) for _ in range(asked.games)]
                turns = round(median(one.turns for one in found))
                waits = round(median(one.waits for one in found))
                chosen = ", ".join(f"{option} = {written(value)}" for option, value in options.items())
                lines.append(
                    f'[[measured]]\ngame = "{key}"\nseats = {seats}\noptions = {{ {chosen} }}\n'
                    f"turns = {turns}\nwaits = {waits}\n"
                )
                print(f"{key}, {seats} seats, {chosen}: {turns} turns, {waits} waits")
    to.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
