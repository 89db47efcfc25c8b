"""Creates and runs a private PostgreSQL cluster, for any user including root."""

import contextlib
import os
import pwd
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pbem.ops.up import binaries, parent_watchdog, sockets
from pbem.ops.up.errors import StartError
from pbem.ops.up.process import Part

SOCKET_NAME = ".s.PGSQL.5432"
DATABASE_NAME = "pbem"  # of the user and of the database
BUILTIN_LOCALE_MIN_VERSION = 17
IO_METHOD_MIN_VERSION = 18
MIN_SHARED_MEMORY_BYTES = 64 * 1024 * 1024
SERVER_EXIT_SECONDS = 5.0  # seconds until a server whose owner was just killed is gone

# Sized for some thirty clients on a shared machine, with a quiet log.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "work_mem": "4MB",
    "maintenance_work_mem": "32MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "128MB",
    "min_wal_size": "8MB",
    "wal_buffers": "1MB",
    # Asynchronous commits (results of mails) lose at most about this much if killed; those mails are sent again.
    "wal_writer_delay": "50ms",
    "max_worker_processes": "2",
    "max_parallel_workers": "0",
    "max_logical_replication_workers": "0",
    "autovacuum_max_workers": "2",
    "huge_pages": "off",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "logging_collector": "off",
    "log_destination": "stderr",
    # The log must not show data of rows, such as an address or a hand.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}
UNSYNCED_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def clean_environment() -> Mapping[str, str]:
    """Return an environment without settings of other PostgreSQL installations and without locale variables."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return others | {"LC_ALL": "C"}


def choose_account(folder: Path, programs: Path) -> str:
    """Choose the account of PostgreSQL, which refuses root and nameless users: try what this machine allows."""
    if os.geteuid() != 0:
        if has_user_name(os.geteuid()):
            return parent_watchdog.OWN_ACCOUNT
        if can_run_as(parent_watchdog.NAMESPACE_ACCOUNT, folder, programs):
            return parent_watchdog.NAMESPACE_ACCOUNT
        raise StartError(
            f"User {os.geteuid()} has no name on this machine, and PostgreSQL needs one: add it to /etc/passwd."
        )
    for account in (parent_watchdog.NAMESPACE_ACCOUNT, parent_watchdog.NOBODY_ACCOUNT):
        user = parent_watchdog.nobody_ids()[0] if account == parent_watchdog.NOBODY_ACCOUNT else 0
        owner = folder.stat().st_uid
        if owner not in {0, user}:
            continue
        if account == parent_watchdog.NOBODY_ACCOUNT:
            change_owner(folder, user)
        if can_run_as(account, folder, programs):
            return account
        if account == parent_watchdog.NOBODY_ACCOUNT:
            change_owner(folder, owner)
    raise StartError(
        f"PostgreSQL does not run as root, and no other user can reach {folder} and {programs}: "
        "run pbem as an ordinary user, or choose a folder with --data that all users may enter.",
    )


def has_user_name(user: int) -> bool:
    """Return whether a user ID has a name; in some containers it has none."""
    try:
        return bool(pwd.getpwuid(user).pw_name)
    except KeyError:
        return False


def can_run_as(account: str, folder: Path, programs: Path) -> bool:
    """Return whether PostgreSQL's programs run with an account in a folder."""
    command = (*parent_watchdog.command_prefix(account), str(programs / "postgres"), "--version")
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0  # noqa: S603 -- ours


def change_owner(folder: Path, user: int) -> None:
    """Change the owner of a folder and everything in it."""
    if folder.stat().st_uid == user:
        return
    for path in (*folder.rglob("*"), folder):
        os.chown(path, user, -1, follow_symlinks=False)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster: its folder, its programs, the account they run as, its socket folder, and whether it syncs writes."""

    data: Path
    programs: Path
    account: str
    sockets: Path
    fsync: bool = True

    @classmethod
    def in_folder(cls, data: Path, *, fsync: bool = True, account: str | None = None) -> "Cluster":
        """Return the cluster in a folder, existing or not yet, as this machine can run it."""
        data = data.absolute()
        version = None
        with contextlib.suppress(FileNotFoundError):
            version = int((data / "PG_VERSION").read_text())
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        programs = binaries.find_postgres(version)
        account = account or choose_account(data, programs)
        if account == parent_watchdog.NOBODY_ACCOUNT:
            folder = sockets.make_private(
                sockets.temporary_folder(data.parent, sockets.SHARED_FOLDER), parent_watchdog.nobody_ids()[0]
            )
        else:
            folder = sockets.socket_folder(data.parent / "run")
        return cls(data, programs, account, folder, fsync)

    @property
    def url(self) -> str:
        """URL of the service's database for SQLAlchemy."""
        return self.database_url(DATABASE_NAME)

    def database_url(self, database: str) -> str:
        """Return the URL of a database of the cluster for SQLAlchemy."""
        return f"postgresql+psycopg://{DATABASE_NAME}@/{database}?host={quote(str(self.sockets), safe='/')}"

    @property
    def version(self) -> int:
        """Major version of the programs."""
        return binaries.postgres_version(self.programs)

    @property
    def settings(self) -> dict[str, str]:
        """Settings of the server: ours, and those that this version and this machine need."""
        settings = SETTINGS | {"unix_socket_directories": str(self.sockets)} | ({} if self.fsync else UNSYNCED_SETTINGS)
        if self.version >= IO_METHOD_MIN_VERSION:
            settings["io_method"] = "sync"
        if sys.platform == "linux" and free_shared_memory() < MIN_SHARED_MEMORY_BYTES:
            settings["dynamic_shared_memory_type"] = "mmap"
        return settings

    def command(self) -> tuple[str, ...]:
        """Return the command that serves the cluster."""
        options = (f"--{name}={value}" for name, value in self.settings.items())
        return (str(self.programs / "postgres"), "-D", str(self.data), *options)

    def create(self) -> bool:
        """Create the cluster and its database atomically; returns False if they exist."""
        if (self.data / "PG_VERSION").exists():
            return False
        fresh = self.data.with_name(self.data.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        if self.account == parent_watchdog.NOBODY_ACCOUNT:
            change_owner(fresh, parent_watchdog.nobody_ids()[0])
        locale = ["--locale=C"]
        if self.version >= BUILTIN_LOCALE_MIN_VERSION:
            locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        options = ["-D", str(fresh), "-U", DATABASE_NAME, "-E", "UTF8", *locale, "--wal-segsize=1", "--auth=trust"]
        self._run("initdb", *options, "--no-sync", "--no-instructions", folder=fresh)
        single = ("--single", "-j", "-D", str(fresh), "-F", "-c", "log_checkpoints=off", "postgres")
        self._run("postgres", *single, folder=fresh, stdin=f"CREATE DATABASE {DATABASE_NAME};\n\n")
        if self.fsync:
            self._run("initdb", "-D", str(fresh), "--sync-only", folder=fresh)
        try:
            fresh.replace(self.data)
        except OSError as error:
            raise StartError(f"The folder {self.data} holds files that are not a database: move them away.") from error
        return True

    def _run(self, program: str, *arguments: str, folder: Path, stdin: str = "") -> None:
        command = (*parent_watchdog.command_prefix(self.account), str(self.programs / program), *arguments)
        how = {"cwd": folder, "env": dict(clean_environment()), "capture_output": True, "text": True}
        done = subprocess.run(command, input=stdin, check=False, **how)  # type: ignore[call-overload]  # noqa: S603 -- ours
        if done.returncode != 0:
            raise StartError(
                f"The database could not be created: {done.stderr.strip() or done.stdout.strip()}", status=1
            )

    def prepare(self) -> None:
        """Remove leftovers of a killed server before the next start."""
        end = time.monotonic() + SERVER_EXIT_SECONDS
        while (process := self.recorded_pid()) is not None and self.is_served_by(process):
            if time.monotonic() > end:
                raise StartError(f"The database in {self.data} is already run by process {process}: stop it first.")
            time.sleep(0.05)
        # PostgreSQL removes the file of a dead process itself, but refuses to start if the process ID has been reused.
        if process is not None and is_process_alive(process):
            (self.data / "postmaster.pid").unlink()
        for name in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
            (self.sockets / name).unlink(missing_ok=True)

    def recorded_pid(self) -> int | None:
        """Return the process ID in the cluster's PID file, if any."""
        try:
            return int((self.data / "postmaster.pid").read_text().splitlines()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None

    def is_served_by(self, process: int) -> bool:
        """Return whether a process is a server of this cluster: its working folder is the cluster's."""
        if Path("/proc/self").exists():
            place = Path(f"/proc/{process}")
            try:
                return (place / "comm").read_text().strip() == "postgres" and (place / "cwd").samefile(self.data)
            except OSError:
                return False
        return self.is_in_command_line(process)

    def is_in_command_line(self, process: int) -> bool:
        """Return whether a process has this cluster in its command line; used if there is no /proc."""
        command = ("/bin/ps", "-ww", "-o", "command=", "-p", str(process))
        return str(self.data) in subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 -- ours

    def ready(self) -> bool:
        """Return whether the server accepts connections."""
        # Check its PID file first: an early connection would be logged as a fatal error.
        with contextlib.suppress(FileNotFoundError):
            if not (self.data / "postmaster.pid").read_text().rstrip().endswith("ready"):
                return False
        body = struct.pack(">i", 196608) + f"user\0{DATABASE_NAME}\0database\0{DATABASE_NAME}\0\0".encode()
        request = struct.pack(">i", len(body) + 4) + body
        return sockets.query(self.sockets / SOCKET_NAME, request + b"X\0\0\0\4")[:1] == b"R"

    def part(self, log: Path, rank: int = 0) -> Part:
        """Return the server as a part to start and stop."""
        return Part(
            "database",
            self.command(),
            log,
            environment=clean_environment(),
            folder=self.data,
            ready=self.ready,
            prepare=self.prepare,
            account=self.account,
            stop_signal=signal.SIGINT,  # PostgreSQL's fast shutdown
            grace_seconds=2.5,
            rank=rank,
        )


def is_process_alive(process: int) -> bool:
    """Return whether a process of this ID exists."""
    try:
        os.getpgid(process)
    except ProcessLookupError:
        return False
    return True


def free_shared_memory(place: str = "/dev/shm") -> int:  # noqa: S108 -- only measured
    """Return the free bytes of shared memory, 0 if there is none."""
    try:
        stat = os.statvfs(place)
    except OSError:
        return 0
    return stat.f_bavail * stat.f_frsize
