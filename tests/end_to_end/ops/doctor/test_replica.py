"""The doctor's look at a copy of the database, over a real one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from pbem.config import database_url
from pbem.db.session import connect
from pbem.ops.doctor import Level
from pbem.ops.up.postgres import DATABASE_NAME
from tests.support.live_service import free_port, until
from tests.support.standby import Pair, asked, followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.ops.doctor.patient import Patient


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with followed(tmp_path_factory.mktemp("pair")) as pair:
        yield pair


@pytest.fixture
def copied(patient: Patient, pair: Pair) -> Iterator[Patient]:
    """A service whose database has a copy."""
    engine = connect(database_url({"DATABASE_URL": pair.url}))
    config = replace(patient.ground.config, replica_url=database_url({"DATABASE_URL": pair.copy_url}))
    yield replace(patient, ground=replace(patient.ground, engine=engine, config=config))
    engine.dispose()


def test_a_copy_that_follows_is_well_and_one_that_does_not_is_told(copied: Patient, pair: Pair) -> None:
    level, said = copied.only("replica")
    assert (level, said[:22]) == (Level.PASS, "The replica caught up ")
    asked(pair.copy_url, "SELECT pg_wal_replay_pause()")
    try:
        until(lambda: asked(pair.copy_url, "SELECT pg_get_wal_replay_pause_state()") == "paused")
        for more in ("pg_logical_emit_message(true, 'test', 'more')", "pg_switch_wal()"):
            asked(pair.url, f"SELECT {more}")
        level, said = copied.only("replica")
    finally:
        asked(pair.copy_url, "SELECT pg_wal_replay_resume()")
    assert (level, said.split(",")[0]) == (Level.WARN, "The replica is more than 2 s behind")


def test_what_is_no_copy_of_this_database_is_told(copied: Patient, patient: Patient, pair: Pair) -> None:
    itself = copied.with_settings(replica_url=database_url({"DATABASE_URL": pair.url}))
    level, said = itself.only("replica")
    assert (level, said.split(",")[0]) == (Level.FAIL, "The database in PBEM_REPLICA_URL is not a replica")
    other = patient.with_settings(replica_url=copied.ground.config.replica_url)
    level, said = other.only("replica")
    assert (level, said.split(":")[0]) == (Level.FAIL, "The database in PBEM_REPLICA_URL is a replica of another one")
    away = copied.with_settings(replica_url=f"postgresql+psycopg://pbem@127.0.0.1:{free_port()}/pbem")
    level, said = away.only("replica")
    assert (level, said.split(",")[0]) == (Level.WARN, "The replica does not answer")


def test_a_copy_that_is_not_waited_for_may_lose_moves(copied: Patient, pair: Pair) -> None:
    level, said = copied.only("standby")
    assert (level, said.split(",")[0]) == (Level.WARN, "There is a replica of the database")
    asked(pair.url, "ALTER SYSTEM SET synchronous_standby_names = 'copy'")
    asked(pair.url, "SELECT pg_reload_conf()")
    try:
        until(lambda: asked(pair.url, "SELECT sync_state FROM pg_stat_replication") == "sync")
        assert copied.only("standby") == (Level.PASS, "A synchronous standby has all confirmed moves.")
    finally:
        asked(pair.url, "ALTER SYSTEM RESET synchronous_standby_names")
        asked(pair.url, "SELECT pg_reload_conf()")


def test_the_settings_may_name_all_servers_and_the_one_that_is_written_to_is_found(pair: Pair) -> None:
    """As docs/operate/scaling.md has it, so that nobody has to change settings in a failover."""
    both = f"host={pair.copy.sockets},{pair.original.sockets}&target_session_attrs=read-write"
    engine = connect(database_url({"DATABASE_URL": f"postgresql://{DATABASE_NAME}@/{DATABASE_NAME}?{both}"}))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one() is False
    engine.dispose()
