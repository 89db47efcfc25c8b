"""Permissions of each kind of credential for a seat: one table for pages, the API and mail.

`tokens.is_current` checks how old a link or reply address is; the table lists what each kind of credential may do.
No entry point may decide by anything else.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context


class Right(Enum):
    """What is requested, from the least to the most powerful."""

    ASK = "ask"
    """Get information or mail, which goes only to the seat's own player."""
    ACT = "act"
    """Act for the seat in its match."""
    ACCOUNT = "account"
    """Act for the player beyond the match: in other matches, on their account, or towards other people."""


class Credential(Enum):
    """What a request is authorised by."""

    LINK = "a current link"
    OLD_LINK = "an earlier link"
    REPLY = "a current reply address"
    OLD_REPLY = "an earlier reply address"
    OLD_REPLY_VOUCHED = "an earlier reply address, and our mail server vouches for From"


class Permission(Enum):
    """The decision on a request."""

    GRANTED = "done"
    MAILED = "answered by mail to the player"
    CONFIRM = "the player is asked by mail to send it again"
    REFUSED = "refused"


PERMISSIONS: Mapping[Credential, Mapping[Right, Permission]] = {
    Credential.LINK: dict.fromkeys(Right, Permission.GRANTED),
    Credential.OLD_LINK: dict.fromkeys(Right, Permission.REFUSED),
    Credential.REPLY: dict.fromkeys(Right, Permission.GRANTED),
    Credential.OLD_REPLY: {
        Right.ASK: Permission.MAILED,
        Right.ACT: Permission.CONFIRM,
        Right.ACCOUNT: Permission.CONFIRM,
    },
    Credential.OLD_REPLY_VOUCHED: {
        Right.ASK: Permission.MAILED,
        Right.ACT: Permission.CONFIRM,
        Right.ACCOUNT: Permission.GRANTED,
    },
}
"""What each credential may do. A player who is signed in has a current link on every page of their seat."""


def credential_of(ctx: Context, match: Match, submission: Submission, *, vouched: bool = False) -> Credential:
    """Return the credential that a submission came with; `vouched`: a mail is proven to be its player's own."""
    current = tokens.is_current(ctx, submission, match)
    if submission.via != MAIL:
        return Credential.LINK if current else Credential.OLD_LINK
    if current:
        return Credential.REPLY
    return Credential.OLD_REPLY_VOUCHED if vouched else Credential.OLD_REPLY
