"""Matches that have ended, written into the database by hand: for tests of what many of them come to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

from pbem.db.models import Match, MatchSeat, MoveTiming, SeatHolder
from pbem.play.players import registry
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.house import House

NUMBERS = count(1)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def ended(
    house: House,
    *names: str,
    game: str = "martian-whist",
    scores: Sequence[int] | None = None,
    winners: Sequence[int] = (1,),
    ending: str = "finished",
    moves: int = 10,
    days: int = 4,
    thought: Sequence[tuple[int, int]] = (),
    **more: Any,
) -> str:
    """Write down a match of some people; `thought` are seats with the seconds that a move of theirs took."""
    match_id = f"written{next(NUMBERS)}"
    reached = scores or [10 * seat for seat in range(len(names), 0, -1)]
    points = {str(seat): one for seat, one in enumerate(reached, 1)} if ending == "finished" else None
    with house.transaction() as ctx:
        columns: dict[str, Any] = {
            "id": match_id,
            "game": game,
            "edition": 1,
            "options": {},
            "public": True,
            "state": "over",
            "created_at": NOON,
            "started_at": NOON,
            "ended_at": NOON + timedelta(days=days),
            "secret": bytes(32),
            "commitment": bytes(32),
            "seed": bytes(32),
            "chain_head": bytes(32),
            "next_ply": moves + 1,
            "result": {"scores": points, "winners": [*winners], "ending": ending},
        }
        ctx.session.add(Match(**(columns | more)))
        known = registry.get_or_create(ctx, {address(name): name for name in names})
        ctx.session.flush()
        for seat, name in enumerate(names, 1):
            ctx.session.add(MatchSeat(match_id=match_id, seat=seat, default_entropy="0" * 32))
            holder = SeatHolder(
                match_id=match_id,
                seat=seat,
                player_id=known[address(name)].id,
                name=name,
                email=address(name),
                seated_at=NOON,
            )
            ctx.session.add(holder)
            ctx.session.flush()
            for ply, (mover, seconds) in enumerate(thought, 1):
                if mover == seat:
                    turn = MoveTiming(
                        match_id=match_id,
                        seat=seat,
                        ply=ply,
                        holder_id=holder.id,
                        asked_at=NOON,
                        moved_at=NOON + timedelta(seconds=seconds),
                    )
                    ctx.session.add(turn)
    return match_id
