"""A season of a league with many entrants, for the measurement of its pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, text

from benchmarks.crowd import SEED
from pbem.db.models import Entrant, Event

if TYPE_CHECKING:
    from sqlalchemy import Engine

ENTRANTS = 1000
FILLING = Path(__file__).with_name("league_rows.sql")


def fill(engine: Engine) -> tuple[int, int]:
    """Add a season of groups of five, three quarters of whose matches are over; returns it and its last entrant."""
    with engine.begin() as connection:
        for statement in FILLING.read_text().split(";\n"):
            numbers = {"entrants": ENTRANTS, "seed": SEED}
            connection.execute(text(statement.replace("::", "\\:\\:")), numbers)
        last = select(Entrant.player_id).order_by(Entrant.grp.desc(), Entrant.player_id).limit(1)
        return connection.scalars(select(Event.id)).one(), connection.scalars(last).one()
