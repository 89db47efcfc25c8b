"""Showing: one thing by its name, with all that an operator may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.admin import rows
from pbem.admin.doing import numbered
from pbem.play.finding import incoming, matches, outgoing, people
from pbem.play.operating import named
from pbem.play.operating.actors import ActError
from pbem.telemetry.scrubbing import Scrubber

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.table import Table

    Row = dict[str, Any]


def _person(table: Table, name: str) -> Row:
    found = people.person(table, named.player(table, name))
    return rows.whole_person(found) if found else _nothing("person", name)


def _match(table: Table, name: str) -> Row:
    found = matches.look(table, named.match(table, name))
    return rows.whole_match(found) if found else _nothing("match", name)


def _mail(table: Table, name: str) -> Row:
    found = outgoing.mail(table, numbered(name), Scrubber())
    return rows.mail(found.notice, found.why) if found else _nothing("mail", name)


def _submission(table: Table, name: str) -> Row:
    found = incoming.submission(table, named.submission(table, name))
    return rows.submission(found) if found else _nothing("submission", name)


def _letter(table: Table, name: str) -> Row:
    found = incoming.letter(table, name)
    return rows.letter(found) | {"why": incoming.story(table, found)} if found else _nothing("letter", name)


def _nothing(kind: str, name: str) -> Row:
    raise ActError(f"There is no {kind} {name} here.")


SHOWN: Mapping[str, Callable[[Table, str], Row]] = {
    "person": _person,
    "match": _match,
    "mail": _mail,
    "submission": _submission,
    "letter": _letter,
}
