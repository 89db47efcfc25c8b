"""The parts of `pbem up` that are programs of the service itself."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from pbem.ops.up import binaries, checks
from pbem.ops.up.folder import DataFolder
from pbem.ops.up.process import Part
from pbem.ops.up.settings import UpOptions

# Ranks, in the order of stopping; all parts stop within ten seconds: their graces add up to nine.
WEB_RANK, WORKERS_RANK, MAIL_RANK, BROKER_RANK, DATABASE_RANK = range(5)


@dataclass(frozen=True, slots=True)
class Programs:
    """Commands of the parts."""

    upgrade: tuple[str, ...]
    web: tuple[str, ...]
    worker: tuple[str, ...]
    mail: tuple[str, ...]


def module_command(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module with this Python, whatever the PATH says."""
    return (sys.executable, "-m", name, *arguments)


def service_programs(up: UpOptions, folder: DataFolder) -> Programs:
    """Return the commands of the service's programs."""
    return Programs(
        upgrade=module_command("pbem.db.upgrade"),
        web=module_command("gunicorn", *gunicorn_options(up), "pbem.web:create_app()"),
        # A process of its own for the scheduler would take 40 MB.
        worker=module_command("workers.app", "--concurrency", "4", "--with-beat", str(folder.run / "beat-schedule")),
        mail=module_command("workers.smtp_server"),
    )


def gunicorn_options(up: UpOptions) -> tuple[str, ...]:
    """Return gunicorn's options: one process, some threads, no stray files."""
    options = ["--config", "python:pbem.ops.up.webserver", "--bind", checks.join_address(up.host, up.port)]
    options += ["--workers", "1", "--threads", "8", "--graceful-timeout", "2"]
    if Path("/dev/shm").is_dir():  # noqa: S108 -- gunicorn creates a private file there
        options += ["--worker-tmp-dir", "/dev/shm"]  # noqa: S108 -- the same
    package = binaries.wheel_folder("gunicorn")
    if package and (package / "ctl").is_dir():
        options += ["--no-control-socket"]
    return tuple(options)


def upgrade_part(commands: Programs, folder: DataFolder, environment: Mapping[str, str]) -> Part:
    """Return the part that upgrades the database's schema."""
    return Part("upgrade", commands.upgrade, folder.log("upgrade"), environment, folder.run)


def server_parts(
    commands: Programs,
    up: UpOptions,
    smtp: tuple[str, int],
    folder: DataFolder,
    environment: Mapping[str, str],
) -> tuple[Part, ...]:
    """Return the parts that serve pages, run tasks and accept mail."""
    base = urlsplit(environment["PBEM_BASE_URL"])

    def serves() -> bool:
        def page(path: str) -> bool:
            return checks.serves_page(up.host, up.port, path, base.netloc, base.scheme)

        # With a full disk the service is not ready, but its pages can be read.
        return page("/healthz") and (page("/readyz") or page("/status"))

    run, takes_mail = folder.run, partial(checks.serves_smtp, *smtp)
    return (
        Part("web", commands.web, folder.log("web"), environment, run, ready=serves, rank=WEB_RANK),
        Part("worker", commands.worker, folder.log("worker"), environment, run, grace_seconds=2.5, rank=WORKERS_RANK),
        Part("mail", commands.mail, folder.log("mail"), environment, run, takes_mail, grace_seconds=1, rank=MAIL_RANK),
    )
