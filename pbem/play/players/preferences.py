"""Mail preferences of a player: receipts, every turn or a digest, links only, and unsubscribed matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Boolean, cast, func, select, update

from pbem.db.models import Match, OutboxMessage, SeatHolder
from pbem.play.core import tokens
from pbem.play.core.message_kinds import delivery_rules
from pbem.play.players import digest_schedule, unsubscribes
from pbem.states import MatchState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Player, Token
    from pbem.play.core.context import Context

ALWAYS, REFUSED, NEVER = "always", "refused", "never"
"""When a player wants to hear what became of a move sent by mail."""
RECEIPT_CHOICES = (ALWAYS, REFUSED, NEVER)
DELIVERY_CHOICES = (digest_schedule.EACH_TURN, digest_schedule.DIGEST)
DIGEST_HOURS = range(24)


@dataclass(frozen=True, slots=True)
class MailPreferences:
    """Mail preferences, as their page sends them."""

    receipts: str
    mail_when: str
    digest_hour: int
    zone: str
    language: str
    link_only: bool
    replay_along: bool = False
    compares_with_robot: bool = False


def save(ctx: Context, player: Player, choices: MailPreferences) -> None:
    """Store a player's preferences, and reschedule the turns that wait for a digest."""
    player.receipts, player.mail_frequency = choices.receipts, choices.mail_when
    player.digest_hour, player.time_zone = choices.digest_hour, choices.zone
    player.language, player.link_only, player.attach_replay = choices.language, choices.link_only, choices.replay_along
    player.compares_with_robot = choices.compares_with_robot
    due = digest_schedule.next_digest(player, ctx.now) if player.mail_frequency == digest_schedule.DIGEST else ctx.now
    theirs = OutboxMessage.holder_id.in_(select(SeatHolder.id).where(SeatHolder.player_id == player.id))
    untried = OutboxMessage.state == OutboxState.PENDING, OutboxMessage.attempts == 0
    deferred = cast(OutboxMessage.render_data["digest"], Boolean)
    ctx.session.execute(update(OutboxMessage).where(theirs, *untried, deferred).values(due_at=due))


def wants_kind(ctx: Context, holder: SeatHolder, kind: str) -> bool:
    """Return whether a seat's player wants a kind of mail; in their first match they get every answer."""
    chosen = holder.player.receipts
    rules = delivery_rules(kind)
    is_unwanted = (rules.is_receipt and chosen != ALWAYS) or (rules.is_refusal and chosen == NEVER)
    return not is_unwanted or _is_first_match(ctx, holder)


def stop_mail(ctx: Context, holders: Sequence[SeatHolder]) -> None:
    """Stop the mail about some seats' matches. Idempotent."""
    for holder in holders:
        holder.mail_stopped_at = holder.mail_stopped_at or ctx.now


def resume_mail(ctx: Context, holders: Sequence[SeatHolder]) -> None:
    """Resume the mail about some seats' matches, and lift their players' unsubscription from all mail."""
    for holder in holders:
        holder.mail_stopped_at = None
        unsubscribes.resubscribe(ctx, holder.email)


def affected_holders(ctx: Context, token: Token) -> list[SeatHolder]:
    """List the seats that an unsubscribe token applies to: its own, or every current one of its player."""
    if token.kind != tokens.UNSUB_ALL:
        return [token.holder]
    unfinished = select(SeatHolder).join(Match, SeatHolder.match_id == Match.id).where(Match.state != MatchState.OVER)
    theirs = SeatHolder.player_id == token.holder.player_id, SeatHolder.left_at.is_(None)
    return list(ctx.session.scalars(unfinished.where(*theirs).order_by(SeatHolder.id)))


def _is_first_match(ctx: Context, holder: SeatHolder) -> bool:
    begun = select(func.min(SeatHolder.id)).join(Match, SeatHolder.match_id == Match.id)
    first = begun.where(SeatHolder.player_id == holder.player_id, Match.started_at.is_not(None))
    return ctx.session.scalar(first) in {holder.id, None}
