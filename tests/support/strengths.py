"""Strengths of robots that nobody has measured."""

from __future__ import annotations


def _entry(game: str, level: str, against: str, seats: int, share: tuple[float, float, float], ms: int) -> str:
    low, middle, high = share
    return (
        f'[[measured]]\ngame = "{game}"\nedition = 1\nlevel = "{level}"\nagainst = "{against}"\nseats = {seats}\n'
        f"low = {low}\nshare = {middle}\nhigh = {high}\ndeals = 400\nday = 2026-11-27\nms = {ms}"
    )


MEASURED = "\n\n".join(
    [
        _entry("martian-whist", "strong", "fair", 2, (0.68, 0.71, 0.74), 230) + "\noptions = {sets = 2}",
        _entry("martian-whist", "easy", "random", 2, (0.90, 0.93, 0.95), 2),
        _entry("martian-trickery", "strong", "fair", 3, (0.50, 0.55, 0.60), 400),
        _entry("martian-trickery", "strong", "fair", 4, (0.40, 0.45, 0.50), 1900),
    ]
)
