"""Matches against robots that their only player has left lying: they end, so that they do not count for ever.

Only matches with robots that think: a person may have few of them at a time.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select

from pbem.db import conditions
from pbem.db.models import Deadline, Match, Player, SeatHolder
from pbem.play.clocks import time_controls
from pbem.play.lifecycle import endings
from pbem.robots import QUICK_LEVELS
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.play.core.context import Context

IDLE_DAYS = 90
"""Days without a move after which a match against robots that think is given up."""


def process_next(ctx: Context) -> bool:
    """End one match that was left lying; return False if there is none, or all are locked."""
    match = ctx.session.scalars(_lock_query(ctx.now)).first()
    if match is None:
        return False
    endings.abort(ctx, match, by="clock", ending="abandoned", idle_days=IDLE_DAYS)
    return True


def _lock_query(now: datetime) -> Select[Match]:
    """Return the query that locks one match that was left lying."""
    present = select(func.count(SeatHolder.player_id.distinct())).join(Player, Player.id == SeatHolder.player_id)
    present = present.where(SeatHolder.match_id == Match.id, SeatHolder.left_at.is_(None)).correlate(Match)
    people = present.where(~Player.is_robot).scalar_subquery()
    thinking = present.where(Player.is_robot, Player.robot_level.not_in(QUICK_LEVELS)).scalar_subquery()
    idle = exists().where(Deadline.match_id == Match.id, Deadline.asked_at <= now - timedelta(days=IDLE_DAYS))
    left = select(Match).where(
        Match.state == conditions.member(MatchState.RUNNING),
        Match.time_control == time_controls.UNLIMITED,
        idle,
        people == 1,
        thinking > 0,
    )
    return left.limit(1).with_for_update(skip_locked=True, key_share=True)
