"""`pbem ratings`: all ratings anew, or compared with what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner
from sqlalchemy import update

from pbem.cli import main
from pbem.db.models import RatingChange
from tests.support.house import settings
from tests.support.play.ratings.rated import rate, rated, rows, run

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House


def command(house: House, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    for name, value in settings(house.config.database_url, house.folder).items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(main, ["ratings", *words])
    return done.exit_code, done.output


def test_it_recomputes_and_then_finds_no_difference(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    rated(house, "Ann", "Bob")
    assert command(house, monkeypatch, "--recompute") == (0, "All ratings are recomputed.\n")
    assert len(rows(house)) == 4
    assert command(house, monkeypatch, "--recompute", "--check") == (0, "Matches that differ: 0.\n")


def test_it_names_what_differs_and_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = rated(house, "Ann", "Bob")
    rate(house)
    run(house, update(RatingChange).values(mu_after=26.0))
    before = rows(house)
    status, said = command(house, monkeypatch, "--recompute", "--check")
    assert (status, said) == (1, f"Match {match_id} is rated otherwise than stored.\nMatches that differ: 1.\n")
    assert rows(house) == before
