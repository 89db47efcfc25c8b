"""Ends of matches: by the rules, resignation, timeout or agreement; each player is notified once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games.record import result
from pbem.play.analysis import par_mail
from pbem.play.chat import messages
from pbem.play.conditional_moves import plan_store
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import event_facts
from pbem.play.matches import seats, share_keys, withheld
from pbem.play.matches.match_state import append_event, load_match
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

    Mail = tuple[int, str]


def finish(ctx: Context, course: LoadedMatch, mail: Mail | None = None) -> None:
    """End a match that is over by the rules; `mail` is the seat and Message-ID of the mail that ended it, if any."""
    _end_match(ctx, course, "finished", mail)


def resign(
    ctx: Context, course: LoadedMatch, holder: SeatHolder, mail: Mail | None = None, *, planned: bool = False
) -> None:
    """End a match because a seat resigns; all other seats win. If its plan did it, only its player's mail says so."""
    append_event(ctx, course.match, "resigned", seat=holder.seat, by=f"seat {holder.seat}")
    _end_match(ctx, load_match(ctx, course.match), "resigned", mail, planned_by=holder if planned else None)


def lose_on_time(ctx: Context, match: Match, late: Iterable[SeatHolder]) -> None:
    """End a match because the time of some seats has run out; all other seats win."""
    for holder in late:
        append_event(ctx, match, "timed_out", seat=holder.seat, by="clock")
        holder.leave_reason = seats.TIMED_OUT
    _end_match(ctx, load_match(ctx, match), "timed_out", None)


def abort(
    ctx: Context, match: Match, by: str, ending: str = "aborted", mail: Mail | None = None, **more: object
) -> None:
    """End a match that nobody has won: one that does not count (`aborted`), or that was given up (`abandoned`).

    `more` are facts for the last mail.
    """
    append_event(ctx, match, ending, seat=None, by=by)
    _end_match(ctx, load_match(ctx, match), ending, mail, more)


def agree_on_draw(ctx: Context, match: Match, mail: Mail | None = None) -> None:
    """End a match in a draw by agreement of all players."""
    append_event(ctx, match, "draw_agreed", seat=None, by="table")
    _end_match(ctx, load_match(ctx, match), "agreed", mail)


def _end_match(
    ctx: Context,
    course: LoadedMatch,
    ending: str,
    mail: Mail | None,
    more: Mapping[str, object] | None = None,
    planned_by: SeatHolder | None = None,
) -> None:
    match = course.match
    outcome = course.game.outcome(course.position)
    match.state, match.ended_at, match.to_move = MatchState.OVER, ctx.now, []
    turn_deadlines.sync(ctx, match)
    features = match_features.load(ctx, match.id)
    if features.plans:
        plan_store.delete_all(ctx, match)
    match.result = result(outcome, ending, course.log, len(match.seats))
    about: dict[str, Any] = {"result": match.result, **(more or {})}
    about |= event_facts.load(ctx, match)
    if not match.public:
        about["shared"] = share_keys.shared_key(match)
    if match.forked_from_id is not None:
        about["practice"] = True
    if withheld.hides_record(match):
        about["withheld"] = withheld.facts(ctx, match)
    seat, message_id = mail or (None, None)
    for holder in seats.distinct_players(seats.holders(ctx, match), first=seat):
        facts = outbox.position_facts(ctx, course, holder) | about
        facts["talk"] = messages.unmailed(ctx, match, holder) if features.chat else []
        facts |= {"planned": True} if holder is planned_by else {}
        facts |= par_mail.ask_if_wished(ctx, match, holder)
        answers, due_at = message_id if seat == holder.seat else None, par_mail.due_at(ctx, facts.get("par"))
        once = f"final {match.id} {holder.id}"
        outbox.enqueue(ctx, "final", holder, match, facts, once=once, answers=answers, due_at=due_at)
