"""Optional features of a match, loaded in one query, so that callers skip queries for those it does not use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, or_, select

from pbem.db import conditions
from pbem.db.models import (
    Address,
    ApiKey,
    ChatMessage,
    ClockPause,
    DomainBackoff,
    KeptLine,
    Match,
    MoveTiming,
    Plan,
    PushSubscription,
    SeatHolder,
    Webhook,
)
from pbem.db.query_cache import Question, get_or_query, store
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context

REFUSAL_WINDOW = timedelta(hours=1)
"""Time for which a domain that refused our mail still counts as unreachable after its backoff."""

_MODELS = (Address, DomainBackoff, SeatHolder, ChatMessage, Plan, KeptLine, ClockPause, Webhook, PushSubscription)

_HOLDERS = select(SeatHolder.id).where(SeatHolder.match_id == Match.id).correlate(Match)
_AWAY = and_(
    ClockPause.player_id == SeatHolder.player_id,
    ClockPause.reason == PauseReason.AWAY.value,
    ClockPause.ended_at > bindparam("now"),
)
_REFUSED = and_(
    DomainBackoff.domain == func.split_part(SeatHolder.email, "@", 2), DomainBackoff.retry_at > bindparam("lately")
)
_NOTIFIED = and_(PushSubscription.player_id == SeatHolder.player_id, PushSubscription.disabled_at.is_(None))
_FAILING = and_(Address.email == SeatHolder.email, Address.failing_since.is_not(None))
_LISTENERS = (
    select(func.array_agg(SeatHolder.player_id.distinct()))
    .join(ApiKey, ApiKey.player_id == SeatHolder.player_id)
    .where(SeatHolder.match_id == Match.id, ApiKey.revoked_at.is_(None), ApiKey.scopes.contains(["read"]))
    .correlate(Match)
    .scalar_subquery()
)
"""The players of a match whose programs may follow it."""
_FEATURES = select(
    Match.id,
    _HOLDERS.join(Plan, Plan.holder_id == SeatHolder.id).exists(),
    select(KeptLine.id).where(KeptLine.match_id == Match.id).exists(),
    _HOLDERS.join(Webhook, Webhook.holder_id == SeatHolder.id).where(Webhook.disabled_at.is_(None)).exists(),
    _HOLDERS.join(PushSubscription, _NOTIFIED).exists(),
    select(ChatMessage.id).where(ChatMessage.match_id == Match.id).exists(),
    select(MoveTiming.ply).where(MoveTiming.match_id == Match.id, MoveTiming.automatic_reason.is_not(None)).exists(),
    _HOLDERS.join(ClockPause, _AWAY).exists(),
    or_(_HOLDERS.join(Address, _FAILING).exists(), _HOLDERS.join(DomainBackoff, _REFUSED).exists()),
    select(ClockPause.id)
    .where(
        ClockPause.match_id == Match.id,
        ClockPause.reason == PauseReason.PAUSED.value,
        ClockPause.ended_at > bindparam("now"),
    )
    .exists(),
    _LISTENERS,
)
_OF_ONE = _FEATURES.where(Match.id == bindparam("match"))
_OF_SEVERAL = _FEATURES.where(conditions.is_any_of(Match.id, "matches"))


@dataclass(frozen=True, slots=True)
class MatchFeatures:
    """Features of a match; `away`: a player is on vacation, `unreachable`: mail does not reach one.

    `lines`: a player keeps some; `pushes`: a device of a player is notified of turns; `paused`: the players, or an
    operator, have stopped its clocks.
    `listeners`: the players whose programs may follow it; nobody creates a key in the transaction of a match, so keys
    are no part of the question.
    """

    plans: bool
    lines: bool
    webhooks: bool
    pushes: bool
    chat: bool
    automatic: bool
    away: bool
    unreachable: bool
    paused: bool
    listeners: frozenset[int]


def load(ctx: Context, match: str) -> MatchFeatures:
    """Return the optional features of a match."""

    def query() -> MatchFeatures:
        return _features(*ctx.session.execute(_OF_ONE, _times(ctx) | {"match": match}).one()[1:])

    return get_or_query(ctx.session, _question(ctx, match), query)


def load_all(ctx: Context, matches: Collection[str]) -> None:
    """Load the optional features of several matches by one query, for `load`."""
    for match, *features in ctx.session.execute(_OF_SEVERAL, _times(ctx) | {"matches": [*matches]}):
        store(ctx.session, _question(ctx, match), _features(*features))


def may_be_played_for(ctx: Context, holder: SeatHolder) -> bool:
    """Return whether the service might play for a seat at all: for a robot, a forced move, or by a plan."""
    return holder.player.is_robot or holder.player.auto_play_forced or load(ctx, holder.match_id).plans


def record_automatic(ctx: Context, match: str) -> None:
    """Record that the service has just played a move in a match."""
    store(ctx.session, _question(ctx, match), replace(load(ctx, match), automatic=True))


def _features(*found: Any) -> MatchFeatures:
    return MatchFeatures(*(*found[:-1], frozenset(found[-1] or ())))


def _question(ctx: Context, match: str) -> Question:
    return Question(_MODELS, ("features", ctx.now), match)


def _times(ctx: Context) -> dict[str, Any]:
    return {"now": ctx.now, "lately": ctx.now - REFUSAL_WINDOW}
