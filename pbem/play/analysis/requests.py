"""Requests for analyses of finished matches: who may ask, for which matches, and how often."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select
from sqlalchemy.dialects.postgresql import insert

from pbem import robots
from pbem.db.models import Analysis, SeatHolder
from pbem.db.session import send_after_commit
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.conditional_moves.robot_moves import THINK_TASK
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.matches import withheld
from pbem.robots.analyses import LOOKING_BACK, PAR
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_PER_DAY = {PAR: 10, LOOKING_BACK: 3}
"""Maximum analyses of each kind that a person may ask for in a day."""
MAX_WAITING = 200
"""Maximum analyses of all kinds that wait; beyond them nobody may ask for another."""
FULL_RETRY = timedelta(minutes=10)
"""Time after which to ask again when as many wait."""


class LimitReachedError(Refused):
    """Refuses an analysis until some time."""

    def __init__(self, sentence: str, until: datetime) -> None:
        super().__init__(sentence)
        self.until = until


def find(ctx: Context, match: Match, kind: str) -> Analysis | None:
    """Return the newest analysis of a kind of a match, done or not; None if nobody has asked for one."""
    if match.state != MatchState.OVER:
        return None
    theirs = select(Analysis).where(Analysis.match_id == match.id, Analysis.kind == kind)
    return ctx.session.scalar(theirs.order_by(Analysis.edition.desc()).limit(1))


def objection(match: Match, kind: str) -> str | None:
    """Return why a match cannot be analysed, in a sentence; None if it can be."""
    if match.state != MatchState.OVER:
        return _("The robot looks at matches that are over. This one still runs.")
    if withheld.hides_record(match):
        return _("The deal of this match is still played at other tables, so the robot does not look at it yet.")
    if match.seed is None or match.result is None or match.result["ending"] == "aborted":
        return _("This match does not count, so the robot does not look at it.")
    if match.forked_from_id is not None:
        return _("This practice match continues another one. The robot looks only at matches from their deal on.")
    if match.next_ply == 1:
        return _("Nobody has moved in this match, so there is nothing to compare.")
    return _objection_of_robots(match, kind)


def has_sat(ctx: Context, match: Match, player: int | None) -> bool:
    """Return whether somebody has, or had, a seat of a match."""
    if player is None:
        return False
    own = select(exists().where(SeatHolder.match_id == match.id, SeatHolder.player_id == player))
    return bool(ctx.session.scalar(own))


def may_ask(ctx: Context, match: Match, kind: str, player: int | None, *, anew: bool = False) -> bool:
    """Return whether somebody may ask for an analysis of a match; with `anew`, also for another attempt or robot."""
    if objection(match, kind) is not None or not has_sat(ctx, match, player):
        return False
    return not _is_answered(find(ctx, match, kind), match, anew=anew)


def ask(ctx: Context, match: Match, kind: str, player: int | None, *, anew: bool = False) -> Analysis:
    """Return the analysis that somebody asks for, which may be there already.

    With `anew`, one that has failed is made again, as is one of an earlier robot by the present one. Raises Refused
    with the reason if there can be none, LimitReachedError if there can be none yet.
    """
    reason = objection(match, kind)
    if reason is None and not has_sat(ctx, match, player):
        reason = _("Only the players of a match can ask the robot about it.")
    if reason is not None:
        raise Refused(reason)
    found = find(ctx, match, kind)
    if found is not None and _is_answered(found, match, anew=anew):
        return found
    _check_limits(ctx, kind, player)
    row = {
        "match_id": match.id,
        "kind": kind,
        "edition": robots.edition(match.game),
        "asked_by": player,
        "asked_at": ctx.now,
        "due_at": ctx.now,
    }
    if found is not None and found.edition == row["edition"]:
        # It has failed.
        ctx.session.delete(found)
        ctx.session.flush()
    ctx.session.execute(insert(Analysis).values(row).on_conflict_do_nothing())
    send_after_commit(ctx.session, THINK_TASK)
    return ctx.session.get_one(Analysis, (match.id, kind, robots.edition(match.game)))


def _objection_of_robots(match: Match, kind: str) -> str | None:
    game = GAMES.get(match.game)
    if game is None or game.edition != match.edition:
        return _("This match was played by earlier rules of its game, which the robot does not know.")
    if kind == LOOKING_BACK and robots.find(match.game) is None:
        return _("No robot of this game thinks, so none can look back.")
    return None


def _is_answered(found: Analysis | None, match: Match, *, anew: bool) -> bool:
    """Return whether an analysis is there or on its way: one that has failed is made again by a newer robot."""
    if found is None or found.done_at is None:
        return found is not None
    if found.edition == robots.edition(match.game):
        return found.result is not None or not anew
    return found.result is not None and not anew


def _check_limits(ctx: Context, kind: str, player: int | None) -> None:
    waiting = select(func.count()).select_from(Analysis).where(Analysis.done_at.is_(None))
    if (ctx.session.scalar(waiting) or 0) >= MAX_WAITING:
        raise LimitReachedError(_("Many wait for the robot now. Please ask again later."), ctx.now + FULL_RETRY)
    if ctx.config.limits is None:
        return
    until = hit(ctx, Limit(f"analysis {kind}", str(player), MAX_PER_DAY[kind], SECONDS_PER_DAY))
    if until is not None:
        raise LimitReachedError(_("You have asked the robot often today. Please ask again later."), until)
