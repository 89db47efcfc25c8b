"""Statistics pages: the matches of all games, those of one game, and one's own."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from babel.dates import format_timedelta
from babel.numbers import format_percent
from babel.units import format_unit
from flask import Blueprint, abort, render_template

from pbem.games import GAMES
from pbem.i18n import _, babel_locale, marked, several
from pbem.play.archive import game_statistics, player_statistics, statistics
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.matches import charts
from pbem.web.request import current_user
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

pages = Blueprint("statistics", __name__)

MIN_MATCHES_FOR_QUARTILES = 3
"""Minimum matches, or moves, of which a usual one is said; of fewer, only the middle."""

ENDINGS = {
    "finished": marked("played to the end"),
    "resigned": marked("resigned"),
    "timed_out": marked("lost on time"),
    "agreed": marked("draw agreed"),
    "abandoned": marked("abandoned by all"),
    "aborted": marked("called off before the first move"),
}


@pages.get("/statistics")
@may_use_replica
def every() -> str:
    """Show for each game how many matches have ended and how long they were."""
    with transaction() as ctx:
        found = {game: statistics.for_game(ctx, game) for game in GAMES}
    lines = {game: _summary(row.data) if row and row.data.get("matches") else "" for game, row in found.items()}
    return render_template("matches/statistics.html", lines=lines)


@pages.get("/statistics/<game>")
@may_use_replica
def one(game: str) -> str:
    """Show the statistics of a game's matches."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    with transaction() as ctx:
        found = statistics.for_game(ctx, game)
    data = found.data if found and found.data.get("matches") else None
    return render_template(
        "matches/statistics_game.html",
        game=GAMES[game],
        data=data,
        at=found.computed_at if found else None,
        endings=[(_(label), data["endings"][ending]) for ending, label in ENDINGS.items() if ending in data["endings"]]
        if data
        else [],
        sizes=[_size_facts(size) for size in data["sizes"]] if data else [],
        thinking=_thinking_facts(data["thinking"]) if data and data["thinking"]["moves"] else None,
        share=_format_share,
    )


@pages.get("/me/statistics")
def mine() -> str:
    """Show the statistics of the player's own matches."""
    visitor = current_user.require()
    with transaction() as ctx:
        found = statistics.for_player(ctx, visitor.player)
        data = player_statistics.with_opponent_names(ctx, found.data) if found else None
    games = [game for game in data["games"] if game["game"] in GAMES] if data else []
    counts = [(GAMES[game["game"]].name, game["matches"]) for game in games]
    return render_template(
        "matches/statistics_player.html",
        data=data,
        at=found.computed_at if found else None,
        zone=visitor.zone,
        games=[(GAMES[game["game"]].name, _own_summary(game)) for game in games],
        chart=charts.bars(counts, _("Your matches by game")) if len(counts) > 1 else None,
        against=_opponent_summary,
        took=_format_quartiles(
            [_format_duration(seconds) for seconds in data["thinking"]["seconds"] or ()], data["thinking"]["moves"]
        )
        if data
        else "",
    )


def _summary(data: Mapping[str, Any]) -> str:
    """Return how many matches of a game have ended, and how long the median one was."""
    ended = several("One public match has ended.", "{count} public matches have ended.", data["matches"])
    if not data["sizes"]:
        return ended
    # The most frequent number of seats.
    most = max(data["sizes"], key=lambda size: size["matches"])
    took = several("one move", "{count} moves", most["moves"][1])
    parts = {"moves": took, "time": _format_duration(most["seconds"][1])}
    usual = most["matches"] >= MIN_MATCHES_FOR_QUARTILES
    length = (
        _("A match usually takes {moves} and {time}.", **parts) if usual else _("About {moves} and {time}.", **parts)
    )
    return f"{ended} {length}"


def _size_facts(size: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statistics of the matches with one number of seats, with charts."""
    spread = size["spread"]
    starts = range(spread["first"], spread["first"] + len(spread["times"]) * spread["step"], spread["step"])
    points = [
        (_format_range(start, spread["step"]), times) for start, times in zip(starts, spread["times"], strict=True)
    ]
    reached = [(str(start), times) for start, times in zip(starts, spread["times"], strict=True)]
    won = [(str(seat["seat"]), seat["alone"] + seat["shared"]) for seat in size["won"]]
    return {
        **size,
        "moves": _format_quartiles([str(moves) for moves in size["moves"]], size["matches"]),
        "lasted": _format_quartiles([_format_duration(seconds) for seconds in size["seconds"]], size["matches"]),
        "points": _format_quartiles([str(points) for points in size["points"]], size["matches"]),
        "spread": points,
        "spread_chart": charts.columns(reached, _("Distribution of points"), _("Points")),
        "won_chart": charts.columns(won, _("Wins by seat"), _("Seat")) if won else None,
    }


def _thinking_facts(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return how long moves took, with a chart."""
    limits = [
        *(_("up to {time}", time=_format_duration(limit)) for limit in game_statistics.THINKING_TIME_BOUNDS),
        _("longer"),
    ]
    short = [*(_format_short_duration(limit) for limit in game_statistics.THINKING_TIME_BOUNDS), "…"]
    return {
        "moves": found["moves"],
        "took": _format_quartiles([_format_duration(seconds) for seconds in found["seconds"]], found["moves"]),
        "within": list(zip(limits, found["within"], strict=True)),
        "chart": charts.columns(
            list(zip(short, found["within"], strict=True)),
            _("Distribution of thinking times"),
            _("Time for a move"),
        ),
    }


def _own_summary(game: Mapping[str, Any]) -> str:
    """Return the summary of a player's own matches of a game."""
    parts = [
        several("one match", "{count} matches", game["matches"]),
        several("one won", "{count} won", game["won"]) if game["won"] else "",
        several("one shared", "{count} shared", game["shared"]) if game["shared"] else "",
        several("one lost", "{count} lost", game["lost"]) if game["lost"] else "",
        several("one undecided", "{count} undecided", game["undecided"]) if game["undecided"] else "",
        several("one alone", "{count} alone", game["solo"]) if game["solo"] else "",
    ]
    matches = ", ".join(part for part in parts if part)
    if game["points"] is None:
        return _("{matches}.", matches=matches)
    median = several("one point", "{count} points", game["points"])
    return _("{matches}; usually {points}.", matches=matches, points=median)


def _opponent_summary(other: Mapping[str, Any]) -> str:
    """Return the summary of a player's matches with another one."""
    met = several("one match", "{count} matches", other["matches"])
    return _("{matches}; you won {won}, they won {theirs}.", matches=met, won=other["won"], theirs=other["theirs"])


def _format_quartiles(quartiles: Sequence[str], count: int) -> str:
    """Format quartiles of `count` values: the median, and the range of the middle half if they are not few."""
    if not quartiles:
        return ""
    low, middle, high = quartiles
    if low == high or count < MIN_MATCHES_FOR_QUARTILES:
        return middle
    return _("typically {middle}; half of them between {low} and {high}", middle=middle, low=low, high=high)


def _format_range(start: int, step: int) -> str:
    return str(start) if step == 1 else _("{first} to {last}", first=start, last=start + step - 1)


def _format_duration(seconds: int) -> str:
    """Format a duration in its largest unit: "3 days"."""
    return format_timedelta(timedelta(seconds=seconds), threshold=1, locale=babel_locale())


def _format_short_duration(seconds: int) -> str:
    """Format a duration as shortly as a chart needs it: "10 min"."""
    units = (
        (game_statistics.SECONDS_PER_DAY, "day"),
        (game_statistics.SECONDS_PER_HOUR, "hour"),
        (game_statistics.SECONDS_PER_MINUTE, "minute"),
    )
    size, unit = next((size, unit) for size, unit in units if seconds >= size)
    return format_unit(seconds // size, f"duration-{unit}", "short", locale=babel_locale())


def _format_share(part: int, whole: int) -> str:
    return format_percent(part / whole, locale=babel_locale())
