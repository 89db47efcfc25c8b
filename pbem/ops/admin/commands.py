"""The actions of `pbem admin`."""

from __future__ import annotations

import click

from pbem.ops.admin import admin
from pbem.ops.admin.runner import parse_number, perform, print_row
from pbem.play.operators import (
    event_actions,
    inbound_actions,
    lookup,
    match_actions,
    membership,
    outbound_actions,
    player_actions,
    rating_actions,
    reveal,
)

_REASON = click.option(
    "--reason", required=True, help="Reason; recorded for good, and sent to the players if it is about a match."
)
_OPTIONAL_REASON = click.option("--reason", default="", help="Reason; recorded for good.")
_MATCH = click.argument("match")
_PERSON = click.argument("person")


@admin.command()
@_MATCH
@click.option("--days", default=30, show_default=True, help="Days until the clocks resume.")
@_REASON
def pause(match: str, days: int, reason: str) -> None:
    """Stop the clocks of MATCH, and notify its players."""
    perform(match_actions.pause, match, reason, find=lookup.match, days=days)


@admin.command()
@_MATCH
@_REASON
def resume(match: str, reason: str) -> None:
    """Resume the clocks of MATCH, and notify its players."""
    perform(match_actions.resume, match, reason, find=lookup.match)


@admin.command()
@_MATCH
@click.option("--seat", required=True, type=click.IntRange(1), help="Seat that gets more time.")
@click.option("--days", required=True, type=int, help="Total extra days for this move.")
@_REASON
def extend(match: str, seat: int, days: int, reason: str) -> None:
    """Extend the time of a seat of MATCH for its current move, and notify the players."""
    perform(match_actions.extend, match, reason, find=lookup.match, seat=seat, days=days)


@admin.command()
@_MATCH
@_REASON
def abort(match: str, reason: str) -> None:
    """Abort MATCH: nobody wins or loses; its players are notified."""
    perform(match_actions.abort, match, reason, find=lookup.match)


@admin.command()
@_MATCH
@_REASON
def annul(match: str, reason: str) -> None:
    """Annul MATCH, which is over, for ratings: its result stays; its players are notified."""
    perform(rating_actions.annul, match, reason, find=lookup.match)


@admin.command("annul-result")
@_MATCH
@_REASON
def annul_result(match: str, reason: str) -> None:
    """Annul the result of MATCH for its league or ladder, as if it had not been played; its players are notified."""
    perform(event_actions.annul_result, match, reason, find=lookup.match)


@admin.command()
@_PERSON
@click.option("--event", type=int, required=True, help="Number of the season, as its page has it.")
@_REASON
def remove(person: str, event: int, reason: str) -> None:
    """Remove PERSON from a season of a league; they are notified."""
    perform(event_actions.remove, person, reason, find=lookup.player, event=event)


@admin.command()
@_PERSON
@click.option("--event", type=int, required=True, help="Number of the season, as its page has it.")
@click.option("--other", type=int, required=True, help="Number of a player of another group.")
@_REASON
def exchange(person: str, event: int, other: int, reason: str) -> None:
    """Exchange PERSON and a player of another group of a season, before it begins; both are notified."""
    perform(event_actions.exchange, person, reason, find=lookup.player, event=event, other=other)


@admin.command("open")
@_MATCH
@_REASON
def open_hidden(match: str, reason: str) -> None:
    """Reveal the hidden state of MATCH to operators; it is recorded in its hash chain, and all players are notified."""
    perform(reveal.reveal_hidden, match, reason, find=lookup.match)


@admin.command()
@_MATCH
@_OPTIONAL_REASON
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def look(match: str, reason: str, as_json: bool) -> None:
    """Show MATCH as it was when it was revealed; each look is recorded in the audit log."""
    done = perform(reveal.show, match, reason, find=lookup.match, silent=as_json)
    print_row(dict(done.revealed or {}), as_json=as_json)


@admin.command()
@_PERSON
@click.option("--sentence", required=True, help="Message to the player.")
@_REASON
def ban(person: str, sentence: str, reason: str) -> None:
    """Ban PERSON: they cannot sign in, move or start matches, and robots take their seats."""
    perform(player_actions.ban, person, reason, find=lookup.player, sentence=sentence)


@admin.command()
@_PERSON
@_REASON
def unban(person: str, reason: str) -> None:
    """Lift the ban of PERSON, and notify them."""
    perform(player_actions.unban, person, reason, find=lookup.player)


@admin.command()
@_PERSON
@click.argument("name")
@_REASON
def rename(person: str, name: str, reason: str) -> None:
    """Change the name of PERSON to NAME, in all their matches too, and notify them with the reason."""
    perform(player_actions.rename, person, reason, find=lookup.player, name=name)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@click.argument("into", metavar="INTO", type=int)
@_REASON
def merge(person: int, into: int, reason: str) -> None:
    """Merge player NUMBER into player INTO, if both are one person, and notify them with the reason."""
    perform(player_actions.merge, person, reason, into=into)


@admin.command()
@click.argument("person", metavar="NUMBER", type=int)
@_REASON
def forget(person: int, reason: str) -> None:
    """Delete the account of player NUMBER, as they could themselves."""
    perform(player_actions.erase, person, reason)


@admin.command()
@click.argument("address")
@_REASON
def suppress(address: str, reason: str) -> None:
    """Stop all mail to ADDRESS."""
    perform(outbound_actions.suppress, address, reason)


@admin.command()
@click.argument("address")
@_REASON
def lift(address: str, reason: str) -> None:
    """Allow mail to ADDRESS again, unless its owner has unsubscribed."""
    perform(outbound_actions.lift, address, reason)


@admin.command()
@click.argument("kind", type=click.Choice(["mail", "submission", "letter"]))
@click.argument("name")
@_OPTIONAL_REASON
def retry(kind: str, name: str, reason: str) -> None:
    """Retry what failed or was quarantined: send a mail, judge a submission, or read a letter."""
    if kind == "submission":
        perform(inbound_actions.retry, name, reason, find=lookup.submission)
    else:
        action = outbound_actions.retry if kind == "mail" else inbound_actions.retry_service_mail
        perform(action, name, reason, find=lambda _ctx, number: parse_number(number))


@admin.command()
@click.argument("letter", type=int)
@_OPTIONAL_REASON
def forward(letter: int, reason: str) -> None:
    """Forward LETTER, unchanged, to PBEM_OPERATOR_EMAIL."""
    perform(inbound_actions.forward, letter, reason)


@admin.group()
def operators() -> None:
    """Appoint, dismiss and list operators. The first one is appointed here."""


@operators.command()
@_PERSON
@click.option("--name", default="", help="Name shown to other operators, if not their own.")
@_OPTIONAL_REASON
def appoint(person: str, name: str, reason: str) -> None:
    """Make PERSON, who has signed in once, an operator; they set up a second factor when they go to /operators."""
    perform(membership.appoint, person, reason, find=lookup.player, name=name)


@operators.command()
@_PERSON
@_OPTIONAL_REASON
def dismiss(person: str, reason: str) -> None:
    """Dismiss PERSON as an operator; what they did stays in effect."""
    perform(membership.dismiss, person, reason, find=lookup.player)


@operators.command()
@_PERSON
@_REASON
def forget_factor(person: str, reason: str) -> None:
    """Reset the codes of PERSON, who has lost their phone; they set up new ones on their next visit to /operators."""
    perform(membership.reset_totp, person, reason, find=lookup.player)
