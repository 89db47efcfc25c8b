"""Mails that were given up: what they were made of is kept for a while, so that they can be sent after all."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text, update

from pbem.db.models import Notice
from pbem.db.session import after_commit
from pbem.play.notifications.outbox import RELAY

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

KEPT = timedelta(days=30)
"""So long what a mail was made of is kept after it was given up."""
AT_ONCE = 500
KEYS = frozenset({"address", "leaving", "left", "sign in", "wrong sender"})
"""Mails that let their reader in, or were the last to know an address: nothing of them is kept."""
_UNWRITTEN = "could not be written: "
# Written out, so that the index of those that are kept can be used.
_WHOLE = text("notices.state = 'failed' AND notices.facts <> '{}'")


def unwritten(fault: Exception) -> str:
    """Name a fault of ours as the reason why a mail is given up."""
    return f"{_UNWRITTEN}{fault!r}"


def keeps(notice: Notice) -> bool:
    """Return whether a mail that is given up may be kept, to be sent after all."""
    return notice.kind not in KEYS


def kept_until(notice: Notice) -> datetime | None:
    """Return until when a mail that was given up can be sent after all; None where it cannot."""
    whole = notice.state == "failed" and notice.facts and notice.settled_at is not None
    return notice.settled_at + KEPT if whole and notice.settled_at else None


def counted(ctx: Context, most: int) -> tuple[int, datetime | None]:
    """Count the mails that were given up for a fault of ours and can be sent after all, with when the oldest was."""
    first = select(Notice.settled_at).where(_WHOLE, Notice.error.startswith(_UNWRITTEN)).order_by(Notice.settled_at)
    found = first.limit(most).subquery()
    row = ctx.session.execute(select(func.count(), func.min(found.c.settled_at))).one()
    return int(row[0]), row[1]


def refused(ctx: Context, since: datetime, most: int) -> int:
    """Count the mails that were given up since a moment because nobody takes them."""
    theirs = _WHOLE, Notice.settled_at > since, ~Notice.error.startswith(_UNWRITTEN)
    return (
        ctx.session.scalar(select(func.count()).select_from(select(Notice.id).where(*theirs).limit(most).subquery()))
        or 0
    )


def take_up(ctx: Context, notice: Notice) -> None:
    """Owe a mail again that was given up, as it was."""
    notice.state, notice.due_at, notice.settled_at = "owed", ctx.now, None
    notice.attempts, notice.error = 0, None
    after_commit(ctx.session, RELAY, notice.shard)


def replaced(notice: Notice) -> None:
    """Note that there is another mail in the place of one that was given up."""
    notice.state, notice.error, notice.facts = "dropped", "a newer mail is in its place", {}


def forget(ctx: Context) -> None:
    """Delete what mails were made of that were given up long ago."""
    past = select(Notice.id).where(_WHOLE, Notice.settled_at < ctx.now - KEPT).order_by(Notice.settled_at)
    numbers = ctx.session.scalars(past.limit(AT_ONCE)).all()
    if numbers:
        ctx.session.execute(update(Notice).where(Notice.id.in_(numbers)).values(facts={}))
