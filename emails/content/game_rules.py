"""The rules of a game as content blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Heading, Points, Say, Small, Tell
from pbem.boards import drawing_of
from pbem.boards.prose import glued
from pbem.boards.rules import Example, Table, rules_of, runs, said
from pbem.games import GAMES
from pbem.i18n import _, spoken
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.content.blocks import Part
    from pbem.boards import rules as written


_FEW = 6
"""Maximum values of an option that are separated by semicolons; more are separated by commas."""


_TWO = 2
"""Columns of a table that holds one value per row."""


def told(game: str) -> Iterator[Part]:
    """Yield the rules of a game in sentences. No line can be read as a move, since mails are quoted in replies."""
    rules = said(rules_of(game))
    yield Say(rules.lead) if rules.lead else Points(drawing_of(game).crib)
    for section in rules.sections:
        yield Heading(section.heading)
        yield from map(_part, section.parts)
    options = GAMES[game].options.items()
    if options:
        yield Heading(_("Options"))
        yield Points(tuple(_option(rules, name, values) for name, values in options))
    if rules.house:
        yield Heading(_("House rules"))
        yield Say(_("The published rules leave some points open. This is how they are played here."))
        yield Points(tuple(_("House rule: {rule}", rule=_quoted(line)) for line in rules.house))
    yield from credit(game)


def credit(game: str) -> Iterator[Small]:
    """Yield the designer of a game and the source of its rules, where known."""
    rules = said(rules_of(game))
    if rules.designer:
        yield Small((f"{GAMES[game].name}: {rules.designer} {rules.source}",))


def _part(part: written.Part) -> Part:
    match part:
        case str():
            return Say(_quoted(part))
        case Table(head, rows):
            heading = head[0] if len(head) > _TWO else _("{what}, {says}", what=head[0], says=_inside(head[1]))
            return Tell(f"{heading}:", tuple(_row(head, row) for row in rows))
        case Example():
            return Say(_("Example: {caption}", caption=_quoted(part.caption)))
        case _:
            return Points(tuple(map(_quoted, part)))


def _row(head: tuple[str, ...], row: tuple[str, ...]) -> str:
    """Format a row of a table: its subject, then each cell, prefixed with its column where there are several."""
    if len(row) == _TWO:
        return f"{row[0]}: {row[1]}."
    cells = [f"{_inside(name)}: {cell}" for name, cell in zip(head[1:], row[1:], strict=True)]
    return f"{row[0]} – {'; '.join(cells)}."


def _inside(heading: str) -> str:
    """Return a heading as it is written within a sentence: in lower case in English, unchanged in German."""
    return heading.lower() if spoken() == "en" else heading


def _option(rules: written.Rules, name: str, values: tuple[object, ...]) -> str:
    first, *others = (descriptions.choice(rules.game, name, value) for value in values)
    between = "; " if len(values) <= _FEW else ", "
    choices = between.join([_("{choice} (unless you choose another)", choice=first), *others])
    asked = descriptions.question(rules.game, name)
    heading = asked if asked.endswith("?") else f"{asked}:"
    return f"{heading} {choices}. {rules.options.get(name, '')}".rstrip()


def _quoted(text: str) -> str:
    """Put what could be typed as a move in quotation marks, and keep it on one line."""
    return "".join(glued(_("“{typed}”", typed=run)) if typed else run for run, typed in runs(text))
