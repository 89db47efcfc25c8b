"""The page of a deal that is played there and back: both matches, their scores, and both margins together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template, request

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.deal_sets import pair_overview
from pbem.play.matches import descriptions
from pbem.play.matches.pairs import FIRST
from pbem.web.common.messages import UNKNOWN_SET
from pbem.web.request import current_user

if TYPE_CHECKING:
    from pbem.db.models import DealSet
    from pbem.play.core.context import Context
    from pbem.play.deal_sets.pair_overview import PairMatch


def page(ctx: Context, deal_set: DealSet) -> str:
    """Render a pair, for those who may see one of its matches."""
    pair = pair_overview.load(ctx, deal_set)
    if not pair_overview.may_see(ctx, pair, current_user.player_id(), request.values.get("key", "")):
        abort(404, description=UNKNOWN_SET)
    return render_template(
        "events/pair_deal.html",
        game=GAMES[deal_set.game],
        deal_set=deal_set,
        pair=pair,
        lead=pair_overview.describe(pair),
        states=[_state(one) for one in pair.matches],
    )


def _state(one: PairMatch) -> str:
    """Return how far a match is, or how it ended, in words."""
    seated = one.names if one.match.set_place == FIRST else one.names[::-1]
    if one.match.result:
        return descriptions.ending(one.match.result, seated)
    return _("It has not begun yet.") if one.match.seed is None else _("It is being played.")
