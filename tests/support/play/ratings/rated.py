"""Matches that are rated, and what is stored of ratings."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem.db.models import Address, Match, Player, PlayerRating, RatingChange, SeatHolder
from pbem.play.players import registry, robots
from pbem.play.ratings import recompute, updates
from pbem.ratings.rating import Rating
from tests.support.ended import NOON, ended

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.house import House


def rated(house: House, *names: str, days: float = 4, confirmed: bool = True, **more: Any) -> str:
    """Write down a match whose result is meant to be rated; its players have confirmed their addresses."""
    match_id = ended(house, *names, rated=True, ended_at=NOON + timedelta(days=days), **more)
    if confirmed:
        run(house, update(Address).values(verified_at=NOON))
    return match_id


def run(house: House, statement: Any) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(statement)


def rate(house: House) -> None:
    with house.transaction() as ctx:
        while updates.rate_batch(ctx):
            pass


def rating_of(house: House, name: str, game: str = "martian-whist") -> Rating | None:
    found = select(PlayerRating).join(Player, Player.id == PlayerRating.player_id).where(Player.name == name)
    rows = house.all(found.where(PlayerRating.game == game))
    return Rating(rows[0].mu, rows[0].sigma) if rows else None


def rows(house: House) -> list[tuple[Any, ...]]:
    """Return all that is stored of ratings, to the last bit."""
    stored: list[tuple[Any, ...]] = []
    for model in (PlayerRating, RatingChange):
        columns = model.__table__.columns
        with house.transaction() as ctx:
            stored += [tuple(row) for row in ctx.session.execute(select(*columns).order_by(*columns))]
    return stored


def reason(house: House, match_id: str) -> str | None:
    (row,) = house.rows(select(Match.rated_at, Match.unrated_reason).where(Match.id == match_id))
    assert row.rated_at
    return None if row.unrated_reason is None else str(row.unrated_reason)


def differences(house: House) -> Sequence[str]:
    with house.transaction() as ctx:
        return [*recompute.find_differences(ctx)]


def replace_seat(house: House, match_id: str, by: str) -> None:
    """Seat somebody else, a person or a robot, in the second seat, a day after the match began."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        held = SeatHolder.match_id == match_id, SeatHolder.seat == 2, SeatHolder.left_at.is_(None)
        gone = ctx.session.scalars(select(SeatHolder).where(*held)).one()
        gone.left_at, gone.leave_reason = NOON + timedelta(days=1), "substituted"
        ctx.session.flush()
        if by == "robot":
            robots.take_seat(ctx, match, 2)
        else:
            player = registry.get_or_create(ctx, {f"{by.lower()}@example.org": by})[f"{by.lower()}@example.org"]
            registry.add_holder(ctx, match, 2, player, by, f"{by.lower()}@example.org")
