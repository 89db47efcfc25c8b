"""Substitutes: another player or the robot takes over a seat of a running match that has timed out.

The substitute is a new holder with the full time for the pending move. Links, reply addresses and conditional moves of
the predecessor end. Neither learns what only the other may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from pbem.db.models import Deadline, Holder, Match, MatchSeat, Offer, Plan
from pbem.games import Eye
from pbem.i18n import _
from pbem.play.clocks.timeout_policies import SUBSTITUTE
from pbem.play.core.rate_limits import DAY, Allowed, spend, used_up
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import create, endings
from pbem.play.lobby import joining
from pbem.play.matches import descriptions, seats
from pbem.play.matches.match_state import course_of, enter_event, lock
from pbem.play.matches.views import names_of, shown
from pbem.play.moderation import bans
from pbem.play.notifications import outbox
from pbem.play.players import registry, reliability, robots
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import REJECTED, Verdict
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Player, Submission
    from pbem.play.core.context import Context

SUBSTITUTED, TIMED_OUT = "substituted", "timed out"
"""Values of `Holder.left`: a substitute was seated, or the player's timeout ended the match."""
LOST, NOT_SEATED = "seat lost", "not seated"
"""Mail kinds: to a player who has lost their seat, and to one who writes for a seat that is not theirs any more."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A seat of a public match that anybody may take over."""

    match: Match
    seat: int
    name: str
    names: tuple[str, ...]
    since: datetime


def sought(ctx: Context, most: int) -> Sequence[Sought]:
    """List the seats for which a substitute is sought, the longest waiting first."""
    wanted = (
        select(Match, Deadline.seat, Deadline.sought_at)
        .join(Deadline, Deadline.match_id == Match.id)
        .where(
            Deadline.sought_at.is_not(None),
            Match.public,
            Match.on_time == SUBSTITUTE,
            Match.state == MatchState.RUNNING,
        )
        .order_by(Deadline.sought_at, Match.id, Deadline.seat)
        .limit(most)
    )
    found = ctx.session.execute(wanted).all()
    names: dict[str, list[str]] = {match.id: [] for match, _seat, _since in found}
    present = select(Holder.match_id, Holder.name).where(Holder.until.is_(None), Holder.match_id.in_(names))
    for match_id, name in ctx.session.execute(present.order_by(Holder.match_id, Holder.seat)):
        names[match_id].append(name)
    return [
        Sought(match, seat, names[match.id][seat - 1], tuple(names[match.id]), since)
        for match, seat, since in found
        if since is not None
    ]


def is_sought(ctx: Context, match: Match, seat: int) -> bool:
    """Return whether a substitute is sought for a seat."""
    row = ctx.session.get(Deadline, (match.id, seat), populate_existing=True)
    return (
        row is not None
        and row.sought_at is not None
        and match.on_time == SUBSTITUTE
        and match.state == MatchState.RUNNING
    )


def take(
    ctx: Context, match: Match, seat: int, player: Player, mail: str | None = None, *, named: bool = False
) -> Holder:
    """Seat a player as a substitute; raises MatchError with a sentence for them.

    `named` is whether the host has nominated them, as a private match requires; `mail` is the Message-ID of the mail by
    which they asked, if any.
    """
    match = lock(ctx, match.id)
    if not (match.public or named) or not is_sought(ctx, match, seat):
        raise create.MatchError("", _("Nobody is looked for at this seat any more."))
    if refused := bans.refusal(ctx, player):
        raise create.MatchError("", refused)
    if not named and (refused := reliability.refusal(ctx, match, player.id)):
        raise create.MatchError("", refused)
    sat = select(Holder.id).where(Holder.match_id == match.id, Holder.player_id == player.id)
    if ctx.session.scalar(sat.limit(1)) is not None:
        raise create.MatchError("", _("You sit or sat at this match: its other seats are not for you."))
    allowed = Allowed("table joined", str(player.id), joining.A_DAY, DAY)
    if used_up(ctx, allowed):
        count = joining.A_DAY
        raise create.MatchError("", _("You have joined {count} tables today. Please go on tomorrow.", count=count))
    email = joining.mailed_at(ctx, player)
    gone = next(holder for holder in seats.holders(ctx, match) if holder.seat == seat)
    newcomer = sit(ctx, match, gone, player, email, mail=mail, by="table" if named else "clock")
    spend(ctx, allowed)
    return newcomer


def sit(
    ctx: Context,
    match: Match,
    gone: Holder,
    player: Player,
    email: str,
    *,
    by: str,
    name: str | None = None,
    mail: str | None = None,
) -> Holder:
    """Seat a person in place of a holder, and notify all players; `name` is the name they had here before, if any."""
    called = name or registry.apart(player.name, _names_ever(ctx, match))
    _leave(ctx, gone)
    newcomer = Holder(
        match_id=match.id, seat=gone.seat, player=player, name=called, email=email, generation=1, since=ctx.now
    )
    ctx.session.add(newcomer)
    ctx.session.flush()
    _begin_anew(ctx, match, gone, newcomer, by)
    facts = {"former": gone.name, "back": name is not None}
    if newcomer.seat in match.to_move:
        answers = {newcomer.seat: mail} if mail else {}
        create.owe_turns(ctx, match, answers, **{str(newcomer.seat): facts})
    else:
        seen = outbox.position_facts(ctx, course_of(ctx, match), newcomer)
        outbox.owe(ctx, "seated", newcomer, match, seen | facts, once=f"seated {newcomer.id}", answers=mail)
    return newcomer


def seat_bot(ctx: Context, match: Match, gone: Holder, by: str) -> None:
    """Seat the robot in place of a holder; if no person would be left, end the match."""
    if not persons_beside(ctx, match, gone):
        abandon(ctx, match, gone, by)
        return
    _leave(ctx, gone)
    robot = robots.seat(ctx, match, gone.seat)
    _begin_anew(ctx, match, gone, robot, by, {"bot": True})


def abandon(ctx: Context, match: Match, gone: Holder, by: str) -> None:
    """End a match without a winner because a player does not move."""
    gone.left = TIMED_OUT
    endings.abort(ctx, match, by=by, ending="abandoned")


def too_late(ctx: Context, submission: Submission) -> Verdict:
    """Reject a submission of a player who has been replaced; the answer reveals nothing of the position."""
    reason = _("Somebody else sits at your seat now, so nothing was done.")
    holder = submission.holder
    if submission.via == MAIL and holder.email:
        facts = {"reason": reason, "name": holder.name, "language": holder.player.language}
        outbox.owe_mail(ctx, NOT_SEATED, holder.email, facts, once=f"answer {submission.id}")
    return Verdict(REJECTED, reason)


def persons_beside(ctx: Context, match: Match, holder: Holder) -> list[Holder]:
    """List the other players of a match who are people."""
    return [other for other in seats.holders(ctx, match) if other.id != holder.id and not other.player.bot]


def facts_for_all(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the public facts of a match: the board and all that happened."""
    course = course_of(ctx, match)
    names = names_of(ctx, match)
    view = shown(course, Eye.PUBLIC, names)
    return {"view": view, "names": names, "told": descriptions.told(match.game, view["log"], names)}


def _leave(ctx: Context, gone: Holder) -> None:
    gone.until = ctx.now
    if not gone.player.bot:
        gone.left = SUBSTITUTED
    ctx.session.execute(delete(Plan).where(Plan.holder_id == gone.id))
    ctx.session.flush()


def _begin_anew(
    ctx: Context, match: Match, gone: Holder, newcomer: Holder, by: str, detail: dict[str, Any] | None = None
) -> None:
    """Enter a substitution in the chain, restart the seat's clock, and notify all but the newcomer."""
    enter_event(ctx, match, "substituted", seat=gone.seat, by=by, detail=detail)
    # An offer binds only the players who were seated when it was made.
    ctx.session.execute(delete(Offer).where(Offer.match_id == match.id))
    ctx.session.get_one(MatchSeat, (match.id, gone.seat)).bank = None
    row = ctx.session.get(Deadline, (match.id, gone.seat))
    if row is not None:
        ctx.session.delete(row)
        ctx.session.flush()
    turn_deadlines.ask(ctx, match)
    course = course_of(ctx, match)
    told = {"whose": gone.seat, "former": gone.name, "bot": newcomer.player.bot, "back": gone.player.bot, "by": by}
    for other in seats.holders(ctx, match):
        if other.id != newcomer.id:
            facts = outbox.position_facts(ctx, course, other) | told
            outbox.owe(ctx, "substituted", other, match, facts, once=f"substituted {newcomer.id} {other.id}")
    if gone.email and not gone.player.bot and not gone.player.banned_at:
        _tell_lost(ctx, match, gone, newcomer)


def _tell_lost(ctx: Context, match: Match, gone: Holder, newcomer: Holder) -> None:
    """Notify a replaced player, with how they may come back, but nothing of the position."""
    facts: dict[str, Any] = {
        "name": gone.name,
        "language": gone.player.language,
        "game": match.game,
        "of": match.id,
        "others": [one.name for one in seats.holders(ctx, match) if one.id != newcomer.id],
        "newcomer": newcomer.name,
        "holder": gone.id if newcomer.player.bot else None,
    }
    outbox.owe_mail(ctx, LOST, gone.email, facts, once=f"seat lost {gone.id}")


def _names_ever(ctx: Context, match: Match) -> list[str]:
    return list(ctx.session.scalars(select(Holder.name).where(Holder.match_id == match.id)))
