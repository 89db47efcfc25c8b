"""Asking for the list of all one's matches; to the service's own address it is read by `pbem.play.letters`."""

from __future__ import annotations

from pbem.play import listing
from pbem.play.commands.command import Command, Wish, by_mail_alone
from pbem.play.permissions import Right
from pbem.play.submissions import MAIL
from pbem.play.verdicts import DONE, Verdict
from pbem.words import marked


def _list(wish: Wish) -> Verdict:
    submission = wish.submission
    if submission.via != MAIL:
        return by_mail_alone()
    holder = submission.holder
    listing.answer(wish.table, holder.player, holder.email, submission.message_id)
    return Verdict(DONE)


COMMANDS = (
    Command(
        "list", {"en": ("list",), "de": ("liste",)}, marked("to be sent a list of all your matches"), _list, Right.ASK
    ),
)
