"""Substitutes: another player or the robot takes over a seat of a running match that has timed out.

The substitute is a new holder with the full time for the pending move. Links, reply addresses and conditional moves of
the predecessor end. Neither learns what only the other may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, select

from pbem.db import conditions
from pbem.db.models import Deadline, Match, SeatHolder
from pbem.games import Eye
from pbem.i18n import _
from pbem.play.clocks.timeout_policies import SUBSTITUTE
from pbem.play.core.errors import Code, Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until, hit
from pbem.play.lifecycle import seat_changes
from pbem.play.lobby import joining
from pbem.play.matches import descriptions, seats, withheld
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.views import player_names, render_view
from pbem.play.moderation import avoidance, bans
from pbem.play.notifications import outbox
from pbem.play.players import bots, registry, reliability
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.states import DeadlinePhase, MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Player, Submission
    from pbem.play.core.context import Context

NOT_SEATED = "not seated"
"""Kind of the mail to a player who writes for a seat that is not theirs any more."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat of a public match that anybody may take over."""

    match: Match
    seat: int
    name: str
    names: tuple[str, ...]
    since: datetime


_OPEN_SEATS = (
    select(Match, Deadline.seat, Deadline.phase_started_at)
    .join(Deadline, Deadline.match_id == Match.id)
    .where(
        # The condition of a partial index.
        Deadline.phase == conditions.member(DeadlinePhase.REPLACEMENT),
        Match.public,
        Match.timeout_policy == SUBSTITUTE,
        Match.state == MatchState.RUNNING,
        withheld.SHOWS_TABLE,
    )
    .order_by(Deadline.phase_started_at, Match.id, Deadline.seat)
    .limit(bindparam("most", type_=Integer))
)
_OPEN_SEATS_FOR_READER = _OPEN_SEATS.where(~avoidance.forbids(Deadline.seat), ~withheld.SITS_ELSEWHERE)


def has_open_seats(ctx: Context, reader: int | None) -> bool:
    """Return whether a substitute is sought for any seat that a reader may see."""
    return bool(_find_open_seats(ctx, 1, reader))


def list_open_seats(ctx: Context, most: int, reader: int | None) -> Sequence[OpenSeat]:
    """List the seats for which a substitute is sought and that a reader may see, the longest waiting first."""
    found = _find_open_seats(ctx, most, reader)
    names: dict[str, list[str]] = {match.id: [] for match, _seat, _since in found}
    present = SeatHolder.left_at.is_(None), SeatHolder.match_id.in_(names)
    rows = select(SeatHolder.match_id, SeatHolder.name).where(*present).order_by(SeatHolder.match_id, SeatHolder.seat)
    for match_id, name in ctx.session.execute(rows):
        names[match_id].append(name)
    return [
        OpenSeat(match, seat, names[match.id][seat - 1], tuple(names[match.id]), since)
        for match, seat, since in found
        if since is not None
    ]


def _find_open_seats(ctx: Context, most: int, reader: int | None) -> Sequence[Any]:
    if reader is None:
        return ctx.session.execute(_OPEN_SEATS, {"most": most}).all()
    return ctx.session.execute(_OPEN_SEATS_FOR_READER, {"most": most, "reader": reader}).all()


def is_open_to(ctx: Context, match: Match, seat: int, reader: int | None) -> bool:
    """Return whether a substitute is sought for a seat, and a reader may see that."""
    if not is_open(ctx, match, seat) or withheld.sits_elsewhere(ctx, match, reader):
        return False
    return avoidance.may_sit_together(ctx, match, reader, seat)


def is_open(ctx: Context, match: Match, seat: int) -> bool:
    """Return whether a substitute is sought for a seat; nobody who may have seen its hand elsewhere takes one."""
    row = ctx.session.get(Deadline, (match.id, seat), populate_existing=True)
    return (
        row is not None
        and row.phase == DeadlinePhase.REPLACEMENT
        and match.timeout_policy == SUBSTITUTE
        and match.state == MatchState.RUNNING
        and not withheld.hides_table(match)
    )


def take_over(
    ctx: Context, match: Match, seat: int, player: Player, mail: str | None = None, *, named: bool = False
) -> SeatHolder:
    """Seat a player as a substitute; raises Refused with a sentence for them.

    `named` is whether the host has nominated them, as a private match requires; `mail` is the Message-ID of the mail by
    which they asked, if any.
    """
    match = lock_match(ctx, match.id)
    if not (match.public or named) or not is_open_to(ctx, match, seat, player.id):
        raise Refused(_("This seat no longer needs a substitute."), code=Code.NO_OPEN_SEAT)
    bans.check_not_banned(ctx, player)
    if not named:
        reliability.check_admitted(ctx, match, player.id)
        bots.check_welcome(match, player)
    sat = select(SeatHolder.id).where(SeatHolder.match_id == match.id, SeatHolder.player_id == player.id)
    if ctx.session.scalar(sat.limit(1)) is not None:
        sentence = _("You have or had a seat in this match and cannot take another.")
        raise Refused(sentence, code=Code.ALREADY_SEATED)
    allowed = Limit("table joined", str(player.id), joining.MAX_JOINS_PER_DAY, SECONDS_PER_DAY)
    if blocked_until(ctx, allowed):
        raise Refused(_(joining.LIMIT_REACHED, count=joining.MAX_JOINS_PER_DAY), code=Code.DAILY_LIMIT)
    email = registry.verified_address(ctx, player)
    gone = next(holder for holder in seats.holders(ctx, match) if holder.seat == seat)
    newcomer = seat_changes.replace_holder(ctx, match, gone, player, email, mail=mail, by="table" if named else "clock")
    hit(ctx, allowed)
    return newcomer


def reject_late(ctx: Context, submission: Submission) -> Verdict:
    """Reject a submission of a player who has been replaced; the answer reveals nothing of the position."""
    reason = _("Nothing changed: somebody else plays your seat now.")
    holder = submission.holder
    if submission.via == MAIL and holder.email:
        facts = {"reason": reason, "name": holder.name, "language": holder.player.language}
        outbox.enqueue_mail(ctx, NOT_SEATED, holder.email, facts, once=f"answer {submission.id}")
    return Verdict(SubmissionStatus.REJECTED, reason)


def public_facts(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the public facts of a match: the board and all that happened."""
    course = load_match(ctx, match)
    names = player_names(ctx, match)
    view = render_view(course, Eye.PUBLIC, names)
    return {"view": view, "names": names, "told": descriptions.log_sentences(match.game, view["log"], names)}
