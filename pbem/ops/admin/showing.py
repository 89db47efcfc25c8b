"""Details of one thing by its name, with everything that an operator may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.ops.admin import rows
from pbem.ops.admin.doing import numbered
from pbem.play.core.actors import ActError
from pbem.play.operators import lookup
from pbem.play.operators.search import inbound, matches, outbound, players
from pbem.telemetry.redaction import Scrubber

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.core.context import Context

    Row = dict[str, Any]


def _person(ctx: Context, name: str) -> Row:
    found = players.person(ctx, lookup.player(ctx, name))
    return rows.whole_person(found) if found else _nothing("person", name)


def _match(ctx: Context, name: str) -> Row:
    found = matches.look(ctx, lookup.match(ctx, name))
    return rows.whole_match(found) if found else _nothing("match", name)


def _mail(ctx: Context, name: str) -> Row:
    found = outbound.mail(ctx, numbered(name), Scrubber())
    return rows.mail(found.notice, found.why) if found else _nothing("mail", name)


def _submission(ctx: Context, name: str) -> Row:
    found = inbound.submission(ctx, lookup.submission(ctx, name))
    return rows.submission(found) if found else _nothing("submission", name)


def _letter(ctx: Context, name: str) -> Row:
    found = inbound.letter(ctx, name)
    return rows.letter(found) | {"why": inbound.story(ctx, found)} if found else _nothing("letter", name)


def _nothing(kind: str, name: str) -> Row:
    raise ActError(f"There is no {kind} {name} here.")


SHOWN: Mapping[str, Callable[[Context, str], Row]] = {
    "person": _person,
    "match": _match,
    "mail": _mail,
    "submission": _submission,
    "letter": _letter,
}
