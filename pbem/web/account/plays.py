"""The player's finished matches, each with a link that adds it to BG Stats."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from pbem.games import GAMES
from pbem.play.archive import plays
from pbem.web.common import cursors
from pbem.web.request import current_user
from pbem.web.request.context import transaction

pages = Blueprint("plays", __name__)


@pages.get("/me/plays")
def mine() -> str:
    """List the player's finished matches, the newest first."""
    visitor = current_user.require()
    before = cursors.decode(request.args.get("before", ""))
    with transaction() as ctx:
        found = plays.list_plays(ctx, visitor.player, visitor.zone, before)
    shown = found[: plays.PLAYS_PER_PAGE]
    last = shown[-1] if len(found) > len(shown) else None
    return render_template(
        "account/plays.html",
        plays=[(one, GAMES[one.game].name if one.game in GAMES else one.game) for one in shown],
        older=cursors.encode(last.ended_at, last.match) if last else None,
        first=not before,
        zone=visitor.zone,
    )
