"""Private folders for Unix sockets, with paths that are short enough."""

import contextlib
import os
import socket
import stat
from pathlib import Path

from pbem.ops.up.errors import StartError

SHARED_FOLDER = "/tmp"  # noqa: S108 -- folders in it are made private, or refused
MAX_FOLDER_BYTES = 75  # bytes: about 100 are allowed, including the name of the socket


def supports_sockets(folder: Path) -> bool:
    """Return whether a file system supports sockets: shared folders of virtual machines often do not."""
    probe = folder / f"probe-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.bind(str(probe))
        except OSError:
            return False
    probe.unlink()
    return True


def make_private(folder: Path, owner: int | None = None) -> Path:
    """Create a folder that only its owner can access, or refuse one that somebody else made."""
    me = os.geteuid()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {me, owner}:
        raise StartError(f"The folder {folder} belongs to another user: remove it.")
    folder.chmod(0o700)
    if owner is not None:
        os.chown(folder, owner, -1)
    return folder


def temporary_folder(near: Path, place: str) -> Path:
    """Return a folder in a temporary place whose name is unique to a data folder of this machine."""
    known = near.stat()
    return Path(place) / f"pbem-{known.st_dev:x}-{known.st_ino:x}"


def is_usable_path(folder: Path) -> bool:
    """Return whether socket paths in a folder are usable: short enough, and without separators."""
    # PostgreSQL and its clients treat a comma or a quotation mark as the end of a path.
    return len(os.fsencode(folder)) <= MAX_FOLDER_BYTES and not set(str(folder)) & set(',"')


def socket_folder(near: Path) -> Path:
    """Create and return the folder for sockets: `near` itself, else one with a short path in a temporary place."""
    make_private(near)
    if is_usable_path(near) and supports_sockets(near):
        return near
    own = os.environ.get("XDG_RUNTIME_DIR")
    places = [temporary_folder(near, place) for place in (own, SHARED_FOLDER) if place]
    return make_private(next(filter(is_usable_path, places), places[-1]))


def query(path: Path, request: bytes, seconds: float = 0.5) -> bytes:
    """Send some bytes to a Unix socket and return the beginning of the answer, empty if there is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(path))
        connection.sendall(request)
        return connection.recv(64)
    return b""
