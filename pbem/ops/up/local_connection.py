"""Access to the database and keys of a data folder, whether its service is running or not."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.config import database_url
from pbem.ops.up import process
from pbem.ops.up.errors import StartError
from pbem.ops.up.folder import DataFolder, InUseError, lock_data_folder
from pbem.ops.up.postgres import Cluster


@contextlib.contextmanager
def open_database(data: Path, *, make: bool = False) -> Iterator[str]:
    """Yield the URL of a data folder's database; if no service is running, the database runs within the block.

    A folder without a database gets an empty one with `make`; otherwise StartError is raised.
    """
    if not make and not DataFolder(data).postgres.exists():
        raise StartError(f"{data} holds no data of `pbem up`: choose the folder that it uses.")
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(lock_data_folder(data))
        except InUseError:
            cluster = Cluster.in_folder(DataFolder(data.absolute()).postgres)
        else:
            cluster = Cluster.in_folder(folder.postgres)
            cluster.create()
            stack.enter_context(process.running(cluster.part(folder.log("database"))))
        yield database_url({"DATABASE_URL": cluster.url})


def read_secret_keys(data: Path, given: Mapping[str, str]) -> tuple[str, ...]:
    """Read the secret keys of the service in a data folder; empty if it has none yet."""
    file = data / "secret-keys"
    keys = given.get("PBEM_SECRET_KEYS") or (file.read_text() if file.exists() else "")
    return tuple(keys.replace(",", " ").split())
