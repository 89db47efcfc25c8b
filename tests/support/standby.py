"""A database and a copy of it that follows: both real, over PostgreSQL's own streaming replication."""

from __future__ import annotations

import contextlib
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import psycopg

from pbem.db.upgrade import upgrade
from pbem.ops.backup.programs import Programs
from pbem.ops.up.postgres import DATABASE_NAME, Cluster
from pbem.ops.up.process import Run, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

ORIGINAL = {"wal_level": "replica", "max_wal_senders": "4", "max_replication_slots": "4"}
"""What a server of our own must be told to be copied: these are the settings of one that is installed."""
COPY = ORIGINAL | {"hot_standby": "on", "hot_standby_feedback": "off", "wal_retrieve_retry_interval": "100ms"}


@dataclass(frozen=True, slots=True)
class Pair:
    """An original and its copy, both running."""

    original: Cluster
    copy: Cluster

    @property
    def url(self) -> str:
        return self.original.url

    @property
    def copy_url(self) -> str:
        return self.copy.url


def started(cluster: Cluster, settings: dict[str, str]) -> AbstractContextManager[Run]:
    """Run a cluster with some settings of its own."""
    part = cluster.part(cluster.data.with_suffix(".log"))
    return running(replace(part, command=(*part.command, *(f"--{name}={value}" for name, value in settings.items()))))


def asked(url: str, statement: str) -> Any:
    """Ask a server one question, as the one whom it belongs to; return the first thing that it says."""
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
        said = connection.execute(statement.encode())
        row = said.fetchone() if said.description else None
        return row[0] if row else None


@contextlib.contextmanager
def followed(folder: Path) -> Iterator[Pair]:
    """Run a database with all tables, and a copy of it."""
    original = Cluster.in_folder(folder / "original" / "postgres", fsync=False)
    original.create()
    with contextlib.ExitStack() as stack:
        stack.enter_context(started(original, ORIGINAL))
        upgrade(original.url)
        base = folder / "base"
        copying = Programs(original.programs, original.url).command("pg_basebackup", f"--pgdata={base}")
        subprocess.run((*copying, "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"), check=True)
        copy = Cluster.in_folder(folder / "copy" / "postgres", fsync=False)
        copy.data.rmdir()
        base.rename(copy.data)
        conninfo = f"host={original.sockets} user={DATABASE_NAME} application_name=copy"
        stack.enter_context(started(copy, COPY | {"primary_conninfo": conninfo}))
        yield Pair(original, copy)
