"""Optional features of a match, loaded in one query, so that callers skip queries for those it does not use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, func, or_, select

from pbem.db.models import Address, ChatMessage, ClockPause, DomainBackoff, MoveTiming, Plan, SeatHolder, Webhook
from pbem.db.query_cache import get_or_query
from pbem.states import PauseReason

if TYPE_CHECKING:
    from pbem.play.core.context import Context

REFUSAL_WINDOW = timedelta(hours=1)
"""Time for which a domain that refused our mail still counts as unreachable after its backoff."""

_MODELS = (Address, DomainBackoff, SeatHolder, ChatMessage, Plan, ClockPause, MoveTiming, Webhook)

_HOLDERS = select(SeatHolder.id).where(SeatHolder.match_id == bindparam("match"))
_AWAY = and_(
    ClockPause.player_id == SeatHolder.player_id,
    ClockPause.reason == PauseReason.AWAY.value,
    ClockPause.ended_at > bindparam("now"),
)
_REFUSED = and_(
    DomainBackoff.domain == func.split_part(SeatHolder.email, "@", 2), DomainBackoff.retry_at > bindparam("lately")
)
_FAILING = and_(Address.email == SeatHolder.email, Address.failing_since.is_not(None))
_FEATURES = select(
    _HOLDERS.join(Plan, Plan.holder_id == SeatHolder.id).exists(),
    _HOLDERS.join(Webhook, Webhook.holder_id == SeatHolder.id).where(Webhook.disabled_at.is_(None)).exists(),
    select(ChatMessage.id).where(ChatMessage.match_id == bindparam("match")).exists(),
    select(MoveTiming.ply)
    .where(MoveTiming.match_id == bindparam("match"), MoveTiming.automatic_reason.is_not(None))
    .exists(),
    _HOLDERS.join(ClockPause, _AWAY).exists(),
    or_(_HOLDERS.join(Address, _FAILING).exists(), _HOLDERS.join(DomainBackoff, _REFUSED).exists()),
)


@dataclass(frozen=True, slots=True)
class MatchFeatures:
    """Features of a match; `away`: a player is on vacation, `unreachable`: mail does not reach one."""

    plans: bool
    webhooks: bool
    chat: bool
    automatic: bool
    away: bool
    unreachable: bool


def load(ctx: Context, match: str) -> MatchFeatures:
    """Return the optional features of a match."""
    values = {"match": match, "now": ctx.now, "lately": ctx.now - REFUSAL_WINDOW}
    return get_or_query(
        ctx.session,
        _MODELS,
        ("match features", match, ctx.now),
        lambda: MatchFeatures(*ctx.session.execute(_FEATURES, values).one()),
    )
