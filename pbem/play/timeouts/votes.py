"""Votes: the other players decide what happens to a seat that has timed out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import SeatHolder, Vote
from pbem.i18n import _, current_locale, marked
from pbem.play.clocks.calculation import DAY
from pbem.play.clocks.timeout_policies import VOTE
from pbem.play.core.errors import Code, Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import seat_changes
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.states import DeadlinePhase, MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Deadline, Match
    from pbem.play.core.context import Context

WAIT, ROBOT, END = "wait", "robot", "end"
CHOICES: Mapping[str, str] = {
    WAIT: marked("Wait one more day"),
    ROBOT: marked("The robot plays on for them"),
    END: marked("End the match without a winner"),
}
"""Labels of the choices in a form, by the key that is stored."""
_CHOICE_WORDS = {WAIT: ("wait", "warten"), ROBOT: ("robot", "roboter"), END: ("end", "beenden")}
"""Words for a choice in a mail, in English and in German."""
MAX_EXTENSIONS = 3
"""Maximum extensions by a day for the same move."""


def outcome(cast: Sequence[str]) -> str:
    """Return the outcome of some votes: the plurality, the robot on a tie, the end without any votes."""
    if not cast:
        return END
    counted = Counter(cast).most_common()
    best = [choice for choice, count in counted if count == counted[0][1]]
    return best[0] if len(best) == 1 else ROBOT


def certain_outcome(cast: Sequence[str], waiting: int) -> str | None:
    """Return the outcome of some votes if `waiting` more cannot change it, else None."""
    ways = (rest for some in range(waiting + 1) for rest in combinations_with_replacement(CHOICES, some))
    found = {outcome([*cast, *rest]) for rest in ways}
    return found.pop() if len(found) == 1 and (cast or not waiting) else None


def choice_word(choice: str) -> str:
    """Return the word for a choice in a mail, in the current language."""
    return _CHOICE_WORDS[choice][current_locale() == "de"]


def parse(text: str) -> tuple[str, int | None]:
    """Parse a vote, as in “robot”, with an optional seat number after it; the choice is "" if unknown."""
    typed, _space, number = text.strip().casefold().partition(" ")
    choice = next((one for one, written in _CHOICE_WORDS.items() if typed.strip('“”".,') in written), "")
    return choice, int(number[:3]) if number.isascii() and number.isdigit() else None


def available_choices(row: Deadline) -> list[str]:
    """List the choices for a seat; waiting is offered only until the maximum of extensions is reached."""
    return [choice for choice in CHOICES if choice != WAIT or row.wait_votes < MAX_EXTENSIONS]


def open_votes(ctx: Context, match: Match, holder: SeatHolder) -> list[Deadline]:
    """List the deadlines of the seats that a player may vote on now; never their own."""
    if match.state != MatchState.RUNNING or match.timeout_policy != VOTE or holder.left_at is not None:
        return []
    rows = turn_deadlines.for_match(ctx, match)
    return [row for row in rows if row.phase == DeadlinePhase.REPLACEMENT and row.seat != holder.seat]


def ask_others(ctx: Context, match: Match, late: SeatHolder, row: Deadline) -> None:
    """Enqueue a mail with the choices to each other player."""
    others = seat_changes.other_people(ctx, match, late)
    _notify(ctx, match, others, late, row, "vote", choices=available_choices(row))


def cast(ctx: Context, match: Match, holder: SeatHolder, choice: str, seat: int | None = None) -> bool:
    """Record a vote, and carry out the decision as soon as it is certain; return whether it is.

    Without a `seat`, it counts for all open votes. The caller must have locked the match. Raises Refused with a
    sentence.
    """
    if holder.left_at is not None:
        raise Refused(_("You no longer have a seat in this match."), code=Code.NO_SEAT)
    if choice not in CHOICES:
        raise Refused(_("Vote for “wait”, “robot” or “end”."), "choice")
    rows = [row for row in open_votes(ctx, match, holder) if seat in {None, row.seat}]
    if not rows:
        raise Refused(_("There is nothing to vote on in this match now."), code=Code.NO_VOTE)
    if any(choice not in available_choices(row) for row in rows):
        waited = _("You already waited {count} times. Vote for “robot” or “end”.", count=MAX_EXTENSIONS)
        raise Refused(waited, "choice")
    settled = [_record(ctx, match, holder, choice, row) for row in rows if match.state == MatchState.RUNNING]
    return all(settled)


def close(ctx: Context, match: Match, late: SeatHolder, row: Deadline) -> None:
    """Carry out the outcome of the votes cast so far."""
    _carry_out(ctx, match, late, row, outcome([*choices_by_seat(ctx, match, row).values()]))


def choices_by_seat(ctx: Context, match: Match, row: Deadline) -> dict[int, str]:
    """Return the votes of the present players, by seat."""
    votes = select(SeatHolder.seat, Vote.choice).join(SeatHolder, SeatHolder.id == Vote.holder_id)
    about = Vote.match_id == match.id, Vote.subject_seat == row.seat, Vote.voted_at >= row.phase_started_at
    present = votes.where(*about, SeatHolder.left_at.is_(None)).order_by(SeatHolder.seat)
    return {seat: choice for seat, choice in ctx.session.execute(present)}  # noqa: C416


def _record(ctx: Context, match: Match, holder: SeatHolder, choice: str, row: Deadline) -> bool:
    kept = {"choice": choice, "voted_at": ctx.now}
    mine = {"match_id": match.id, "subject_seat": row.seat, "holder_id": holder.id} | kept
    keys = ["match_id", "subject_seat", "holder_id"]
    ctx.session.execute(insert(Vote).values(mine).on_conflict_do_update(index_elements=keys, set_=kept))
    late = next(one for one in seats.holders(ctx, match) if one.seat == row.seat)
    cast = choices_by_seat(ctx, match, row)
    found = certain_outcome([*cast.values()], len(seat_changes.other_people(ctx, match, late)) - len(cast))
    if found is None:
        return False
    _carry_out(ctx, match, late, row, found)
    return True


def _carry_out(ctx: Context, match: Match, late: SeatHolder, row: Deadline, choice: str) -> None:
    if choice == ROBOT:
        seat_changes.seat_robot(ctx, match, late, by="table")
    elif choice == END:
        seat_changes.abandon_match(ctx, match, late, by="table")
    else:
        row.wait_votes += 1
        turn_deadlines.enter_phase(ctx, row, DeadlinePhase.WAITING, ctx.now + DAY)
        ctx.session.flush()
        _notify(ctx, match, seats.holders(ctx, match), late, row, "waits")


def _notify(
    ctx: Context, match: Match, to: Sequence[SeatHolder], late: SeatHolder, row: Deadline, kind: str, **more: object
) -> None:
    course = load_match(ctx, match)
    about = {"whose": late.seat, "until": row.phase_ends_at and row.phase_ends_at.isoformat()} | more
    for other in to:
        once = f"{kind} {match.id} {late.id} {other.id} {row.ply} {row.wait_votes}"
        outbox.enqueue(ctx, kind, other, match, outbox.position_facts(ctx, course, other) | about, once=once)
