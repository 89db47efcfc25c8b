"""Details of one thing by its name, with everything that an operator may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.ops.admin import rows
from pbem.ops.admin.runner import parse_number
from pbem.play.core.actors import ActionError
from pbem.play.operators import lookup
from pbem.play.operators.search import inbound, matches, outbound, players
from pbem.telemetry.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.core.context import Context

    Row = dict[str, Any]


def _person(ctx: Context, name: str) -> Row:
    found = players.load_details(ctx, lookup.player(ctx, name))
    return rows.person_details(found) if found else _not_found("person", name)


def _match(ctx: Context, name: str) -> Row:
    found = matches.load_details(ctx, lookup.match(ctx, name))
    return rows.match_details(found) if found else _not_found("match", name)


def _mail(ctx: Context, name: str) -> Row:
    found = outbound.load_mail(ctx, parse_number(name), Redactor())
    return rows.mail(found.notice, found.why) if found else _not_found("mail", name)


def _submission(ctx: Context, name: str) -> Row:
    found = inbound.submission(ctx, lookup.submission(ctx, name))
    return rows.submission(found) if found else _not_found("submission", name)


def _letter(ctx: Context, name: str) -> Row:
    found = inbound.service_mail(ctx, name)
    return rows.letter(found) | {"why": inbound.explain_forwarding(ctx, found)} if found else _not_found("letter", name)


def _not_found(kind: str, name: str) -> Row:
    raise ActionError(f"There is no {kind} {name} here.")


DETAILS: Mapping[str, Callable[[Context, str], Row]] = {
    "person": _person,
    "match": _match,
    "mail": _mail,
    "submission": _submission,
    "letter": _letter,
}
