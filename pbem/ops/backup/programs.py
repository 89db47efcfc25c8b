"""PostgreSQL's client programs: pg_dump to back up, pg_restore and psql to restore."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread
from typing import IO, TYPE_CHECKING

from sqlalchemy import make_url

from pbem.ops.backup import BackupError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_TABLE_STARTED = re.compile(r'dumping contents of table "([^"]+)"')
_COMMON_OPTIONS = ("--no-owner", "--no-privileges")
"""Options for a restore under any user name."""


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder of client programs, and the database that they work on."""

    folder: Path
    url: str

    def command(self, program: str, *arguments: str) -> tuple[str, ...]:
        """Build a command without the password: anybody on the machine can read command lines."""
        plain = make_url(self.url)._replace(drivername="postgresql", password=None)
        return (str(self.folder / program), *arguments, f"--dbname={plain.render_as_string(hide_password=False)}")

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment of the programs: untranslated messages, a connection timeout, and the password."""
        password = make_url(self.url).password
        own = {"LC_ALL": "C", "PGCONNECT_TIMEOUT": "10"} | ({"PGPASSWORD": str(password)} if password else {})
        return {**os.environ, **own}


@contextmanager
def open_dump(programs: Programs, snapshot: str, begins: Callable[[str], object]) -> Iterator[IO[bytes]]:
    """Run pg_dump on a snapshot and yield its output; `begins` is called with the name of each table that is reached.

    Raises BackupError at the end of the block if the dump is incomplete.
    """
    command = programs.command("pg_dump", "--format=custom", "--verbose", f"--snapshot={snapshot}", *_COMMON_OPTIONS)
    with subprocess.Popen(  # noqa: S603 -- found by us
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=programs.environment
    ) as run:
        messages: list[str] = []
        listener = Thread(target=_read_messages, args=(run, begins, messages))
        listener.start()
        try:
            assert run.stdout is not None  # noqa: S101 -- a pipe
            yield run.stdout
        except BaseException:
            run.kill()
            raise
        finally:
            listener.join()
        if run.wait():
            raise BackupError(f"pg_dump failed: {_error_line(messages)}")


def restore_dump(programs: Programs, content: Callable[[IO[bytes]], object], close: Callable[[], str]) -> None:
    """Restore a database in one transaction: all of it with the closing statements, or nothing.

    `content` writes the output of pg_dump; `close` returns the statements to run last.
    """
    with tempfile.TemporaryFile() as log:
        failed: list[BaseException] = []
        how = {"stdin": subprocess.PIPE, "stderr": log, "env": programs.environment}
        script = programs.command("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1")
        read_back = (str(programs.folder / "pg_restore"), "--file=-", *_COMMON_OPTIONS)
        with (
            subprocess.Popen(script, stdout=subprocess.DEVNULL, **how) as run,  # type: ignore[call-overload]  # noqa: S603 -- found by us
            subprocess.Popen(read_back, stdout=subprocess.PIPE, **how) as read,  # type: ignore[call-overload]  # noqa: S603 -- found by us
        ):
            feeder = Thread(target=_feed, args=(content, read.stdin, failed))
            feeder.start()
            whole = False
            try:
                with suppress(BrokenPipeError), run.stdin as out:
                    out.write(b"BEGIN;\n")
                    shutil.copyfileobj(read.stdout, out)
                    feeder.join()
                    if not (read.wait() or failed):
                        out.write(f"RESET search_path;\n{close()}ANALYZE;\nCOMMIT;\n".encode())
                        whole = True
                    else:
                        run.kill()
            finally:
                # Without COMMIT, nothing of it stays.
                if not whole:
                    run.terminate()
                    read.terminate()
                feeder.join()
        log.seek(0)
        messages = log.read().decode(errors="replace").splitlines()
    if failed and run.returncode <= 0:
        raise failed[0]
    if not whole or run.returncode:
        raise BackupError(f"Nothing was restored: {_error_line(messages)}")


def _feed(content: Callable[[IO[bytes]], object], out: IO[bytes], failed: list[BaseException]) -> None:
    try:
        with suppress(BrokenPipeError), out:
            content(out)
    except BaseException as error:  # noqa: BLE001 -- raised again in the calling thread
        failed.append(error)


def _read_messages(run: subprocess.Popen[bytes], begins: Callable[[str], object], messages: list[str]) -> None:
    assert run.stderr is not None  # noqa: S101 -- a pipe
    for line in run.stderr:
        text = line.decode(errors="replace").rstrip()
        if table := _TABLE_STARTED.search(text):
            begins(table[1])
        messages[:] = [*messages[-20:], text]


def _error_line(messages: list[str]) -> str:
    """Return the first error among the messages of a program, or its last message."""
    errors = [line for line in messages if "error:" in line or "ERROR:" in line or "FATAL:" in line]
    return (errors or messages[-1:] or ["it gave no reason"])[0]
