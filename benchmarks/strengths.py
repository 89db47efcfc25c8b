"""What `make gauntlet` plays, and the file of measured strengths that it writes for pages to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem import robots
from pbem.robots import Level
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from benchmarks.gauntlet import Figures

FILE = ROOT / "pbem" / "robots" / "strengths.toml"
SHORT: dict[str, tuple[dict[str, object], tuple[int, ...]]] = {
    "martian-whist": ({"sets": 2}, (2,)),
    "martian-trickery": ({"hands": 1}, (3, 4)),
    "montauk": ({"rounds": 1}, (2,)),
    "amazonian-buffet": ({}, (2,)),
}
"""Short options of each game for several, and the numbers of seats that are measured."""
WEAKER = {Level.EASY: "random", Level.FAIR: "easy", Level.STRONG: "fair", Level.BEST: "strong"}
"""What each level is measured against."""


def planned(only: str = "") -> Iterable[tuple[str, int, dict[str, object], str, str]]:
    """Yield what is measured: game, seats, options, level and opponent, the quickest levels first."""
    for level, against in WEAKER.items():
        for game, (options, seats) in SHORT.items():
            if level in robots.levels(game) and only in {"", game}:
                yield from ((game, number, options, str(level), against) for number in seats)


def write(figures: Figures, day: date) -> None:
    """Replace the entry of a pairing in the file, or add it; the others and the comment above them stay."""
    text = FILE.read_text("utf-8")
    comment, *entries = text.split("\n[[measured]]\n")
    mine = entry(figures, day)
    key = mine.partition("share")[0]
    kept = [each.strip() + "\n" for each in entries if not each.startswith(key)]
    FILE.write_text("\n[[measured]]\n".join([comment.strip() + "\n", *sorted([*kept, mine])]))


def entry(figures: Figures, day: date) -> str:
    """Return the entry of a pairing."""
    pairing = figures.pairing
    values: dict[str, Any] = {
        "game": pairing.game,
        "edition": robots.edition(pairing.game),
        "level": pairing.tested,
        "against": pairing.against,
        "seats": pairing.seats,
        "options": dict(pairing.options),
        "share": round(figures.share, 3),
        "low": round(figures.low, 3),
        "high": round(figures.high, 3),
        "deals": figures.deals,
        "day": day,
        "ms": round(figures.median_ms),
    }
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + "}"
    return f'"{value}"' if isinstance(value, str) else str(value)
