"""The `pbem` command line. Subcommands import what they need when called, so that all of them start quickly."""

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
@click.option(
    "--settings", type=click.Path(path_type=Path), help="A file of NAME=value lines with the settings of the service."
)
@click.pass_context
def main(context: click.Context, settings: Path | None) -> None:
    """Play slow games by mail."""
    context.obj = settings
    if settings:
        from pbem import env_file  # noqa: PLC0415 -- the module docstring says why

        try:
            os.environ.update(env_file.read(settings))
        except (OSError, UnicodeDecodeError) as fault:
            click.echo(f"{settings} cannot be read: {getattr(fault, 'strerror', None) or fault}.", err=True)
            sys.exit(os.EX_TEMPFAIL if context.invoked_subcommand == MAIL_IN else 2)


@main.command()
@click.option(
    "--data", type=click.Path(path_type=Path), default="data", show_default=True, help="Where everything is kept."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port of the pages; 0 for any."
)
@click.option("--smtp-port", type=click.IntRange(0, 65535), help="Port that takes mail; 0 for any.  [default: 8025]")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
def up(data: Path, port: int, smtp_port: int | None, host: str) -> None:
    """Run the whole service on this machine: database, broker, pages, workers and mail.

    Without more ado it is for you alone: mail to anyone lands in the data folder and can be read at /mailbox.
    Set PBEM_BASE_URL, PBEM_MAIL_DOMAIN and PBEM_SMTP_URL to serve others.
    """
    from pbem.ops.up.settings import UpOptions  # noqa: PLC0415 -- the module docstring says why
    from pbem.ops.up.up import up as run  # noqa: PLC0415 -- the same

    sys.exit(run(UpOptions(data, host, port, smtp_port)))


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="pbem.env")
@click.option("--undo", is_flag=True, help="Bring back what FILE was before; once more, and it is as now.")
@click.option(
    "--try/--no-try", "trying", default=True, show_default=True, help="Start the service once, and look at it."
)
@click.option("--data", type=click.Path(path_type=Path), default="data", show_default=True, help="As for `pbem up`.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="As for `pbem up`.")
@click.option("--resolver", metavar="ADDRESS", help="As for `pbem doctor`.")
@click.option("--patience", default=60.0, show_default=True, help="As for `pbem doctor`.")
@click.option("--without", multiple=True, metavar="CHECK", help="As for `pbem doctor`.")
def setup(file: Path, undo: bool, trying: bool, **how: Any) -> None:  # noqa: FBT001 (flags of the command line)
    """Set the service up for others: at most eight questions, then FILE with its settings, which only you can read.

    It says which records to publish in the domain, runs `pbem doctor`, and sends one mail out and back. Run it again at
    any time: it offers what was said before, and keeps what else FILE holds.

    Exit status: 0 when all is well, 1 when the doctor finds that something is not, 2 where nothing was written.
    """
    from pbem.ops.setup import command  # noqa: PLC0415 -- the module docstring says why

    sys.exit(command.undo(file) if undo else command.set_up(file, command.TrialOptions(**how) if trying else None))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One object of JSON, for programs.")
@click.option("--without", multiple=True, metavar="CHECK", help="Leave a check out, such as “mail in”; several times.")
@click.option("--resolver", metavar="ADDRESS", help="Ask this name server, such as 9.9.9.9 or 127.0.0.1:5353.")
@click.option("--patience", default=60.0, show_default=True, help="Seconds that a mail to ourselves may take.")
@click.pass_context
def doctor(
    context: click.Context,
    as_json: bool,  # noqa: FBT001 (a flag of the command line)
    without: tuple[str, ...],
    resolver: str | None,
    patience: float,
) -> None:
    """Look whether the service is well: database, broker, parts, disks, mail out and in, and what the domain publishes.

    Each line passes, warns or fails, and says what to do. One mail is sent, to the service itself.

    Exit status: 0 when nothing fails, 1 when something does, 2 where a setting or an option is wrong.
    """
    from pbem.config import ConfigError  # noqa: PLC0415 -- the module docstring says why
    from pbem.ops.doctor import report  # noqa: PLC0415 -- the same

    config = _settings()
    if unknown := set(without) - set(report.check_names()):
        click.echo(f"There is no check “{min(unknown)}”: there are {', '.join(report.check_names())}.", err=True)
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
@click.option("--brief", is_flag=True, help="Say only what holds, without telling the match.")
def verify(file: Path, brief: bool) -> None:  # noqa: FBT001 (a flag of the command line)
    """Check a record and tell its match: the deal, every move, the chain and the result.

    FILE is a record as JSON or as text. Needs no network and no database.

    Exit status: 0 when everything in it holds, 1 with the first thing that does not, 2 for what is no record.
    """
    from pbem.records.verify import verify_file  # noqa: PLC0415 -- the module docstring says why

    sys.exit(verify_file(file, brief=brief))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--step", type=int, metavar="N", help="Show only the position after N entries of the log; 0 is the deal.")
@click.option("--as", "seat", type=int, metavar="SEAT", help="Show what this seat saw; else all that was hidden.")
@click.option("--boards/--no-boards", default=True, show_default=True, help="Draw the board of each step.")
def replay(file: Path, step: int | None, seat: int | None, boards: bool) -> None:  # noqa: FBT001 (a flag)
    """Tell the match of a record step by step, with its boards as text.

    FILE is a record as JSON or as text. Needs no network and no database; all of it is checked on the way.

    Exit status: 0 when everything in it holds, 1 with the first thing that does not, 2 for what is no record or step.
    """
    from pbem.records.replay import ReplayOptions, replay_file  # noqa: PLC0415 -- the module docstring says why

    sys.exit(replay_file(file, ReplayOptions(step, seat, boards)))


@main.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="PAGE", help="Where to write it.")
def viewer(file: Path | None, out: Path | None) -> None:
    """Write the match of a record as one page, or the page that opens any record, to look at without a network.

    FILE is a record as JSON or as text; all of it is checked first. Without it, viewer.html is written. The page stands
    in the present folder unless --out says where.

    Exit status: 0 when it is written, 1 with the first thing that does not hold, 2 for what is no record, or where the
    page cannot be written.
    """
    from pbem.records.viewer import write_replay, write_viewer  # noqa: PLC0415 -- the module docstring says why

    sys.exit(write_replay(file, Path(), out) if file else write_viewer(Path(), out))


@main.command("import")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
@click.option("--private", is_flag=True, help="Show the matches to nobody who has not their address with its key.")
def import_(files: tuple[Path, ...], private: bool) -> None:  # noqa: FBT001 (a flag of the command line)
    """Keep the matches of records from another server: verified, over, unrated, to be looked at like any other.

    Each FILE is a record as JSON or as text. All are checked first, and none is kept where one is refused; what is here
    already stays as it is. It writes to the database of the settings.

    Exit status: 0 when all are here now, 1 with the first thing in a record that does not hold or why it is refused,
    2 for what is no record, or where a setting is wrong.
    """
    from pbem.records.importer import import_files  # noqa: PLC0415 -- the module docstring says why

    sys.exit(import_files(files, _settings(), public=not private))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--per-file", type=click.IntRange(1), default=10_000, show_default=True, help="Records in one file.")
def export_records(folder: Path, per_file: int) -> None:
    """Write the records of all public matches that are over into DIR: compressed lines of JSON, and a manifest.

    The manifest names each file with its SHA-256, and is replaced last: run it again at any time. Practice matches are
    left out. It reads the database of the settings.

    Exit status 2 where DIR cannot be written, or a setting is wrong.
    """
    from pbem.records.exporter import export  # noqa: PLC0415 -- the module docstring says why

    sys.exit(export(folder, _settings(), per_file))


@main.command()
@click.option("--after", default="", metavar="MATCH", help="Go on behind this match, as an interrupted run says.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Replay in so many at once.")
def replay_all(after: str, processes: int) -> None:
    """Replay every stored match with the code at hand, and list the first thing in which one differs: before a deploy.

    It looks at the database of the settings and changes nothing there; the schema may be an older one.

    Exit status: 0 when all are as they were, 1 when one differs or it was interrupted, 2 where a setting is wrong.
    """
    from pbem.ops.replay_all import replay_all as run  # noqa: PLC0415 -- the module docstring says why

    sys.exit(run(_settings(), after, processes))


@main.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
def mail_read(files: tuple[Path, ...]) -> None:
    """Show what is understood of each mail in a FILE, as one line of JSON.

    It tells the kind (reply, automatic or bounce), the lines newly typed, the first of them (null where nothing was
    typed), and the recipients that a report names as not reached. A file that is no whole mail is taken as a body.

    Exit status: 0 whatever the mails are like, 1 when a file could not be opened; the others are told all the same.
    """
    from emails.parsing.description import describe  # noqa: PLC0415 -- the module docstring says why

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
    """Write a small package of a sixth game into the folder NAME: it plays at once, make it yours.

    Exit status 2 for a folder that exists or a name that cannot be one.
    """
    from pbem.ops.new_game import NewGameError, create  # noqa: PLC0415 -- the module docstring says why

    try:
        files = create(name, Path())
    except NewGameError as refused:
        click.echo(refused, err=True)
        sys.exit(2)
    for file in files:
        click.echo(file)
    click.echo(f"Install it beside pbem:  pip install -e {name}")


@main.command(MAIL_IN, cls=TempfailCommand)
@click.option(
    "--recipient", help="The envelope's recipient; else $ORIGINAL_RECIPIENT, $RECIPIENT, or the mail's headers."
)
@click.option("--sender", help="The envelope's sender, empty for the null sender; else $SENDER.")
@click.option("--settings", type=click.Path(path_type=Path), help="A file of NAME=value lines with the settings.")
def mail_in(recipient: str | None, sender: str | None, settings: Path | None) -> None:
    """Take one mail from standard input, as Postfix and Exim hand it to a command.

    Exit status: 0 once it is kept, 75 for a mail that is to be tried again, with the cause on standard error, and 69
    for one that is not taken.
    """
    try:
        from emails.inbound.transports.pipe import SyslogHandler, accept_stream, exit_status  # noqa: PLC0415 -- the module docstring says why
        from pbem.telemetry import logs  # noqa: PLC0415 -- the same
        from pbem.telemetry.redaction import Redactor  # noqa: PLC0415 -- the same
    except ImportError as broken:
        # A new version may be half installed: the mail must not bounce.
        click.echo(broken, err=True)
        sys.exit(os.EX_TEMPFAIL)
    log, scrub = SyslogHandler(), Redactor()
    logs.configure("pipe", scrub, to=log)
    answer = accept_stream(sys.stdin.buffer if sys.stdin else None, recipient, sender, os.environ, settings)
    for out, text in (
        (1, answer.text),
        (2, f"pbem mail-in: {scrub(log.cause)}" if answer.is_temporary and log.cause else ""),
    ):
        with suppress(OSError):
            # The exit status is what counts, even if nobody reads the answer.
            os.write(out, f"{text}\n".encode() if text else b"")
    sys.exit(exit_status(answer))


@main.command()
@click.option("--days", type=click.IntRange(1), default=30, show_default=True, help="Count the mails of so many days.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each domain.")
def mail_rates(days: int, as_json: bool) -> None:  # noqa: FBT001 (a flag of the command line)
    """Show what became of the mails to each domain: sent, dropped, failed, what was reported of them, and what waits.

    Settings are read from the environment, as the service reads them.

    Exit status 2 where one is wrong.
    """
    from pbem.db.session import connect  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.core.context import transaction  # noqa: PLC0415 -- the same
    from pbem.play.deliverability import domain_statistics  # noqa: PLC0415 -- the same

    config = _settings()
    engine = connect(config.database_url)
    with transaction(engine, config) as ctx:
        found = domain_statistics.counts_by_domain(ctx, days)
    engine.dispose()
    for line in domain_statistics.format_json(found) if as_json else domain_statistics.format_table(found):
        click.echo(line)


for _command in (*backups.COMMANDS, admin, keys):
    main.add_command(_command)


def _settings() -> "Config":
    """Read the settings from the environment, as the service does, or exit with what is wrong with them."""
    from pbem.config import load_or_exit  # noqa: PLC0415 -- the module docstring says why

    return load_or_exit()
