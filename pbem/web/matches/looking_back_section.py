"""What the page of a replay shows of looking back: a button, how far it has got, or all that was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import url_for

from pbem.boards.prose import clean_name
from pbem.boards.value_chart import thin_out
from pbem.i18n import _
from pbem.play.analysis import looking_back, looking_back_chart, requests
from pbem.play.analysis import looking_back_words as words
from pbem.play.analysis.looking_back import KIND
from pbem.play.matches.views import robot_levels
from pbem.time_format import format_moment
from pbem.web.common import board_images

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from markupsafe import Markup

    from pbem.db.models import Analysis, Match
    from pbem.games.chain import Entry
    from pbem.play.analysis.looking_back import LookingBack
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.web.matches.replay_reader import Reader


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """The turning points of a seat: sentences, each with the step of the replay before it."""

    name: str
    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Results:
    """All that looking back found, for the page."""

    heading: str
    chart: Markup
    summary: str
    lines: tuple[tuple[str, str], ...]
    seats: tuple[SeatPoints, ...]
    accounts: tuple[str, ...]
    first_question: str
    measure: str


@dataclass(frozen=True, slots=True)
class Section:
    """The section of a replay about looking back.

    `waiting` is the analysis that is being made, `failed` a sentence if the newest one did, `may_ask` whether the
    reader can ask for one, or for another one by a newer robot.
    """

    post: str
    wait: str
    purpose: str
    results: Results | None
    waiting: Analysis | None
    failed: str
    may_ask: bool


def section(ctx: Context, reader: Reader, course: LoadedMatch, names: tuple[str, ...]) -> Section | None:
    """Return the section of a replay; None while its match runs, and where the reader can neither see nor ask."""
    rows = looking_back.find_all(ctx, reader.match)
    newest = rows[0] if rows else None
    found = _shown(rows, course.log)
    waiting = newest if newest is not None and newest.done_at is None else None
    may_ask = waiting is None and requests.may_ask(ctx, reader.match, KIND, reader.player, anew=True)
    if newest is None and not may_ask:
        return None
    return Section(
        post=url(reader, "ask"),
        wait=url(reader, "wait"),
        purpose=purpose(reader.match),
        results=_results(ctx, reader, found, names) if found else None,
        waiting=waiting,
        failed=_(words.FAILED) if newest and newest.done_at is not None and newest.result is None else "",
        may_ask=may_ask,
    )


def find_shown(ctx: Context, match: Match, log: Sequence[Entry]) -> LookingBack | None:
    """Return what the newest robot that has looked back at a match found."""
    return _shown(looking_back.find_all(ctx, match), log)


def purpose(match: Match) -> str:
    """Return the purpose of the nonce of the form."""
    return f"look back {match.id}"


def url(reader: Reader, end: str, **more: Any) -> str:
    """Return the URL of a page about looking back, by which the reader sees the replay."""
    if reader.token:
        return url_for(f"looking_back.own_{end}", token=reader.token, **more)
    return url_for(f"looking_back.match_{end}", match_id=reader.match.id, key=reader.key, **more)


def replay_url(reader: Reader) -> str:
    """Return the URL of the section."""
    return f"{reader.address()}#looking-back"


def when(until: datetime, reader: Reader) -> str:
    """Return the sentence on when to ask again."""
    return _("From {moment} on you can ask again.", moment=format_moment(until, reader.zone))


def _shown(rows: Sequence[Analysis], log: Sequence[Entry]) -> LookingBack | None:
    facts = next((row.result for row in rows if row.result is not None), None)
    return looking_back.read(facts, looking_back.step_numbers(log)) if facts is not None else None


def _results(ctx: Context, reader: Reader, found: LookingBack, names: tuple[str, ...]) -> Results:
    spoken = words.names_for(names, reader.seat)
    seats = sorted(range(1, len(names) + 1), key=lambda seat: (seat != reader.seat, seat))
    robots = robot_levels(ctx, reader.match)
    asked = found.ordered_points(reader.seat)
    chart = looking_back_chart.draw(found, names, reader.seat, lambda step: f"{reader.address(step=step)}#replay")
    return Results(
        heading=words.heading(found),
        chart=board_images.inline_svg(chart),
        summary=" ".join(words.chart_summary(found, names)),
        lines=tuple(
            (words.chart_point(one, names), f"{reader.address(step=found.steps.get(one.ply, 0))}#replay")
            for one in thin_out(found.chart)
        ),
        seats=tuple(
            SeatPoints(
                clean_name(spoken[seat - 1]),
                tuple((words.turning_point(found, one), found.step(one)) for one in found.turning_points_of(seat)),
            )
            for seat in seats
            if seat not in robots or found.turning_points_of(seat)
        ),
        accounts=tuple(
            words.account(found, one, spoken) for one in sorted(found.accounts, key=lambda one: seats.index(one.seat))
        ),
        first_question=url(reader, "question", ply=asked[0].ply) if asked else "",
        measure=words.measure(found),
    )
