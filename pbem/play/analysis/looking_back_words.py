"""What looking back found, in sentences; in `names`, "You" stands for the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from babel.numbers import format_decimal

from pbem.boards.player_names import deed_sentence, is_reader
from pbem.boards.prose import clean_name, possessive, reader_name
from pbem.i18n import _, babel_locale, marked

if TYPE_CHECKING:
    from pbem.play.analysis.looking_back import Account, ChartPoint, LookingBack, TurningPoint

Names = tuple[str, ...]

NO_TURNING_POINT = marked("No move lost more than chance could explain.")
FAILED = marked("The robot could not look back at this match.")

MAX_MOVE_LENGTH = 24
"""Maximum characters of moves that stand in the middle of a sentence; longer ones end it."""

_PLUS, _MINUS = "+", "−"


def names_for(names: Names, you: int | None) -> Names:
    """Return the names with "You" for the reader in a seat."""
    return tuple(reader_name() if seat == you else name for seat, name in enumerate(names, 1))


def turning_point(found: LookingBack, point: TurningPoint) -> str:
    """Describe a turning point: what the move kept, and what the best one would have."""
    parts = {
        "ply": point.ply,
        "played": move_text(point.played),
        "value": kept_number(found, point.value),
        "best": move_text(point.best),
        "better": kept_number(found, point.best_value),
    }
    if max(len(point.played), len(point.best)) > MAX_MOVE_LENGTH:
        if found.in_points:
            return _("Move {ply} kept {value} points: {played}. The best would have kept {better}: {best}.", **parts)
        return _("Move {ply} kept {value} of 100: {played}. The best would have kept {better}: {best}.", **parts)
    if found.in_points:
        return _("Move {ply}: {played} kept {value} points, {best} would have kept {better}.", **parts)
    return _("Move {ply}: {played} kept {value} of 100, {best} would have kept {better}.", **parts)


def move_text(move: str) -> str:
    """Return a move for a sentence: in quotation marks unless it is a code in capitals, such as 7H."""
    return move if move.isupper() and " " not in move else _("“{move}”", move=move)


def kept(found: LookingBack, value: float) -> str:
    """Return what a move keeps, as an amount: "62 of 100", "12.5 points"."""
    if found.in_points:
        return _("{value} points", value=kept_number(found, value))
    return _("{value} of 100", value=kept_number(found, value))


def kept_number(found: LookingBack, value: float) -> str:
    """Return what a move keeps as a number: chances whole, points with a decimal."""
    return _decimal(value if found.in_points else round(value))


def account(found: LookingBack, one: Account, names: Names) -> str:
    """Describe where a seat's result comes from, as a sum that adds up."""
    name = names[one.seat - 1]
    parts = [
        _("The deals made {amount}", amount=_signed(one.luck)),
        _("your play {amount}", amount=_signed(one.play))
        if is_reader(name)
        else _("{whose} play {amount}", whose=possessive(clean_name(name)), amount=_signed(one.play)),
    ]
    if len(names) > 1:
        parts.append(_("the play of others {amount}", amount=_signed(one.others)))
    if one.unexplained:
        parts.append(_("unexplained {amount}", amount=_signed(one.unexplained)))
    end = _("{parts}: {end} at the end.", parts=", ".join(parts), end=_decimal(one.end))
    return f"{_start(found, one, name)} {end}"


def _start(found: LookingBack, one: Account, name: str) -> str:
    start = _decimal(one.start)
    if found.in_points:
        return _("Such a match brings {start} points on average.", start=start)
    return deed_sentence(name, "You began with {start} of 100.", "{name} began with {start} of 100.", start=start)


def chart_point(one: ChartPoint, names: Names) -> str:
    """Return what the match was worth to each seat after a move, in one line."""
    values = ", ".join(f"{clean_name(name)} {_decimal(value)}" for name, value in zip(names, one.values, strict=True))
    return f"{move_name(one.ply)}: {values}"


def move_name(ply: int) -> str:
    """Return the name of a move in a chart: its number, or the deal."""
    return _("Move {ply}", ply=ply) if ply else _("The deal")


def measure(found: LookingBack) -> str:
    """Return what the moves are compared with, and what luck and play are measured against."""
    if found.in_points:
        return _(
            "A robot found this after the match. Each move is compared with the best one for a player who knew no more "
            "than its own did. Luck and play are measured against the best line that the robot finds."
        )
    return _(
        "A robot found this after the match. Each move is compared with the best one for a player who knew no more "
        "than its own did. Luck and play are measured against the ordinary play of a robot."
    )


def heading(found: LookingBack) -> str:
    """Return what the chart shows."""
    return _("Points that the match was worth, by move") if found.in_points else _("Chances of 100, by move")


def chart_summary(found: LookingBack, names: Names) -> list[str]:
    """Describe the course of each line in a sentence, for readers who do not see the chart."""
    return [_line_summary(found, seat, clean_name(name)) for seat, name in enumerate(names)]


def _line_summary(found: LookingBack, seat: int, name: str) -> str:
    values = [point.values[seat] for point in found.chart]
    return _(
        "{name}: {first} after the deal, {last} at the end, in between from {least} to {most}.",
        name=name,
        first=_decimal(values[0]),
        last=_decimal(values[-1]),
        least=_decimal(min(values)),
        most=_decimal(max(values)),
    )


def _signed(amount: float) -> str:
    sign = _PLUS if amount > 0 else _MINUS if amount < 0 else ""
    return f"{sign}{_decimal(abs(amount))}"


def _decimal(value: float) -> str:
    """Format a number with at most one decimal, as the language writes it."""
    return format_decimal(value, format="0.#", locale=babel_locale())
