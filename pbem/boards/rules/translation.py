"""Translation of the rules, and the texts that catalogs need for it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.boards.rules.parts import Example, Part, Rules, Section, Table
from pbem.i18n import meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONTEXT = "rules"
"""Message context of these texts in catalogs; a short one, such as a table cell, may mean something else elsewhere."""
_WORD = re.compile(r"[a-z]{2}")


def translated(rules: Rules) -> Rules:
    """Return a game's rules in the current language."""
    return _map_texts(rules, lambda text: meaning(CONTEXT, text))


def texts(rules: Rules) -> Iterator[str]:
    """List each text of a game's rules once, in order; numbers and single letters need no translation."""
    found: dict[str, str] = {}
    _map_texts(rules, lambda text: found.setdefault(text, text))
    return iter(found)


def _map_texts(rules: Rules, say: Callable[[str], str]) -> Rules:
    def one(text: str) -> str:
        return say(text) if _WORD.search(text) else text

    def several(lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(one, lines))

    def part(written: Part) -> Part:
        match written:
            case str():
                return one(written)
            case Table(head, rows):
                return Table(several(head), tuple(map(several, rows)))
            case Example():
                return replace(written, caption=one(written.caption))
            case _:
                return several(written)

    lead = one(rules.lead)
    sections = tuple(Section(one(section.heading), tuple(map(part, section.parts))) for section in rules.sections)
    options = {option: one(text) for option, text in rules.options.items()}
    house, designer, source = several(rules.house), one(rules.designer), one(rules.source)
    return replace(rules, lead=lead, sections=sections, options=options, house=house, designer=designer, source=source)
