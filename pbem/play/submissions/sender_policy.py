"""Who may move by mail: the reply address, and the player's requirements for the From header.

A reply address is a secret of one seat and stage, but anyone a mail is forwarded to has it too. From is no secret,
but names the sender. `token+from` requires both; `token+from+aligned` also requires that the mail server in front of
the service vouches for From (DMARC).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Address, Match, OutboxMessage
from pbem.i18n import _, marked
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Player, SeatHolder
    from pbem.play.core.context import Context

TOKEN, FROM, ALIGNED = "token", "token+from", "token+from+aligned"
POLICIES = (TOKEN, FROM, ALIGNED)
"""What a player may require of a mail, from the least to the most."""

UNPROVEN = marked(
    "We cannot tell whether the mail in your name was yours, so nothing was done. If it was, reply to this one with "
    "the same line, or use the page."
)
UNPROVEN_USE_PAGE = marked("We cannot tell whether this mail is yours, so nothing was done. Please use the page.")
"""Reply to a mail that others may have written: where the reply shows whose it is, and where it does not."""

MAX_QUESTIONS_PER_DAY = 3
"""Maximum mails per address and day that ask whether a mail in the player's name was theirs, wherever that came in."""


class Alignment(Enum):
    """Verdict of the mail server in front of the service on a mail's From, if there is one."""

    PASS = "pass"  # noqa: S105 (a word of RFC 8601)
    FAIL = "fail"
    NONE = "none"


class Trust(Enum):
    """Whether a mail may act for a seat at once, or only after the seat's player has confirmed it."""

    ACTS = "acts"
    ASKS = "asks"


def decide_trust(policy: str, alignment: Alignment, *, own: bool) -> Trust:
    """Return what a mail to a valid reply address may do; `own` is whether From is an address of the player."""
    if policy == TOKEN:
        return Trust.ACTS
    if not own or alignment is Alignment.FAIL:
        return Trust.ASKS
    return Trust.ACTS if policy == FROM or alignment is Alignment.PASS else Trust.ASKS


def may_ask_player(ctx: Context, email: str) -> bool:
    """Return whether an address may be asked once more today whether a mail was its player's, and count it."""
    return hit(ctx, Limit("asked whose mail", email, MAX_QUESTIONS_PER_DAY, SECONDS_PER_DAY)) is None


def unproven_text(player: Player) -> str:
    """Return the sentence that explains why a mail in a player's name did nothing, and what to do instead."""
    return _(UNPROVEN_USE_PAGE if player.mail_policy == ALIGNED else UNPROVEN)


def is_own_address(ctx: Context, holder: SeatHolder, email: str) -> bool:
    """Return whether an address is that of a seat, or another verified address of its player."""
    if email == holder.email:
        return True
    verified = Address.player_id == holder.player_id, Address.verified_at.is_not(None)
    return ctx.session.scalar(select(Address.email).where(Address.email == email, *verified)) is not None


def answers_our_mail(ctx: Context, email: str, message_ids: Sequence[str]) -> bool:
    """Return whether a mail answers one that we sent to an address: only the recipient of ours knows its Message-ID.

    Our mail does not count if its turn or match is over, or if it invited to a match that has begun: it may have been
    passed on since.
    """
    if not message_ids:
        return False
    ours = OutboxMessage.recipient == email, OutboxMessage.message_id.in_(message_ids)
    begun, ply = Match.seed.is_not(None), func.coalesce(OutboxMessage.ply, 0)
    older = begun & ((ply < Match.ply) | (Match.state == MatchState.OVER))
    newest = (
        select(OutboxMessage.id).outerjoin(Match, Match.id == OutboxMessage.match_id).where(*ours, older.is_not(True))
    )
    return ctx.session.scalar(newest.limit(1)) is not None
