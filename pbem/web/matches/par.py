"""Pages of par: what the strong robot made of the same cards, asked for by those who sat there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.analysis import comparison, par_words, requests
from pbem.play.archive import comments
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.matches import share_keys
from pbem.play.matches.views import player_names
from pbem.robots.analyses import PAR
from pbem.web.common import lookup, own_seat
from pbem.web.common.page_reload import reload_seconds
from pbem.web.common.seat_link import find_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction
from pbem.web.request.current_user import visitor

if TYPE_CHECKING:
    from datetime import datetime

    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context

pages = Blueprint("par", __name__)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of the par of a match: the seat that they have or had, and the URLs of the page and of the match."""

    match: Match
    holder: SeatHolder | None
    page: str
    back: str
    zone: str

    @property
    def player(self) -> int | None:
        """Id of the player who reads, if they are known to have had a seat."""
        return self.holder.player_id if self.holder else None

    @property
    def seat(self) -> int | None:
        """The seat that they hold now."""
        return self.holder.seat if self.holder and self.holder.left_at is None else None


@pages.get("/matches/<match_id>/par")
def match(match_id: str) -> str:
    """Show the par of a match to anyone who may see its replay."""
    with transaction() as ctx:
        return _page(ctx, _public_reader(ctx, match_id))


@pages.post("/matches/<match_id>/par")
def ask(match_id: str) -> ResponseReturnValue:
    """Ask for the par of a match as a signed-in player who sat there, or one whose browser has the seat."""
    with transaction() as ctx:
        return _ask(ctx, _public_reader(ctx, match_id))


@pages.get("/m/<token>/par")
def own(token: str) -> str:
    """Show a seat the par of its match."""
    with transaction() as ctx:
        return _page(ctx, _seat_reader(ctx, token))


@pages.post("/m/<token>/par")
def own_ask(token: str) -> ResponseReturnValue:
    """Ask for the par of a match by the link of a seat."""
    with transaction() as ctx:
        return _ask(ctx, _seat_reader(ctx, token))


def _public_reader(ctx: Context, match_id: str) -> Reader:
    found = lookup.open_match(ctx, match_id)
    signed_in = visitor()
    key = None if found.public else share_keys.shared_key(found)
    return Reader(
        found,
        own_seat.find(ctx, found) or comments.find_author_seat(ctx, found, signed_in.player if signed_in else None),
        page=url_for("par.match", match_id=match_id, key=key),
        back=url_for("matches.match", match_id=match_id, key=key),
        zone=signed_in.zone if signed_in else "UTC",
    )


def _seat_reader(ctx: Context, token: str) -> Reader:
    found, match = find_seat(ctx, token)
    return Reader(
        match,
        found.holder if tokens.is_current(ctx, found, match) else None,
        page=url_for("par.own", token=token),
        back=url_for("turn.seat", token=token),
        zone=found.holder.player.time_zone,
    )


def _page(ctx: Context, reader: Reader, wrong: str = "", again_at: datetime | None = None) -> str:
    match = reader.match
    par, names = requests.find(ctx, match, PAR), player_names(ctx, match)
    said: list[str] = []
    if par is not None and par.result is not None:
        said = par_words.sentences(comparison.of_match(ctx, match, par), names, reader.seat)
    return render_template(
        "matches/par.html",
        reader=reader,
        signed_in=visitor() is not None,
        match=match,
        game=GAMES[match.game],
        names=names,
        par=par,
        said=said,
        may_ask=requests.may_ask(ctx, match, PAR, reader.player),
        objection=None if par else requests.objection(match, PAR),
        reload_after=reload_seconds(par.asked_at, ctx.now) if par and not par.done_at else 0,
        wrong=wrong,
        again_at=again_at,
    )


def _ask(ctx: Context, reader: Reader) -> ResponseReturnValue:
    if not csrf.is_valid(f"par {reader.match.id}"):
        return _page(ctx, reader, _(csrf.OLD_FORM)), 400
    try:
        requests.ask(ctx, reader.match, PAR, reader.player)
    except requests.LimitReachedError as refused:
        return _page(ctx, reader, str(refused), refused.until), 429
    except Refused as refused:
        return _page(ctx, reader, str(refused)), 422
    return redirect(reader.page, 303)
