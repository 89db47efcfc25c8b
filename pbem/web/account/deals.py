"""The player's matches with par: how they did beside the robot with the same cards."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for

from pbem.games import GAMES
from pbem.i18n import several
from pbem.play.analysis import par_history, par_words
from pbem.play.matches import share_keys
from pbem.web.common import cursors
from pbem.web.request import current_user
from pbem.web.request.context import transaction

pages = Blueprint("deals", __name__)


@pages.get("/me/deals")
def mine() -> str:
    """List the player's matches with par, the newest first, below what they come to in each game."""
    visitor = current_user.require()
    before = cursors.decode(request.args.get("before", ""))
    with transaction() as ctx:
        found = par_history.deals(ctx, visitor.player, before)
        totals = [] if before else par_history.totals(ctx, visitor.player)
        shown = [_line(one) for one in found[: par_history.DEALS_PER_PAGE]]
    last = found[par_history.DEALS_PER_PAGE - 1].match if len(found) > par_history.DEALS_PER_PAGE else None
    return render_template(
        "account/deals.html",
        deals=shown,
        totals=[_total(one) for one in totals if one.game in GAMES],
        older=cursors.encode(last.ended_at, last.id) if last and last.ended_at else None,
        first=not before,
        zone=visitor.zone,
    )


def _line(deal: par_history.Deal) -> dict[str, object]:
    match, compared = deal.match, deal.compared
    is_whole = compared.plays == 1
    key = None if match.public else share_keys.shared_key(match)
    return {
        "game": GAMES[match.game].name if match.game in GAMES else match.game,
        "ended_at": match.ended_at,
        "url": url_for("par.match", match_id=match.id, key=key),
        "points": compared.points,
        "mean": par_words.format_points(compared.mean, is_whole=is_whole),
        "difference": par_words.format_difference(compared.difference or 0, is_whole=is_whole),
    }


def _total(total: par_history.Total) -> tuple[str, str, str]:
    """Return a game, the number of its matches, and the difference on average."""
    matches = several("one match", "{count} matches", total.matches)
    return GAMES[total.game].name, matches, par_words.format_difference(total.difference)
