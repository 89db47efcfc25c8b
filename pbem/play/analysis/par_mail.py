"""Par in mails: a mail that says how the robot did waits for it, for a while."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db import conditions
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import send_after_commit
from pbem.play.analysis import comparison, requests
from pbem.play.core.errors import Refused
from pbem.play.notifications import outbox
from pbem.robots.analyses import PAR
from pbem.states import OutboxState

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Analysis, SeatHolder
    from pbem.play.core.context import Context

HOLD = timedelta(minutes=10)
"""Time for which a mail waits for the robot; then it goes without what the robot made."""
_MARGIN = timedelta(seconds=1)
"""Time before a mail that waits is due in which it is left to be sent."""

WAITING, DONE, FAILED, LIMITED = "waiting", "done", "failed", "limited"
"""What a mail says of par: where it will stand, how the robot did, that it could not finish, or that it is busy."""


def ask(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Ask for the par of a match for a seat's player; return the facts of a mail, or raise Refused with the reason."""
    try:
        par = requests.ask(ctx, match, PAR, holder.player_id)
    except requests.LimitReachedError as limit:
        return {"state": LIMITED, "until": limit.until.isoformat()}
    return _facts(ctx, match, par, holder.seat)


def ask_if_wished(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts of par for the last mail of a match that has just ended; none unless its player wishes them."""
    if not holder.player.compares_with_robot or not holder.email:
        return {}
    try:
        return {"par": ask(ctx, match, holder)}
    except Refused:
        return {}


def due_at(ctx: Context, par: dict[str, Any] | None) -> datetime | None:
    """Return until when a mail with such facts waits; None if it does not."""
    return ctx.now + HOLD if par is not None and par["state"] == WAITING else None


def release(ctx: Context, par: Analysis) -> None:
    """Complete the mails that wait for a par which is done, and send them now."""
    waiting = select(OutboxMessage).where(
        OutboxMessage.match_id == par.match_id,
        OutboxMessage.state == conditions.member(OutboxState.PENDING),
        OutboxMessage.due_at > ctx.now + _MARGIN,
        OutboxMessage.render_data["par"]["state"].astext == WAITING,
    )
    match = ctx.session.get_one(Match, par.match_id)
    for message in ctx.session.scalars(waiting):
        facts = _facts(ctx, match, par, message.render_data["seat"])
        message.render_data, message.due_at = {**message.render_data, "par": facts}, ctx.now
        send_after_commit(ctx.session, outbox.RELAY_TASK, message.shard)


def _facts(ctx: Context, match: Match, par: Analysis, seat: int) -> dict[str, Any]:
    if par.done_at is None:
        return {"state": WAITING}
    if par.result is None:
        return {"state": FAILED}
    own = next((one for one in comparison.of_match(ctx, match, par) if one.seat == seat), None)
    return {"state": DONE, "compared": comparison.facts(own)} if own else {"state": FAILED}
