"""What a shard of recipients is owed, loaded with all that its mails need: two questions for many mails."""

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
"""So many seconds what was loaded may be relied on: a turn may be over, and an address may have bounced."""

MAILS_A_DAY = 100
"""So many mails an address is sent in a day; what is more waits."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A notice that is due, its match, what is known of its address, and what was sent to its seat before."""

    notice: Notice
    match: Match | None
    standing: Standing
    before: Sequence[str]

    def plain(self, ctx: Context) -> bool:
        """Tell whether it is a mail as most are: one notice, to be sent, by an address that nothing is known against.

        Such a mail changes nothing but its own notice.
        """
        notice, standing = self.notice, self.standing
        known = standing.until is not None or standing.troubled or notice.error is not None
        special = known or digests.waiting(notice) or notice.kind in SECURITY
        return not special and why_not(ctx, notice, standing.suppressed) is None


@dataclass(frozen=True, slots=True)
class Batch:
    """The mails that a shard is owed first, and whether each may be sent without counting what its reader gets."""

    mails: Sequence[Owed]
    roomy: bool
    loaded: float

    @property
    def fresh(self) -> bool:
        """Whether it was loaded just now."""
        return time.monotonic() - self.loaded < FRESH


# Written out, so that a plan that is kept for many can use the index of those that are owed.
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
    """Load what a shard is owed, the longest due first."""
    rows = ctx.session.execute(_FIRST, {"shard": shard, "now": ctx.now, "most": most}).all()
    standings = bounces.standings(ctx, {row[0].recipient for row in rows}) if rows else {}
    mails = [Owed(notice, match, standings[notice.recipient], before) for notice, match, before in rows]
    return Batch(mails, _roomy(ctx, (one.notice.recipient for one in mails)), time.monotonic())


def anything_due(ctx: Context, shard: int) -> bool:
    """Tell whether a shard is owed anything."""
    return ctx.session.scalar(_ANY, {"shard": shard, "now": ctx.now}) is not None


def allowed(config: Config, recipient: str, times: int = 1) -> list[Allowed]:
    """Give what limits how many mails an address gets, where so many are to be sent at once."""
    return [] if config.limits is None else [Allowed("mailed", recipient, MAILS_A_DAY - times + 1, DAY)]


def _roomy(ctx: Context, recipients: Iterable[str]) -> bool:
    """Tell whether some addresses may get as many mails more as they are named."""
    counted = Counter(recipients).items()
    return not used_up(ctx, *(each for one, times in counted for each in allowed(ctx.config, one, times)))
