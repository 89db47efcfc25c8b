"""Being away, said by programs: the days are those of the player's own zone, and the clock knows at once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Player
from tests.support.clockwork import at
from tests.support.web.account.api_keys import client, closed, key_for
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["client", "closed"]

PATH = "/api/me/absences"
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_november() -> Iterator[None]:
    """Fix the time, so that no test depends on the season."""
    with at(NOW):
        yield


@pytest.fixture
def headers(closed: House) -> dict[str, str]:
    """What a program of Ann's sends along, who lives in Berlin."""
    secret = key_for(closed, "Ann", "read", "play")
    with closed.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Berlin"))
    return {"Authorization": f"Bearer {secret}"}


def test_an_absence_is_said_listed_and_called_off(closed: House, client: FlaskClient, headers: dict[str, str]) -> None:
    none = {"year": 2026, "days_left": 30, "absences": []}
    assert got(client.get(PATH, headers=headers)) == none
    said = got(client.post(PATH, json={"first": "2026-12-24", "last": "2026-12-26"}, headers=headers), 201)
    (only,) = said["absences"]
    assert (said["days_left"], only["begin"], only["end"], only["by_itself"]) == (
        27,
        "2026-12-23T23:00:00.000Z",
        "2026-12-26T23:00:00.000Z",
        False,
    )
    assert got(client.get(PATH, headers=headers)) == said
    assert got(client.delete(f"{PATH}/{only['id']}", headers=headers)) == none
    assert not closed.all(select(ClockPause))


def test_without_a_first_day_it_begins_now_and_ends_when_its_player_is_back(
    closed: House, client: FlaskClient, headers: dict[str, str]
) -> None:
    (only,) = got(client.post(PATH, json={"last": "2026-11-30"}, headers=headers), 201)["absences"]
    assert only["begin"] == "2026-11-24T12:00:00.000Z"
    with at(NOW.replace(hour=18)):
        assert got(client.delete(f"{PATH}/{only['id']}", headers=headers))["absences"] == []
    assert closed.rows(select(ClockPause.ended_at))[0][0] == NOW.replace(hour=18)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"first": "2026-12-24", "last": "2026-12-23"}, "the absence would end before it begins"),
        ({"last": "2026-11-23"}, "an absence cannot be in the past"),
        ({"last": "9999-12-31"}, "at most 30 days"),
        ({"last": "2026-02-31"}, "Not a valid date."),
        ({"last": 5}, "Not a valid date."),
        ({"first": "2026-12-24"}, "Missing data for required field."),
        ({"last": "2026-12-24", "zone": "UTC"}, "Unknown field."),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    closed: House, client: FlaskClient, headers: dict[str, str], wanted: Any, sentence: str
) -> None:
    assert sentence in refused(client.post(PATH, json=wanted, headers=headers), 422)
    assert not closed.all(select(ClockPause))


@pytest.mark.parametrize("number", [0, 10**30])
def test_nobody_ends_what_there_is_not_nor_anothers_absence(
    closed: House, client: FlaskClient, headers: dict[str, str], number: int
) -> None:
    (anns,) = got(client.post(PATH, json={"last": "2026-11-30"}, headers=headers), 201)["absences"]
    bobs = {"Authorization": f"Bearer {key_for(closed, 'Bob', 'play')}"}
    assert "you were not away" in refused(client.delete(f"{PATH}/{anns['id']}", headers=bobs), 404)
    refused(client.delete(f"{PATH}/{number}", headers=headers), 404)
    assert closed.rows(select(ClockPause.id)) == [(anns["id"],)]


def test_being_away_and_back_need_the_scope_that_moves_need(closed: House, client: FlaskClient) -> None:
    reads = {"Authorization": f"Bearer {key_for(closed, 'Ann', 'read', 'start')}"}
    refused(client.post(PATH, json={"last": "2026-11-30"}, headers=reads), 403)
    refused(client.delete(f"{PATH}/1", headers=reads), 403)
    plays = {"Authorization": f"Bearer {key_for(closed, 'Ann', 'play')}"}
    refused(client.get(PATH, headers=plays), 403)
