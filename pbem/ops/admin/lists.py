"""Commands of `pbem admin` that find, show and list: people, matches, incoming and outgoing mail, the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.ops.admin import admin, details, rows
from pbem.ops.admin.commands import operators
from pbem.ops.admin.runner import REFUSED, collect_rows, fail, print_row, print_rows, transaction_or_exit
from pbem.play.operators import audit as audit_log
from pbem.play.operators import lookup, membership
from pbem.play.operators.perform import audit_key
from pbem.play.operators.search import everything, inbound, outbound
from pbem.play.operators.search import matches as match_search
from pbem.states import MatchState, OutboxState, ServiceMailStatus

if TYPE_CHECKING:
    from collections.abc import Callable

_JSON = click.option("--json", "as_json", is_flag=True, help="One object of JSON to a line.")
_MAX_ROWS = click.option("--most", type=click.IntRange(1, 10_000), default=25, show_default=True, help="So many rows.")
_KINDS = ("person", "match", "mail", "submission", "letter")


@admin.command()
@click.argument("what")
@_JSON
def find(what: str, as_json: bool) -> None:
    """Find WHAT a text is the name of: a person, an address, a match, a submission, a mail, a letter, a Message-ID."""
    with transaction_or_exit() as ctx:
        found = everything.search(ctx, what)
        print_rows(
            [
                *map(rows.person, found.people),
                *map(rows.match, found.matches),
                *map(rows.submission, found.submissions),
                *map(rows.letter, found.letters),
                *map(rows.mail, found.mails),
            ],
            as_json=as_json,
        )
    if not found:
        fail("", REFUSED)


@admin.command()
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("name")
@_JSON
def show(kind: str, name: str, as_json: bool) -> None:
    """Show a person, a match, a mail, a submission or a letter, and why it stands as it does; nothing hidden."""
    with transaction_or_exit() as ctx:
        print_row(details.DETAILS[kind](ctx, name), as_json=as_json)


@admin.command()
@click.option(
    "--state", type=click.Choice([*(state.value for state in MatchState), "all"]), help="Running unless said otherwise."
)
@click.option("--stuck", type=click.Choice(["judging", "clock", "quiet"]), help="Those where something does not go on.")
@click.option("--person", help="Of one person only: a number, an address or a name.")
@_MAX_ROWS
@_JSON
def matches(state: str | None, stuck: str | None, person: str | None, most: int, as_json: bool) -> None:
    """List matches: those that run, or those of another --state; --state all lists every one."""
    with transaction_or_exit() as ctx:
        player = lookup.player(ctx, person) if person else None
        wanted = "" if state == "all" else state or MatchState.RUNNING
        pages = (
            (lambda after: match_search.stuck(ctx, stuck, after))
            if stuck
            else (lambda after: match_search.list_by_state(ctx, wanted, player, after))
        )
        if not (state or stuck or as_json):
            click.echo("Matches that run; --state all lists every one.", err=True)
        print_rows([rows.match_in_list(row) for row in collect_rows(pages, most)], as_json=as_json)


@admin.command()
@click.option("--state", type=click.Choice([state.value for state in OutboxState]), default=None)
@click.option("--to", "recipient", default="", help="Those to one address.")
@click.option("--match", default="", help="Those about one match.")
@_MAX_ROWS
@_JSON
def mails(state: str | None, recipient: str, match: str, most: int, as_json: bool) -> None:
    """List the mails that are owed, sent, dropped or failed, and why; nothing of what they say."""
    with transaction_or_exit() as ctx:
        about = lookup.match(ctx, match) if match else ""
        found = collect_rows(lambda after: outbound.list_mails(ctx, state or "", recipient, about, after=after), most)
        print_rows([rows.mail(row) for row in found], as_json=as_json)


@admin.command()
@click.option("--status", default="", help="Such as pending, rejected, ignored or failed.")
@click.option("--match", default="", help="Those to one match.")
@_MAX_ROWS
@_JSON
def submissions(status: str, match: str, most: int, as_json: bool) -> None:
    """List what was sent to seats, and why each ended as it did."""
    with transaction_or_exit() as ctx:
        about = lookup.match(ctx, match) if match else ""
        found = collect_rows(lambda after: inbound.submissions(ctx, status, about, after=after), most)
        print_rows([rows.submission(row) for row in found], as_json=as_json)


@admin.command()
@click.option("--status", type=click.Choice([status.value for status in ServiceMailStatus]), default=None)
@click.option("--from", "sender", default="", help="Those of one sender.")
@_MAX_ROWS
@_JSON
def letters(status: str | None, sender: str, most: int, as_json: bool) -> None:
    """List the letters to the service itself, and why each ended as it did."""
    with transaction_or_exit() as ctx:
        found = collect_rows(lambda after: inbound.service_mails(ctx, status or "", sender, after), most)
        print_rows([rows.letter(row) for row in found], as_json=as_json)


@admin.command()
@_MAX_ROWS
@_JSON
def quarantine(most: int, as_json: bool) -> None:
    """List the mail that was set aside: what could not be judged or read, and what is kept but was not a player's.

    To have it taken up again: pbem admin retry submission NAME, pbem admin retry letter NUMBER.
    """

    def of(ctx: Any, status: str) -> Callable[[Any], Any]:
        return lambda after: inbound.submissions(ctx, status, after=after)

    with transaction_or_exit() as ctx:
        aside = [one for status in ("failed", "ignored") for one in collect_rows(of(ctx, status), most)]
        unread = collect_rows(lambda after: inbound.service_mails(ctx, "failed", after=after), most)
        print_rows([*map(rows.submission, aside), *map(rows.letter, unread)], as_json=as_json)


@admin.command()
@click.option("--of", "subject", nargs=2, metavar="KIND NAME", help="Such as: match NAME, player NUMBER.")
@click.option("--act", help="Only acts of this name, such as ban.")
@click.option("--before", type=int, help="Those before this number: the next page.")
@_MAX_ROWS
@_JSON
def audit(subject: tuple[str, str] | None, act: str | None, before: int | None, most: int, as_json: bool) -> None:
    """List what operators did, the newest first: who, when, what, to whom, and why."""
    with transaction_or_exit() as ctx:
        about = (subject[0], audit_key(*subject)) if subject else None
        print_rows([rows.act(line) for line in audit_log.newest(ctx, most, before=before, subject=about, act=act)],
               as_json=as_json)  # fmt: skip


@operators.command("list")
@click.option("--dismissed", is_flag=True, help="Those who were dismissed, too.")
@_JSON
def list_operators(dismissed: bool, as_json: bool) -> None:
    """List the operators."""
    with transaction_or_exit() as ctx:
        print_rows([rows.operator(row) for row in membership.list_operators(ctx, dismissed=dismissed)], as_json=as_json)
