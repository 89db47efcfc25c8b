"""Readers of a replay, and what they may see of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import abort, redirect, request, url_for

from pbem.games import Eye, Seat
from pbem.play.archive import comments
from pbem.play.core import tokens
from pbem.play.matches import withheld
from pbem.states import MatchState
from pbem.web.common import lookup
from pbem.web.common.seat_link import find_seat
from pbem.web.request import form_fields
from pbem.web.request.current_user import visitor

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Token
    from pbem.games import Viewer
    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of a replay, and what they may see.

    `token` is the link of their seat, `key` opens a private match. `holder` is their seat once the match is over.
    """

    match: Match
    viewer: Viewer
    zone: str
    token: str | None = None
    key: str | None = None
    holder: SeatHolder | None = None
    may_read_chat: bool = False

    def address(self, **more: object) -> str:
        """Return the URL of the same replay at another step, or as another viewer saw it."""
        args: dict[str, Any] = more
        if self.match.state == MatchState.OVER and not isinstance(self.viewer, Eye):
            args = {"as": int(self.viewer), **more}
        if self.token:
            return url_for("replay.own", token=self.token, **args)
        return url_for("replay.match", match_id=self.match.id, key=self.key, **args)

    def post_url(self, end: str) -> str:
        """Return the URL that forms post to."""
        if self.token:
            return url_for(f"replay.own_{end}", token=self.token)
        return url_for(f"replay.match_{end}", match_id=self.match.id)

    @property
    def may_share(self) -> bool:
        """Whether what they see may be shared: not a seat's own pages, nor what only a seat saw."""
        return self.token is None and isinstance(self.viewer, Eye)

    @property
    def purpose(self) -> str:
        """Purpose of the nonces of this replay's forms."""
        return f"comment {self.match.id}"

    @property
    def player(self) -> int | None:
        """Id of the player who reads, if they are known to have had a seat."""
        return self.holder.player_id if self.holder else None

    @property
    def seat(self) -> int | None:
        """Seat of the player who reads, once the match is over; None if somebody else has it since."""
        return self.holder.seat if self.holder and self.holder.left_at is None else None


def find_public_reader(ctx: Context, match_id: str) -> Reader:
    """Return the reader of a match that anyone may see, or whose key the request contains."""
    found = lookup.open_match(ctx, match_id)
    _require_started(found, url_for("matches.match", match_id=match_id))
    signed_in = visitor()
    over = found.state == MatchState.OVER
    holder = comments.find_author_seat(ctx, found, signed_in.player) if signed_in and over else None
    return Reader(
        match=found,
        viewer=_requested_viewer(found) if over else Eye.PUBLIC,
        zone=signed_in.zone if signed_in else "UTC",
        key=None if found.public else request.values.get("key", ""),
        holder=holder,
        may_read_chat=holder is not None and holder.left_at is None,
    )


def find_seat_reader(ctx: Context, token: str) -> Reader:
    """Return the reader of a match by the link of a seat."""
    found, match = find_seat(ctx, token)
    holder = found.holder
    _require_started(match, url_for("turn.seat", token=token))
    over = match.state == MatchState.OVER
    is_current = tokens.is_current(ctx, found, match)
    return Reader(
        match=match,
        viewer=_viewer_of_seat(ctx, found, match, is_current=is_current),
        zone=holder.player.time_zone,
        token=token,
        holder=holder if over and is_current else None,
        may_read_chat=over and is_current,
    )


def _viewer_of_seat(ctx: Context, found: Token, match: Match, *, is_current: bool) -> Viewer:
    """Return the viewer of a seat's link: the seat itself, or everybody, who may choose once the match is over."""
    own = Seat(found.holder.seat)
    if withheld.hides_table(match):
        if not tokens.is_of_current_stage(found, match):
            lookup.check_table(ctx, match)
        return own
    if match.state == MatchState.OVER:
        return _requested_viewer(match)
    return own if is_current else Eye.PUBLIC


def _require_started(match: Match, otherwise: str) -> None:
    if match.seed is None:
        abort(redirect(otherwise, 303))


def _requested_viewer(match: Match) -> Viewer:
    """Return the viewer of a finished match: all hands open, or as a seat saw it."""
    seat = form_fields.get_number("as")
    return Seat(seat) if seat is not None and 0 < seat <= len(match.seats) else Eye.OPEN
