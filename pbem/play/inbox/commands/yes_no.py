"""Commands “yes” and “no”: they answer the question of the mail that they reply to, and no other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import OutboxMessage
from pbem.i18n import _, marked
from pbem.play.chat import messages
from pbem.play.inbox.commands.base import INVITING, RUNNING, Command, Invocation
from pbem.play.inbox.commands.invitations import accept, decline
from pbem.play.inbox.commands.mail_settings import stop_all
from pbem.play.inbox.commands.offers import respond
from pbem.play.inbox.commands.resign import resign
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHAT_QUESTIONS = {"talks?", "talks", "talks not"}
"""Kinds of mail that ask whether text below a move goes to the chat, or say how to change that."""
_CONFIRMABLE = {"resign?": resign, "stop all?": stop_all}
"""What a “yes” does, by the kind of mail that asks for confirmation."""


def _yes(wish: Invocation) -> Verdict | None:
    asked = _question_mail(wish)
    kind = asked.kind if asked is not None and not wish.text else ""
    if kind in _CONFIRMABLE and (kind != "resign?" or wish.match.state == RUNNING):
        return _CONFIRMABLE[kind](wish)
    if wish.match.state == INVITING:
        return accept(wish)
    if kind in _CHAT_QUESTIONS:
        return _set_chat_consent(wish, agreed=True)
    return _respond_to_offer(wish, asked, agreed=True) or _explain_chat_consent(wish)


def _no(wish: Invocation) -> Verdict | None:
    asked = _question_mail(wish)
    kind = asked.kind if asked is not None else ""
    if kind in _CONFIRMABLE:
        reason = _("It stays as it was.")
        answer(wish.ctx, wish.match, wish.submission, "not agreed", reason=reason)
        return Verdict(SubmissionStatus.DONE, reason)
    if wish.match.state == INVITING:
        return decline(wish)
    if kind in _CHAT_QUESTIONS:
        return _set_chat_consent(wish, agreed=False)
    return _respond_to_offer(wish, asked, agreed=False) or _set_chat_consent(wish, agreed=False)


def _question_mail(wish: Invocation) -> OutboxMessage | None:
    """Return the mail of ours that the sender answers, if their mail says which: its question is meant."""
    found = _answered_mail(wish, wish.answers)
    # A reply to the request to send it again answers the mail that was answered before.
    return (
        _answered_mail(wish, found.render_data["answered"])
        if found is not None and found.kind == "earlier mail"
        else found
    )


def _answered_mail(wish: Invocation, answers: Sequence[str]) -> OutboxMessage | None:
    own = OutboxMessage.holder_id == wish.submission.holder_id, OutboxMessage.message_id.in_(answers)
    found = {one.message_id: one for one in wish.ctx.session.scalars(select(OutboxMessage).where(*own))}
    return next((found[answered] for answered in answers if answered in found), None)


def _respond_to_offer(wish: Invocation, asked: OutboxMessage | None, *, agreed: bool) -> Verdict | None:
    """Agree or disagree with what a mail asked about: its offer, or those open when it was written."""
    if asked is None:
        return respond(wish, agreed=agreed)
    kind = asked.render_data["offer"] if asked.kind == "offer" else None
    return respond(wish, agreed=agreed, kind=kind, until=asked.created_at)


def _explain_chat_consent(wish: Invocation) -> Verdict | None:
    """Explain which mail to answer, if a yes would publish held text in the chat: nothing is published on a guess."""
    if wish.text or not messages.has_held(wish.ctx, wish.submission.holder):
        return None
    reason = _("To have the table read what you write below your moves, reply “yes” to the mail that asked about it.")
    answer(wish.ctx, wish.match, wish.submission, "not agreed", reason=reason)
    return Verdict(SubmissionStatus.REJECTED, reason)


def _set_chat_consent(wish: Invocation, *, agreed: bool) -> Verdict | None:
    """Set whether text below a player's moves goes to the chat; return None if that was not asked."""
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    holder = submission.holder
    waits = messages.has_held(ctx, holder)
    asked = waits if holder.shares_text is None else holder.shares_text is not agreed
    if not asked or wish.text or messages.message_text(wish.below, holder.name):
        return None
    if agreed:
        messages.allow_trailing_lines(ctx, match, holder)
        answer(ctx, match, submission, "talks", waited=waits)
        return Verdict(SubmissionStatus.DONE, _("From now on the table reads what you write below your moves."))
    messages.forbid_trailing_lines(ctx, holder)
    answer(ctx, match, submission, "talks not")
    return Verdict(SubmissionStatus.DONE, _("Nobody reads what you write below your moves."))


COMMANDS = (
    Command(
        "yes",
        {"en": ("yes", "ok", "okay"), "de": ("ja",)},
        marked("to accept an invitation, to agree, or to let the table read what you write below your moves"),
        _yes,
        Right.ACT,
        takes_text=True,
    ),
    Command(
        "no",
        {"en": ("no",), "de": ("nein",)},
        marked("to decline an invitation, to refuse what the others propose, or to keep your words to yourself"),
        _no,
        Right.ACT,
    ),
)
