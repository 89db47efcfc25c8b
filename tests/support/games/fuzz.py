"""What tests of fuzz share."""

from __future__ import annotations

import time
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, Game, IllegalMove, InvalidMove, Move, Seat
from tests.support.games.random_play import Match, refused, walk

if TYPE_CHECKING:
    from collections.abc import Iterator
PER_POSITION = 20
LETTERS = (
    "abcdkrgyRGYBK123456789tjqaTJQA hsdcHSDC-/|,.:;>@()♠♥♦♣→–\u2212\u0661\uff12\u0130\u0131\u200b\u00a0\n\t\0\ud800🂡"
)
WORDS = (
    "take", "swap", "pass", "sow", "on", "hands", "keep", "none", "off", "lead", "play", "large", "red", "medium",
    "green", "small", "blue", "ten", "of", "hearts", "queen", "and", "-",
    "|", "/", "1", "10", "99999999999", "a1", "R3",
)  # fmt: skip


def positions(key: str) -> Iterator[tuple[Any, Seat, list[Move]]]:
    """Yield positions of matches played at random, who is to move there, and the moves played before."""
    game, number = GAMES[key], 0
    while True:
        number += 1
        chosen = Random(f"fuzz {key} {number}")
        options = {name: chosen.choice(may) for name, may in game.options.items()}
        seats = chosen.choice(game.seats)
        if refused(game, seats, options):
            continue
        played = [Move("pass")]
        for turn in walk(Match(game, seats, options, chosen.randbytes(32))):
            yield turn.before, turn.seat, played
            played.append(turn.move)


def text(chosen: Random, moves: list[Move]) -> str:
    """Write a move with some of it changed, words that moves are made of, or anything."""
    kind = chosen.randrange(8)
    if kind == 0:
        return "".join(chosen.choices(LETTERS, k=chosen.randrange(40)))
    if kind == 1:
        return " ".join(chosen.choices(WORDS, k=chosen.randrange(1, 12)))
    if kind == 2:
        return "".join(chr(chosen.randrange(0x11000)) for _ in range(chosen.randrange(1, 20)))
    line = str(chosen.choice(moves))
    for _ in range(chosen.randrange(4)):
        at, to = sorted(chosen.randrange(len(line) + 1) for _ in range(2))
        change = chosen.randrange(5)
        if change == 0:
            line = line[:at] + chosen.choice(LETTERS) + line[at:]
        elif change == 1:
            line = line[:at] + line[to:]
        elif change == 2:
            line = line[:to] + line[at:to] * chosen.choice((1, 2, 30)) + line[to:]
        elif change == 3:
            line = line[:at] + chosen.choice(WORDS) + line[to:]
        else:
            line = chosen.choice((line.upper(), line[::-1], f"1. {line}", line.replace(" ", ""), f"{line}, {line}"))
    return line


def read(game: Game[Any], position: Any, seat: Seat, line: str) -> bool:
    """Read a text: whether it is a move, which then is legal and canonical; any other error fails the test."""
    try:
        move = game.read(position, seat, line)
    except (InvalidMove, IllegalMove) as refusal:
        said = str(refusal)
    else:
        assert game.allows(position, seat, move)
        assert game.read(position, seat, move) == move
        return True
    assert said.endswith((".", "?", "!"))
    return False


def read_many(key: str, count: int) -> tuple[int, float, str]:
    """Read many texts; gives how many were moves, and the longest time that one took, with it."""
    game, chosen, moves, worst = GAMES[key], Random(key), 0, (0.0, "")
    for position, seat, played in islice(positions(key), -(-count // PER_POSITION)):
        legal = [*played[-20:], *islice(game.moves(position, seat), 20)]
        for _ in range(PER_POSITION):
            line = text(chosen, legal)
            begun = time.perf_counter()
            moves += read(game, position, seat, line)
            worst = max(worst, (time.perf_counter() - begun, line))
    return moves, *worst
