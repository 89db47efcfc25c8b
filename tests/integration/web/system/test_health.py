"""What machines that watch are told: alive, and ready."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import create_engine

from pbem.play.upkeep import sweeper
from pbem.web import create_app

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

NOBODY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"


def watcher(house: House) -> FlaskClient:
    return create_app(house.config, house.engine).test_client()


def test_alive_needs_nothing(house: House) -> None:
    away = replace(house, engine=create_engine(NOBODY, connect_args={"connect_timeout": 1}))
    assert watcher(away).get("/healthz").json == {"status": "ok"}


def test_ready_needs_the_database_alone(house: House, valkey: str) -> None:
    client = watcher(house)
    response = client.get("/readyz")
    assert (response.status_code, response.json) == (
        200,
        {"database": "ok", "disk": "ok", "broker": "late", "worker": "late"},
    )
    with house.transaction() as ctx:
        sweeper.record_heartbeat(ctx, "worker")
    assert client.get("/readyz").json == {"database": "ok", "disk": "ok", "broker": "late", "worker": "ok"}
    with house.transaction(datetime.now(UTC) - timedelta(minutes=2)) as ctx:
        sweeper.record_heartbeat(ctx, "worker")
    ready = watcher(replace(house, config=replace(house.config, redis_url=valkey)))
    assert ready.get("/readyz").json == {"database": "ok", "disk": "ok", "broker": "ok", "worker": "late"}


def test_without_its_database_it_is_not_ready(house: House) -> None:
    away = replace(house, engine=create_engine(NOBODY, connect_args={"connect_timeout": 1}))
    response = watcher(away).get("/readyz")
    assert (response.status_code, response.json) == (503, {"database": "unreachable"})


def test_an_address_that_is_none_is_a_late_broker(house: House) -> None:
    odd = watcher(replace(house, config=replace(house.config, redis_url="nonsense://x")))
    assert odd.get("/readyz").json == {"database": "ok", "disk": "ok", "broker": "late", "worker": "late"}
