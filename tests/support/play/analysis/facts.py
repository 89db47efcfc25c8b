"""Facts of looking back, as the analysis stores them, written by hand."""

from __future__ import annotations

from typing import Any


def turning_point(ply: int, seat: int, **more: Any) -> dict[str, Any]:
    """Return a turning point at which 7H was played, and JS would have been better."""
    choices = [{"move": "JS", "value": 78.0}, {"move": "QD", "value": 70.4}, {"move": "7H", "value": 62.0}]
    point = {"ply": ply, "seat": seat, "played": "7H", "best": "JS", "value": 62.0, "best_value": 78.0, "error": 2.1}
    return point | {"choices": choices} | more


def facts(moves: int = 4, seats: int = 2, **more: Any) -> dict[str, Any]:
    """Return the facts of a match of so many moves in which the first seat won a little more with each of its own."""
    even = round(100 / seats, 1)
    chart = [{"ply": 0, "values": [even] * seats}]
    for ply in range(1, moves + 1):
        first = round(even + (100 - even) * ply / moves, 1)
        chart.append({"ply": ply, "values": [first, *[round((100 - first) / (seats - 1), 1)] * (seats - 1)]})
    account = [_account(1, even, luck=12.4, play=38.7, end=100.0)]
    account += [_account(seat, even, luck=-12.4, play=1.1, end=0.0) for seat in range(2, seats + 1)]
    found = {
        "edition": 1,
        "unit": "chance",
        "chart": chart,
        "turning_points": [turning_point(2, 1)],
        "account": account,
    }
    return found | more


def _account(seat: int, start: float, *, luck: float, play: float, end: float) -> dict[str, Any]:
    parts = {"start": start, "luck": luck, "play": play, "others": round(end - start - luck - play, 1)}
    return {"seat": seat} | parts | {"unexplained": 0.0, "end": end}


def facts_in_points(moves: int = 3, **more: Any) -> dict[str, Any]:
    """Return the facts of a match of one seat, whose values are points."""
    values = [9.1, *[10.3 - 0.5 * ply for ply in range(1, moves)], 8.0]
    chart = [{"ply": ply, "values": [round(value, 1)]} for ply, value in enumerate(values)]
    account = [{"seat": 1, "start": 9.1, "luck": 1.2, "play": -2.4, "others": 0.0, "unexplained": 0.1, "end": 8.0}]
    point = {"value": 8.0, "best_value": 9.5, "played": "B1 4", "best": "C2 1"}
    choices = [{"move": "C2 1", "value": 9.5}, {"move": "B1 4", "value": 8.0}]
    points = [turning_point(2, 1, choices=choices, **point)]
    return {"edition": 1, "unit": "points", "chart": chart, "turning_points": points, "account": account} | more
