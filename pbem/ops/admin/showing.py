"""Showing: one thing by its name, with all that an operator may know of it."""

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

    from pbem.play.core.context import Table

    Row = dict[str, Any]


def _person(table: Table, name: str) -> Row:
    found = players.person(table, lookup.player(table, name))
    return rows.whole_person(found) if found else _nothing("person", name)


def _match(table: Table, name: str) -> Row:
    found = matches.look(table, lookup.match(table, name))
    return rows.whole_match(found) if found else _nothing("match", name)


def _mail(table: Table, name: str) -> Row:
    found = outbound.mail(table, numbered(name), Scrubber())
    return rows.mail(found.notice, found.why) if found else _nothing("mail", name)


def _submission(table: Table, name: str) -> Row:
    found = inbound.submission(table, lookup.submission(table, name))
    return rows.submission(found) if found else _nothing("submission", name)


def _letter(table: Table, name: str) -> Row:
    found = inbound.letter(table, name)
    return rows.letter(found) | {"why": inbound.story(table, found)} if found else _nothing("letter", name)


def _nothing(kind: str, name: str) -> Row:
    raise ActError(f"There is no {kind} {name} here.")


SHOWN: Mapping[str, Callable[[Table, str], Row]] = {
    "person": _person,
    "match": _match,
    "mail": _mail,
    "submission": _submission,
    "letter": _letter,
}
