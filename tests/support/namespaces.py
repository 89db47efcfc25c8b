"""Machines that are none: each with a network address of its own and folders of its own, and nothing shared."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.left_out import left_out

if TYPE_CHECKING:
    from collections.abc import Iterator

CLONE_NEWNET = 0x40000000
MIDDLE = "10.77.0.1"
"""Where the database, the broker and the neighbours' mail server are."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine on the network; what programs on it write to `/tmp` is in its `folder`, and nothing else they can."""

    name: str
    address: str
    folder: Path

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Enter the machine's network with this thread, and what it starts meanwhile."""
        with Path("/proc/thread-self/ns/net").open() as outside, Path(f"/run/netns/{self.name}").open() as within:
            _enter(within.fileno())
            try:
                yield
            finally:
                _enter(outside.fileno())

    def outside(self, path: Path) -> Path:
        """Return where a path of the machine lies for everybody else."""
        return self.folder / path.relative_to("/tmp") if path.is_relative_to("/tmp") else path  # noqa: S108

    def alone(self, *command: str) -> tuple[str, ...]:
        """Return a command that runs another in `/tmp`, where all disks can only be read but for that folder."""
        steps = (
            f"mount --bind {self.folder} /tmp",
            "mount -o remount,bind,ro /",
            "mount -t tmpfs none /dev/shm",
            'cd /tmp; exec "$@"',
        )
        shell = ("/bin/sh", "-ec", "\n".join(steps), "alone", *command)
        return (str(shutil.which("unshare")), "--mount", "--propagation", "private", *shell)


def _enter(number: int) -> None:
    calls = ctypes.CDLL(None, use_errno=True)
    if calls.setns(number, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "this thread cannot change networks")


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[dict[str, Machine]]:
    """Create a machine in the middle, called `middle`, and others that reach it and each other, but nothing else."""
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("unshare") is None:
        left_out("several machines", "as root, with apt install iproute2 util-linux")
    mark = f"t{os.getpid()}"
    machines = {"middle": _made(folder, f"{mark}m", MIDDLE)}
    try:
        try:
            ip("netns", "add", f"{mark}m")
        except subprocess.CalledProcessError as refused:
            left_out("several machines", f"where networks can be made; here: {refused.stderr.strip()}")
        within = ("-n", f"{mark}m")
        ip(*within, "link", "set", "lo", "up")
        ip(*within, "link", "add", "switch", "type", "bridge")
        ip(*within, "address", "add", f"{MIDDLE}/24", "dev", "switch")
        ip(*within, "link", "set", "switch", "up")
        for number, name in enumerate(names, 11):
            machine = machines[name] = _made(folder, f"{mark}{number}", f"10.77.0.{number}")
            ip("netns", "add", machine.name)
            ip(*within, "link", "add", f"to{number}", "type", "veth", "peer", "name", "out", "netns", machine.name)
            ip(*within, "link", "set", f"to{number}", "master", "switch", "up")
            ip("-n", machine.name, "link", "set", "lo", "up")
            ip("-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "out")
            ip("-n", machine.name, "link", "set", "out", "up")
        yield machines
    finally:
        for machine in machines.values():
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", machine.name)


def ip(*words: str) -> None:
    """Arrange something of the network."""
    subprocess.run([str(shutil.which("ip")), *words], check=True, capture_output=True, text=True)


def _made(folder: Path, name: str, address: str) -> Machine:
    own = folder / name
    own.mkdir()
    return Machine(name, address, own)
