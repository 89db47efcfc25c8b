import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pbem.ops.up import binaries, parent_watchdog
from pbem.ops.up import postgres as postgres_module
from pbem.ops.up.errors import StartError
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import running
from tests.support.left_out import left_out
from tests.support.ops.up.postgres import connect

ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="left out: other accounts (as root)")


@pytest.fixture
def new(tmp_path: Path) -> Cluster:
    cluster = Cluster.in_folder(tmp_path / "postgres", fsync=False)
    assert cluster.create()
    return cluster


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def public_programs(public_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """PostgreSQL's programs where every user may reach them, though this clone may lie in root's own folder."""
    programs = binaries.find_postgres()
    installed = next((folder for folder in programs.parents if folder.name == "site-packages"), None)
    if installed is None:
        return programs
    package, *below = programs.relative_to(installed).parts
    # A wheel has the libraries that it brings in a folder beside its own.
    for folder in filter(Path.is_dir, (installed / package, installed / f"{package}.libs")):
        shutil.copytree(folder, public_folder / folder.name, symlinks=True)
    copied = public_folder.joinpath(package, *below)
    monkeypatch.setattr(binaries, "postgres_folders", lambda: iter([copied]))
    return copied


def test_a_killed_server_starts_again_though_its_number_is_another_process_by_now(tmp_path: Path) -> None:
    new = Cluster.in_folder(tmp_path / "postgres")
    new.create()
    part = new.part(tmp_path / "log")
    with running(part) as run, contextlib.suppress(psycopg.OperationalError), connect(new.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
        os.kill(run.process.pid, signal.SIGKILL)
        while run.poll() is None:
            time.sleep(0.02)
    for file in (new.data / "postmaster.pid", new.sockets / f"{postgres_module.SOCKET_NAME}.lock"):
        _, *rest = file.read_text().splitlines()
        # A process that lives, and that PostgreSQL does not know for its own: the first of the machine.
        file.write_text("\n".join(["1", *rest, ""]))
    with running(part), connect(new.url) as connection:
        assert connection.execute("SELECT one FROM kept").fetchone() == (1,)


def test_a_cluster_that_another_server_runs_is_left_alone(
    tmp_path: Path,
    new: Cluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_module, "SERVER_EXIT_SECONDS", 0.2)
    with running(new.part(tmp_path / "log")) as run:
        assert new.is_served_by(run.process.pid)
        with pytest.raises(StartError, match=f"is already run by process {run.process.pid}: stop it first"):
            new.prepare()
        assert new.ready()
    assert not new.ready()


def test_a_server_is_known_by_its_command_too(tmp_path: Path, new: Cluster) -> None:
    with running(new.part(tmp_path / "log")) as run:
        assert new.is_in_command_line(run.process.pid)
    assert not new.is_in_command_line(os.getpid())
    assert not new.is_served_by(os.getpid())
    assert not new.is_served_by(run.process.pid)


def test_a_cluster_is_made_once(new: Cluster) -> None:
    assert not new.create()


def test_a_half_made_cluster_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "postgres.new").mkdir()
    (tmp_path / "postgres.new" / "PG_VERSION").write_text("18")
    cluster = Cluster.in_folder(tmp_path / "postgres", fsync=False)
    assert cluster.create()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["postgres", "run"]


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir(mode=0o700)
    (tmp_path / "postgres" / "letters").touch()
    with pytest.raises(StartError, match=r"holds files that are not a database: move them away\."):
        Cluster.in_folder(tmp_path / "postgres", fsync=False).create()


def test_data_of_another_version_are_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("9\n")
    with pytest.raises(
        StartError, match=r"^The data folder was created by PostgreSQL 9, but PostgreSQL \d+ is installed: inst"
    ):
        Cluster.in_folder(tmp_path)


def test_a_cluster_that_cannot_be_made_says_why(tmp_path: Path, new: Cluster) -> None:
    other = Cluster(tmp_path / "other", new.programs, new.account, Path("/"))
    with pytest.raises(StartError, match=r"The database could not be created: .*--no-such-option"):
        other._run("initdb", "--no-such-option", folder=tmp_path)


def test_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    cluster = Cluster.in_folder(tmp_path / ("long" * 30) / "postgres", fsync=False)
    try:
        assert len(str(cluster.sockets)) < 80
        assert cluster.sockets.stat().st_mode & 0o777 == 0o700
    finally:
        cluster.sockets.rmdir()


@pytest.mark.parametrize("version", [15, 16, 17, 18])
def test_every_version_makes_and_runs_a_cluster(tmp_path: Path, version: int) -> None:
    try:
        programs = binaries.find_postgres(version)
    except StartError:
        left_out(f"PostgreSQL {version}", f"apt install postgresql-{version}")
    data = tmp_path / "postgres"
    data.mkdir(mode=0o700)
    account = postgres_module.choose_account(data, programs)
    cluster = Cluster(data, programs, account, Cluster.in_folder(data).sockets, fsync=False)
    cluster.create()
    with running(cluster.part(tmp_path / "log")), connect(cluster.url) as connection:
        assert connection.execute("SELECT current_setting('server_version_num')::int / 10000").fetchone() == (version,)
    # Its data are known by their version from now on.
    assert Cluster.in_folder(data).programs == programs


def test_little_shared_memory_is_made_up_for_by_files(new: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_module, "MIN_SHARED_MEMORY_BYTES", 0)
    assert "dynamic_shared_memory_type" not in new.settings
    monkeypatch.setattr(postgres_module, "MIN_SHARED_MEMORY_BYTES", 2**62)
    assert "--dynamic_shared_memory_type=mmap" in new.command()
    assert postgres_module.free_shared_memory("/nowhere") == 0


def test_users_without_a_name_are_known() -> None:
    assert postgres_module.has_user_name(0)
    assert not postgres_module.has_user_name(4_321_999)


@ROOT
@pytest.mark.usefixtures("public_programs")
def test_root_can_run_it_as_nobody_too(public_folder: Path) -> None:
    cluster = Cluster.in_folder(public_folder / "postgres", fsync=False, account=parent_watchdog.NOBODY_ACCOUNT)
    try:
        cluster.create()
        with running(cluster.part(public_folder / "log")), connect(cluster.url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert cluster.data.stat().st_uid == parent_watchdog.nobody_ids()[0]
        # Once nobody's, it is run as nobody.
        assert Cluster.in_folder(cluster.data, fsync=False) == cluster
    finally:
        shutil.rmtree(cluster.sockets)


@ROOT
def test_root_says_so_when_nobody_can_run_it(public_folder: Path) -> None:
    with pytest.raises(StartError, match="PostgreSQL does not run as root, and no other user can reach"):
        postgres_module.choose_account(public_folder, Path("/nowhere"))
    assert public_folder.stat().st_uid == 0


@ROOT
def test_root_does_not_take_another_users_cluster(public_folder: Path, public_programs: Path) -> None:
    os.chown(public_folder, 4321, 4321)
    with pytest.raises(StartError, match="PostgreSQL does not run as root"):
        postgres_module.choose_account(public_folder, public_programs)
    assert public_folder.stat().st_uid == 4321


def test_the_cluster_speaks_utf_8_whatever_the_language_setting(cluster: Cluster, postgres: str) -> None:
    small = "é" if cluster.version >= postgres_module.BUILTIN_LOCALE_MIN_VERSION else "É"
    with connect(postgres) as connection:
        row = connection.execute("SELECT lower('É'), current_setting('server_encoding'), current_database()").fetchone()
    assert row == (small, "UTF8", "pbem")


def test_the_server_listens_on_no_port(postgres: str) -> None:
    with connect(postgres) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_its_folders_are_private(cluster: Cluster) -> None:
    assert cluster.data.stat().st_mode & 0o777 == 0o700
    assert cluster.sockets.stat().st_mode & 0o777 == 0o700


def test_a_test_has_a_database_of_its_own(database_url: str, shared_database_url: str) -> None:
    with connect(database_url) as own, connect(shared_database_url) as shared:
        own.execute("CREATE TABLE only_here ()")
        assert own.execute("SELECT to_regclass('only_here')").fetchone() == ("only_here",)
        assert shared.execute("SELECT to_regclass('only_here')").fetchone() == (None,)
