"""Clusters of PostgreSQL for benchmarks: each makes its own, or copies one that was made for many of them."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from pbem.db.upgrade import upgrade
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import running

if TYPE_CHECKING:
    from pathlib import Path

COPIED = "BENCHMARKS_CLUSTER"
"""The environment names so the folder of a cluster with the service's tables, which does not run."""


def cluster_in(folder: Path, *, fsync: bool) -> Cluster:
    """Create a cluster in a folder, or copy one; only what is copied has the service's tables already."""
    cluster = Cluster.in_folder(folder, fsync=fsync)
    made = os.environ.get(COPIED)
    if made:
        # As it is, with its owner: PostgreSQL may run as somebody else.
        subprocess.run(("cp", "-a", f"{made}/.", folder), check=True)  # noqa: S607 -- the system's own
    else:
        cluster.create()
    return cluster


def prepare(folder: Path) -> dict[str, str]:
    """Create a cluster with the service's tables; return the environment in which benchmarks copy it."""
    cluster = Cluster.in_folder(folder / "postgres", fsync=False)
    cluster.create()
    with running(cluster.part(folder / "postgres.log")):
        upgrade(cluster.url)
    return {COPIED: str(cluster.data)}
