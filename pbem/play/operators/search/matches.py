"""Search of matches: by id, player or state, and those that are stuck; each as a spectator may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, select

from pbem.boards import drawing_for
from pbem.db.models import Deadline, LogEntry, Match, SeatHolder, Submission
from pbem.play.clocks import clock_pauses
from pbem.play.deadlines import explanation, turn_deadlines
from pbem.play.matches import descriptions, spectating, withheld
from pbem.play.matches import seats as matches_seats
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names, player_names_by_match
from pbem.play.offers import match_pauses
from pbem.play.operators.search.pagination import Cursor, Order, Page, load_page
from pbem.play.players import reachability
from pbem.play.submissions import queue
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from pbem.play.core.context import Context

JUDGING, CLOCK, QUIET = "judging", "clock", "quiet"
STUCK_REASONS = (JUDGING, CLOCK, QUIET)
"""Reasons why a match is stuck: a submission is not judged, the clock has not acted, or nobody moves."""
STUCK_AFTER = timedelta(minutes=2)
"""Delay after which something overdue counts as stuck."""
MIN_ID_LENGTH = 5
"""Minimum letters of a match's id, enough if no other begins with them: mails show as many."""
_MAX_ID_LENGTH = 20
QUIET_AFTER = timedelta(days=30)
"""Time since a player was asked to move after which a match counts as quiet."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list, with the names in seat order; `since` is the time by which the list is sorted."""

    match: Match
    names: tuple[str, ...]
    since: datetime


@dataclass(frozen=True, slots=True)
class SeatDetails:
    """A seat of a match: who holds it, whether mail reaches them, and how their deadline is computed."""

    number: int
    holder: SeatHolder | None
    accepted: bool
    to_move: bool
    due: datetime | None
    unreachable: datetime | None
    deadline_steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """A match as an operator sees it: a spectator's View of it, and what makes it wait."""

    match: Match
    names: tuple[str, ...]
    seats: tuple[SeatDetails, ...]
    former: tuple[SeatHolder, ...]
    text: str
    told: tuple[str, ...]
    pause_reasons: tuple[str, ...]
    paused: datetime | None
    opened: bool
    pending: int
    withheld: bool


def list_by_state(ctx: Context, state: str, player: int | None = None, after: Cursor | None = None) -> Page[MatchRow]:
    """List matches in a state, those created or ended last first; of one player, or all."""
    at = Match.ended_at if state == MatchState.OVER else Match.created_at
    wanted = select(Match, at).where(at.is_not(None))
    if state:
        wanted = wanted.where(Match.state == state)
    if state == MatchState.OVER and player is None:
        # Matches that were called off before they started are not in the list's index.
        wanted = wanted.where(Match.seed.is_not(None))
    if player is not None:
        wanted = wanted.where(Match.id.in_(select(SeatHolder.match_id).where(SeatHolder.player_id == player)))
    return _with_names(ctx, load_page(ctx, wanted, Order(at, Match.id), after, _pair))


def stuck(ctx: Context, why: str, after: Cursor | None = None) -> Page[MatchRow]:
    """List the matches that are stuck for a reason, those stuck longest first."""
    if why == JUDGING:
        first = func.min(func.coalesce(Submission.hold_until, Submission.received_at)).label("since")
        overdue = queue.is_overdue(ctx.now, ctx.now - STUCK_AFTER)
        late = select(Submission.match_id, first).where(overdue).group_by(Submission.match_id).subquery()
    else:
        at: Any = Deadline.next_action_at if why == CLOCK else Deadline.asked_at
        overdue = at < ctx.now - (STUCK_AFTER if why == CLOCK else QUIET_AFTER)
        first = func.min(at).label("since")
        late = select(Deadline.match_id, first).where(overdue).group_by(Deadline.match_id).subquery()
    wanted = select(Match, late.c.since).join(late, late.c.match_id == Match.id)
    if why != JUDGING:
        wanted = wanted.where(Match.state == MatchState.RUNNING)
    return _with_names(ctx, load_page(ctx, wanted, Order(late.c.since, Match.id, oldest=True), after, _pair))


def starting_with(ctx: Context, start: str, most: int) -> list[Match]:
    """Find the matches whose ids begin with what mails show of them."""
    if not MIN_ID_LENGTH <= len(start) <= _MAX_ID_LENGTH or not (start.isascii() and start.isalnum()):
        return []
    between = Match.id >= start, Match.id <= start + "z" * (_MAX_ID_LENGTH - len(start))
    near = select(Match).where(*between, Match.id.startswith(start, autoescape=True))
    return list(ctx.session.scalars(near.order_by(Match.id).limit(most)))


def load_details(ctx: Context, match_id: str) -> MatchDetails | None:
    """Return the details of a match, without its hidden parts; None if there is none."""
    match = ctx.session.get(Match, match_id)
    if match is None:
        return None
    names = player_names(ctx, match)
    text, told = "", tuple[str, ...]()
    if match.seed is not None and not withheld.hides_table(match):
        view, _opened = spectating.spectator_view(load_match(ctx, match), names)
        text = drawing_for(match.game).text(view["board"], names)
        told = tuple(descriptions.log_sentences(match.game, view["log"], names))
    former = select(SeatHolder).where(SeatHolder.match_id == match.id, SeatHolder.left_at.is_not(None))
    opened = select(exists().where(LogEntry.match_id == match.id, LogEntry.event == "opened"))
    pending = Submission.match_id == match.id, Submission.status == SubmissionStatus.PENDING
    running = match.state == MatchState.RUNNING
    return MatchDetails(
        match=match,
        names=names,
        seats=tuple(_seat_details(ctx, match)),
        former=tuple(ctx.session.scalars(former.order_by(SeatHolder.id))),
        text=text,
        told=told,
        pause_reasons=tuple(clock_pauses.describe_absences(ctx, match, names)) if running else (),
        paused=match_pauses.end_time(ctx, match) if running else None,
        opened=bool(ctx.session.scalar(opened)),
        pending=ctx.session.scalar(select(func.count()).where(*pending)) or 0,
        withheld=withheld.hides_table(match),
    )


def _seat_details(ctx: Context, match: Match) -> list[SeatDetails]:
    holders = {holder.seat: holder for holder in matches_seats.holders(ctx, match)}
    rows = {row.seat: row for row in turn_deadlines.for_match(ctx, match)}
    lost = reachability.unreachable_seats(ctx, match) if match.state != MatchState.OVER else {}
    found = []
    for place in match.seats:
        holder, row = holders.get(place.seat), rows.get(place.seat)
        has_deadline = row is not None and match.state == MatchState.RUNNING
        found.append(
            SeatDetails(
                number=place.seat,
                holder=holder,
                accepted=place.accepted_at is not None,
                to_move=place.seat in match.to_move and match.state == MatchState.RUNNING,
                due=row.due_at if row else None,
                unreachable=lost.get(place.seat),
                deadline_steps=tuple(explanation.explain(ctx, match, holder)) if has_deadline and holder else (),
            )
        )
    return found


def _with_names(ctx: Context, rows: Page[tuple[Match, datetime]]) -> Page[MatchRow]:
    names = player_names_by_match(ctx, [match.id for match, _since in rows.rows])
    return Page(tuple(MatchRow(match, names.get(match.id, ()), since) for match, since in rows.rows), rows.after)


def _pair(match: Match, since: datetime) -> tuple[Match, datetime]:
    return match, since
