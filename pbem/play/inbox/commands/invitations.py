"""Commands that accept an invitation, decline it, or decline all further ones from its sender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import INVITING, OVER, Command, Invocation
from pbem.play.lifecycle import acceptance
from pbem.play.moderation import invitation_blocks
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import MatchSeat


def accept(wish: Invocation) -> Verdict:
    """Accept an invitation, with the text after the word as the player's text for the deal."""
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    seat: MatchSeat = acceptance.accept(ctx, match, submission.holder, wish.text, submission.message_id)
    if match.state == INVITING:
        deal = acceptance.entropy_facts(seat, wish.text)
        answer(ctx, match, submission, "accepted", ply=0, **deal)
    return Verdict(SubmissionStatus.DONE)


def decline(wish: Invocation) -> Verdict:
    """Decline an invitation, which calls the match off, or leave a seat that was open."""
    acceptance.decline(wish.ctx, wish.match, wish.submission.holder)
    answer(wish.ctx, wish.match, wish.submission, "declined", ply=0)
    return Verdict(SubmissionStatus.DONE)


def decline_all(wish: Invocation) -> Verdict:
    """Decline an invitation and block further ones from its sender, even if the match is already over."""
    ctx, match, holder = wish.ctx, wish.match, wish.submission.holder
    if match.host_id == holder.player_id:
        return decline(wish)
    inviter = invitation_blocks.find_inviter(ctx, match, holder)
    invitation_blocks.block(ctx, holder.email, inviter.player_id if inviter else invitation_blocks.ANYBODY)
    was = match.state
    acceptance.decline(ctx, match, holder)
    off = was == INVITING and match.state == OVER
    answer(ctx, match, wish.submission, "declined for ever", ply=0, inviter=inviter and inviter.name, called_off=off)
    return Verdict(SubmissionStatus.DONE, _("You get no more such invitations."))


COMMANDS = (
    Command(
        "accept",
        {"en": ("accept",), "de": ("annehmen",)},
        marked("to accept an invitation; behind it you may type a text for the deal"),
        accept,
        Right.ACT,
        frozenset({INVITING}),
        takes_text=True,
        verbatim=True,
    ),
    Command(
        "decline",
        {"en": ("decline",), "de": ("ablehnen",)},
        marked("to decline an invitation"),
        decline,
        Right.ACT,
        frozenset({INVITING}),
    ),
    Command(
        "decline for ever",
        {
            "en": ("decline for ever", "decline forever"),
            "de": ("für immer ablehnen", "ablehnen für immer", "für immer"),
        },
        marked("to decline it, and all further invitations from the same person"),
        decline_all,
        Right.ACT,
        frozenset({INVITING, OVER}),
        needs_several_seats=True,
    ),
)
