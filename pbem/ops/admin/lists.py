"""Commands of `pbem admin` that find, show and list: people, matches, incoming and outgoing mail, the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.ops.admin import admin, rows
from pbem.ops.admin.commands import operators
from pbem.ops.admin.runner import REFUSED, collect_rows, fail, parse_number, print_row, print_rows, transaction_or_exit
from pbem.play.core.actors import ActionError
from pbem.play.operators import audit as audit_log
from pbem.play.operators import lookup, membership
from pbem.play.operators.perform import audit_key
from pbem.play.operators.search import everything, inbound, outbound, players
from pbem.play.operators.search import matches as match_search
from pbem.states import MatchState, OutboxState, ServiceMailStatus
from pbem.telemetry.redaction import Redactor

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from pbem.play.operators.search.matches import MatchRow
    from pbem.play.operators.search.pagination import Cursor, Page

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per row.")
_MAX_ROWS = click.option("--most", type=click.IntRange(1, 10_000), default=25, show_default=True, help="Maximum rows.")


@admin.command()
@click.argument("what")
@_JSON
def find(what: str, as_json: bool) -> None:
    """Find persons, matches, submissions, mails and letters by number, id, name, address, Message-ID or fingerprint."""
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
@click.argument("kind", type=click.Choice(["person", "match", "mail", "submission", "letter"]))
@click.argument("name")
@_JSON
def show(kind: str, name: str, as_json: bool) -> None:
    """Show a person, match, mail, submission or letter, and why it is in its state; without hidden information."""
    with transaction_or_exit() as ctx:
        row = _load_details(ctx, kind, name)
        if row is None:
            raise ActionError(f"There is no {kind} {name} here.")
        print_row(row, as_json=as_json)


def _load_details(ctx: Context, kind: str, name: str) -> dict[str, Any] | None:
    """Return everything that an operator may know of one thing; None if it does not exist."""
    if kind == "person":
        person = players.load_details(ctx, lookup.player(ctx, name))
        return rows.person_details(person) if person else None
    if kind == "match":
        match = match_search.load_details(ctx, lookup.match(ctx, name))
        return rows.match_details(match) if match else None
    if kind == "mail":
        mail = outbound.load_mail(ctx, parse_number(name), Redactor())
        return rows.mail(mail.notice, mail.why) if mail else None
    if kind == "submission":
        submission = inbound.submission(ctx, lookup.submission(ctx, name))
        return rows.submission(submission) if submission else None
    letter = inbound.service_mail(ctx, name)
    return rows.letter(letter) | {"why": inbound.explain_forwarding(ctx, letter)} if letter else None


@admin.command()
@click.option(
    "--state", type=click.Choice([*(state.value for state in MatchState), "all"]), help="State; by default, running."
)
@click.option("--stuck", type=click.Choice(["judging", "clock", "quiet"]), help="Only matches that are stuck.")
@click.option("--person", help="Only matches of this person: a number, an address or a name.")
@_MAX_ROWS
@_JSON
def matches(state: str | None, stuck: str | None, person: str | None, most: int, as_json: bool) -> None:
    """List running matches, or those in another --state; --state all lists all."""
    with transaction_or_exit() as ctx:
        player = lookup.player(ctx, person) if person else None
        wanted = "" if state == "all" else state or MatchState.RUNNING

        def load(after: Cursor | None) -> Page[MatchRow]:
            if stuck:
                return match_search.stuck(ctx, stuck, after)
            return match_search.list_by_state(ctx, wanted, player, after)

        if not (state or stuck or as_json):
            click.echo("Running matches; --state all lists all.", err=True)
        print_rows([rows.match_in_list(row) for row in collect_rows(load, most)], as_json=as_json)


@admin.command()
@click.option("--state", type=click.Choice([state.value for state in OutboxState]), default=None)
@click.option("--to", "recipient", default="", help="Only mails to this address.")
@click.option("--match", default="", help="Only mails about this match.")
@_MAX_ROWS
@_JSON
def mails(state: str | None, recipient: str, match: str, most: int, as_json: bool) -> None:
    """List pending, sent, dropped or failed mails with the reason, but not their content."""
    with transaction_or_exit() as ctx:
        about = lookup.match(ctx, match) if match else ""
        found = collect_rows(lambda after: outbound.list_mails(ctx, state or "", recipient, about, after=after), most)
        print_rows([rows.mail(row) for row in found], as_json=as_json)


@admin.command()
@click.option("--status", default="", help="Status, such as pending, rejected, ignored or failed.")
@click.option("--match", default="", help="Only submissions to this match.")
@_MAX_ROWS
@_JSON
def submissions(status: str, match: str, most: int, as_json: bool) -> None:
    """List the submissions to seats, with the reason for each outcome."""
    with transaction_or_exit() as ctx:
        about = lookup.match(ctx, match) if match else ""
        found = collect_rows(lambda after: inbound.submissions(ctx, status, about, after=after), most)
        print_rows([rows.submission(row) for row in found], as_json=as_json)


@admin.command()
@click.option("--status", type=click.Choice([status.value for status in ServiceMailStatus]), default=None)
@click.option("--from", "sender", default="", help="Only letters from this sender.")
@_MAX_ROWS
@_JSON
def letters(status: str | None, sender: str, most: int, as_json: bool) -> None:
    """List the letters to the service itself, with the reason for each outcome."""
    with transaction_or_exit() as ctx:
        found = collect_rows(lambda after: inbound.service_mails(ctx, status or "", sender, after), most)
        print_rows([rows.letter(row) for row in found], as_json=as_json)


@admin.command()
@_MAX_ROWS
@_JSON
def quarantine(most: int, as_json: bool) -> None:
    """List quarantined mail: what could not be judged or read, and what did not come from a player.

    To retry one: pbem admin retry submission NAME, or pbem admin retry letter NUMBER.
    """
    with transaction_or_exit() as ctx:
        failed = collect_rows(lambda after: inbound.submissions(ctx, "failed", after=after), most)
        ignored = collect_rows(lambda after: inbound.submissions(ctx, "ignored", after=after), most)
        unread = collect_rows(lambda after: inbound.service_mails(ctx, "failed", after=after), most)
        print_rows([*map(rows.submission, failed + ignored), *map(rows.letter, unread)], as_json=as_json)


@admin.command()
@click.option("--of", "subject", nargs=2, metavar="KIND NAME", help="Only actions on this: match NAME, player NUMBER …")
@click.option("--act", help="Only actions of this name, such as ban.")
@click.option("--before", type=int, help="Only actions before this number: the next page.")
@_MAX_ROWS
@_JSON
def audit(subject: tuple[str, str] | None, act: str | None, before: int | None, most: int, as_json: bool) -> None:
    """List operators' actions, newest first: who, when, what, on what, and why."""
    with transaction_or_exit() as ctx:
        about = (subject[0], audit_key(*subject)) if subject else None
        entries = audit_log.newest(ctx, most, before=before, subject=about, act=act)
        print_rows(list(map(rows.act, entries)), as_json=as_json)


@operators.command("list")
@click.option("--dismissed", is_flag=True, help="Include dismissed operators.")
@_JSON
def list_operators(dismissed: bool, as_json: bool) -> None:
    """List the operators."""
    with transaction_or_exit() as ctx:
        print_rows([rows.operator(row) for row in membership.list_operators(ctx, dismissed=dismissed)], as_json=as_json)
