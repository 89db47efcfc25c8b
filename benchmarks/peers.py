"""Other projects' engines, each set up to be measured beside ours: `make bench-engines`.

Each function gives something to call over and over that returns how much it has done, and raises
ModuleNotFoundError where the peer is not installed; `python -m benchmarks.peers` installs them.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.measuring import Measure

    Choice: TypeAlias = "Callable[[Sequence[Any]], Any]"

PROJECT = Path(__file__).parents[1]

MOST_PLIES = 200
"""Random chess is cut off here, where it has long become an endgame of two bare kings or nearly so."""


def python_tic_tac_toe(choice: Choice) -> Measure:
    """Play OpenSpiel's tic-tac-toe, a game written in Python."""
    import_module("open_spiel.python.games.tic_tac_toe")
    return _open_spiel("python_tic_tac_toe", choice)


def hearts(choice: Choice) -> Measure:
    """Play OpenSpiel's hearts, written in C++ and driven from Python, its deals drawn in the quickest way."""
    return _open_spiel("hearts", choice)


def hearts_by_odds(choice: Choice) -> Measure:
    """Play the same as OpenSpiel's documentation does: what is left to chance is drawn by its odds."""

    def by_odds(state: Any) -> Any:
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        return random.choices(outcomes, odds)[0]  # noqa: S311 -- any deal will do

    return _open_spiel("hearts", choice, by_odds)


def _open_spiel(name: str, choice: Choice, dealt: Callable[[Any], Any] | None = None) -> Measure:
    game = import_module("pyspiel").load_game(name)
    dealt = dealt or (lambda state: choice(state.legal_actions()))

    def playout() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dealt(state))
            else:
                state.apply_action(choice(state.legal_actions()))
                plies += 1
        return plies

    return playout


def python_chess(choice: Choice) -> Measure:
    """Play chess with python-chess."""
    chess = import_module("chess")

    def playout() -> int:
        board = chess.Board()
        for ply in range(MOST_PLIES):
            legal = list(board.legal_moves)
            if not legal:
                return ply
            board.push(choice(legal))
        return MOST_PLIES

    return playout


def connect_four(choice: Choice) -> Measure:
    """Play PettingZoo's connect four in its raw environment."""
    environment = import_module("pettingzoo.classic.connect_four.connect_four").raw_env()

    def playout() -> int:
        environment.reset()
        plies = 0
        while True:
            observation, _, over, _, _ = environment.last()
            if over:
                return plies
            environment.step(choice(observation["action_mask"].nonzero()[0]))
            plies += 1

    return playout


def treys(hands: Sequence[Sequence[str]]) -> Measure:
    """Measure hands of five cards with treys, by the quickest of its ways, from cards already in its own form."""
    new = import_module("treys").Card.new
    five = import_module("treys").Evaluator().hand_size_map[5]
    own = [[new(card[0] + card[1].lower()) for card in hand] for hand in hands]

    def measure() -> int:
        for hand in own:
            five(hand)
        return len(own)

    return measure


def pokerkit(hands: Sequence[Sequence[str]]) -> Measure:
    """Measure hands of five cards with pokerkit, from cards already in its own form."""
    kit = import_module("pokerkit")
    lookup = kit.StandardHighHand.lookup
    own = [tuple(kit.Card.parse("".join(card[0] + card[1].lower() for card in hand))) for hand in hands]

    def measure() -> int:
        for hand in own:
            lookup.get_entry(hand)
        return len(own)

    return measure


GAMES = (python_tic_tac_toe, hearts, hearts_by_odds, python_chess, connect_four)
HANDS = (treys, pokerkit)


def main() -> None:
    """Install the peers; where that fails one by one, so that one that cannot be had leaves the others in."""
    smoke = Options(__doc__).told().smoke
    wanted = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["bench"]
    if smoke:
        # Whether they could be installed is asked once, and nobody waits for a registry that does not answer.
        if not install(wanted, "--dry-run", "--no-deps", "--retries=0", "--timeout=5"):
            print(f"left out: {', '.join(wanted)}: not all of them can be had here")
        return
    if not install(wanted):
        for peer in wanted:
            if not install([peer]):
                print(f"{peer}: cannot be installed here, and is left out")


def install(wanted: Sequence[str], *options: str) -> bool:
    """Install packages with pip, and tell whether that went well."""
    pip = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-q")
    command = (*pip, *options, "-c", str(PROJECT / "constraints.txt"), *wanted)
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    main()
