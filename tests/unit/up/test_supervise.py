import os
import signal
from pathlib import Path

import psycopg
import pytest

from pbem.up import supervise
from pbem.up.part import Part
from pbem.up.postgres import Cluster
from pbem.up.supervise import Charge, Supervisor
from tests.support.up.supervise import process_of, said, step_until

__all__ = ["said"]


def test_a_killed_database_is_back_with_its_data(tmp_path: Path, said: list[str]) -> None:
    cluster = Cluster.at(tmp_path / "postgres")
    cluster.create()
    where = cluster.url.replace("postgresql+psycopg:", "postgresql:")
    with Supervisor(said.append) as supervisor:
        supervisor.start(cluster.part(tmp_path / "database.log"))
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
        killed = process_of(supervisor, "database")
        os.kill(killed, signal.SIGKILL)
        step_until(supervisor, lambda: process_of(supervisor, "database") not in {0, killed} and cluster.ready())
        with psycopg.connect(where) as connection:
            assert connection.execute("SELECT one FROM kept").fetchone() == (1,)
    assert not cluster.ready()


def test_a_part_that_cannot_even_be_started_is_tried_again(tmp_path: Path, said: list[str]) -> None:
    charge = Charge(Part("lost", ("/bin/true",), tmp_path / "no" / "such" / "folder"))
    charge.step(said.append)
    assert charge.run is None
    assert charge.ends == 1
    assert said[0].startswith("lost could not be started: ")


@pytest.mark.parametrize(("status", "words"), [(0, "status 0"), (-9, "by SIGKILL"), (-99, "status -99")])
def test_an_exit_status_is_put_into_words(status: int, words: str) -> None:
    assert supervise.meaning(status) == words
