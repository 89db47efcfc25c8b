"""What machines that watch are told: alive, ready, figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import create_engine

from pbem.play import sweeping
from pbem.web import create_app
from tests.house import reply

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.house import House

NOBODY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"


def watcher(house: House) -> FlaskClient:
    return create_app(house.config, house.engine).test_client()


def test_alive_needs_nothing(house: House) -> None:
    away = replace(house, engine=create_engine(NOBODY, connect_args={"connect_timeout": 1}))
    assert watcher(away).get("/healthz").json == {"status": "ok"}


def test_ready_needs_the_database_alone(house: House, valkey: str) -> None:
    client = watcher(house)
    response = client.get("/readyz")
    assert (response.status_code, response.json) == (200, {"database": "ok", "broker": "late", "worker": "late"})
    with house.table() as table:
        sweeping.beat(table, "worker")
    assert client.get("/readyz").json == {"database": "ok", "broker": "late", "worker": "ok"}
    with house.table(datetime.now(UTC) - timedelta(minutes=2)) as table:
        sweeping.beat(table, "worker")
    ready = watcher(replace(house, config=replace(house.config, redis_url=valkey)))
    assert ready.get("/readyz").json == {"database": "ok", "broker": "ok", "worker": "late"}


def test_without_its_database_it_is_not_ready(house: House) -> None:
    away = replace(house, engine=create_engine(NOBODY, connect_args={"connect_timeout": 1}))
    response = watcher(away).get("/readyz")
    assert (response.status_code, response.json) == (503, {"database": "unreachable"})


def test_an_address_that_is_none_is_a_late_broker(house: House) -> None:
    odd = watcher(replace(house, config=replace(house.config, redis_url="nonsense://x")))
    assert odd.get("/readyz").json == {"database": "ok", "broker": "late", "worker": "late"}


def test_the_figures_are_prometheus(house: House) -> None:
    match_id = house.begin("middle-card", 3)
    mail = house.last("Ann")
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    client = watcher(house)
    figures = client.get("/metrics")
    assert figures.content_type.startswith("text/plain")
    said = figures.text
    assert 'pbem_matches{state="running"} 1.0' in said
    assert 'pbem_submissions{status="pending"} 1.0' in said
    assert "pbem_log_entries 0.0" in said
    assert "pbem_oldest_pending_seconds 0.0\n" not in said
    house.judge(match_id)
    said = client.get("/metrics").text
    assert 'pbem_submissions{status="played"} 1.0' in said
    assert "pbem_log_entries 1.0" in said
    assert "pbem_oldest_pending_seconds 0.0\n" in said
    assert 'pbem_notices{state="sent"}' in said
