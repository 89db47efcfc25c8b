"""Records of matches in which all seats play what the game suggests, or anything at some plies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, Chance, Move
from tests.support.games.small_record import acted, played, sealed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.chain import Entry
    from pbem.games.record import Record

SHORTEST: Mapping[str, dict[str, object]] = {
    "amazonian-buffet": {},
    "martian-trickery": {"hands": 1},
    "martian-whist": {"sets": 2},
    "minimax": {"size": "small"},
    "montauk": {"rounds": 1},
}


def suggested(
    key: str,
    options: Mapping[str, object] | None = None,
    *,
    plies: int = 10_000,
    instead: Mapping[int, str] | None = None,
) -> Record:
    """Play a match by first suggestions to its end, or until seat 1 resigns after some plies.

    `instead` has the moves that are played in place of the suggested ones, by ply.
    """
    rules = GAMES[key]
    chosen = dict(rules.settle(rules.seats[0], SHORTEST[key] if options is None else options))
    chance = Chance(sealed("aborted", [acted("aborted")], chosen, key).seed)
    position: Any = rules.setup(rules.seats[0], chosen, chance)
    log: list[Entry] = []
    while (to_move := rules.to_move(position)) and len(log) < plies:
        seat, ply = to_move[0], len(log) + 1
        move = Move((instead or {}).get(ply) or rules.suggest(position, seat)[0])
        log.append(played(ply, seat, move))
        position = rules.apply(position, seat, move, chance)
    if to_move:
        return sealed("resigned", [*log, acted("resigned", 1, "seat 1")], chosen, key)
    return sealed("finished", log, chosen, key)
