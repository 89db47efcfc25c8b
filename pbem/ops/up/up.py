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
from pbem.disk_usage import measure
from pbem.ops.up import checks, service_processes
from pbem.ops.up.errors import StartError
from pbem.ops.up.folder import DataFolder, lock_data_folder
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.service_processes import Programs
from pbem.ops.up.settings import UpOptions, build_environment, smtp_address
from pbem.ops.up.supervisor import Supervisor
from pbem.ops.up.valkey import Broker
from pbem.setting_values import PREFIX

STORE_SETTINGS = ("DATABASE_URL", "REDIS_URL")


def print_line(line: str) -> None:
    """Print a line, even if nobody reads it any more."""
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def up(
    options: UpOptions, programs: Callable[[UpOptions, DataFolder], Programs] = service_processes.service_programs
) -> int:
    """Run the service; returns the exit status of the command."""
    try:
        with lock_data_folder(options.data) as folder:
            serve(options, folder, programs)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return error.status
    except SystemExit:
        return 0
    return 0


def serve(options: UpOptions, folder: DataFolder, programs: Callable[[UpOptions, DataFolder], Programs]) -> None:
    """Start all parts in order, print that the service is ready, and keep it running."""
    options = replace(options, port=checks.find_free_port(options.host, options.port, "--port"))
    host, port = smtp_address(options, os.environ)
    smtp = host, checks.find_free_port(host, port, "--smtp-port")
    environment = build_environment(options, folder, smtp, os.environ)
    commands = programs(options, folder)
    with contextlib.ExitStack() as after, Supervisor(print_line) as supervisor:
        stores, clusters = [], []
        if "REDIS_URL" not in environment:
            broker = Broker.in_folder(folder.valkey)
            after.callback(remove_sockets, broker.sockets, folder)
            environment["REDIS_URL"] = broker.url
            stores.append(broker.part(folder.log("broker"), service_processes.BROKER_RANK))
        if "DATABASE_URL" not in environment:
            cluster = Cluster.in_folder(folder.postgres)
            after.callback(remove_sockets, cluster.sockets, folder)
            clusters.append(cluster)
            environment["DATABASE_URL"] = cluster.url
            stores.append(cluster.part(folder.log("database"), service_processes.DATABASE_RANK))
        validate_settings(environment)
        settings = {
            name: value for name, value in environment.items() if name in STORE_SETTINGS or name.startswith(PREFIX)
        }
        env_file.write(folder.settings, env_file.render(settings))
        after.callback(folder.settings.unlink, missing_ok=True)
        for cluster in clusters:
            began = time.monotonic()
            if cluster.create():
                print_line(f"database … created in {time.monotonic() - began:.1f} s")
        supervisor.start(*stores)
        supervisor.finish(service_processes.upgrade_part(commands, folder, environment))
        supervisor.start(*service_processes.server_parts(commands, options, smtp, folder, environment))
        disk = measure(folder.path)
        if disk and disk.is_below(from_environment(environment).min_free_disk):
            print_line(f"Only {disk}: no moves are accepted until there is more space.")
        print_line(f"ready {options.url}")
        supervisor.watch()
        print_line("stopping")


def validate_settings(environment: Mapping[str, str]) -> None:
    """Validate the settings as every part will; raises StartError if one is wrong."""
    try:
        config = from_environment(environment)
    except ConfigError as error:
        raise StartError(str(error)) from error
    for sentence in config.unknown_settings:
        print_line(sentence)


def remove_sockets(sockets: Path, folder: DataFolder) -> None:
    """Remove a folder of sockets outside the data folder."""
    if not sockets.is_relative_to(folder.path):
        with contextlib.suppress(OSError):
            sockets.rmdir()
