"""Cached animations of finished matches, rendered on first request and by one transaction at a time."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem import __version__
from pbem.boards import drawing_for
from pbem.db.models import Animation
from pbem.games import Eye
from pbem.i18n import current_locale
from pbem.pictures.animation import animation, positions_to_show
from pbem.play.archive.replays import seat_history, steps
from pbem.play.matches.match_state import load_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Match
    from pbem.play.core.context import Context

RETENTION = timedelta(days=30)
"""Age at which an animation is deleted; the next request renders it again."""


def etag(ctx: Context, match: Match, names: tuple[str, ...], *more: object) -> str:
    """Return the ETag of a match's pictures: a hash of everything that they are drawn from, with `more`."""
    history, head = seat_history(ctx, match), match.chain_head.hex()
    made_from = [__version__, match.id, head, match.state, names, history, current_locale(), more]
    return hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:32]


def get_or_render(ctx: Context, match: Match, names: tuple[str, ...], before: Callable[[], None]) -> bytes:
    """Return the animation of a finished match, from the cache or rendered now.

    `before` is called before rendering, and may raise to refuse. A concurrent request for the same animation waits for
    this transaction.
    """
    own = etag(ctx, match, names)
    which = Animation.match_id == match.id, Animation.language == current_locale()
    kept = select(Animation.data).where(*which, Animation.etag == own)
    # The claim is a row: a second claim for the same match and language waits for this transaction to end.
    found = ctx.session.scalar(kept) or (None if _claim(ctx, match, own) else ctx.session.scalar(kept))
    if found is not None:
        return found
    before()
    course, drawing = load_match(ctx, match), drawing_for(match.game)
    shown = {*positions_to_show(len(course.log) + 1)}
    every = steps(course, Eye.OPEN, names, seat_history(ctx, match))
    drawn = (drawing.svg(one.board, one.names, turn=one.turn, described=False) for one in every if one.number in shown)
    data = animation([*drawn])
    ctx.session.execute(update(Animation).where(*which).values(data=data))
    return data


def delete_expired(ctx: Context) -> None:
    """Delete expired animations."""
    ctx.session.execute(delete(Animation).where(Animation.created_at < ctx.now - RETENTION))


def _claim(ctx: Context, match: Match, own: str) -> bool:
    row = {"match_id": match.id, "language": current_locale(), "etag": own, "data": b"", "created_at": ctx.now}
    claim = insert(Animation).values(row)
    claim = claim.on_conflict_do_update(
        index_elements=["match_id", "language"],
        set_={name: row[name] for name in ("etag", "data", "created_at")},
        where=Animation.etag != own,
    )
    return ctx.session.scalar(claim.returning(Animation.match_id)) is not None
