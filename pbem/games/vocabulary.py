"""Two-word names of cards and pyramids as people write them, shortened to codes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def shortener(
    first: Mapping[str, str], second: Mapping[str, str], between: str, *, swapped: bool = False
) -> Callable[[str], str]:
    """Return a function that finds names in a line, a word of `first` and then one of `second`, and shortens them.

    Both map words in lower case to a letter or digit; `between` is the pattern of what may stand between the words.
    With `swapped` the second word's letter is written first.
    """
    pattern = re.compile(rf"\b({_alternatives(first)}){between}({_alternatives(second)})\b", re.IGNORECASE)

    def short(found: re.Match[str]) -> str:
        letters = first[found[1].lower()], second[found[2].lower()]
        return "".join(reversed(letters) if swapped else letters)

    # Most lines contain no name, as the set of words that are never a mere letter or digit shows quickly.
    telling = max(first, second, key=lambda words: min(map(len, words)))

    def shortened(line: str) -> str:
        lowered = line.lower()
        return pattern.sub(short, line) if any(word in lowered for word in telling) else line

    return shortened


def _alternatives(words: Mapping[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))
