"""Who may move by mail: the reply address, and beside it what the player asks of a mail's From.

A reply address is a secret of one seat and stage, but whoever a mail is forwarded to has it too; From is no
secret, but names the sender. `token+from` asks for both; `token+from+aligned` asks besides that the mail server
in front of the service vouches for From (DMARC).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Address, Match, Notice
from pbem.i18n import _, marked
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Holder, Player
    from pbem.play.core.context import Context

TOKEN, FROM, ALIGNED = "token", "token+from", "token+from+aligned"
POLICIES = (TOKEN, FROM, ALIGNED)
"""What a player may ask of a mail, from the least to the most."""


UNSEEN = marked(
    "It cannot be seen whether the mail in your name was yours, so nothing was done. If it was, reply to this one with "
    "the same line, or use the page."
)
UNVOUCHED = marked("It cannot be seen that this mail is yours, so nothing was done: the page can.")
"""What they are told whose mail others may have written: where an answer shows whose it is, and where it does not."""


QUESTIONS_A_DAY = 3
"""So many mails a day ask at one address whether a mail in its player's name was theirs, wherever that came in."""


class Alignment(Enum):
    """What the mail server in front of the service says of a mail's From, if it says anything."""

    PASS = "pass"  # noqa: S105 (a word of RFC 8601)
    FAIL = "fail"
    NONE = "none"


class Trust(Enum):
    """Whether a mail may act for a seat at once, or only when the seat's player has confirmed it."""

    ACTS = "acts"
    ASKS = "asks"


def trust(policy: str, alignment: Alignment, *, own: bool) -> Trust:
    """Tell what a mail to a good reply address may do; `own` is whether From is an address of the player's."""
    if policy == TOKEN:
        return Trust.ACTS
    if not own or alignment is Alignment.FAIL:
        return Trust.ASKS
    return Trust.ACTS if policy == FROM or alignment is Alignment.PASS else Trust.ASKS


def may_question(ctx: Context, email: str) -> bool:
    """Return whether an address may be asked once more today whether a mail was its player's, and count it."""
    return spend(ctx, Allowed("asked whose mail", email, QUESTIONS_A_DAY, DAY)) is None


def unseen(player: Player) -> str:
    """Say why a mail in the name of a player did nothing, and what does."""
    return _(UNVOUCHED if player.mail_policy == ALIGNED else UNSEEN)


def owns(ctx: Context, holder: Holder, email: str) -> bool:
    """Tell whether a seat's holder is known by an address: the one that they are mailed at, or another of theirs.

    An address that its owner has not shown to be theirs counts for nothing.
    """
    if email == holder.email:
        return True
    verified = Address.player_id == holder.player_id, Address.verified_at.is_not(None)
    return ctx.session.scalar(select(Address.email).where(Address.email == email, *verified)) is not None


def answers_ours(ctx: Context, email: str, message_ids: Sequence[str]) -> bool:
    """Return whether a mail answers one that we sent to an address: only who has that mail knows its Message-ID.

    One of a turn or a match that is over, or of an invitation to a match that has begun, may have been passed on since.
    """
    if not message_ids:
        return False
    ours = Notice.recipient == email, Notice.message_id.in_(message_ids)
    begun, ply = Match.seed.is_not(None), func.coalesce(Notice.ply, 0)
    older = begun & ((ply < Match.ply) | (Match.state == MatchState.OVER))
    newest = select(Notice.id).outerjoin(Match, Match.id == Notice.match_id).where(*ours, older.is_not(True))
    return ctx.session.scalar(newest.limit(1)) is not None
