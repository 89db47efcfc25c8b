"""Records made by hand, of a game small enough to write a match of; and records of matches played at random."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pbem.games import GAMES, Chance, Seat
from pbem.games.chain import Entry, EventEntry, MoveEntry, commit, derive_seed, next_hash, opening_hash, typed_entropy
from pbem.games.record import Record, replay, result
from pbem.games.shared_deal import SharedDeal
from tests.support.games.random_play import Match, walk

SECRET = b"\5" * 32
MATCH = "abcdefghjk0123456789"
SET = "zyxwvtsrqp9876543210"
AT = "2026-11-21T05:50:10.123Z"


def own_entropies(seats: int) -> tuple[str, ...]:
    return (typed_entropy("a text"), *[f"{seat:032x}" for seat in range(2, seats + 1)])


def share(game: str, place: int = 2, tables: int = 3) -> SharedDeal:
    """Return a deal that the match shares; others typed a text at each seat of their tables."""
    seats = GAMES[game].seats[0]
    entropies: list[str] = []
    for table in range(1, tables + 1):
        others = (typed_entropy(f"table {table}, seat {seat}") for seat in range(1, seats + 1))
        entropies += own_entropies(seats) if table == place else others
    return SharedDeal(SET, place, tuple(entropies))


def seed_of(seats: int, match: str, shared: SharedDeal | None) -> bytes:
    if shared:
        return derive_seed(SECRET, shared.id, shared.entropies)
    return derive_seed(SECRET, match, own_entropies(seats))


def sealed(
    ending: str,
    log: list[Entry],
    options: dict[str, object],
    game: str = "middle-card",
    match: str = MATCH,
    shared: SharedDeal | None = None,
) -> Record:
    """Wrap a log in a record whose chain, seed and result are right."""
    rules = GAMES[game]
    seats = rules.seats[0]
    commitment, seed = commit(SECRET), seed_of(seats, match, shared)
    head = opening_hash(commitment, match, game, rules.edition, options, seats)
    for entry in log:
        head = next_hash(head, entry)
    chance = Chance(seed)
    position: Any = rules.setup(seats, options, chance)
    for step in replay(rules, position, log, chance):
        position = step.position
    return Record(
        match=match,
        game=game,
        edition=rules.edition,
        options=options,
        seats=("Ann", "Bob", "Cyd")[:seats],
        commitment=commitment,
        secret=SECRET,
        entropies=own_entropies(seats),
        entropy_by=("player", *["server"] * (seats - 1)),
        seed=seed,
        log=tuple(log),
        result=result(rules.outcome(position), ending, log, seats),
        head=head,
        shared=shared,
    )


def hands() -> list[tuple[str, ...]]:
    """Return the cards that the hand-made match deals."""
    rules = GAMES["middle-card"]
    chance = Chance(seed_of(3, MATCH, None))
    position = rules.setup(3, {}, chance)
    boards = [rules.view(position, Seat(seat)).board for seat in (1, 2, 3)]
    return [tuple(str(card) for card in board["hand"]) for board in boards]


def played(ply: int, seat: int, move: str) -> MoveEntry:
    return MoveEntry(ply, seat, move, AT, f"{ply:032x}")


def acted(event: str, seat: int | None = None, by: str = "table", detail: dict[str, Any] | None = None) -> EventEntry:
    return EventEntry(event, seat, by, detail or {}, AT, "f" * 32)


def whole_match(*, taken_back: bool = False) -> list[Entry]:
    """Play a match to its end; where some of it is taken back, the later plies are higher."""
    log: list[Entry] = [played(1, 1, "stay")]
    dealt = hands()
    if taken_back:
        log += [played(2, 3, f"play {dealt[2][2]}"), played(3, 1, f"play {dealt[0][2]}")]
        log += [acted("taken_back", detail={"from": 2})]
    for turn in range(3):
        for seat in (2, 1, 3):
            log.append(played(len(log) + 1, seat, f"play {dealt[seat - 1][turn]}"))
    return log


def finished(*, taken_back: bool = False) -> Record:
    return sealed("finished", whole_match(taken_back=taken_back), {"swap": True})


def random_match(key: str, plies: int, shared: SharedDeal | None = None) -> Record:
    """Play some moves of any game at random, until its operator calls it off or it is over."""
    game = GAMES[key]
    seats, options = game.seats[0], dict(game.settle(game.seats[0], {}))
    turns = list(islice(walk(Match(game, seats, options, seed_of(seats, MATCH, shared))), plies))
    log: list[Entry] = [played(ply, turn.seat, turn.move) for ply, turn in enumerate(turns, 1)]
    if game.to_move(turns[-1].after):
        return sealed("aborted", [*log, acted("aborted", by="operator")], options, key, shared=shared)
    return sealed("finished", log, options, key, shared=shared)
