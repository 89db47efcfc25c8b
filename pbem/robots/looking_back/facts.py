"""Facts of looking back, as pages, mails and programs get them: chart, turning points and account."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any

from pbem.robots.looking_back import turning_points, values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.robots.looking_back.history import History, Work

_TENTHS = 10
"""Values are rounded to tenths; sums are made of whole tenths, so that they add up."""
_TWO_SEATS = 2


def collect(history: History, work: Work) -> dict[str, Any]:
    """Return the facts when all work is done."""
    plies = (0, *(made.ply for made in history.moves))
    chart = [_tenths(each) for each in work["values"]]
    return {
        "edition": history.robot.edition,
        "unit": history.unit,
        "chart": [
            {"ply": ply, "values": [value / _TENTHS for value in row]} for ply, row in zip(plies, chart, strict=True)
        ],
        "turning_points": _turning_points(history, work),
        "account": _account(history, work, chart),
    }


def _turning_points(history: History, work: Work) -> list[dict[str, Any]]:
    points = []
    for made, tried in turning_points.collect(history, work):
        best, *_ = tried
        choices = sorted(
            [*((each["value"], each["move"]) for each in tried), (best["played"], made.move)], key=lambda each: -each[0]
        )
        points.append({
            "ply": made.ply, "seat": made.seat, "played": made.move, "best": best["move"],
            "value": _rounded(best["played"]), "best_value": _rounded(best["value"]), "error": _rounded(best["error"]),
            "choices": [{"move": move, "value": _rounded(value)} for value, move in choices],
        })  # fmt: skip
    return sorted(points, key=lambda each: (each["seat"], each["value"] - each["best_value"]))


def _account(history: History, work: Work, chart: list[list[int]]) -> list[dict[str, Any]]:
    """Return what luck and play made of each seat's start; the parts and what rounding leaves add up to the end."""
    means = dict(zip(history.draws, work["means"], strict=True))
    found, rows = work["values"], []
    for at in range(history.seats):
        luck = fsum(found[place][at] - mean[at] for place, mean in means.items())
        play, others = list[float](), list[float]()
        for place, made in enumerate(history.moves, 1):
            after = means.get(place, found[place])[at]
            (play if made.seat == at + 1 else others).append(after - found[place - 1][at])
        parts = _tenths((means[0][at], luck, fsum(play), fsum(others)), exactly=False)
        end = chart[-1][at]
        names = ("start", "luck", "play", "others", "unexplained", "end")
        figures = (*parts, end - sum(parts), end)
        rows.append({"seat": at + 1, **{name: part / _TENTHS for name, part in zip(names, figures, strict=True)}})
    return rows


def _tenths(row: Sequence[float], *, exactly: bool = True) -> list[int]:
    """Return values in tenths; those of two seats add up to all, as they do before."""
    tenths = [round(_TENTHS * value) for value in row]
    if exactly and len(tenths) == _TWO_SEATS:
        tenths[1] = _TENTHS * values.HUNDRED - tenths[0]
    return tenths


def _rounded(value: float) -> float:
    return round(_TENTHS * value) / _TENTHS
