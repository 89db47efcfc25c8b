"""The pages whose cost is measured: where each is, and who opens it; with what must be in the database for them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sqlalchemy import select, text

from benchmarks import league_rows, long_matches, week_rows
from benchmarks.crowd import BUSY
from pbem.db.models import Match
from pbem.games import GAMES
from pbem.play.accounts import dashboard
from pbem.play.archive import statistics
from pbem.play.core.context import transaction
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.core.context import Context

USUAL, MANY = 5000, 1
"""A person with about as many matches as others, and the one with many that run."""
OLD = timedelta(days=10)
LATE_SHARE = 2 / 3
"""Share of a whole match after which its turn page is opened."""
SEVERAL = [game.key for game in GAMES.values() if game.seats[-1] > 1]
"""Keys of the games that several can play, which are those in the lobby."""
FINISH = """
    UPDATE matches SET result = jsonb_build_object('ending', 'finished', 'winners', jsonb_build_array(1), 'scores',
        (SELECT jsonb_object_agg(seat, abs(hashtext(id || seat)) % 60) FROM match_seats WHERE match_id = id))
    WHERE id IN (SELECT id FROM matches WHERE state = 'over' ORDER BY ended_at DESC LIMIT 1000)
"""
THINK = """
    INSERT INTO move_timings (match_id, seat, ply, holder_id, asked_at, moved_at)
    SELECT entry.match_id, entry.seat, entry.ply, holder.id, logged_at - random() * interval '2 days', logged_at
    FROM log_entries AS entry JOIN seat_holders AS holder
        ON holder.match_id = entry.match_id AND holder.seat = entry.seat
    WHERE entry.ply IS NOT NULL
        AND entry.match_id IN (SELECT id FROM matches WHERE state = 'over' ORDER BY ended_at DESC LIMIT 1000)
"""


class Visit(NamedTuple):
    """A page, and the player who opens it signed in; 0 for a visitor who is not."""

    name: str
    path: str
    player: int = 0


def prepare(engine: Engine, config: Config, longest: int) -> list[Visit]:
    """Add long matches and statistics to a database full of matches; returns the pages that are about a long match."""
    with engine.begin() as connection:
        connection.execute(text(FINISH))
        connection.execute(text(THINK))
    visits: list[Visit] = []
    for key in GAMES:
        with transaction(engine, config) as ctx:
            whole = long_matches.play(ctx, key, longest)
            plies = whole.log_length
            long_matches.abandon(ctx, whole)
            visits += _replay_visits(whole, plies)
        with transaction(engine, config) as ctx:
            visits += _turn_visits(ctx, _running(ctx, key, plies))
    visits += _season_visits(*league_rows.fill(engine))
    visits += _week_visits(week_rows.fill(engine))
    with transaction(engine, config) as ctx:
        statistics.mark_stale(ctx)
        # Those of games come first.
        statistics.recompute_batch(ctx)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
    return visits


def usual(engine: Engine) -> Iterator[Visit]:
    """Yield the pages that are about no long match."""
    yield Visit("home", "/")
    yield Visit("home, signed in", "/", USUAL)
    yield Visit("lobby", "/lobby")
    yield Visit("lobby, signed in", "/lobby", USUAL)
    for key in SEVERAL:
        yield Visit(f"lobby, {key}", f"/lobby?game={key}")
    for asked in ("seats=2", "clock=3+days", "game=martian-whist&seats=2&clock=none"):
        yield Visit(f"lobby, {asked}", f"/lobby?{asked}")
    yield Visit("matches", "/matches")
    yield Visit("matches, from 10 days ago", f"/matches?before={quote(f'{datetime.now(UTC) - OLD}~z')}")
    yield Visit("my matches", "/mine", USUAL)
    yield Visit(f"my matches, {BUSY} running", "/mine", MANY)
    yield Visit("statistics", "/statistics")
    yield Visit("my statistics", "/me/statistics", MANY)
    for key in SEVERAL:
        yield Visit(f"statistics, {key}", f"/statistics/{key}")
    with engine.connect() as connection:
        for state in ("running", "over"):
            for key in SEVERAL:
                found = select(Match.id).where(Match.state == state, Match.public, Match.game == key).limit(1)
                match = connection.scalar(found)
                if match:
                    yield Visit(f"match, {state}, {key}", f"/matches/{match}")
    yield Visit("whether a match goes on", f"/matches/{match}/live")


def _season_visits(event: int, entrant: int) -> Iterator[Visit]:
    """Yield the pages of leagues, and of a large season."""
    yield Visit("leagues", "/leagues")
    yield Visit(f"season of {league_rows.ENTRANTS}", f"/leagues/{event}")
    yield Visit(f"season of {league_rows.ENTRANTS}, one's own group", f"/leagues/{event}", entrant)
    yield Visit(f"season of {league_rows.ENTRANTS}, feed", f"/leagues/{event}/feed")
    yield Visit(f"season of {league_rows.ENTRANTS}, by program", f"/api/events/{event}")


def _week_visits(week: int) -> Iterator[Visit]:
    """Yield the pages of the running week, and of one that is over."""
    yield Visit("week, running", "/weekly")
    yield Visit("week, running, signed in", "/weekly", USUAL)
    yield Visit(f"week of {week_rows.ENTRANTS}", f"/weekly/{week}")
    yield Visit(f"week of {week_rows.ENTRANTS}, one's own place", f"/weekly/{week}", USUAL)
    yield Visit(f"week of {week_rows.ENTRANTS}, by program", f"/api/weekly/{week}")
    yield Visit("weeks", "/weekly/archive")


def _replay_visits(match: Match, plies: int) -> Iterator[Visit]:
    """Yield the pages of a late step of a match, and its records."""
    step = max(0, plies - 2)
    late = f"step {step} of {plies}"
    yield Visit(f"replay, {match.game}, {late}", f"/matches/{match.id}/replay?step={step}")
    yield Visit(f"replay step, {match.game}, {late}", f"/matches/{match.id}/replay/step?step={step}")
    yield Visit(f"record, {match.game}", f"/api/matches/{match.id}/record")
    yield Visit(f"record as text, {match.game}", f"/matches/{match.id}/record.txt")


def _running(ctx: Context, key: str, plies: int) -> Match:
    """Return a match that has gone on for long and is not over; blind moves end some matches earlier than others."""
    for shorter in count():
        match = long_matches.play(ctx, key, max(1, int(plies * LATE_SHARE ** (1 + shorter))))
        if match.to_move:
            return match
    raise AssertionError("counting ends never")


def _turn_visits(ctx: Context, match: Match) -> Iterator[Visit]:
    """Yield the pages of a seat that is to move, and of one that waits if there is one, by their links."""
    present = holders(ctx, match)
    mover = next(holder for holder in present if holder.seat in match.to_move)
    link = dashboard.link_token(ctx, match, mover)
    yield Visit(f"turn, {match.game}, move {match.log_length}", f"/m/{link}")
    yield Visit(f"turn, {match.game}, signed in", f"/m/{link}", mover.player_id)
    for waiting in [holder for holder in present if holder.seat not in match.to_move][:1]:
        yield Visit(f"waiting, {match.game}", f"/m/{dashboard.link_token(ctx, match, waiting)}")
