"""Mails about a week: that it has begun, to those who wish to hear of it, and how it ended, to all who took part."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, select

from pbem.db.models import DealSet, Match, Player, SeatHolder
from pbem.play.notifications import outbox
from pbem.play.players import registry
from pbem.play.weekly import results, weeks

if TYPE_CHECKING:
    from pbem.play.core.context import Context

BEGUN, OVER = "weekly begun", "weekly over"
"""Mail kinds: a week has begun, and the table of one that is over."""


def enqueue_begin(ctx: Context, deal_set: DealSet) -> None:
    """Mail those who wish it that a week has begun; who takes part already gets the first turn instead."""
    entered = exists().where(SeatHolder.player_id == Player.id, SeatHolder.match_id == Match.id)
    entered = entered.where(Match.set_id == deal_set.id)
    wishing = select(Player).where(Player.weekly_mail, Player.deleted_at.is_(None), Player.banned_at.is_(None))
    for player in ctx.session.scalars(wishing.where(~entered).order_by(Player.id)).all():
        facts = {"name": player.name, "language": player.language, "zone": player.time_zone, "subscriber": player.id}
        facts |= {"week": deal_set.week, "closes": _day(deal_set)}
        email = registry.main_address(ctx, player.id)
        outbox.enqueue_mail(ctx, BEGUN, email or "", facts, once=f"{BEGUN} {deal_set.week} {player.id}")


def enqueue_results(ctx: Context, deal_set: DealSet) -> None:
    """Count a week that is over, and mail all who took part their place, par, and where the best line is."""
    weeks.count(ctx, deal_set)
    table = results.table(ctx, deal_set)
    sharing = Counter(row.place for row in table.rows)
    best = table.best
    shared: dict[str, Any] = {"week": deal_set.week, "par_points": table.par}
    shared |= {"people": len(table.rows), "finished": table.finished}
    shared |= {"best": [best.points, best.match, best.name if best != table.robot else ""] if best else None}
    for match, holder, player in ctx.session.execute(weeks.entries().where(DealSet.id == deal_set.id)).all():
        row = table.own(player.id)
        if player.is_robot or row is None or row.match != match.id:
            continue
        facts = outbox.match_facts(ctx, match, holder) | shared
        facts |= {"rank": row.place, "points": row.points}
        facts |= {"shared_by": sharing[row.place] if row.place else 0}
        outbox.enqueue(ctx, OVER, holder, match, facts, once=f"{OVER} {match.id}")


def _day(deal_set: DealSet) -> str | None:
    return deal_set.closes_at.isoformat() if deal_set.closes_at else None
