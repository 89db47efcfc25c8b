"""Ends of matches: by the rules, resignation, timeout or agreement; each player is notified once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games.record import result
from pbem.play.chat import messages
from pbem.play.conditional_moves import plan_store
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import access, seats
from pbem.play.matches.match_state import course_of, enter_event
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.db.models import Holder, Match
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import Course

    Mail = tuple[int, str]


def finish(ctx: Context, course: Course, mail: Mail | None = None) -> None:
    """End a match that is over by the rules; `mail` is the seat and Message-ID of the mail that ended it, if any."""
    _close(ctx, course, "finished", mail)


def resign(ctx: Context, course: Course, holder: Holder, mail: Mail | None = None) -> None:
    """End a match because a seat resigns; all other seats win."""
    enter_event(ctx, course.match, "resigned", seat=holder.seat, by=f"seat {holder.seat}")
    _close(ctx, course_of(ctx, course.match), "resigned", mail)


def lose_on_time(ctx: Context, match: Match, late: Iterable[Holder]) -> None:
    """End a match because the time of some seats has run out; all other seats win."""
    for holder in late:
        enter_event(ctx, match, "timed_out", seat=holder.seat, by="clock")
        holder.left = "timed out"
    _close(ctx, course_of(ctx, match), "timed_out", None)


def abort(
    ctx: Context, match: Match, by: str, ending: str = "aborted", mail: Mail | None = None, **more: object
) -> None:
    """End a match that nobody has won: one that does not count (`aborted`), or that was given up (`abandoned`).

    `more` are facts for the last mail.
    """
    enter_event(ctx, match, ending, seat=None, by=by)
    _close(ctx, course_of(ctx, match), ending, mail, more)


def agree_on_draw(ctx: Context, match: Match, mail: Mail | None = None) -> None:
    """End a match in a draw by agreement of all players."""
    enter_event(ctx, match, "draw_agreed", seat=None, by="table")
    _close(ctx, course_of(ctx, match), "agreed", mail)


def _close(
    ctx: Context, course: Course, ending: str, mail: Mail | None, more: Mapping[str, object] | None = None
) -> None:
    match = course.match
    outcome = course.game.outcome(course.position)
    match.state, match.ended_at, match.to_move = MatchState.OVER, ctx.now, []
    turn_deadlines.ask(ctx, match)
    plan_store.close(ctx, match)
    match.result = result(outcome, ending, course.log, len(match.seats))
    for holder in seats.persons(seats.holders(ctx, match), first=mail[0] if mail else None):
        facts: dict[str, Any] = outbox.position_facts(ctx, course, holder) | {"result": match.result, **(more or {})}
        facts["talk"] = messages.since(ctx, match, holder)
        if not match.public:
            facts["shared"] = access.shared_key(match)
        if match.forked_from is not None:
            facts["practice"] = True
        answers = mail[1] if mail and mail[0] == holder.seat else None
        outbox.owe(ctx, "final", holder, match, facts, once=f"final {match.id} {holder.id}", answers=answers)
