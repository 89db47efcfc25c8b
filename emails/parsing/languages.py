"""Patterns for the phrases of mail programs in many languages, as listed and explained in `languages.toml`."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

LANGUAGES: dict[str, dict[str, list[str]]] = tomllib.loads(
    files("emails.parsing").joinpath("languages.toml").read_text("utf-8")
)
_BLANK_OR_GAP = re.compile(r"(?:\\ )+|(?:\\ )*…(?:\\ )*")


def word_pattern(kind: str) -> str:
    """Return a pattern for the phrases of a kind in any language, longest first; slow, so compile it once."""
    phrases = {phrase for language in LANGUAGES.values() for phrase in language.get(kind, ())}
    patterns = (re.escape(phrase) for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))
    return "|".join(_BLANK_OR_GAP.sub(_gap_pattern, phrase) for phrase in patterns)


def _gap_pattern(found: re.Match[str]) -> str:
    return r".{0,200}" if "…" in found[0] else r"\s{1,9}"
