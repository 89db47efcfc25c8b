"""A database full of people and matches, made by a few statements from one mould of each game."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from pbem.games import GAMES, Chance
from pbem.games.chance import SEED_BYTES

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

PEOPLE, MATCHES, WAITING, BUSY = 10_000, 100_000, 500, 50
"""A tenth of the matches run; so many have open seats; the first person has so many running ones."""
PLIES = 12
SEED = bytes(range(SEED_BYTES))

MOULDS = (
    "CREATE TEMP TABLE moulds"
    " (number int PRIMARY KEY, game text, seats int, options jsonb, to_move smallint[], ply int, length int);"
    "CREATE TEMP TABLE mould_log (mould int, number int, seat int, move text)"
)
FILLING = Path(__file__).with_name("crowd.sql")


def fill(engine: Engine, matches: int = MATCHES, running: int = MATCHES // 10, plies: int = PLIES) -> None:
    """Fill an empty database, with so many moves in each match at the most: games may be over before."""
    with engine.begin() as connection:
        moulds = _mould(connection, plies)
        numbers = {
            "people": PEOPLE, "matches": matches, "running": running, "waiting": WAITING, "busy": BUSY,
            "moulds": moulds, "seed": SEED,
        }  # fmt: skip
        for statement in FILLING.read_text().split(";\n"):
            if statement.strip():
                connection.execute(text(statement.replace("::", "\\:\\:")), numbers)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))


def _mould(connection: Connection, plies: int) -> int:
    """Begin a match of each game that several can play; gives how many there are."""
    connection.execute(text(MOULDS))
    several = [game for game in GAMES.values() if game.seats[-1] > 1 and type(game).__module__.startswith("pbem.")]
    for number, game in enumerate(several):
        seats, chance = game.seats[0], Chance(SEED)
        chosen = random.Random(number)  # noqa: S311 -- a position, not a secret
        options = dict(game.settle(seats, {}))
        position, begun, stage = game.setup(seats, options, chance), 1, 1
        log: list[dict[str, Any]] = []
        while len(log) < plies:
            seat = chosen.choice(game.to_move(position))
            move = game.suggest(position, seat)[0]
            moved = game.apply(position, seat, move, chance)
            if game.outcome(moved) is not None:
                break
            position = moved
            log.append({"mould": number, "number": len(log) + 1, "seat": seat, "move": move})
            if game.stage(position) != stage:
                begun, stage = len(log) + 1, game.stage(position)
        row = {
            "number": number, "game": game.key, "seats": seats, "options": json.dumps(options),
            "to_move": [int(one) for one in game.to_move(position)], "ply": begun, "length": len(log),
        }  # fmt: skip
        into = "INSERT INTO moulds VALUES (:number, :game, :seats, CAST(:options AS jsonb), :to_move, :ply, :length)"
        connection.execute(text(into), row)
        connection.execute(text("INSERT INTO mould_log VALUES (:mould, :number, :seat, :move)"), log)
    return len(several)
