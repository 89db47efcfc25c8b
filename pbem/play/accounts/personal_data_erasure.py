"""Erasure of personal data: what identifies a player is deleted, and replaced where others' data mentions them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, cast, delete, false, func, or_, select, update
from sqlalchemy.dialects.postgresql import TEXT

from pbem.db.models import (
    AbuseReport,
    Address,
    Analysis,
    Animation,
    ApiKey,
    Avoidance,
    Ban,
    BounceReport,
    ChatMessage,
    ClockPause,
    Comment,
    DomainBackoff,
    Feed,
    IdempotencyKey,
    InvitationBlock,
    KeptLine,
    LoginSession,
    Match,
    Mute,
    Operator,
    OutboxMessage,
    Passkey,
    Plan,
    PlayerEvent,
    PrivateNote,
    PushSubscription,
    SeatHolder,
    ServiceMail,
    SignInLink,
    Submission,
    Token,
    Vote,
    Webhook,
    WebhookDelivery,
)
from pbem.play.archive import statistics
from pbem.states import OutboxState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.db.models import Player
    from pbem.play.core.context import Context

ERASED_TEXT = "…"
"""Replacement for texts by deleted players."""


def erase(
    ctx: Context, player: Player, seats: Sequence[SeatHolder], names: Collection[str], emails: Collection[str]
) -> None:
    """Delete or replace everything that identifies a player, except their row's name and the fact that they left.

    `seats` already have their new names; `names` and `emails` are those that must be found nowhere afterwards.
    """
    own, new_names = [seat.id for seat in seats], {seat.match_id: seat.name for seat in seats}
    _delete_own_rows(ctx, player, own, emails)
    _erase_mails(ctx, own, emails)
    _erase_texts(ctx, own, new_names)
    for match_id, name in new_names.items():
        about = select(Match.id).where(or_(Match.id == match_id, Match.previous_match_id == match_id))
        _replace_in_mails(ctx, OutboxMessage.match_id.in_(about), names, emails, name)
    others = select(SeatHolder.email).where(SeatHolder.match_id.in_(new_names), SeatHolder.id.not_in(own))
    to_others = and_(OutboxMessage.match_id.is_(None), OutboxMessage.recipient.in_(others))
    _replace_in_mails(ctx, to_others, names, emails, ERASED_TEXT)
    _replace_in_mails(ctx, OutboxMessage.match_id.is_(None), (), emails, "")
    statistics.delete_player(ctx, player.id)
    _erase_operator(ctx, player)
    ctx.session.execute(delete(Animation).where(Animation.match_id.in_(new_names)))
    ctx.session.execute(delete(Address).where(Address.player_id == player.id))
    ctx.session.execute(update(Match).where(Match.host_id == player.id).values(host_id=None, invitation_text=None))
    ctx.session.execute(update(Analysis).where(Analysis.asked_by == player.id).values(asked_by=None))
    for seat in seats:
        seat.generation, seat.shares_text, seat.premove = seat.generation + 1, None, None
    player.time_zone, player.language, player.receipts, player.mail_frequency = "UTC", "en", "always", "each turn"
    player.digest_hour, player.mail_policy = 8, "token+from"
    player.quiet_from, player.quiet_until, player.reminders, player.reminder_hour = 22, 8, "once", None
    player.hold_minutes, player.auto_play_forced, player.auto_vacation = 0, False, True
    player.link_only = player.attach_replay = player.text_first = player.distinct_colours = False
    player.compares_with_robot = player.weekly_mail = player.push_replaces_mail = False
    # The numbers stay, so that those of others come out the same; nobody is shown them any more.
    player.shows_rating = False
    player.feed_generation += 1
    ctx.session.flush()


def replace_mentions(value: Any, names: Iterable[str], emails: Iterable[str], by: str) -> Any:
    """Return the facts of a mail with addresses, and names as whole words, replaced."""
    patterns = [(re.compile(re.escape(email), re.IGNORECASE), "") for email in emails]
    patterns += [(re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"), by) for name in names]

    def through(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: through(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [through(inner) for inner in part]
        if isinstance(part, str):
            for pattern, other in patterns:
                part = pattern.sub(other.replace("\\", r"\\"), part)
        return part

    return through(value)


def _delete_own_rows(ctx: Context, player: Player, own: Sequence[int], emails: Collection[str]) -> None:
    """Delete a player's credentials, devices, webhooks, votes, plans, lines, comments, notes, absences and blocks."""
    webhooks = select(Webhook.id).where(Webhook.holder_id.in_(own))
    for statement in (
        delete(WebhookDelivery).where(WebhookDelivery.webhook_id.in_(webhooks)),
        delete(Webhook).where(Webhook.holder_id.in_(own)),
        delete(Token).where(Token.holder_id.in_(own)),
        delete(Vote).where(Vote.holder_id.in_(own)),
        delete(Plan).where(Plan.holder_id.in_(own)),
        delete(Comment).where(Comment.holder_id.in_(own)),
        *(
            delete(each).where(each.player_id == player.id)
            for each in (PushSubscription, LoginSession, Passkey, ApiKey, IdempotencyKey, PlayerEvent, Feed, ClockPause)
        ),
        delete(SignInLink).where(SignInLink.email.in_(emails)),
        delete(Avoidance).where(or_(Avoidance.player_id == player.id, Avoidance.avoided_id == player.id)),
        delete(PrivateNote).where(or_(PrivateNote.player_id == player.id, PrivateNote.about_id == player.id)),
        delete(KeptLine).where(KeptLine.player_id == player.id),
        delete(Mute).where(or_(Mute.player_id == player.id, Mute.muted_id == player.id)),
        delete(InvitationBlock).where(InvitationBlock.player_id == player.id),
    ):
        ctx.session.execute(statement)


def _erase_mails(ctx: Context, own: Sequence[int], emails: Collection[str]) -> None:
    """Delete mail to and from a player, and others' service mail that contains their addresses."""
    theirs = or_(OutboxMessage.holder_id.in_(own), OutboxMessage.recipient.in_(emails))
    numbers = select(OutboxMessage.id).where(theirs)
    reports = or_(BounceReport.outbox_message_id.in_(numbers), BounceReport.email.in_(emails))
    ctx.session.execute(delete(BounceReport).where(reports))
    ctx.session.execute(delete(OutboxMessage).where(theirs))
    # A service mail may contain an address, such as one that invites it.
    raw = func.lower(func.encode(ServiceMail.raw, "escape"))
    contains = (func.strpos(raw, email) > 0 for email in emails)
    for mail in ctx.session.scalars(select(ServiceMail).where(or_(ServiceMail.sender.in_(emails), *contains))):
        forwarded = update(OutboxMessage).where(OutboxMessage.idempotency_key == f"letter {mail.id}")
        pending = forwarded.where(OutboxMessage.state == OutboxState.PENDING)
        ctx.session.execute(pending.values(state=OutboxState.DROPPED))
        ctx.session.execute(forwarded.values(render_data={}))
        ctx.session.delete(mail)
    mentioned = or_(false(), *(DomainBackoff.last_error.icontains(email, autoescape=True) for email in emails))
    ctx.session.execute(update(DomainBackoff).where(mentioned).values(last_error=""))


def _erase_operator(ctx: Context, player: Player) -> None:
    """Dismiss a player as operator, and erase the sentences of their bans."""
    ended = func.coalesce(Operator.dismissed_at, ctx.now)
    codes = {"totp_secret": None, "totp_confirmed_at": None, "last_totp_step": None}
    operator = update(Operator).where(Operator.player_id == player.id)
    ctx.session.execute(operator.values(name=ERASED_TEXT, dismissed_at=ended, **codes))
    ctx.session.execute(update(Ban).where(Ban.player_id == player.id).values(message=ERASED_TEXT))


def _erase_texts(ctx: Context, own: Sequence[int], matches: Collection[str]) -> None:
    """Erase what a player wrote and sent; moves stay in the logs, by seat."""
    gone = {"text": None, "raw": None, "message_id": None, "reason": None}
    waiting = Submission.holder_id.in_(own), Submission.status == SubmissionStatus.PENDING
    ctx.session.execute(update(Submission).where(*waiting).values(status=SubmissionStatus.IGNORED, judged_at=ctx.now))
    ctx.session.execute(update(Submission).where(Submission.holder_id.in_(own)).values(gone))
    # Raw mails of the others quote mails that named the player; they have been judged already.
    judged = Submission.match_id.in_(matches), Submission.status != SubmissionStatus.PENDING
    ctx.session.execute(update(Submission).where(*judged).values(raw=None))
    ctx.session.execute(update(AbuseReport).where(AbuseReport.reporter_id.in_(own)).values(text=ERASED_TEXT))
    ctx.session.execute(update(AbuseReport).where(AbuseReport.reported_holder_id.in_(own)).values(reported_text=None))
    ctx.session.execute(update(ChatMessage).where(ChatMessage.holder_id.in_(own)).values(text=ERASED_TEXT))


def _replace_in_mails(
    ctx: Context, which: ColumnElement[bool], names: Collection[str], emails: Collection[str], by: str
) -> None:
    """Replace a player's names and addresses in the facts of others' mails."""
    text = cast(OutboxMessage.render_data, TEXT)
    # Escaped as in JSON.
    written = (json.dumps(part, ensure_ascii=False)[1:-1] for part in (*names, *emails))
    wanted = or_(false(), *(text.icontains(part, autoescape=True) for part in written))
    for message in ctx.session.scalars(select(OutboxMessage).where(which, wanted)):
        message.render_data = replace_mentions(message.render_data, names, emails, by)
