"""Comments of a finished match's players on its steps, shown in its replay."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, delete, func, select

from pbem.db.models import Comment, SeatHolder
from pbem.i18n import _, marked
from pbem.play.chat import messages
from pbem.play.chat.conversation import ChatLine
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.moderation import mutes
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_PER_DAY = 60
"""Maximum comments per player and day."""
MAX_PER_STEP = 50
"""Maximum comments per step."""
MAX_EXPORTED = 300
"""Maximum comments of a match in an exported file or text; the first ones are included."""
MAX_CHARS = messages.MAX_CHARS
TOO_EARLY = marked("You can comment when the match is over. Until then, use the chat.")
LIMIT_REACHED = marked("You have written many comments today. Please try again tomorrow.")
STEP_FULL = marked("This step already has the maximum number of comments.")

_FOR_STEP = (
    select(Comment, SeatHolder)
    .join(SeatHolder, SeatHolder.id == Comment.holder_id)
    .where(
        Comment.match_id == bindparam("match"),
        Comment.step == bindparam("step"),
        # A visitor without a seat has muted nobody.
        SeatHolder.player_id.not_in(mutes.select_muted(bindparam("reader"))),
    )
    .order_by(Comment.id)
    .limit(bindparam("most", type_=Integer))
)
_COUNTS = select(Comment.step, func.count()).where(Comment.match_id == bindparam("match")).group_by(Comment.step)


@dataclass(frozen=True, slots=True)
class ExportedComment:
    """A comment as it is exported: the name of its author and its text."""

    name: str
    text: str


def find_author_seat(ctx: Context, match: Match, player: int | None) -> SeatHolder | None:
    """Find the seat that a player has or had in a match: the present one if any, else the latest."""
    if player is None:
        return None
    seats = select(SeatHolder).where(SeatHolder.match_id == match.id, SeatHolder.player_id == player)
    return ctx.session.scalar(seats.order_by(SeatHolder.left_at.is_(None).desc(), SeatHolder.id.desc()).limit(1))


def add(ctx: Context, match: Match, holder: SeatHolder, step: int, text: str) -> None:
    """Store a comment on a step, unless it is empty or a duplicate; raises Refused with the reason."""
    if match.state != MatchState.OVER or match.seed is None:
        raise Refused(_(TOO_EARLY))
    text = messages.sanitise(text)
    here = Comment.match_id == match.id, Comment.step == step
    same = select(Comment.id).where(*here, Comment.holder_id == holder.id, Comment.text == text)
    if not text or ctx.session.scalar(same.limit(1)) is not None:
        return
    if (ctx.session.scalar(select(func.count()).where(*here)) or 0) >= MAX_PER_STEP:
        raise Refused(_(STEP_FULL))
    if hit(ctx, Limit("comment", str(holder.player_id), MAX_PER_DAY, SECONDS_PER_DAY)):
        raise Refused(_(LIMIT_REACHED))
    ctx.session.add(Comment(match_id=match.id, step=step, holder_id=holder.id, text=text, commented_at=ctx.now))
    ctx.session.flush()


def remove(ctx: Context, match: Match, holder: SeatHolder, number: int) -> None:
    """Delete a comment of the player; does nothing if it is gone already."""
    own = select(SeatHolder.id).where(SeatHolder.match_id == match.id, SeatHolder.player_id == holder.player_id)
    theirs = Comment.id == number, Comment.match_id == match.id, Comment.holder_id.in_(own)
    ctx.session.execute(delete(Comment).where(*theirs))


def list_for_step(ctx: Context, match: Match, step: int, reader: int | None) -> list[ChatLine]:
    """List the comments on a step, oldest first, without those of players whom the reader has muted."""
    rows = ctx.session.execute(_FOR_STEP, {"match": match.id, "step": step, "reader": reader, "most": MAX_PER_STEP})
    return [
        ChatLine(one.id, holder.seat, holder.name, one.text, one.commented_at, holder.player_id == reader)
        for one, holder in rows
    ]


def exported_by_step(ctx: Context, match: Match, reader: int | None = None) -> Mapping[int, Sequence[ExportedComment]]:
    """Return a match's comments by step for its record, without those of players whom the reader has muted."""
    wanted = select(Comment.step, SeatHolder.name, Comment.text).join(SeatHolder, SeatHolder.id == Comment.holder_id)
    wanted = wanted.where(Comment.match_id == match.id).order_by(Comment.id).limit(MAX_EXPORTED)
    if reader is not None:
        wanted = wanted.where(SeatHolder.player_id.not_in(mutes.select_muted(reader)))
    found: dict[int, list[ExportedComment]] = defaultdict(list)
    for step, name, text in ctx.session.execute(wanted):
        found[step].append(ExportedComment(name, text))
    return found


def count_by_step(ctx: Context, match: Match) -> dict[int, int]:
    """Count the comments of a match by step."""
    return {row[0]: row[1] for row in ctx.session.execute(_COUNTS, {"match": match.id})}
