"""How well ratings find out who is stronger, and what they cost: `make bench-ratings`.

Simulates people of normally distributed strength who meet at random, and prints how well their ratings after forty
matches each follow their strengths; then fills a database with ended matches, and prints how long it takes to rate them
all, in processor time of this process and of the database. Asserts nothing.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.options import Options
from benchmarks.pages import server_seconds
from benchmarks.rows import database
from benchmarks.tick import config
from pbem.db.session import connect
from pbem.play.core.context import transaction
from pbem.play.ratings import recompute
from pbem.ratings.fold import Standing, fold
from pbem.ratings.match_facts import MatchFacts, SeatFacts
from pbem.ratings.model import win_chances
from pbem.ratings.rating import FIRST_MU, FIRST_SIGMA, Rating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Engine

PEOPLE, ROUNDS = 200, 40
SEATS = (2, 3)
DAYS_PER_ROUND = 9
LUCK = math.sqrt(2) * FIRST_MU / 6
"""Scale of how a player does in one match around their strength: as the model reckons between certain ratings."""
MATCHES = 100_000
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

FILL = (
    "INSERT INTO players (name, created_at) SELECT 'P' || n, :epoch FROM generate_series(1, :people) AS n",
    (
        "INSERT INTO addresses (email, player_id, created_at, verified_at, is_main)"
        " SELECT lower(name) || '@example.org', id, :epoch, :epoch, true FROM players"
    ),
    (
        "INSERT INTO matches (id, game, edition, options, public, rated, state, created_at, started_at, ended_at,"
        " secret, commitment, seed, chain_head, next_ply, result)"
        " SELECT 'm' || n, (ARRAY['montauk', 'martian-whist'])[n % 2 + 1], 1, '{}', true, true, 'over', :epoch, :epoch,"
        " :epoch + n * interval '5 minutes', '', '', '', '', 40, jsonb_build_object('ending', 'finished', 'winners',"
        " jsonb_build_array(n % 2 + 1), 'scores', jsonb_build_object('1', n % 2 * -5, '2', -3))"
        " FROM generate_series(1, :matches) AS n"
    ),
    (
        "INSERT INTO match_seats (match_id, seat, default_entropy)"
        " SELECT id, seat, '' FROM matches, generate_series(1, 2) AS seat"
    ),
    (
        "INSERT INTO seat_holders (match_id, seat, player_id, name, email, seated_at)"
        " SELECT match_id, seat, p.id, p.name, '', :epoch FROM match_seats"
        " JOIN players AS p ON p.name = 'P' || (abs(hashtext(match_id)) + (seat - 1)"
        " * (1 + abs(hashtext('x' || match_id)) % (:people - 1))) % :people + 1"
    ),
    "ANALYZE",
)


@dataclass(frozen=True, slots=True)
class Simulated:
    """Ratings after all rounds, the chances given to each pair before each match, and everybody's strength."""

    strengths: Mapping[int, float]
    standings: Mapping[tuple[int, str], Standing]
    losses: Sequence[float]


def main() -> None:
    """Print what simulated people's ratings come to, and what rating many matches costs."""
    options = Options(__doc__)
    options.number("--people", PEOPLE, 12, "so many people play")
    options.number("--rounds", ROUNDS, 4, "so many matches each")
    options.number("--matches", MATCHES, 300, "so many matches are rated in a database")
    told = options.told()
    for seats in SEATS:
        _print_quality(simulate(told.people, told.rounds, seats, random.Random(1)), seats)  # noqa: S311 -- no secret
    with database() as cluster:
        engine = connect(cluster.url)
        with engine.begin() as connection:
            values = {"epoch": EPOCH, "people": max(told.matches // 10, 20), "matches": told.matches}
            for statement in FILL:
                connection.execute(text(statement), values)
        _measure(engine, cluster.url, told.matches)
        engine.dispose()


def simulate(people: int, rounds: int, seats: int, chosen: random.Random) -> Simulated:
    """Simulate people who meet at random, round by round."""
    strengths = {person: chosen.gauss(FIRST_MU, FIRST_SIGMA) for person in range(people)}
    standings: dict[tuple[int, str], Standing] = {}
    losses: list[float] = []
    for number in range(rounds):
        order = list(strengths)
        chosen.shuffle(order)
        at = EPOCH + timedelta(days=DAYS_PER_ROUND * number)
        for table in range(people // seats):
            players = order[table * seats : (table + 1) * seats]
            done = [strengths[player] + _luck(chosen) for player in players]
            losses += _pair_losses(players, done, standings)
            match = _match(f"{number} {table}", at, players, done)
            for decision in fold([match], standings, ()):
                standings |= {(one.player, match.game): one.after for one in decision.changes}
    return Simulated(strengths, standings, losses)


def _luck(chosen: random.Random) -> float:
    """Draw how much better a player does than usual; between two, the differences are logistic."""
    return -LUCK * math.log(-math.log(chosen.random() or 0.5))


def _pair_losses(
    players: Sequence[int], done: Sequence[float], standings: Mapping[tuple[int, str], Standing]
) -> list[float]:
    """Return the logarithmic loss of each pair: how surprising it is, by their ratings before, who came first."""
    known = [standings.get((player, "montauk")) for player in players]
    before = [one.rating if one else Rating() for one in known]
    losses = []
    for one, other in combinations(range(len(players)), 2):
        chance = win_chances([before[one], before[other]])[0]
        losses.append(-math.log(chance if done[one] > done[other] else 1 - chance))
    return losses


def _match(name: str, at: datetime, players: Sequence[int], done: Sequence[float]) -> MatchFacts:
    """Return a finished match in which each player did as said."""
    seats = tuple(SeatFacts(seat, player) for seat, player in enumerate(players, 1))
    scores = tuple(round(1_000_000 * one) for one in done)
    winners = frozenset({1 + scores.index(max(scores))})
    return MatchFacts(name, "montauk", at, "finished", winners, scores, seats)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation of the ranks of two sequences without ties."""
    ranks = [{value: rank for rank, value in enumerate(sorted(values))} for values in (one, other)]
    apart = sum((ranks[0][left] - ranks[1][right]) ** 2 for left, right in zip(one, other, strict=True))
    return 1 - 6 * apart / (len(one) * (len(one) ** 2 - 1))


def _print_quality(found: Simulated, seats: int) -> None:
    known = {player: standing.rating for (player, _game), standing in found.standings.items()}
    true = [found.strengths[player] for player in known]
    rho = spearman([rating.mu for rating in known.values()], true)
    covered = fmean(
        abs(rating.mu - strength) <= 2 * rating.sigma for rating, strength in zip(known.values(), true, strict=True)
    )
    mean = fmean(rating.mu for rating in known.values())
    print(
        f"{seats} seats, {len(known)} people: Spearman {rho:.3f}, log loss of a pair {fmean(found.losses):.3f}, "
        f"2 sigma cover {100 * covered:.0f} %, mean mu {mean:.2f}"
    )


def _measure(engine: Engine, url: str, matches: int) -> None:
    """Print how long rating all matches takes, at first and by recomputing them, and whether a check finds the same."""
    for name in ("rated", "recomputed"):
        with transaction(engine, config(url)) as ctx:
            server = ctx.session.scalars(text("SELECT pg_backend_pid()")).one()
            begun, before = time.process_time(), server_seconds(server)
            recompute.recompute(ctx)
            ours, theirs = time.process_time() - begun, server_seconds(server) - before
            print(f"{matches:,} matches {name}: {ours:.1f} s here, {theirs:.1f} s in the database")
    with transaction(engine, config(url)) as ctx:
        begun = time.process_time()
        differing = sum(1 for _match in recompute.find_differences(ctx))
        print(f"checked: {differing} differ, {time.process_time() - begun:.1f} s here")


if __name__ == "__main__":
    main()
