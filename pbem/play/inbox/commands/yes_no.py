"""Commands “yes” and “no”: they answer the question of the mail that they reply to, and no other one.

Where that mail asks nothing, they answer the one offer that was open when it was written. If it is not clear which
question is meant, nothing is done, and the answer lists what is open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.chat import messages
from pbem.play.inbox import questions
from pbem.play.inbox.commands import fold
from pbem.play.inbox.commands.base import INVITING, RUNNING, Command, Invocation, done
from pbem.play.inbox.commands.invitations import accept, decline
from pbem.play.inbox.commands.mail_settings import stop_all
from pbem.play.inbox.commands.offers import COMMANDS as OFFERS
from pbem.play.inbox.commands.offers import resign, respond
from pbem.play.lifecycle import agreements
from pbem.play.matches.views import player_names
from pbem.play.offers import open_offers, wording
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Offer, OutboxMessage

_CONFIRMABLE = {"resign?": resign, "stop all?": stop_all}
"""What a “yes” does, by the kind of mail that asks for confirmation."""
_NAMED = {
    fold(word): one.name for one in OFFERS if one.name in wording.KINDS for few in one.words.values() for word in few
}
"""Kind of offer by the words for it that may follow “yes” and “no”."""


def _yes(call: Invocation) -> Verdict | None:
    question = questions.find_answered(call.ctx, call.holder, call.answers)
    kind = question.kind if question is not None else ""
    named = _NAMED.get(fold(call.text))
    if kind in _CONFIRMABLE and not named and (kind != "resign?" or call.match.state == RUNNING):
        return ask_which(call) if call.text else _CONFIRMABLE[kind](call)
    if call.match.state == INVITING:
        # The text for the deal follows “accept” only: what follows a “yes” is meant for people.
        return accept(replace(call, text=""))
    if call.text and not named:
        return ask_which(call)
    if kind in questions.CHAT_QUESTIONS and not named:
        return _set_chat_consent(call, agreed=True)
    return _respond_to_offer(call, question, named, agreed=True) or _explain_chat_consent(call)


def _no(call: Invocation) -> Verdict | None:
    question = questions.find_answered(call.ctx, call.holder, call.answers)
    kind = question.kind if question is not None else ""
    named = _NAMED.get(fold(call.text))
    if kind in _CONFIRMABLE and not named:
        reason = _("Nothing changed.")
        call.answer("not agreed", reason=reason)
        return done(reason)
    if call.match.state == INVITING:
        return decline(call)
    if kind in questions.CHAT_QUESTIONS and not named:
        return _set_chat_consent(call, agreed=False)
    if verdict := _respond_to_offer(call, question, named, agreed=False):
        return verdict
    is_alone = not messages.message_text(call.below, call.holder.name)
    return _set_chat_consent(call, agreed=False) if is_alone else None


def ask_which(call: Invocation) -> Verdict | None:
    """List what is open in answer to words that are no clear yes or no; return None if nothing is."""
    waiting = agreements.unanswered_offers(call.ctx, call.match, call.holder)
    return _list_open(call, waiting) if waiting else None


def _respond_to_offer(
    call: Invocation, question: OutboxMessage | None, named: str | None, *, agreed: bool
) -> Verdict | None:
    """Agree or disagree with the offer that is named, the one of the mail answered, or the only one it can mean."""
    if call.match.state != RUNNING:
        return None
    waiting = agreements.unanswered_offers(call.ctx, call.match, call.holder)
    if named:
        return respond(call, open_offers.by_kind(call.ctx, call.match).get(named), agreed=agreed)
    if question is not None and question.kind == questions.OFFER:
        offer = questions.find_offer(call.ctx, call.match, question)
        closed = _(agreements.NO_LONGER_OPEN)
        return _list_open(call, waiting, closed) if offer is None and waiting else respond(call, offer, agreed=agreed)
    is_known = question is None or all(offer.offered_at <= question.created_at for offer in waiting)
    if len(waiting) == 1 and is_known and not messages.has_held(call.ctx, call.holder):
        return respond(call, waiting[0], agreed=agreed)
    return _list_open(call, waiting) if waiting else None


def _list_open(call: Invocation, waiting: list[Offer], reason: str = "") -> Verdict:
    """Answer with the open requests, and what to reply to each."""
    names = player_names(call.ctx, call.match)
    offers = [{"offer": one.kind, "by": names[one.seat - 1], "detail": one.detail} for one in waiting]
    held = messages.has_held(call.ctx, call.holder)
    call.answer("which?", offers=offers, held=held, reason=reason)
    asked = [wording.proposal_text(one.kind, names[one.seat - 1], one.detail) for one in waiting]
    why = reason or _("It is not clear which request you answered.")
    return Verdict(SubmissionStatus.REJECTED, " ".join([_("Nothing was done."), why, *asked]))


def _explain_chat_consent(call: Invocation) -> Verdict | None:
    """Explain which mail to answer, if a yes would publish held text in the chat: nothing is published on a guess."""
    if not messages.has_held(call.ctx, call.holder):
        return None
    reason = _("To let the others read what you write below your moves, reply “yes” to the mail that asks about it.")
    return call.reject("not agreed", reason)


def _set_chat_consent(call: Invocation, *, agreed: bool) -> Verdict | None:
    """Set whether text below a player's moves goes to the chat; return None if that was no question."""
    holder = call.holder
    held = messages.has_held(call.ctx, holder)
    is_open = held if holder.shares_text is None else holder.shares_text is not agreed
    if not is_open:
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
        allowed_texts=frozenset(_NAMED),
        gives_way_to_moves=True,
    ),
    Command(
        "no",
        {"en": ("no",), "de": ("nein",)},
        marked("to decline an invitation or an offer, or to keep what you write below your moves private"),
        _no,
        Right.ACT,
        takes_text=True,
        allowed_texts=frozenset(_NAMED),
        gives_way_to_moves=True,
    ),
)
