"""Words for robots and their levels in mails, such as “strong robot” and “leichten Robotern”."""

from __future__ import annotations

import re

from pbem.robots import Level

ROBOT_WORDS = {"robot", "robots", "bot", "bots", "computer", "computers", "roboter", "robotern", "computern"}

_STEMS = {
    "easy": Level.EASY, "leicht": Level.EASY, "einfach": Level.EASY,
    "fair": Level.FAIR, "mittel": Level.FAIR, "mittler": Level.FAIR,
    "strong": Level.STRONG, "stark": Level.STRONG,
    "best": Level.BEST,
}  # fmt: skip
_GERMAN_ENDING = re.compile(r"e[mnrs]?$")


def parse_level(word: str) -> Level | None:
    """Parse the word for a level, in any case and gender; None if it is none."""
    return _STEMS.get(_GERMAN_ENDING.sub("", word.casefold()))
