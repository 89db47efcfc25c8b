"""Ties a program's life to the process that started it, then executes that program.

Run as a script with as little of Python as possible: `python -I -S parent_watchdog.py PARENT ACCOUNT BOND COMMAND…`.
ACCOUNT is the account that the program runs as, BOND how it notices that its parent has ended.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would take longer than everything else
    from typing import Any

OWN_ACCOUNT = "own"  # the caller's account
NAMESPACE_ACCOUNT = "namespace"  # nobody inside a user namespace, root outside: files stay owned by root and private
NOBODY_ACCOUNT = "nobody"  # root becomes nobody

SIGNAL_BOND = "signal"  # the kernel kills the program when its parent ends (Linux)
WATCH_BOND = "watch"  # this process stays, watches the parent and forwards signals (everywhere)

OVERFLOW_ID = 65534
CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.2
EXIT_CANNOT_RUN = 126


def nobody_ids() -> tuple[int, int]:
    """Return the user and group IDs of nobody."""
    import pwd  # noqa: PLC0415 -- needed by root alone

    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return OVERFLOW_ID, OVERFLOW_ID
    return entry.pw_uid, entry.pw_gid


def command_prefix(account: str = OWN_ACCOUNT, bond: str | None = None) -> tuple[str, ...]:
    """Return the words before a command that make it end with the calling process."""
    bond = bond or (SIGNAL_BOND if sys.platform == "linux" else WATCH_BOND)
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), account, bond)


def load_libc() -> Any:
    """Load the C library, or return None if this build of Python cannot."""
    try:
        import ctypes  # noqa: PLC0415 -- absent from some builds of Python

        return ctypes.CDLL(None)
    except (ImportError, OSError):
        return None


def enter_namespace(libc: Any) -> None:
    """Become nobody inside a new user namespace, while staying root for every file."""
    user, group = os.geteuid(), os.getegid()
    if libc is None or libc.unshare(CLONE_NEWUSER) != 0:
        raise PermissionError(0, "no user namespace")
    maps = {"setgroups": "deny", "uid_map": f"{OVERFLOW_ID} {user} 1", "gid_map": f"{OVERFLOW_ID} {group} 1"}
    for name, text in maps.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123 -- importing pathlib is slow
            file.write(text)


def switch_account(account: str, libc: Any) -> None:
    """Switch to the account, and check that it can access the working folder."""
    if account == NAMESPACE_ACCOUNT:
        enter_namespace(libc)
    elif account == NOBODY_ACCOUNT:
        user, group = nobody_ids()
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    if account != OWN_ACCOUNT:
        os.umask(0o077)
        os.chdir(os.getcwd())  # noqa: PTH109 -- by its path, to check access to every folder of it


def die_with_parent(libc: Any) -> None:
    """Ask the kernel to kill this process when its parent ends."""
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def watch(parent: int, command: list[str], subprocess: Any) -> int:
    """Run the command as a child until it or the parent ends; returns the exit status."""
    with subprocess.Popen(command) as child:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, lambda received, _: child.send_signal(received))
        while child.poll() is None:
            if os.getppid() != parent:
                if os.getpgrp() == os.getpid():
                    os.killpg(0, signal.SIGKILL)
                child.kill()
            time.sleep(POLL_SECONDS)
        status = int(child.returncode)
    return status if status >= 0 else 128 - status


def main(arguments: list[str]) -> int:
    """Execute the command, or watch over it."""
    parent, account, bond, *command = arguments
    # Imported before the account changes: the user nobody may not be able to read Python's library.
    libc: Any = load_libc() if sys.platform == "linux" else None
    watcher = importlib.import_module("subprocess") if libc is None or bond == WATCH_BOND else None
    try:
        switch_account(account, libc)
    except OSError as error:
        sys.stderr.write(f"cannot run as {account}: {error}\n")
        return EXIT_CANNOT_RUN
    # An account change clears the death signal: set it last, then check that the parent still lives.
    if watcher is None:
        die_with_parent(libc)
    if os.getppid() != int(parent):
        return EXIT_CANNOT_RUN
    with contextlib.suppress(FileNotFoundError):
        if watcher is not None:
            return watch(int(parent), command, watcher)
        os.execv(command[0], command)  # noqa: S606 -- no shell is wanted
    sys.stderr.write(f"{command[0]} does not exist\n")
    return EXIT_CANNOT_RUN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
