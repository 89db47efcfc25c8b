"""Loaded by every Python process of a service under test: lays what kills something at a named point of its work.

It hooks what lies below the program (psycopg, smtplib, aiosmtpd, Celery), so that nothing in the program knows of it,
and points stay where they are when the program's own functions are moved about.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("FAULTS", "/nonexistent"))
PARTS = {"workers.smtp_server": "mail", "workers.app": "worker", "gunicorn": "web"}
WRITES = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)", re.IGNORECASE)
LOCKS = re.compile(r"\bFROM matches\b.*\bFOR (?:NO KEY )?UPDATE\b", re.IGNORECASE | re.DOTALL)
MARKS = re.compile(r"^\s*UPDATE outbox_messages\b", re.IGNORECASE)
COMMITS = {
    ("mail", "submissions"): "accept",
    ("mail", "service_mails"): "accept",
    ("web", "submissions"): "page",
    ("worker", "log_entries"): "judge",
    ("worker", "thoughts"): "think",
    ("worker", "analyses"): "analyse",
    ("worker", "heartbeats"): "clock",
}
"""What a commit is called that writes to a table, by the part that makes it."""

_sent = threading.local()


def reach(point: str | None) -> None:
    """Do what is armed at a point, once in all processes together; nothing where there is none."""
    armed = FOLDER / "armed" / (point or "none")
    if not armed.exists():
        return
    fired = FOLDER / "fired" / f"{point} {time.time_ns()}"
    with suppress(FileNotFoundError):
        armed.rename(fired)
        what, *given = fired.read_text().split()
        _DEEDS[what](*given)


def _kill(*pids: str) -> None:
    for pid in pids or (os.getpid(),):
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def _restart(pid: str) -> None:
    """Stop the database at once, as after a fault of the machine."""
    with suppress(ProcessLookupError):
        os.kill(int(pid), signal.SIGQUIT)


def _flush(path: str) -> None:
    """Empty the broker."""
    with socket.socket(socket.AF_UNIX) as line, suppress(OSError):
        line.connect(path)
        line.sendall(b"FLUSHALL\r\n")
        line.recv(100)


_DEEDS: dict[str, Any] = {"kill": _kill, "restart": _restart, "flush": _flush}


def _commit_name(part: str, wrote: set[str]) -> str | None:
    if part == "worker" and "outbox_messages" in wrote and _mailed():
        return "mark"
    return next((name for (whose, table), name in COMMITS.items() if whose == part and table in wrote), None)


def _mailed() -> bool:
    """Return whether this thread has sent a mail that it has not marked."""
    return getattr(_sent, "mail", False)


def _around(connection: Any, said: str) -> tuple[str | None, str | None]:
    """Name the points before and after a statement of a worker's."""
    if LOCKS.search(said):
        return "judge-before-lock", "judge-after-lock"
    if "pg_try_advisory_lock" in said:
        return None, "relay-after-claim"
    if connection.autocommit and MARKS.search(said) and _mailed():
        # Most mails are marked by one statement that is kept by itself.
        _sent.mail = False
        return "mark-before-commit", "mark-after-commit"
    return None, None


def _watch_database(part: str) -> None:
    psycopg: Any = importlib.import_module("psycopg")
    wrote: dict[int, set[str]] = {}
    execute, execute_many = psycopg.Cursor.execute, psycopg.Cursor.executemany
    commit, rollback = psycopg.Connection.commit, psycopg.Connection.rollback

    def note(self: Any, said: str) -> None:
        wrote.setdefault(id(self.connection), set()).update(name.lower() for name in WRITES.findall(said))

    def executes(self: Any, query: Any, *given: Any, **named: Any) -> Any:
        said = query if isinstance(query, str) else str(query)
        before, after = _around(self.connection, said) if part == "worker" else (None, None)
        reach(before)
        done = execute(self, query, *given, **named)
        note(self, said)
        reach(after)
        return done

    def executes_many(self: Any, query: Any, *given: Any, **named: Any) -> Any:
        done = execute_many(self, query, *given, **named)
        note(self, query if isinstance(query, str) else str(query))
        return done

    def commits(self: Any) -> None:
        name = _commit_name(part, wrote.pop(id(self), set()))
        if name:
            reach(f"{name}-before-commit")
        commit(self)
        if name:
            _sent.mail = False
            reach(f"{name}-after-commit")

    def rolls_back(self: Any) -> None:
        wrote.pop(id(self), None)
        rollback(self)

    psycopg.Cursor.execute, psycopg.Cursor.executemany = executes, executes_many
    psycopg.Connection.commit, psycopg.Connection.rollback = commits, rolls_back


def _watch_sending() -> None:
    smtplib: Any = importlib.import_module("smtplib")
    docmd, getreply = smtplib.SMTP.docmd, smtplib.SMTP.getreply

    def commands(self: Any, command: str, *given: Any) -> Any:
        is_data = command.upper() == "DATA"
        if is_data:
            reach("relay-before-data")
        answer = docmd(self, command, *given)
        self.awaits_end_of_data = is_data
        return answer

    def replies(self: Any) -> Any:
        answer = getreply(self)
        if getattr(self, "awaits_end_of_data", False):
            self.awaits_end_of_data = False
            _sent.mail = True
            reach("relay-after-data")
        return answer

    smtplib.SMTP.docmd, smtplib.SMTP.getreply = commands, replies


def _watch_tasks() -> None:
    transport: Any = importlib.import_module("kombu.transport.virtual.base").Transport
    hub: Any = importlib.import_module("kombu.asynchronous.hub").Hub
    deliver, call_soon = transport._deliver, hub.call_soon

    def delivers(self: Any, message: Any, *given: Any, **named: Any) -> Any:
        if message["headers"].get("task") == "judge_submissions":
            reach("task-before-work")
        return deliver(self, message, *given, **named)

    def calls_soon(self: Any, *given: Any, **named: Any) -> Any:
        # Only at a task's end does a thread that worked on it call the one that takes tasks.
        if threading.current_thread() is not threading.main_thread():
            reach("task-after-work")
        return call_soon(self, *given, **named)

    transport._deliver, hub.call_soon = delivers, calls_soon


def _watch_beat() -> None:
    scheduler: Any = importlib.import_module("celery.beat").Scheduler
    apply = scheduler.apply_async

    def applies(self: Any, *given: Any, **named: Any) -> Any:
        reach("beat-before-dispatch")
        done = apply(self, *given, **named)
        reach("beat-after-dispatch")
        return done

    scheduler.apply_async = applies


def _watch_answers() -> None:
    smtp: Any = importlib.import_module("aiosmtpd.smtp").SMTP
    push = smtp.push

    async def pushes(self: Any, status: Any) -> None:
        await push(self, status)
        if str(status).startswith("250 2.0.0"):
            reach("accept-after-answer")

    smtp.push = pushes


def _watch() -> None:
    said = " ".join(sys.orig_argv)
    part = next((part for word, part in PARTS.items() if word in said), None)
    if part is None or not FOLDER.is_dir():
        return
    _watch_database(part)
    if part == "worker":
        _watch_sending()
        _watch_tasks()
        _watch_beat()
    if part == "mail":
        _watch_answers()


_watch()
