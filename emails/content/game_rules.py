"""The rules of a game as content blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Footnote, Heading, TitledList
from pbem.boards import drawing_for
from pbem.boards.prose import glued
from pbem.boards.rules import Example, Table, rules_for, split_runs, translated
from pbem.games import GAMES
from pbem.i18n import _, current_locale
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.content.blocks import Block
    from pbem.boards import rules as written

_MAX_SEMICOLON_VALUES = 6
"""Maximum values of an option that are separated by semicolons; more are separated by commas."""
_TWO_COLUMNS = 2
"""Columns of a table that holds one value per row."""


def rules_blocks(game: str) -> Iterator[Block]:
    """Yield the rules of a game in sentences. No line can be read as a move, since mails are quoted in replies."""
    rules = translated(rules_for(game))
    yield rules.lead or BulletList(drawing_for(game).crib)
    for section in rules.sections:
        yield Heading(section.heading)
        yield from map(_block, section.parts)
    options = GAMES[game].options.items()
    if options:
        yield Heading(_("Options"))
        yield BulletList(tuple(_option(rules, name, values) for name, values in options))
    if rules.house:
        yield Heading(_("House rules"))
        yield _("The published rules leave some points open. This is how they are played here.")
        yield BulletList(tuple(map(_quote_moves, rules.house)))
    yield from designer_credit(game)


def designer_credit(game: str) -> Iterator[Footnote]:
    """Yield the designer of a game and the source of its rules, where known."""
    rules = translated(rules_for(game))
    if rules.designer:
        yield Footnote((f"{GAMES[game].name}: {rules.designer} {rules.source}",))


def _block(part: written.Part) -> Block:
    match part:
        case str():
            return _quote_moves(part)
        case Table(head, rows):
            heading = (
                head[0] if len(head) > _TWO_COLUMNS else _("{what}, {says}", what=head[0], says=_mid_sentence(head[1]))
            )
            return TitledList(f"{heading}:", tuple(_row(head, row) for row in rows))
        case Example():
            return _("Example: {caption}", caption=_quote_moves(part.caption))
        case _:
            return BulletList(tuple(map(_quote_moves, part)))


def _row(head: tuple[str, ...], row: tuple[str, ...]) -> str:
    """Format a row of a table: its subject, then each cell, prefixed with its column where there are several."""
    if len(row) == _TWO_COLUMNS:
        return f"{row[0]}: {row[1]}."
    cells = [f"{_mid_sentence(name)}: {cell}" for name, cell in zip(head[1:], row[1:], strict=True)]
    return f"{row[0]} – {'; '.join(cells)}."


def _mid_sentence(heading: str) -> str:
    """Return a heading as it is written within a sentence: in lower case in English, unchanged in German."""
    return heading.lower() if current_locale() == "en" else heading


def _option(rules: written.Rules, name: str, values: tuple[object, ...]) -> str:
    first, *others = (descriptions.option_value(rules.game, name, value) for value in values)
    between = "; " if len(values) <= _MAX_SEMICOLON_VALUES else ", "
    choices = between.join([_("{choice} (unless you choose another)", choice=first), *others])
    question = descriptions.option_question(rules.game, name)
    heading = question if question.endswith("?") else f"{question}:"
    return f"{heading} {choices}. {rules.options.get(name, '')}".rstrip()


def _quote_moves(text: str) -> str:
    """Quote what could be typed as a move, and keep it on one line."""
    return "".join(glued(_("“{typed}”", typed=run)) if typed else run for run, typed in split_runs(text))
