"""Commands: words that a person may send instead of a move, each alone on its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.games import typed

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS: dict[str, str] = {
    "accept": "accept",
    "yes": "accept",
    "ok": "accept",
    "ja": "accept",
    "decline": "decline",
    "no": "decline",
    "nein": "decline",
    "resign": "resign",
    "aufgeben": "resign",
    "draw": "draw",
    "remis": "draw",
    "help": "help",
    "hilfe": "help",
    "rules": "rules",
    "regeln": "rules",
    "board": "board",
    "brett": "board",
}
"""Every word that is understood, in English and German, and the command it stands for."""

_WITH_TEXT = {"accept"}
_SURE = {"yes", "ja", "sure", "sicher"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it was typed: `text` is what stood behind it, `sure` that it was confirmed."""

    name: str
    text: str = ""
    sure: bool = False


def read(lines: Sequence[str]) -> Command | None:
    """Find a command in the first line that holds anything; None where there is none."""
    first = next((line for line in lines if line.strip()), "")
    word, _, rest = first.strip().partition(" ")
    name = WORDS.get(typed.fold(word).casefold().rstrip(",:;"))
    if name is None:
        return None
    text = rest.strip()
    if not text or name in _WITH_TEXT:
        return Command(name, text)
    return Command(name, sure=True) if typed.fold(text).casefold() in _SURE else None
