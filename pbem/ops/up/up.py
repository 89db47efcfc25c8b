"""Runs the whole service in one command, until it is asked to stop."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pbem import env_file
from pbem.config import ConfigError, from_environment
from pbem.disks import measured
from pbem.ops.up import checks, parts
from pbem.ops.up.errors import StartError
from pbem.ops.up.folder import DataFolder, data_folder
from pbem.ops.up.parts import Programs
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.settings import Wishes, settings, smtp_address
from pbem.ops.up.supervise import Supervisor
from pbem.ops.up.valkey import Broker

STORES = ("DATABASE_URL", "REDIS_URL")


def say(line: str) -> None:
    """Print a line; that nobody reads it any more is no reason to stop."""
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def up(wishes: Wishes, programs: Callable[[Wishes, DataFolder], Programs] = parts.programs) -> int:
    """Run the service; returns the exit status of the command."""
    try:
        with data_folder(wishes.data) as folder:
            serve(wishes, folder, programs)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return error.status
    except SystemExit:
        return 0
    return 0


def serve(wishes: Wishes, folder: DataFolder, programs: Callable[[Wishes, DataFolder], Programs]) -> None:
    """Start all parts in order, print that the service is ready, and keep it running."""
    wishes = replace(wishes, port=checks.free_port(wishes.host, wishes.port, "--port"))
    host, port = smtp_address(wishes, os.environ)
    smtp = host, checks.free_port(host, port, "--smtp-port")
    environment = settings(wishes, folder, smtp, os.environ)
    commands = programs(wishes, folder)
    with contextlib.ExitStack() as after, Supervisor(say) as supervisor:
        stores, clusters = [], []
        if "REDIS_URL" not in environment:
            broker = Broker.at(folder.valkey)
            after.callback(forget, broker.sockets, folder)
            environment["REDIS_URL"] = broker.url
            stores.append(broker.part(folder.log("broker"), parts.BROKER))
        if "DATABASE_URL" not in environment:
            cluster = Cluster.at(folder.postgres)
            after.callback(forget, cluster.sockets, folder)
            clusters.append(cluster)
            environment["DATABASE_URL"] = cluster.url
            stores.append(cluster.part(folder.log("database"), parts.DATABASE))
        settle(environment)
        env_file.write(folder.settings, env_file.lines(told(environment)))
        after.callback(folder.settings.unlink, missing_ok=True)
        for cluster in clusters:
            make(cluster)
        supervisor.start(*stores)
        supervisor.finish(parts.upgrade(commands, folder, environment))
        supervisor.start(*parts.servers(commands, wishes, smtp, folder, environment))
        disk = measured(folder.path)
        if disk and disk.lacks(from_environment(environment).floor):
            say(f"Only {disk}: nothing new is taken until there is room.")
        say(f"ready {wishes.url}")
        supervisor.watch()
        say("stopping")


def told(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the service in an environment."""
    return {name: value for name, value in environment.items() if name in STORES or name.startswith("PBEM_")}


def settle(environment: Mapping[str, str]) -> None:
    """Validate the settings as every part will; raises StartError if one is wrong."""
    try:
        config = from_environment(environment)
    except ConfigError as error:
        raise StartError(str(error)) from error
    for sentence in config.unread:
        say(sentence)


def make(cluster: Cluster) -> None:
    """Create the database if it does not exist."""
    began = time.monotonic()
    if cluster.create():
        say(f"database … made in {time.monotonic() - began:.1f} s")


def forget(sockets: Path, folder: DataFolder) -> None:
    """Remove a folder of sockets outside the data folder."""
    if not sockets.is_relative_to(folder.path):
        with contextlib.suppress(OSError):
            sockets.rmdir()
