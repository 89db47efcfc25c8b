"""What Docker sends to build an image from, by the rules of a `.dockerignore` as Docker documents them."""

from __future__ import annotations

import posixpath
import re
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def context(root: Path) -> set[str]:
    """List the files below a folder that are sent, as paths from it."""
    rules = parsed((root / ".dockerignore").read_text())
    files = (path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
    return {file for file in files if not ignored(file, rules)}


def parsed(text: str) -> list[tuple[bool, re.Pattern[str]]]:
    """Read the lines: whether each ignores or takes back, and what it matches."""
    rules = []
    for line in text.splitlines():
        pattern = line.strip()
        if pattern and not line.startswith("#"):
            ignores = not pattern.startswith("!")
            rules.append((ignores, expression(posixpath.normpath(pattern.removeprefix("!").strip()).lstrip("/"))))
    return rules


def ignored(path: str, rules: Iterable[tuple[bool, re.Pattern[str]]]) -> bool:
    """Return whether a path stays out: the last rule that matches it, or a folder that it is in, decides."""
    way = list(accumulate(path.split("/"), lambda folder, name: f"{folder}/{name}"))
    said = [ignores for ignores, pattern in rules if any(pattern.fullmatch(each) for each in way)]
    return bool(said) and said[-1]


def expression(pattern: str) -> re.Pattern[str]:
    """Turn one pattern into a regular expression over whole paths."""
    kinds = re.finditer(r"(?P<folders>\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<letters>\[[^\]]+\])|.", pattern)
    means = {"folders": "(?:.*/)?", "all": ".*", "some": "[^/]*", "one": "[^/]"}
    return re.compile("".join(means.get(each.lastgroup or "", as_itself(each)) for each in kinds))


def as_itself(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "letters" else re.escape(found[0])
