"""What somebody may do at a seat: one table for pages, the API and mail.

`links.is_current` tells how old a link or reply address is; `TABLE` what each kind of credential may do. A door that
looks at anything else is wrong.
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
    """What is asked for, from the least to the most."""

    ASK = "ask"
    """To be told or sent something, which the seat's own player alone is."""
    ACT = "act"
    """To act for the seat in its match."""
    ACCOUNT = "account"
    """To act for the player beyond the match: in other matches, on their account, towards people elsewhere."""


class Credential(Enum):
    """By what somebody asks."""

    LINK = "a current link"
    OLD_LINK = "an earlier link"
    REPLY = "a current reply address"
    OLD_REPLY = "an earlier reply address"
    OLD_REPLY_VOUCHED = "an earlier reply address, and our mail server vouches for From"


class Permission(Enum):
    """What the answer is."""

    GRANTED = "done"
    MAILED = "answered by mail to the player"
    CONFIRM = "the player is asked by mail to send it again"
    REFUSED = "refused"


TABLE: Mapping[Credential, Mapping[Right, Permission]] = {
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
"""What each credential may do. Who is signed in as the seat's player has a current link at every page of the seat."""


def credential_of(ctx: Context, match: Match, submission: Submission, *, vouched: bool = False) -> Credential:
    """Return by what a submission asks; `vouched` is whether a mail is proven to be its player's own."""
    current = tokens.is_current(ctx, submission, match)
    if submission.via != MAIL:
        return Credential.LINK if current else Credential.OLD_LINK
    if current:
        return Credential.REPLY
    return Credential.OLD_REPLY_VOUCHED if vouched else Credential.OLD_REPLY
