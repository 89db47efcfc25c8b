"""How fast the rules are played, replayed, shown and read, beside other projects' engines: `make bench-engines`.

One run on one core takes everything in turns, several times over, so that a busy machine is busy for all of
them; time is the processor's, and a ratio is the median of the ratios of the single turns. Random playouts
count plies, with the deals in their time. Minimax counts single drops, because one of its moves is up to a
dozen of them; it and the board stage of Amazonian Buffet are played through `steps`: whoever wants one random
move needs no list of them all. A whole match is replayed beside the SELECT of its rows, by the clock on the
wall, since the database is another process.

Prints figures and ratios, and at the end the goals; asserts nothing. A peer that is not installed is named and
left out.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from benchmarks import peers, rows
from benchmarks.measuring import Goal, Ratios, compared, report
from benchmarks.options import Options
from pbem.games import GAMES, Chance, Game, Move, Seat
from pbem.games.cards import DECK
from pbem.games.chain import MoveEntry
from pbem.games.poker import COMPARE_OPTIONS, strength
from pbem.games.record import replay
from pbem.ops.up.errors import StartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.measuring import Measure

RANDOM = random.Random(1)  # noqa: S311 -- any moves will do
HANDS = [tuple(RANDOM.sample(DECK, 5)) for _ in range(1000)]
DONE = "."

SELECT = "SELECT of its rows"

LISTED = ("martian-trickery", "martian-whist", "montauk")
"""Games whose random moves are chosen from the list of all."""

GOALS = (
    *(Goal(f"{key}, plies", "python_tic_tac_toe", 4) for key in LISTED),
    *(Goal("martian-trickery, plies", hearts, 1) for hearts in ("hearts", "hearts_by_odds")),
    *(Goal(f"{key}, plies", "python_chess", 4) for key in LISTED),
    Goal("minimax, drops", "python_chess", 4),
    Goal("amazonian-buffet, board plies", "python_chess", 4),
    Goal("poker.strength", "treys", 1),
)
"""What the rules are to reach; besides, a replay takes at most twice the time of selecting the match's rows."""


def choice(items: Sequence[Any]) -> Any:
    """Choose at random, in the same way for everybody; `random.choice` would take much of the time itself."""
    return items[int(RANDOM.random() * len(items))]


def chosen(game: Game[Any], position: Any, seat: Seat) -> tuple[str, ...]:
    """Assemble a random move, piece by piece."""
    pieces: tuple[str, ...] = ()
    while offered := game.steps(position, seat, pieces):
        piece = choice(offered)
        pieces += (piece,)
        if piece == DONE:
            break
    return pieces


# -- what is measured --------------------------------------------------------------------------------


def listed_playouts(key: str) -> Measure:
    """Play a game to its end, choosing from the list of all moves."""
    game = GAMES[key]

    def playout() -> int:
        chance = Chance(RANDOM.randbytes(32))
        position, plies = game.setup(game.seats[-1], {}, chance), 0
        while acting := game.to_move(position):
            move = choice(tuple(game.moves(position, acting[0])))
            position = game.apply(position, acting[0], move, chance)
            plies += 1
        return plies

    return playout


def minimax_drops() -> Measure:
    """Play Minimax to its end, drop by drop."""
    game = GAMES["minimax"]

    def playout() -> int:
        chance = Chance(RANDOM.randbytes(32))
        position, drops = game.setup(1, {}, chance), 0
        while game.to_move(position):
            start, *then = chosen(game, position, Seat(1))
            position = game.apply(position, Seat(1), Move(f"{start} {', '.join(then)}"), chance)
            drops += len(then)
        return drops

    return playout


def buffet_board() -> Measure:
    """Play the board stage of Amazonian Buffet: first the pawn, then the claim."""
    game = GAMES["amazonian-buffet"]

    def playout() -> int:
        chance = Chance(RANDOM.randbytes(32))
        position, plies = game.setup(2, {}, chance), 0
        while len(acting := game.to_move(position)) == 1:
            slide = choice(game.steps(position, acting[0], ()))
            claims = game.steps(position, acting[0], (slide,))
            move = f"{slide} {choice(claims)}" if claims else slide
            position = game.apply(position, acting[0], Move(move), chance)
            plies += 1
        return plies

    return playout


def strengths() -> Measure:
    """Measure poker hands, from cards as they are dealt."""

    def measure() -> int:
        for hand in HANDS:
            strength(hand, COMPARE_OPTIONS[0])
        return len(HANDS)

    return measure


def random_move(game: Game[Any], position: Any, seat: Seat) -> Move:
    """Choose a move piece by piece, as canonical text."""
    return game.read(position, seat, " ".join(piece for piece in chosen(game, position, seat) if piece != DONE))


def one_match(key: str) -> tuple[Measure, Measure, Measure]:
    """Play a match, the same in each run; give its replay (counting plies), its Views and the reading of its moves."""
    RANDOM.seed(key)
    game, chance = GAMES[key], Chance(bytes(range(32)))
    start = position = game.setup(game.seats[-1], {}, chance)
    turns: list[tuple[Any, Seat, Move]] = []
    while acting := game.to_move(position):
        move = random_move(game, position, acting[0])
        turns.append((position, acting[0], move))
        position = game.apply(position, acting[0], move, chance)
    log = [MoveEntry(ply, seat, move, "", "") for ply, (_, seat, move) in enumerate(turns, 1)]

    def replays() -> int:
        return sum(1 for _ in replay(game, start, log, chance))

    def views() -> int:
        for position, seat, _ in turns:
            game.view(position, seat)
        return len(turns)

    def reads() -> int:
        for position, seat, move in turns:
            game.read(position, seat, move)
        return len(turns)

    return replays, views, reads


# -- one run -----------------------------------------------------------------------------------------


def installed(what: Iterable[Callable[[Any], Measure]], given: Any) -> dict[str, Measure]:
    """Set up the peers that are there, and say which are not."""
    found = {}
    for peer in what:
        try:
            found[peer.__name__] = peer(given)
        except ImportError as missing:
            print(f"{peer.__name__}: not installed ({missing}); `python -m benchmarks.peers` installs it")
    return found


def replays(keys: Iterable[str], turns: int, seconds: float) -> Ratios:
    """Replay a whole match of each game beside the SELECT of its rows, if there is a database to be had."""
    ratios: Ratios = {}
    try:
        with rows.database() as cluster:
            for key in keys:
                with rows.whole_match(cluster, key, random_move) as (plies, replay_it, select):
                    name = f"{key}, replay"
                    print(f"{key}: {plies} plies")
                    found = compared({name: replay_it}, {SELECT: select}, turns, seconds, time.perf_counter)
                print(f"{'':<4}a replay takes {1 / found[name, SELECT]:.2f} x the time of the {SELECT}")
                ratios |= found
    except StartError as refused:
        print(f"{SELECT}: no database here ({refused})")
    return ratios


def main() -> None:
    """Measure and print; the numbers say how long."""
    options = Options(__doc__)
    options.number("--turns", 5, 1, "how often each thing is measured, in turns")
    options.number("--seconds", 0.4, 0.001, "how long one measurement takes")
    about_only = "this game alone; may be said several times"
    options.add_argument("--only", metavar="GAME", choices=tuple(GAMES), action="append", help=about_only)
    given = options.told()
    keys = given.only or tuple(GAMES)

    playouts = {f"{key}, plies": listed_playouts(key) for key in LISTED}
    playouts |= {"minimax, drops": minimax_drops(), "amazonian-buffet, board plies": buffet_board()}
    wanted = {name: playout for name, playout in playouts.items() if name.split(", ")[0] in keys}
    print("-- random playouts")
    ratios = compared(wanted, installed(peers.GAMES, choice), given.turns, given.seconds)
    if "amazonian-buffet" in keys:
        print("-- poker hands of five cards")
        ratios |= compared({"poker.strength": strengths()}, installed(peers.HANDS, HANDS), given.turns, given.seconds)
    print("-- a whole match: plies replayed, Views, moves read")
    for key in keys:
        names = (f"{key}, {what}" for what in ("replay", "view", "read"))
        compared(dict(zip(names, one_match(key), strict=True)), {}, given.turns, given.seconds / 4)
    print("-- a whole match from seed and log, beside its rows in the database")
    ratios |= replays(keys, given.turns, given.seconds / 2)
    print("-- goals: how many times as fast as what stands beside")
    goals = (*GOALS, *(Goal(f"{name}, replay", SELECT, 0.5) for name in GAMES))
    report([goal for goal in goals if not given.only or (goal.what, goal.peer) in ratios], ratios)


if __name__ == "__main__":
    main()
