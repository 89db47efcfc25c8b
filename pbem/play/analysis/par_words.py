"""Sentences about par: what the robot made of the same cards, beside what a player made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from babel.numbers import format_decimal

from pbem.i18n import _, babel_locale, marked, several
from pbem.play.analysis.comparison import NOBODY, PEOPLE, ROBOTS
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.play.analysis.comparison import Comparison

_MINUS = "\N{MINUS SIGN}"

QUESTION = marked("How would the robot have done?")
SETTLED = marked("From now on, the last mail of a match compares your result with the strong robot’s.")
UNSETTLED = marked("From now on, the last mail of a match does not compare your result with the strong robot’s.")
NO_POINTS = marked("The match did not end by the rules, so there are no points to compare.")

_ROBOTS: Mapping[Level, str] = {Level.STRONG: marked("The strong robot"), Level.FAIR: marked("The fair robot")}
_PEOPLE_TOO: Mapping[Level, str] = {
    Level.STRONG: marked("Strong robots played the seats of people."),
    Level.FAIR: marked("Fair robots played the seats of people."),
}
_OWN_SEAT: Mapping[str, str] = {
    NOBODY: marked("{robot}, with the same deal,"),
    ROBOTS: marked("{robot} in your seat, with the same cards and the same others,"),
    PEOPLE: marked("{robot} in your seat, with the same cards,"),
}
_SEAT: Mapping[str, str] = {
    NOBODY: marked("{robot}, with the same deal,"),
    ROBOTS: marked("{robot} in the seat of {name}, with the same cards and the same others,"),
    PEOPLE: marked("{robot} in the seat of {name}, with the same cards,"),
}


def sentences(compared: Sequence[Comparison], names: Sequence[str], you: int | None = None) -> list[str]:
    """Return the sentences about all seats of a match that people held, the reader's own first."""
    ordered = sorted(compared, key=lambda one: one.seat != you)
    said = [sentence(one, None if one.seat == you else names[one.seat - 1]) for one in ordered]
    return said + notes(compared[0]) if compared else []


def notes(one: Comparison) -> list[str]:
    """Return what else is said of a match once: who played the seats of people, and why there are no points."""
    said = [_(_PEOPLE_TOO.get(Level(one.level), _PEOPLE_TOO[Level.FAIR]))] if one.others == PEOPLE else []
    return said if one.points is not None else [*said, _(NO_POINTS)]


def sentence(one: Comparison, name: str | None = None) -> str:
    """Return the sentence about a seat: the reader's own, or that of somebody by name."""
    robot = _(_ROBOTS.get(Level(one.level), _ROBOTS[Level.FAIR]))
    who = _(_OWN_SEAT[one.others], robot=robot) if name is None else _(_SEAT[one.others], robot=robot, name=name)
    if one.points is None or one.difference is None:
        return _("{robot} {made}.", robot=who, made=_made(one))
    points = format_points(one.points, is_whole=True)
    own = _("you made {points}", points=points) if name is None else _("{name} made {points}", name=name, points=points)
    return _(
        "{robot} {made}; {own}: {difference}.",
        robot=who,
        made=_made(one),
        own=own,
        difference=format_difference(one.difference, is_whole=one.plays == 1),
    )


def format_points(points: float, *, is_whole: bool = False) -> str:
    """Format points: with one decimal, unless they are of a single play."""
    rounded = _round(points, is_whole=is_whole)
    return f"{_MINUS}{_amount(rounded, is_whole=is_whole)}" if rounded < 0 else _amount(rounded, is_whole=is_whole)


def format_difference(points: float, *, is_whole: bool = False) -> str:
    """Format a difference of points with its sign."""
    rounded = _round(points, is_whole=is_whole)
    sign = "±" if not rounded else "+" if rounded > 0 else _MINUS
    return f"{sign}{_amount(rounded, is_whole=is_whole)}"


def _round(points: float, *, is_whole: bool) -> float:
    """Round points once, so that a sign is that of the number beside it."""
    return round(points, 0 if is_whole else 1)


def _amount(points: float, *, is_whole: bool) -> str:
    return str(format_decimal(abs(points), format="0" if is_whole else "0.0", locale=babel_locale()))


def _made(one: Comparison) -> str:
    if one.plays == 1:
        return several("made one point", "made {count} points", round(one.mean))
    parts = {"mean": format_points(one.mean), "count": one.plays, "wins": one.wins}
    if one.others == NOBODY:
        return _("made {mean} points on average of {count} plays", **parts)
    return _("made {mean} points on average of {count} plays and won {wins} of them", **parts)
