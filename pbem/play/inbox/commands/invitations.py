"""Commands that accept or decline an invitation, and those of a host whose match waits for invitees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import INVITING, OVER, Command, Invocation, done
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import hosting, reopening, replacement_parser
from pbem.play.matches.views import player_names
from pbem.play.moderation import invitation_blocks
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def accept(call: Invocation) -> Verdict:
    """Accept an invitation, with the text after the word as the player's text for the deal."""
    seat = acceptance.accept(call.ctx, call.match, call.holder, call.text, call.submission.message_id)
    if call.match.state == INVITING:
        call.answer("accepted", **acceptance.entropy_facts(seat, call.text))
    return done()


def decline(call: Invocation) -> Verdict:
    """Decline an invitation, which calls the match off or opens the seat, or leave a seat that was open."""
    drawn = reopening.decline(call.ctx, call.match, call.holder)
    call.answer("declined", reopened=drawn is not None)
    return done()


def _decline_all(call: Invocation) -> Verdict:
    """Decline an invitation and block further ones from its sender, even if the match is already over."""
    ctx, match, holder = call.ctx, call.match, call.holder
    if match.host_id == holder.player_id:
        return decline(call)
    inviter = invitation_blocks.find_inviter(ctx, match, holder)
    invitation_blocks.block(ctx, holder.email, inviter.player_id if inviter else invitation_blocks.ANYBODY)
    was = match.state
    reopened = reopening.decline(ctx, match, holder) is not None
    off = was == INVITING and match.state == OVER and not reopened
    facts = {"inviter": inviter and inviter.name, "called_off": off, "reopened": reopened}
    call.answer("declined for ever", ply=0, **facts)
    return done(_("You will get no more such invitations."))


def _remind(call: Invocation) -> Verdict:
    try:
        reminded = hosting.remind(call.ctx, call.match, call.holder)
    except Refused as refused:
        return call.reject("not hosted", str(refused))
    call.answer("reminded", reminded=reminded)
    return done()


def _replace(call: Invocation) -> Verdict:
    ctx, match = call.ctx, call.match
    try:
        seat, guest = replacement_parser.parse(call.text, player_names(ctx, match))
        drawn = hosting.replace(ctx, match, call.holder, seat, guest, call.submission.message_id)
    except Refused as refused:
        return call.reject("not hosted", str(refused))
    return done(_("The match was dealt again: {match}.", match=drawn.id))


COMMANDS = (
    Command(
        "accept",
        {"en": ("accept",), "de": ("annehmen",)},
        marked("to accept an invitation; you may add a text for the deal"),
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
        marked("to decline it and all further invitations from the same person"),
        _decline_all,
        Right.ACT,
        frozenset({INVITING, OVER}),
        needs_several_seats=True,
    ),
    Command(
        "remind",
        {"en": ("remind",), "de": ("erinnern",)},
        marked("to remind invitees who have not answered, once, if you created the match"),
        _remind,
        Right.ACT,
        frozenset({INVITING}),
        needs_several_seats=True,
    ),
    Command(
        "replace",
        {"en": ("replace",), "de": ("ersetzen", "ersetze")},
        marked("to invite somebody else, if you created the match: replace 2 with bob@example.org, or with anybody"),
        _replace,
        Right.ACT,
        frozenset({INVITING}),
        needs_text=True,
        needs_several_seats=True,
    ),
)
