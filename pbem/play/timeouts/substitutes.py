"""Substitutes: somebody else sits down at a seat of a running match, where time has run out.

Whoever comes is a new holder, with a full time for the move that is waited for; links, reply addresses and what was
decided in advance were their predecessor's, and end with them. Neither learns what was the other's alone.
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
"""Why somebody sits no more where another one was seated for them, and whose time ended the match."""
LOST, NOT_SEATED = "seat lost", "not seated"
"""The mails to whoever sat there, and to whoever does not sit there."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A seat of a public match that somebody may take over, as anybody may see it."""

    match: Match
    seat: int
    name: str
    names: tuple[str, ...]
    since: datetime


def sought(ctx: Context, most: int) -> Sequence[Sought]:
    """List the seats that somebody may take over, those that have waited longest first."""
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
    """Tell whether somebody is looked for who takes over a seat."""
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
    """Seat a player who takes over a seat; raises MatchError with a sentence for them.

    Whoever was `named` by the host of a private table may; `mail` is the Message-ID of the mail by which they asked.
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
    """Seat a person in place of a holder, and tell everybody; who was here before keeps the `name` they had."""
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
    """Have the robot play for a seat from now on; where no person would be left, the match is over."""
    if not persons_beside(ctx, match, gone):
        abandon(ctx, match, gone, by)
        return
    _leave(ctx, gone)
    robot = robots.seat(ctx, match, gone.seat)
    _begin_anew(ctx, match, gone, robot, by, {"bot": True})


def abandon(ctx: Context, match: Match, gone: Holder, by: str) -> None:
    """End a match because of one who does not move; nobody has won it."""
    gone.left = TIMED_OUT
    endings.abort(ctx, match, by=by, ending="abandoned")


def too_late(ctx: Context, submission: Submission) -> Verdict:
    """Refuse what came from somebody after another one had taken their seat; nothing of the position goes to them."""
    reason = _("Somebody else sits at your seat now, so nothing was done.")
    holder = submission.holder
    if submission.via == MAIL and holder.email:
        facts = {"reason": reason, "name": holder.name, "language": holder.player.language}
        outbox.owe_mail(ctx, NOT_SEATED, holder.email, facts, once=f"answer {submission.id}")
    return Verdict(REJECTED, reason)


def persons_beside(ctx: Context, match: Match, holder: Holder) -> list[Holder]:
    """List the people who sit at a match beside one."""
    return [other for other in seats.holders(ctx, match) if other.id != holder.id and not other.player.bot]


def facts_for_all(ctx: Context, match: Match) -> dict[str, Any]:
    """Show what anybody may see of a match in which a seat is to be taken over: the board and all that happened."""
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
    """Write a change of holders into the chain, give the newcomer a full time, and tell all but them."""
    enter_event(ctx, match, "substituted", seat=gone.seat, by=by, detail=detail)
    # What is offered stands by the word of those who sat there.
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
    """Mail whoever sat there that they do no more, and how they may come back; nothing of the position."""
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
