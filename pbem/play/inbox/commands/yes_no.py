"""Commands “yes” and “no”: they answer the question of the mail that they reply to, and no other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import OutboxMessage
from pbem.i18n import _, marked
from pbem.play.chat import messages
from pbem.play.inbox.commands.base import INVITING, RUNNING, Command, Invocation, done
from pbem.play.inbox.commands.invitations import accept, decline
from pbem.play.inbox.commands.mail_settings import stop_all
from pbem.play.inbox.commands.offers import resign, respond
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.submissions.verdicts import Verdict

_CHAT_QUESTIONS = {"talks?", "talks", "talks not"}
"""Kinds of mail that ask whether text below a move goes to the chat, or say how to change that."""
_CONFIRMABLE = {"resign?": resign, "stop all?": stop_all}
"""What a “yes” does, by the kind of mail that asks for confirmation."""


def _yes(call: Invocation) -> Verdict | None:
    question = _question_mail(call)
    kind = question.kind if question is not None and not call.text else ""
    if kind in _CONFIRMABLE and (kind != "resign?" or call.match.state == RUNNING):
        return _CONFIRMABLE[kind](call)
    if call.match.state == INVITING:
        return accept(call)
    if kind in _CHAT_QUESTIONS:
        return _set_chat_consent(call, agreed=True)
    return _respond_to_offer(call, question, agreed=True) or _explain_chat_consent(call)


def _no(call: Invocation) -> Verdict | None:
    question = _question_mail(call)
    kind = question.kind if question is not None else ""
    if kind in _CONFIRMABLE:
        reason = _("Nothing changed.")
        call.answer("not agreed", reason=reason)
        return done(reason)
    if call.match.state == INVITING:
        return decline(call)
    if kind in _CHAT_QUESTIONS:
        return _set_chat_consent(call, agreed=False)
    return _respond_to_offer(call, question, agreed=False) or _set_chat_consent(call, agreed=False)


def _question_mail(call: Invocation) -> OutboxMessage | None:
    """Return the mail of ours that the sender answers, if their mail says which: its question is meant."""
    found = _answered_mail(call, call.answers)
    # A reply to the request to send it again answers the mail that was answered before.
    if found is not None and found.kind == "earlier mail":
        return _answered_mail(call, found.render_data["answered"])
    return found


def _answered_mail(call: Invocation, answers: Sequence[str]) -> OutboxMessage | None:
    own = OutboxMessage.holder_id == call.submission.holder_id, OutboxMessage.message_id.in_(answers)
    found = {one.message_id: one for one in call.ctx.session.scalars(select(OutboxMessage).where(*own))}
    return next((found[answered] for answered in answers if answered in found), None)


def _respond_to_offer(call: Invocation, question: OutboxMessage | None, *, agreed: bool) -> Verdict | None:
    """Agree or disagree with the offer in a mail, or with those open when it was written."""
    if question is None:
        return respond(call, agreed=agreed)
    kind = question.render_data["offer"] if question.kind == "offer" else None
    return respond(call, agreed=agreed, kind=kind, until=question.created_at)


def _explain_chat_consent(call: Invocation) -> Verdict | None:
    """Explain which mail to answer, if a yes would publish held text in the chat: nothing is published on a guess."""
    if call.text or not messages.has_held(call.ctx, call.holder):
        return None
    reason = _("To let the others read what you write below your moves, reply “yes” to the mail that asks about it.")
    return call.reject("not agreed", reason)


def _set_chat_consent(call: Invocation, *, agreed: bool) -> Verdict | None:
    """Set whether text below a player's moves goes to the chat; return None if that was no question."""
    holder = call.holder
    held = messages.has_held(call.ctx, holder)
    is_open = held if holder.shares_text is None else holder.shares_text is not agreed
    if not is_open or call.text or messages.message_text(call.below, holder.name):
        return None
    if agreed:
        messages.allow_trailing_lines(call.ctx, call.match, holder)
        call.answer("talks", waited=held)
        return done(_("From now on the others read what you write below your moves."))
    messages.forbid_trailing_lines(call.ctx, holder)
    call.answer("talks not")
    return done(_("Nobody reads what you write below your moves."))


COMMANDS = (
    Command(
        "yes",
        {"en": ("yes", "ok", "okay"), "de": ("ja",)},
        marked("to accept an invitation or an offer, or to let the others read what you write below your moves"),
        _yes,
        Right.ACT,
        takes_text=True,
    ),
    Command(
        "no",
        {"en": ("no",), "de": ("nein",)},
        marked("to decline an invitation or an offer, or to keep what you write below your moves private"),
        _no,
        Right.ACT,
    ),
)
