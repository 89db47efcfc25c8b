"""What holds for the whole API: its description, its errors, what it lets in and out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine

from pbem.web import create_app
from tests.support.deadlocks import deadlocked
from tests.support.web.api.matches import VIEW, app_of, client, got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["client"]


NOBODY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"


def test_the_openapi_document_describes_every_path(client: FlaskClient) -> None:
    document = got(client.get("/api/openapi.json"))
    assert document["openapi"].startswith("3.")
    assert set(document["paths"]) == {
        "/api/events",
        "/api/events/{event_id}",
        "/api/events/{event_id}/entries",
        "/api/me/events",
        "/api/ladders",
        "/api/ladders/{game}",
        "/api/ladders/{game}/entries",
        "/api/ladders/{game}/challenges",
        "/api/ladders/{game}/challenges/{number}/{what}",
        "/api/sets",
        "/api/sets/{set_id}",
        "/api/games",
        "/api/games/{game}/statistics",
        "/api/matches",
        "/api/matches/{match_id}",
        "/api/matches/{match_id}/lookback",
        "/api/matches/{match_id}/par",
        "/api/me/deals",
        "/api/me/plays",
        "/api/matches/{match_id}/fork",
        "/api/matches/{match_id}/record",
        "/api/me",
        "/api/me/absences",
        "/api/me/bot",
        "/api/me/absences/{absence}",
        "/api/me/matches",
        "/api/me/stream",
        "/api/me/stream/poll",
        "/api/me/ratings",
        "/api/me/ratings/{game}",
        "/api/me/matches/{match_id}",
        "/api/me/matches/{match_id}/accept",
        "/api/me/matches/{match_id}/chat",
        "/api/me/matches/{match_id}/decline",
        "/api/me/matches/{match_id}/moves",
        "/api/me/matches/{match_id}/offers",
        "/api/me/matches/{match_id}/notes",
        "/api/me/matches/{match_id}/lines",
        "/api/me/matches/{match_id}/lines/{line}",
        "/api/me/matches/{match_id}/plan",
        "/api/me/matches/{match_id}/votes",
        "/api/me/matches/{match_id}/rematch",
        "/api/me/matches/{match_id}/resign",
        "/api/lobby",
        "/api/lobby/{table}/join",
        "/api/lobby/seat",
        "/api/seats/{token}",
        "/api/seats/{token}/accept",
        "/api/seats/{token}/chat",
        "/api/seats/{token}/decline",
        "/api/seats/{token}/moves",
        "/api/seats/{token}/rematch",
        "/api/seats/{token}/resign",
        "/api/submissions/{submission}",
        "/api/matches/{match_id}/seats/{seat}",
        "/api/me/matches/{match_id}/back",
        "/api/seats/{token}/votes",
        "/api/sought",
        "/api/seats/{token}/offers",
        "/api/seats/{token}/plan",
        "/api/weekly",
        "/api/weekly/entries",
        "/api/weekly/{week}",
    }
    assert document["servers"] == [{"url": "http://127.0.0.1:8000"}]
    operations = [one for path in document["paths"].values() for name, one in path.items() if name != "parameters"]
    names = [one["operationId"] for one in operations]
    assert len({*names}) == len(names) > 30
    assert "post_me_matches_match_id_moves" in names
    assert set(document["components"]["schemas"]["View"]["properties"]) == VIEW
    assert "reason" in document["components"]["schemas"]["Problem"]["properties"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/nothing", 404),
        ("get", "/api/seats/%00", 404),
        ("put", "/api/games", 405),
        ("get", "/api/seats/x/moves", 405),
    ],
)
def test_other_errors_are_problems_too(client: FlaskClient, method: str, path: str, status: int) -> None:
    response = getattr(client, method)(path)
    refused(response, status)
    assert status != 405 or response.headers["Allow"]


def test_without_its_database_the_api_says_when_to_come_again(house: House) -> None:
    away = replace(house, engine=create_engine(NOBODY, connect_args={"connect_timeout": 1}))
    client = app_of(away).test_client()
    response = client.get("/api/matches/00000000000000000000")
    assert "cannot reach its database" in refused(response, 503)
    assert response.headers["Retry-After"] == "5"
    assert got(client.get("/api/games"))


def test_a_request_that_ends_in_a_deadlock_asks_to_try_again(house: House) -> None:
    unlucky = replace(house, engine=deadlocked(house.engine.url))
    client = app_of(unlucky).test_client()
    response = client.get("/api/matches/00000000000000000000")
    assert "at the same moment, so nothing was done" in refused(response, 503)
    assert response.headers["Retry-After"] == "5"
    assert "Try again" in client.get("/matches/00000000000000000000").text
    unlucky.engine.dispose()


def broken() -> Any:
    raise RuntimeError("a secret of ours")


def test_a_fault_of_the_service_tells_nothing_of_it(house: House, caplog: pytest.LogCaptureFixture) -> None:
    faulty = replace(house, engine=create_engine("postgresql+psycopg://", creator=broken))
    client = app_of(faulty).test_client()
    reason = refused(client.get("/api/matches/00000000000000000000"), 500)
    assert "secret" not in reason
    assert "a secret of ours" in caplog.text
    page = client.get("/matches/00000000000000000000")
    assert page.status_code == 500
    assert page.content_type.startswith("text/html")


def test_every_answer_lets_nothing_foreign_in_or_out(client: FlaskClient) -> None:
    for path in ("/api/games", "/api/nothing", "/healthz"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("host", ["evil.example.org", "127.0.0.1.evil.org", "games.localhost", "[::2]:8000"])
def test_a_foreign_host_is_refused(house: House, host: str) -> None:
    client = create_app(house.config, house.engine).test_client()
    response = client.get("/api/games", headers={"Host": host})
    assert response.status_code == 421
    assert "not served here" in refused(response, 421)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000", "LOCALHOST:99"])
def test_this_machine_is_known_by_all_its_names(house: House, host: str) -> None:
    client = create_app(house.config, house.engine).test_client()
    assert client.get("/api/games", headers={"Host": host}).status_code == 200


def test_a_service_for_others_is_known_by_its_own_name_only(house: House) -> None:
    config = replace(
        house.config, smtp_url="smtp://localhost", base_url="https://games.example.org", allow_anonymous=False
    )
    client = create_app(config, house.engine).test_client()
    assert client.get("/api/games", headers={"Host": "games.example.org"}).status_code == 200
    assert client.get("/api/games", headers={"Host": "localhost"}).status_code == 421
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path, headers={"Host": "10.0.0.7:8000"}).status_code == 200


def test_settings_that_are_wrong_stop_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with pytest.raises(SystemExit) as ended:
        create_app()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("DATABASE_URL is not set")
