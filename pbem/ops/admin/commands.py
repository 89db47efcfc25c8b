"""The actions of `pbem admin`."""

from __future__ import annotations

import click

from pbem.ops.admin import admin
from pbem.ops.admin.runner import parse_number, perform, print_row
from pbem.play.operators import (
    inbound_actions,
    lookup,
    match_actions,
    membership,
    outbound_actions,
    player_actions,
    reveal,
)

_REASON = click.option(
    "--reason", required=True, help="Why; kept for good, and told to the table where it is about a match."
)
_OPTIONAL_REASON = click.option("--reason", default="", help="Why, if there is more to say; it is kept for good.")
_MATCH = click.argument("match")
_PERSON = click.argument("person")


@admin.command()
@_MATCH
@click.option("--days", default=30, show_default=True, help="They go on by themselves after so many.")
@_REASON
def pause(match: str, days: int, reason: str) -> None:
    """Stop the clocks of MATCH; the table is told."""
    perform(match_actions.pause, lambda ctx: lookup.match(ctx, match), reason, days=days)


@admin.command()
@_MATCH
@_REASON
def resume(match: str, reason: str) -> None:
    """Let the clocks of MATCH go on; the table is told."""
    perform(match_actions.resume, lambda ctx: lookup.match(ctx, match), reason)


@admin.command()
@_MATCH
@click.option("--seat", required=True, type=click.IntRange(1), help="Whose move may come later.")
@click.option("--days", required=True, type=int, help="Days on top for this move, in all: said twice, given once.")
@_REASON
def extend(match: str, seat: int, days: int, reason: str) -> None:
    """Give a seat of MATCH more time for its move; the table is told."""
    perform(match_actions.extend, lambda ctx: lookup.match(ctx, match), reason, seat=seat, days=days)


@admin.command()
@_MATCH
@_REASON
def abort(match: str, reason: str) -> None:
    """Call MATCH off, for nobody's loss; the table is told."""
    perform(match_actions.abort, lambda ctx: lookup.match(ctx, match), reason)


@admin.command("open")
@_MATCH
@_REASON
def open_hidden(match: str, reason: str) -> None:
    """Open what is hidden in MATCH as it stands: an entry of its chain, and every seat is mailed at once."""
    perform(reveal.reveal_hidden, lambda ctx: lookup.match(ctx, match), reason)


@admin.command()
@_MATCH
@_OPTIONAL_REASON
@click.option("--json", "as_json", is_flag=True, help="One object of JSON.")
def look(match: str, reason: str, as_json: bool) -> None:
    """Show MATCH as it stood when it was opened; each look is kept in the audit."""
    done = perform(reveal.show, lambda ctx: lookup.match(ctx, match), reason, silent=as_json)
    print_row(dict(done.revealed or {}), as_json=as_json)


@admin.command()
@_PERSON
@click.option("--sentence", required=True, help="What they are told.")
@_REASON
def ban(person: str, sentence: str, reason: str) -> None:
    """Shut PERSON out: they cannot sign in, move or start matches, and their seats are played for them."""
    perform(player_actions.ban, lambda ctx: lookup.player(ctx, person), reason, sentence=sentence)


@admin.command()
@_PERSON
@_REASON
def unban(person: str, reason: str) -> None:
    """Let PERSON in again; they are told."""
    perform(player_actions.unban, lambda ctx: lookup.player(ctx, person), reason)


@admin.command()
@_PERSON
@click.argument("name")
@_REASON
def rename(person: str, name: str, reason: str) -> None:
    """Call PERSON by another NAME, at all their tables too; they are told, with the reason."""
    perform(player_actions.rename, lambda ctx: lookup.player(ctx, person), reason, name=name)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@click.argument("into", metavar="INTO", type=int)
@_REASON
def merge(person: int, into: int, reason: str) -> None:
    """Make player NUMBER part of player INTO, where both are one person; they are told, with the reason."""
    perform(player_actions.merge, lambda _table: person, reason, into=into)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@_REASON
def forget(person: int, reason: str) -> None:
    """Have player NUMBER leave for good, as they could themselves: nothing tells any more who they were."""
    perform(player_actions.erase, lambda _table: person, reason)


@admin.command()
@click.argument("address")
@_REASON
def suppress(address: str, reason: str) -> None:
    """Write to ADDRESS no more."""
    perform(outbound_actions.suppress, lambda _table: address, reason)


@admin.command()
@click.argument("address")
@_REASON
def lift(address: str, reason: str) -> None:
    """Write to ADDRESS again, after bounces, a complaint, or what an operator said; not what its owner asked for."""
    perform(outbound_actions.lift, lambda _table: address, reason)


@admin.command()
@click.argument("kind", type=click.Choice(["mail", "submission", "letter"]))
@click.argument("name")
@_OPTIONAL_REASON
def retry(kind: str, name: str, reason: str) -> None:
    """Try once more what came to nothing: send a mail, judge a submission, read a letter; also those set aside."""
    if kind == "submission":
        perform(inbound_actions.retry, lambda ctx: lookup.submission(ctx, name), reason)
    else:
        perform(
            outbound_actions.retry if kind == "mail" else inbound_actions.retry_service_mail,
            lambda _table: parse_number(name),
            reason,
        )


@admin.command()
@click.argument("letter", type=int)
@_OPTIONAL_REASON
def forward(letter: int, reason: str) -> None:
    """Mail LETTER, as it came, to PBEM_OPERATOR_EMAIL."""
    perform(inbound_actions.forward, lambda _table: letter, reason)


@admin.group()
def operators() -> None:
    """Who runs the service: appoint, dismiss, and list them. The first one is appointed here."""


@operators.command()
@_PERSON
@click.option("--name", default="", help="What the other operators call them, if not by their own name.")
@_OPTIONAL_REASON
def appoint(person: str, name: str, reason: str) -> None:
    """Make PERSON an operator, who has signed in once; they set up a second factor as they first go to /operators."""
    perform(membership.appoint, lambda ctx: lookup.player(ctx, person), reason, name=name)


@operators.command()
@_PERSON
@_OPTIONAL_REASON
def dismiss(person: str, reason: str) -> None:
    """Have PERSON be no operator from now on; what they did stands."""
    perform(membership.dismiss, lambda ctx: lookup.player(ctx, person), reason)


@operators.command()
@_PERSON
@_REASON
def forget_factor(person: str, reason: str) -> None:
    """Forget the codes of PERSON, whose phone is lost; as they next go to /operators they set up new ones."""
    perform(membership.reset_totp, lambda ctx: lookup.player(ctx, person), reason)
