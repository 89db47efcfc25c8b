"""`pbem setup`: asks, writes the settings, lists what to publish, and tries the service; and its undo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem import env_file
from pbem.config import ConfigError, from_environment
from pbem.ops.doctor import names
from pbem.ops.setup import dns_records, questions
from pbem.ops.setup.trial import TrialOptions, run_trial
from pbem.ops.up.errors import StartError

if TYPE_CHECKING:
    from collections.abc import Mapping

DONE, WRONG = 0, 2
DKIM_KEY = "pbem-dkim.pem"
DKIM_BITS = 2048
_FILE_HEADER = "# Settings, written by `pbem setup`; docs/operate/running.md lists all. Keep this file secret.\n"


def set_up(file: Path, trial: TrialOptions | None) -> int:
    """Set up a service, with its settings in a file; returns the command's exit status."""
    file = file.absolute()
    try:
        if trial:
            # Refuse a wrong resolver before asking anything.
            names.make_resolver(trial.resolver)
        before = env_file.read(file) if file.exists() else {}
        settings = questions.ask(before, str(file.with_name(DKIM_KEY)))
        if "PBEM_DKIM_KEY" in settings:
            _create_dkim_key(Path(settings["PBEM_DKIM_KEY"]))
        config = from_environment(questions.PROVIDED_SETTINGS | settings)
        _write(file, settings)
    except click.Abort:
        click.echo("\nNothing was written.", err=True)
        return WRONG
    except (OSError, ConfigError) as wrong:
        click.echo(f"Nothing was written: {wrong}", err=True)
        return WRONG
    click.echo(f"\nWritten: {file}, readable only by you. To restore the previous settings: pbem setup --undo {file}")
    for sentence in config.unknown_settings:
        click.echo(sentence)
    address = dns_records.public_address()
    click.echo("\nPublish these DNS records:\n")
    for line in dns_records.dns_records(config, address):
        click.echo(f"  {line}")
    for line in dns_records.other_steps(config, settings, address):
        click.echo(line)
    if trial is None:
        return DONE
    click.echo("\nTrial: the service starts, and sends a test mail out and back.\n")
    try:
        return run_trial(file, trial)
    except StartError as error:
        click.echo(error, err=True)
        return error.status


def undo(file: Path) -> int:
    """Swap the current settings with the previous ones; a second call restores them."""
    file = file.absolute()
    before, swap = _previous_file(file), file.with_name(f"{file.name}.aside")
    if not before.exists() and not file.exists():
        click.echo(f"There is nothing to undo: neither {file} nor {before.name} exists.", err=True)
        return WRONG
    if file.exists():
        file.replace(swap)
    if before.exists():
        before.replace(file)
    if swap.exists():
        swap.replace(before)
    click.echo(f"{file} is restored." if file.exists() else f"{file} is removed; its settings are in {before.name}.")
    return DONE


def _write(file: Path, settings: Mapping[str, str]) -> None:
    text = _FILE_HEADER + env_file.render(settings)
    if file.exists() and env_file.read(file) == settings:
        # Keep the previous settings for undo.
        return
    if file.exists():
        env_file.write(_previous_file(file), file.read_text())
    env_file.write(file, text)


def _previous_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.before")


def _create_dkim_key(file: Path) -> None:
    """Create a DKIM key unless there is one."""
    if not file.exists():
        key = rsa.generate_private_key(65537, DKIM_BITS)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        env_file.write(file, pem.decode())
