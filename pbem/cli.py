"""The `pbem` command line. Each command imports what it needs when it is called, so that all start quickly."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import pbem
from pbem.ops.admin import admin
from pbem.ops.backup import commands as backups
from pbem.ops.keys import keys

if TYPE_CHECKING:
    from pbem.config import Config


MAIL_IN = "mail-in"


class TempfailCommand(click.Command):
    """A command started by a mail server: a usage error exits with EX_TEMPFAIL, so that no mail bounces."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options, or exit with what is wrong with them."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as wrong:
            click.echo(f"{ctx.command_path}: {wrong.format_message()}", err=True)
            ctx.exit(os.EX_TEMPFAIL)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(pbem.__version__, prog_name="pbem")
@click.option("--settings", type=click.Path(path_type=Path), help="File with the settings, as NAME=value lines.")
@click.pass_context
def main(context: click.Context, settings: Path | None) -> None:
    """Play slow games by mail."""
    context.obj = settings
    if settings:
        from pbem import env_file

        try:
            os.environ.update(env_file.read(settings))
        except (OSError, UnicodeDecodeError) as fault:
            click.echo(f"{settings} cannot be read: {getattr(fault, 'strerror', None) or fault}.", err=True)
            sys.exit(os.EX_TEMPFAIL if context.invoked_subcommand == MAIL_IN else 2)


@main.command()
@click.option("--data", type=click.Path(path_type=Path), default="data", show_default=True, help="Folder for all data.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port for the pages; 0 for any."
)
@click.option("--smtp-port", type=click.IntRange(0, 65535), help="Port for incoming mail; 0 for any.  [default: 8025]")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
def up(data: Path, port: int, smtp_port: int | None, host: str) -> None:
    """Run the whole service on this machine: database, broker, pages, workers and mail.

    By default it is for you alone: all mail stays in the data folder, and you can read it at /mailbox.
    To serve others, set PBEM_BASE_URL, PBEM_MAIL_DOMAIN and PBEM_SMTP_URL, or run `pbem setup`.
    """
    from pbem.ops.up.settings import UpOptions
    from pbem.ops.up.up import up as run

    sys.exit(run(UpOptions(data, host, port, smtp_port)))


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="pbem.env")
@click.option("--undo", is_flag=True, help="Restore the previous FILE; a second --undo undoes this.")
@click.option("--try/--no-try", "trying", default=True, show_default=True, help="Start the service once, and check it.")
@click.option("--data", type=click.Path(path_type=Path), default="data", show_default=True, help="As for `pbem up`.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="As for `pbem up`.")
@click.option("--resolver", metavar="ADDRESS", help="As for `pbem doctor`.")
@click.option("--patience", default=60.0, show_default=True, help="As for `pbem doctor`.")
@click.option("--without", multiple=True, metavar="CHECK", help="As for `pbem doctor`.")
def setup(file: Path, undo: bool, trying: bool, **how: Any) -> None:
    """Set up the service for others: ask at most eight questions, and write the settings into FILE.

    Then list the DNS records to publish, run `pbem doctor`, and send a test mail out and back. You can run it again at
    any time: your previous answers are the defaults, and other settings in FILE stay.

    Exit status: 0 if all checks pass, 1 if one fails, 2 if nothing was written.
    """
    from pbem.ops.setup import command, trial

    sys.exit(command.undo(file) if undo else command.set_up(file, trial.TrialOptions(**how) if trying else None))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option("--without", multiple=True, metavar="CHECK", help="Skip a check, such as “mail in”; repeatable.")
@click.option("--resolver", metavar="ADDRESS", help="Name server to query, such as 9.9.9.9 or 127.0.0.1:5353.")
@click.option("--patience", default=60.0, show_default=True, help="Seconds to wait for the test mail.")
@click.pass_context
def doctor(
    context: click.Context,
    as_json: bool,
    without: tuple[str, ...],
    resolver: str | None,
    patience: float,
) -> None:
    """Check the service: database, broker, processes, disks, mail out and in, and the domain's DNS records.

    Each line passes, warns or fails, and says what to do. The service sends one test mail to itself.

    Exit status: 0 if no check fails, 1 if one fails, 2 if a setting or an option is wrong.
    """
    from pbem.config import ConfigError
    from pbem.ops.doctor import report

    config = _settings()
    if unknown := set(without) - set(report.check_names()):
        click.echo(f"There is no check “{min(unknown)}”. Checks: {', '.join(report.check_names())}.", err=True)
        sys.exit(2)
    try:
        status = report.doctor(
            config,
            as_json=as_json,
            without=without,
            resolver=resolver,
            patience=patience,
            settings=context.obj,
        )
    except ConfigError as wrong:
        click.echo(wrong, err=True)
        sys.exit(2)
    sys.exit(status)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--brief", is_flag=True, help="Print only the verdict, not the match.")
def verify(file: Path, brief: bool) -> None:
    """Verify a record and print its match: the deal, every move, the hash chain and the result.

    FILE is a record as JSON or text. Needs no network and no database.

    Exit status: 0 if the record is valid, 1 if something in it is not, 2 if FILE is not a record.
    """
    from pbem.records.verify_command import verify_file

    sys.exit(verify_file(file, brief=brief))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--step", type=int, metavar="N", help="Show only the position after N log entries; 0 is the deal.")
@click.option("--as", "seat", type=int, metavar="SEAT", help="Show what this seat saw, instead of everything.")
@click.option("--boards/--no-boards", default=True, show_default=True, help="Draw the board of each step.")
def replay(file: Path, step: int | None, seat: int | None, boards: bool) -> None:
    """Print the match of a record step by step, with its boards as text.

    FILE is a record as JSON or text, and is verified. Needs no network and no database.

    Exit status: 0 if the record is valid, 1 if something in it is not, 2 if FILE is not a record or has no such step.
    """
    from pbem.records.replay import ReplayOptions, replay_file

    sys.exit(replay_file(file, ReplayOptions(step, seat, boards)))


@main.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="PAGE", help="File to write.")
def viewer(file: Path | None, out: Path | None) -> None:
    """Write the match of a record as a web page that works offline; without FILE, a page that opens any record.

    FILE is a record as JSON or text, and is verified first. The page is written into the current folder (viewer.html
    without FILE), unless --out is given.

    Exit status: 0 if the page is written, 1 if something in the record is not valid, 2 if FILE is not a record or the
    page cannot be written.
    """
    from pbem.records.viewer import write_replay, write_viewer

    sys.exit(write_replay(file, Path(), out) if file else write_viewer(Path(), out))


@main.command("import")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
@click.option("--private", is_flag=True, help="Make the matches private: only their secret links open them.")
def import_(files: tuple[Path, ...], private: bool) -> None:
    """Import matches from records of another server, verified and unrated; their replays are shown like all others.

    Each FILE is a record as JSON or text. If one is refused, none is imported; matches that are here already stay
    unchanged. Writes to the database of the settings.

    Exit status: 0 if all matches are here now, 1 if a record is invalid or refused, 2 if a FILE is not a record or a
    setting is wrong.
    """
    from pbem.records.importer import import_files

    sys.exit(import_files(files, _settings(), public=not private))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--per-file", type=click.IntRange(1), default=10_000, show_default=True, help="Records per file.")
def export_records(folder: Path, per_file: int) -> None:
    """Export the records of all finished public matches into DIR, as compressed JSON lines with a manifest.

    The manifest lists each file with its SHA-256, and is replaced last, so you can export again at any time. Practice
    matches are left out. Reads the database of the settings.

    Exit status: 2 if DIR cannot be written or a setting is wrong.
    """
    from pbem.records.exporter import export

    sys.exit(export(folder, _settings(), per_file))


@main.command()
@click.option("--after", default="", metavar="MATCH", help="Continue after this match, as an interrupted run prints.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Number of processes.")
def replay_all(after: str, processes: int) -> None:
    """Replay every stored match with this version before a deploy, and list the first difference of each.

    Reads the database of the settings, also with an older schema, and changes nothing.

    Exit status: 0 if no match differs, 1 if one differs or the run was interrupted, 2 if a setting is wrong.
    """
    from pbem.ops.replay_all import replay_all as run

    sys.exit(run(_settings(), after, processes))


@main.command()
@click.option("--recompute", is_flag=True, required=True, help="Rate all matches anew, in the order of their ends.")
@click.option("--check", is_flag=True, help="Change nothing: list the matches that would come out differently.")
def ratings(recompute: bool, check: bool) -> None:  # noqa: ARG001
    """Recompute the ratings of all players from their matches, in one transaction.

    Writes to the database of the settings; new matches wait until it is done.

    Exit status: 0, 1 if --check finds a difference, 2 if a setting is wrong.
    """
    from pbem.ops.ratings import recompute_ratings

    sys.exit(recompute_ratings(_settings(), check=check))


@main.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
def mail_read(files: tuple[Path, ...]) -> None:
    """Print what the service reads in each mail FILE, as one line of JSON.

    This is its kind (reply, automatic or bounce), the typed lines, the first of them (null if there are none), and the
    recipients that a bounce reports as not reached. A file that is not a whole mail is read as a body.

    Exit status: 1 if a file cannot be opened, else 0; the other files are printed all the same.
    """
    from emails.parsing.description import describe

    unopened = False
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError as error:
            click.echo(f"{file}: {error.strerror}", err=True)
            unopened = True
        else:
            click.echo(json.dumps({"file": str(file)} | describe(raw)))
    sys.exit(unopened)


@main.command()
@click.argument("name")
def new_game(name: str) -> None:
    """Create a package with a small playable game in the folder NAME, as a starting point for your own.

    Exit status: 2 if the folder exists or the name is not valid.
    """
    from pbem.ops.new_game import NewGameError, create

    try:
        files = create(name, Path())
    except NewGameError as refused:
        click.echo(refused, err=True)
        sys.exit(2)
    for file in files:
        click.echo(file)
    click.echo(f"Install it:  pip install -e {name}")


@main.command(MAIL_IN, cls=TempfailCommand)
@click.option("--recipient", help="Envelope recipient; else $ORIGINAL_RECIPIENT, $RECIPIENT, or the headers.")
@click.option("--sender", help="Envelope sender, empty for the null sender; else $SENDER.")
@click.option("--settings", type=click.Path(path_type=Path), help="File with the settings, as NAME=value lines.")
def mail_in(recipient: str | None, sender: str | None, settings: Path | None) -> None:
    """Accept one mail from standard input, as Postfix and Exim pipe it to a command.

    Exit status: 0 once the mail is stored, 75 if it should be tried again, with the cause on standard error, and 69 if
    it is rejected.
    """
    try:
        from emails.inbound.transports.pipe import SyslogHandler, accept_stream, exit_status
        from pbem.telemetry import logs
        from pbem.telemetry.redaction import Redactor
    except ImportError as error:
        # A new version may be half installed: the mail must not bounce.
        click.echo(error, err=True)
        sys.exit(os.EX_TEMPFAIL)
    log, redact = SyslogHandler(), Redactor()
    logs.configure("pipe", redact, to=log)
    answer = accept_stream(sys.stdin.buffer if sys.stdin else None, recipient, sender, os.environ, settings)
    for out, text in (
        (1, answer.text),
        (2, f"pbem mail-in: {redact(log.cause)}" if answer.is_temporary and log.cause else ""),
    ):
        with suppress(OSError):
            # The exit status is what counts, even if nobody reads the answer.
            os.write(out, f"{text}\n".encode() if text else b"")
    sys.exit(exit_status(answer))


@main.command()
@click.option("--days", type=click.IntRange(1), default=30, show_default=True, help="Days to count.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per domain.")
def mail_rates(days: int, as_json: bool) -> None:
    """Count the mails to each domain: sent, dropped, failed, bounced, and pending.

    Exit status: 2 if a setting is wrong.
    """
    from pbem.db.session import connect
    from pbem.play.core.context import transaction
    from pbem.play.deliverability import domain_statistics

    config = _settings()
    engine = connect(config.database_url)
    with transaction(engine, config) as ctx:
        counts = domain_statistics.counts_by_domain(ctx, days)
    engine.dispose()
    for line in domain_statistics.format_json(counts) if as_json else domain_statistics.format_table(counts):
        click.echo(line)


for _command in (*backups.COMMANDS, admin, keys):
    main.add_command(_command)


def _settings() -> "Config":
    from pbem.config import load_or_exit

    return load_or_exit()
