"""`pbem admin` and its acts; each command imports what it needs when it is called, so that all start quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., None]

_REASON = click.option(
    "--reason", required=True, help="Why; kept for good, and told to the table where it is about a match."
)
_WHY = click.option("--reason", default="", help="Why, if there is more to say; it is kept for good.")
_MATCH = click.argument("match")
_PERSON = click.argument("person")


@click.group()
def admin() -> None:
    """Find people, matches and mails of the service, and act on them: with the database of the settings.

    PERSON is a player's number, an address, or a name that nobody else has; MATCH may be the first five letters that
    mails show. Every act is kept in the audit for good. What it has mailed or judged is done by the running service,
    within some seconds.

    Exit status: 0 when it is done, or was so already; 1 when it is refused, or there is nothing of that name; 2 where a
    setting is wrong, or the database cannot be reached.
    """


@admin.command()
@_MATCH
@click.option("--days", default=30, show_default=True, help="They go on by themselves after so many.")
@_REASON
def pause(match: str, days: int, reason: str) -> None:
    """Stop the clocks of MATCH; the table is told."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import match_acts, named  # noqa: PLC0415 -- the same

    does(match_acts.pause, lambda table: named.match(table, match), reason, days=days)


@admin.command()
@_MATCH
@_REASON
def resume(match: str, reason: str) -> None:
    """Let the clocks of MATCH go on; the table is told."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import match_acts, named  # noqa: PLC0415 -- the same

    does(match_acts.resume, lambda table: named.match(table, match), reason)


@admin.command()
@_MATCH
@click.option("--seat", required=True, type=click.IntRange(1), help="Whose move may come later.")
@click.option("--days", required=True, type=int, help="Days on top for this move, in all: said twice, given once.")
@_REASON
def extend(match: str, seat: int, days: int, reason: str) -> None:
    """Give a seat of MATCH more time for its move; the table is told."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import match_acts, named  # noqa: PLC0415 -- the same

    does(match_acts.extend, lambda table: named.match(table, match), reason, seat=seat, days=days)


@admin.command()
@_MATCH
@_REASON
def abort(match: str, reason: str) -> None:
    """Call MATCH off, for nobody's loss; the table is told."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import match_acts, named  # noqa: PLC0415 -- the same

    does(match_acts.abort, lambda table: named.match(table, match), reason)


@admin.command("open")
@_MATCH
@_REASON
def open_hidden(match: str, reason: str) -> None:
    """Open what is hidden in MATCH as it stands: an entry of its chain, and every seat is mailed at once."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import named, opening  # noqa: PLC0415 -- the same

    does(opening.open_hidden, lambda table: named.match(table, match), reason)


@admin.command()
@_MATCH
@_WHY
@click.option("--json", "as_json", is_flag=True, help="One object of JSON.")
def look(match: str, reason: str, as_json: bool) -> None:  # noqa: FBT001 (a flag of the command line)
    """Show MATCH as it stood when it was opened; each look is kept in the audit."""
    from pbem.admin.doing import does, whole  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import named, opening  # noqa: PLC0415 -- the same

    done = does(opening.look, lambda table: named.match(table, match), reason, silent=as_json)
    whole(dict(done.seen or {}), as_json=as_json)


@admin.command()
@_PERSON
@click.option("--sentence", required=True, help="What they are told.")
@_REASON
def ban(person: str, sentence: str, reason: str) -> None:
    """Shut PERSON out: they cannot sign in, move or start matches, and their seats are played for them."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import named, person_acts  # noqa: PLC0415 -- the same

    does(person_acts.ban, lambda table: named.player(table, person), reason, sentence=sentence)


@admin.command()
@_PERSON
@_REASON
def unban(person: str, reason: str) -> None:
    """Let PERSON in again; they are told."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import named, person_acts  # noqa: PLC0415 -- the same

    does(person_acts.unban, lambda table: named.player(table, person), reason)


@admin.command()
@_PERSON
@click.argument("name")
@_REASON
def rename(person: str, name: str, reason: str) -> None:
    """Call PERSON by another NAME, at all their tables too; they are told, with the reason."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import named, person_acts  # noqa: PLC0415 -- the same

    does(person_acts.rename, lambda table: named.player(table, person), reason, name=name)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@click.argument("into", metavar="INTO", type=int)
@_REASON
def merge(person: int, into: int, reason: str) -> None:
    """Make player NUMBER part of player INTO, where both are one person; they are told, with the reason."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import person_acts  # noqa: PLC0415 -- the same

    does(person_acts.merge, lambda _table: person, reason, into=into)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@_REASON
def forget(person: int, reason: str) -> None:
    """Have player NUMBER leave for good, as they could themselves: nothing tells any more who they were."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import person_acts  # noqa: PLC0415 -- the same

    does(person_acts.forget, lambda _table: person, reason)


@admin.command()
@click.argument("address")
@_REASON
def suppress(address: str, reason: str) -> None:
    """Write to ADDRESS no more."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import mail_acts  # noqa: PLC0415 -- the same

    does(mail_acts.suppress, lambda _table: address, reason)


@admin.command()
@click.argument("address")
@_REASON
def lift(address: str, reason: str) -> None:
    """Write to ADDRESS again, after bounces, a complaint, or what an operator said; not what its owner asked for."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import mail_acts  # noqa: PLC0415 -- the same

    does(mail_acts.lift, lambda _table: address, reason)


@admin.command()
@click.argument("kind", type=click.Choice(["mail", "submission", "letter"]))
@click.argument("name")
@_WHY
def retry(kind: str, name: str, reason: str) -> None:
    """Try once more what came to nothing: send a mail, judge a submission, read a letter; also those set aside."""
    from pbem.admin.doing import does, numbered  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import letter_acts, mail_acts, named  # noqa: PLC0415 -- the same

    if kind == "submission":
        does(letter_acts.retry, lambda table: named.submission(table, name), reason)
    else:
        does(mail_acts.retry if kind == "mail" else letter_acts.retry_letter, lambda _table: numbered(name), reason)


@admin.command()
@click.argument("letter", type=int)
@_WHY
def forward(letter: int, reason: str) -> None:
    """Mail LETTER, as it came, to PBEM_OPERATOR_EMAIL."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import letter_acts  # noqa: PLC0415 -- the same

    does(letter_acts.forward, lambda _table: letter, reason)


@admin.group()
def operators() -> None:
    """Who runs the service: appoint, dismiss, and list them. The first one is appointed here."""


@operators.command()
@_PERSON
@click.option("--name", default="", help="What the other operators call them, if not by their own name.")
@_WHY
def appoint(person: str, name: str, reason: str) -> None:
    """Make PERSON an operator, who has signed in once; they set up a second factor as they first go to /operators."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import appointing, named  # noqa: PLC0415 -- the same

    does(appointing.appoint, lambda table: named.player(table, person), reason, name=name)


@operators.command()
@_PERSON
@_WHY
def dismiss(person: str, reason: str) -> None:
    """Have PERSON be no operator from now on; what they did stands."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import appointing, named  # noqa: PLC0415 -- the same

    does(appointing.dismiss, lambda table: named.player(table, person), reason)


@operators.command()
@_PERSON
@_REASON
def forget_factor(person: str, reason: str) -> None:
    """Forget the codes of PERSON, whose phone is lost; as they next go to /operators they set up new ones."""
    from pbem.admin.doing import does  # noqa: PLC0415 -- the module docstring says why
    from pbem.play.operating import appointing, named  # noqa: PLC0415 -- the same

    does(appointing.forget_factor, lambda table: named.player(table, person), reason)
