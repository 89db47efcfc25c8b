from pathlib import Path

import psycopg
import pytest

from pbem.ops.up import process
from pbem.ops.up.errors import StartError
from pbem.ops.up.folder import lock_data_folder
from pbem.ops.up.local_connection import open_database
from pbem.ops.up.postgres import Cluster


def database_of(url: str) -> str:
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        (name,) = connection.execute("SELECT current_setting('data_directory')").fetchone() or ("",)
    return str(name)


def test_the_database_of_a_folder_is_reached_whether_it_runs_or_not(short_path: Path) -> None:
    data = short_path / "data"
    with pytest.raises(StartError, match="holds no data of `pbem up`"), open_database(data):
        pass
    assert not data.exists()
    with open_database(data, make=True) as url:
        assert database_of(url) == str(data / "postgres")
    with pytest.raises(psycopg.OperationalError):
        database_of(url)
    with lock_data_folder(data) as folder:
        cluster = Cluster.in_folder(folder.postgres)
        with process.running(cluster.part(folder.log("database"))):
            with open_database(data) as url:
                assert database_of(url) == str(data / "postgres")
            # It is not ours to stop.
            assert database_of(url)
