"""Commands for the chat: to write to it, mute or unmute a player, and report one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.chat import conversation, messages
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation
from pbem.play.moderation import abuse_reports, mutes
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder


def _chat(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    holder = submission.holder
    said = messages.message_text([wish.text, *wish.below], holder.name) or messages.sanitise(wish.text)
    if not conversation.post(ctx, match, holder, said, submission.id):
        answer(ctx, match, submission, "not said", reason=_(messages.LIMIT_REACHED))
        return Verdict(SubmissionStatus.REJECTED, _(messages.LIMIT_REACHED))
    answer(ctx, match, submission, "said so", wrote=said)
    return Verdict(SubmissionStatus.DONE, _("Your words went to the table: “{text}”", text=said))


def _mute(wish: Invocation) -> Verdict:
    whom, _rest = _find_player(wish)
    if whom is None:
        return _ask_whom(wish)
    mutes.mute(wish.ctx, wish.submission.holder.player_id, whom.player_id)
    answer(wish.ctx, wish.match, wish.submission, "muted", whom=whom.name)
    return Verdict(SubmissionStatus.DONE, _("You are told nothing more of what {name} says.", name=whom.name))


def _unmute(wish: Invocation) -> Verdict:
    whom, _rest = _find_player(wish)
    if whom is None:
        return _ask_whom(wish)
    mutes.unmute(wish.ctx, wish.submission.holder.player_id, whom.player_id)
    answer(wish.ctx, wish.match, wish.submission, "unmuted", whom=whom.name)
    return Verdict(SubmissionStatus.DONE, _("You are told again what {name} says.", name=whom.name))


def _report(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    whom, rest = _find_player(wish)
    if whom is None:
        return _ask_whom(wish)
    text = " ".join([rest, *map(str.strip, wish.below)]).strip()
    if not abuse_reports.submit(ctx, match, submission.holder, whom, text):
        answer(ctx, match, submission, "not said", reason=_(messages.LIMIT_REACHED))
        return Verdict(SubmissionStatus.REJECTED, _(messages.LIMIT_REACHED))
    answer(ctx, match, submission, "reported", whom=whom.name)
    return Verdict(SubmissionStatus.DONE, _("Your report went to whoever runs this service."))


def _find_player(wish: Invocation) -> tuple[SeatHolder | None, str]:
    """Find the player whom a command names, and the text after the name; between two players no name is needed."""
    present = conversation.other_players(wish.ctx, wish.match, wish.submission.holder)
    said = wish.text.strip()
    for other in sorted(present, key=lambda other: -len(other.name)):
        front, rest = said[: len(other.name)], said[len(other.name) :]
        if front.casefold() == other.name.casefold() and not rest[:1].isalnum():
            return other, rest.lstrip(" ,.:;-–").strip()
    return (present[0], said) if len(present) == 1 else (None, said)


def _ask_whom(wish: Invocation) -> Verdict:
    answer(wish.ctx, wish.match, wish.submission, "whom?")
    return Verdict(SubmissionStatus.REJECTED, _("Nothing was done: say whom you mean, by name."))


COMMANDS = (
    Command(
        "say",
        {"en": ("say",), "de": ("sage", "sag")},
        marked("with some words behind it, to say them to the table"),
        _chat,
        Right.ACT,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_text=True,
        allows_move_below=True,
        needs_several_seats=True,
    ),
    Command(
        "mute",
        {"en": ("mute",), "de": ("stumm",)},
        marked("with a name behind it, to be told nothing more of what they say"),
        _mute,
        Right.ACT,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_several_seats=True,
    ),
    Command(
        "unmute",
        {"en": ("unmute",), "de": ("laut",)},
        marked("with a name behind it, to be told again what they say"),
        _unmute,
        Right.ACT,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_several_seats=True,
    ),
    Command(
        "report",
        {"en": ("report",), "de": ("melden",)},
        marked("with a name and some words behind it, to tell whoever runs this service; nobody else hears of it"),
        _report,
        Right.ACT,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_several_seats=True,
    ),
)
