"""Describe the parts that are programs of this service itself."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pbem.ops.up import binaries, checks
from pbem.ops.up.folder import DataFolder
from pbem.ops.up.part import Part
from pbem.ops.up.settings import Wishes

# Parts are stopped in this order, and all within ten seconds: their graces add up to nine.
WEB, WORKERS, MAIL, BROKER, DATABASE = range(5)


@dataclass(frozen=True, slots=True)
class Programs:
    """Hold the commands of the parts."""

    upgrade: tuple[str, ...]
    web: tuple[str, ...]
    worker: tuple[str, ...]
    beat: tuple[str, ...]
    mail: tuple[str, ...]


def module(name: str, *arguments: str) -> tuple[str, ...]:
    """Build the command that runs a module with this very Python, whatever the PATH says."""
    return (sys.executable, "-m", name, *arguments)


def programs(wishes: Wishes, folder: DataFolder) -> Programs:
    """Build the commands of the service's programs."""
    return Programs(
        upgrade=module("pbem.db.upgrade"),
        web=module("gunicorn", *gunicorn(wishes), "pbem.web:create_app()"),
        worker=module(
            *("celery", "--quiet", "-A", "workers.app", "worker", "--loglevel", "INFO"),
            *("--pool", "threads", "--concurrency", "4"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ),
        beat=module("workers.beat", str(folder.run / "beat-schedule")),
        mail=module("workers.smtp_server"),
    )


def gunicorn(wishes: Wishes) -> tuple[str, ...]:
    """Build gunicorn's options: one process, some threads, and nothing left lying about."""
    options = [
        "--config",
        "python:pbem.ops.up.webserver",
        "--bind",
        checks.joined(wishes.host, wishes.port),
        "--workers",
        "1",
        "--threads",
        "8",
    ]
    options += ["--graceful-timeout", "2"]
    if Path("/dev/shm").is_dir():  # noqa: S108 -- gunicorn makes a file of its own there
        options += ["--worker-tmp-dir", "/dev/shm"]  # noqa: S108 -- the same
    home = binaries.wheel("gunicorn")
    if home and (home / "ctl").is_dir():
        options += ["--no-control-socket"]
    return tuple(options)


def upgrade(commands: Programs, folder: DataFolder, environment: Mapping[str, str]) -> Part:
    """Describe what brings the database's tables up to date."""
    return Part("upgrade", commands.upgrade, folder.log("upgrade"), environment, folder.run)


def servers(
    commands: Programs,
    wishes: Wishes,
    smtp: tuple[str, int],
    folder: DataFolder,
    environment: Mapping[str, str],
) -> tuple[Part, ...]:
    """Describe the web, the workers and the way in for mail."""
    base = urlsplit(environment["PBEM_BASE_URL"])

    def serves() -> bool:
        def page(path: str) -> bool:
            return checks.serves_page(wishes.host, wishes.port, path, base.netloc, base.scheme)

        # Where a disk is full, there is no more to be had for now than pages to read.
        return page("/healthz") and (page("/readyz") or page("/status"))

    run = folder.run
    return (
        Part("web", commands.web, folder.log("web"), environment, run, ready=serves, rank=WEB),
        Part("worker", commands.worker, folder.log("worker"), environment, run, grace=2.5, rank=WORKERS),
        Part("beat", commands.beat, folder.log("beat"), environment, run, rank=WORKERS),
        Part(
            "mail",
            commands.mail,
            folder.log("mail"),
            environment,
            run,
            lambda: checks.greets(*smtp),
            grace=1,
            rank=MAIL,
        ),
    )
