"""Comments: what those who sat at a match say of its steps, once it is over; whoever sees the replay reads them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from pbem.db.models import Comment, Holder
from pbem.i18n import _, marked
from pbem.play.chat import messages
from pbem.play.chat.conversation import Said
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.moderation import mutes
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context

A_DAY = 60
"""So many comments a player may write in a day."""
SHOWN = 50
"""A step shows at most so many, the first ones."""
KEPT = 300
"""What is kept outside the service, a file or a text, has at most so many of a match, the first ones."""
LONGEST = messages.LONGEST
TOO_EARLY = marked("Comments are for matches that are over; until then, speak to your table.")
ENOUGH = marked("You have commented a lot today. Please go on tomorrow.")
FULL = marked("This step has as many comments as fit beside it.")


class CommentError(Exception):
    """Says why a comment is not kept."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a player said of a step."""

    name: str
    text: str


def sat(ctx: Context, match: Match, player: int | None) -> Holder | None:
    """Find the seat at which a player sat in a match, the last one if there were several."""
    if player is None:
        return None
    seats = select(Holder).where(Holder.match_id == match.id, Holder.player_id == player)
    return ctx.session.scalar(seats.order_by(Holder.until.is_(None).desc(), Holder.id.desc()).limit(1))


def comment(ctx: Context, match: Match, holder: Holder, step: int, text: str) -> None:
    """Keep what somebody who sat at a match says of a step; raises CommentError with the reason where it cannot be.

    The same again is the comment that stands there.
    """
    if match.state != MatchState.OVER or match.seed is None:
        raise CommentError(_(TOO_EARLY))
    said = messages.tidy(text)
    here = Comment.match_id == match.id, Comment.step == step
    same = select(Comment.id).where(*here, Comment.holder_id == holder.id, Comment.text == said)
    if not said or ctx.session.scalar(same.limit(1)) is not None:
        return
    if (ctx.session.scalar(select(func.count()).where(*here)) or 0) >= SHOWN:
        raise CommentError(_(FULL))
    if spend(ctx, Allowed("comment", str(holder.player_id), A_DAY, DAY)):
        raise CommentError(_(ENOUGH))
    ctx.session.add(Comment(match_id=match.id, step=step, holder_id=holder.id, text=said, at=ctx.now))
    ctx.session.flush()


def take_back(ctx: Context, match: Match, holder: Holder, number: int) -> None:
    """Delete a comment of somebody's own; what is gone already is that."""
    own = select(Holder.id).where(Holder.match_id == match.id, Holder.player_id == holder.player_id)
    theirs = Comment.id == number, Comment.match_id == match.id, Comment.holder_id.in_(own)
    ctx.session.execute(delete(Comment).where(*theirs))


def of_step(ctx: Context, match: Match, step: int, reader: int | None) -> list[Said]:
    """List the comments of a step, oldest first, without those of whom the reader has muted."""
    wanted = select(Comment, Holder).join(Holder, Holder.id == Comment.holder_id)
    wanted = wanted.where(Comment.match_id == match.id, Comment.step == step).order_by(Comment.id)
    if reader is not None:
        wanted = wanted.where(Holder.player_id.not_in(mutes.of(reader)))
    return [
        Said(one.id, holder.seat, holder.name, one.text, one.at, holder.player_id == reader)
        for one, holder in ctx.session.execute(wanted.limit(SHOWN))
    ]


def remarks(ctx: Context, match: Match, reader: int | None = None) -> Mapping[int, Sequence[Remark]]:
    """List the comments of a match by their steps, as they are kept with it; whom the reader has muted is left out."""
    wanted = select(Comment.step, Holder.name, Comment.text).join(Holder, Holder.id == Comment.holder_id)
    wanted = wanted.where(Comment.match_id == match.id).order_by(Comment.id).limit(KEPT)
    if reader is not None:
        wanted = wanted.where(Holder.player_id.not_in(mutes.of(reader)))
    found: dict[int, list[Remark]] = defaultdict(list)
    for step, name, text in ctx.session.execute(wanted):
        found[step].append(Remark(name, text))
    return found


def counts(ctx: Context, match: Match) -> dict[int, int]:
    """Count the comments of a match by their steps."""
    wanted = select(Comment.step, func.count()).where(Comment.match_id == match.id).group_by(Comment.step)
    return {row[0]: row[1] for row in ctx.session.execute(wanted)}
