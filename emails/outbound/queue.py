"""Due mails of a shard of recipients, loaded with all that they need: two queries for many mails."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, literal_column, select
from sqlalchemy.orm import joinedload

from emails.composing.compose import sent_before
from pbem.db.models import Holder, Match, Notice
from pbem.play.core.rate_limits import DAY, Allowed, used_up
from pbem.play.deliverability import bounces
from pbem.play.notifications.outbox import why_not
from pbem.play.players import digests
from pbem.play.players.suppressions import SECURITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.config import Config
    from pbem.play.core.context import Context
    from pbem.play.deliverability.bounces import Standing

FRESH = 1.0
"""Seconds for which a loaded batch may be trusted: a turn may end, or an address may bounce, meanwhile."""

MAILS_A_DAY = 100
"""Maximum mails per address and day; more mails wait."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A due notification with its match, the status of its address, and the earlier mails to its seat."""

    notice: Notice
    match: Match | None
    standing: Standing
    before: Sequence[str]

    def plain(self, ctx: Context) -> bool:
        """Return whether this is an ordinary mail: a single notification, to an address without known problems.

        Sending such a mail changes nothing but its own notification.
        """
        notice, standing = self.notice, self.standing
        known = standing.until is not None or standing.troubled or notice.error is not None
        special = known or digests.waiting(notice) or notice.kind in SECURITY
        return not special and why_not(ctx, notice, standing.suppressed) is None


@dataclass(frozen=True, slots=True)
class Batch:
    """The first due mails of a shard, and whether all may be sent without checking the rate limits again."""

    mails: Sequence[Owed]
    roomy: bool
    loaded: float

    @property
    def fresh(self) -> bool:
        """Whether the batch was loaded just now."""
        return time.monotonic() - self.loaded < FRESH


# A literal, so that a cached query plan can use the partial index of pending notifications.
_STATE = Notice.state == literal_column("'owed'")
_OWED = Notice.shard == bindparam("shard"), _STATE, Notice.due_at <= bindparam("now")
_ANY = select(Notice.id).where(*_OWED).limit(1)
_FIRST = (
    select(Notice, Match, sent_before())
    .outerjoin(Match, Notice.match_id == Match.id)
    .options(joinedload(Notice.holder).joinedload(Holder.player))
    .where(*_OWED)
    .order_by(Notice.due_at, Notice.id)
    .limit(bindparam("most"))
)


def due(ctx: Context, shard: int, most: int) -> Batch:
    """Load the due mails of a shard, the longest due first."""
    rows = ctx.session.execute(_FIRST, {"shard": shard, "now": ctx.now, "most": most}).all()
    standings = bounces.standings(ctx, {row[0].recipient for row in rows}) if rows else {}
    mails = [Owed(notice, match, standings[notice.recipient], before) for notice, match, before in rows]
    return Batch(mails, _roomy(ctx, (one.notice.recipient for one in mails)), time.monotonic())


def anything_due(ctx: Context, shard: int) -> bool:
    """Return whether a shard has due mails."""
    return ctx.session.scalar(_ANY, {"shard": shard, "now": ctx.now}) is not None


def allowed(config: Config, recipient: str, times: int = 1) -> list[Allowed]:
    """Return the rate limits of an address, for sending several mails at once."""
    return [] if config.limits is None else [Allowed("mailed", recipient, MAILS_A_DAY - times + 1, DAY)]


def _roomy(ctx: Context, recipients: Iterable[str]) -> bool:
    """Return whether each address may get as many more mails as it occurs."""
    counted = Counter(recipients).items()
    return not used_up(ctx, *(each for one, times in counted for each in allowed(ctx.config, one, times)))
