"""Two weeks in which many people took part, one over and one running, for the measurement of their pages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.crowd import SEED
from pbem.play.weekly import calendar

if TYPE_CHECKING:
    from sqlalchemy import Engine

ENTRANTS = 5000
FILLING = Path(__file__).with_name("week_rows.sql")


def fill(engine: Engine) -> int:
    """Add the running week and the one before, each with many matches; returns the number of the one that is over."""
    week = calendar.number_at(datetime.now(UTC))
    with engine.begin() as connection:
        for statement in FILLING.read_text().split(";\n"):
            numbers = {"entrants": ENTRANTS, "seed": SEED, "week": week}
            connection.execute(text(statement.replace("::", "\\:\\:")), numbers)
    return week - 1
