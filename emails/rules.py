"""The rules of a game as parts of a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.parts import Heading, Points, Say, Small, Tell
from pbem.boards import drawing_of
from pbem.boards.prose import glued
from pbem.boards.rules import Example, Table, rules_of, runs
from pbem.games import GAMES
from pbem.play import telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.parts import Part
    from pbem.boards import rules as written


_FEW = 6
"""So many values of an option are told as one tells choices; more are just listed."""


_TWO = 2
"""A table of two columns says of each thing one thing."""


def told(game: str) -> Iterator[Part]:
    """Tell the rules of a game in sentences: none of their lines reads as a move, for mails are quoted back."""
    rules = rules_of(game)
    yield Say(rules.lead) if rules.lead else Points(drawing_of(game).crib)
    for section in rules.sections:
        yield Heading(section.heading)
        yield from map(_part, section.parts)
    options = GAMES[game].options.items()
    if options:
        yield Heading("Options")
        yield Points(tuple(_option(game, name, values) for name, values in options))
    if rules.house:
        yield Heading("House rules")
        yield Say("The published rules leave some points open. This is how they are played here.")
        yield Points(tuple(f"House rule: {_quoted(line)}" for line in rules.house))
    yield from credit(game)


def credit(game: str) -> Iterator[Small]:
    """Say whose game it is, where that is known."""
    rules = rules_of(game)
    if rules.designer:
        yield Small((f"{GAMES[game].name}: {rules.designer} {rules.source}",))


def _part(part: written.Part) -> Part:
    match part:
        case str():
            return Say(_quoted(part))
        case Table(head, rows):
            heading = head[0] if len(head) > _TWO else f"{head[0]}, {head[1].lower()}"
            return Tell(f"{heading}:", tuple(_row(head, row) for row in rows))
        case Example():
            return Say(f"Example: {_quoted(part.caption)}")
        case _:
            return Points(tuple(map(_quoted, part)))


def _row(head: tuple[str, ...], row: tuple[str, ...]) -> str:
    """Say a row of a table: what it is about, then each cell, named by its column where there are several."""
    if len(row) == _TWO:
        return f"{row[0]}: {row[1]}."
    cells = [f"{name.lower()}: {cell}" for name, cell in zip(head[1:], row[1:], strict=True)]
    return f"{row[0]} – {'; '.join(cells)}."


def _option(game: str, name: str, values: tuple[object, ...]) -> str:
    first, *others = (telling.choice(game, name, value) for value in values)
    between = "; " if len(values) <= _FEW else ", "
    choices = between.join([f"{first} (unless you choose another)", *others])
    return f"{telling.question(game, name)} {choices}. {rules_of(game).options.get(name, '')}".rstrip()


def _quoted(text: str) -> str:
    """Put what might be typed between quotation marks, and keep it on one line."""
    return "".join(glued(f"“{run}”") if typed else run for run, typed in runs(text))
