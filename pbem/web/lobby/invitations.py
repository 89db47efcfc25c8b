"""The invitation to a match: a page that shows it, and forms to accept or decline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import select

from pbem.boards.rules import rules_for, translated
from pbem.db.models import LogEntry, Match
from pbem.games import GAMES
from pbem.games.chain import typed_entropy
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.lifecycle import acceptance, invitations
from pbem.play.lobby import reopening
from pbem.play.matches import pairs, seats
from pbem.play.moderation import invitation_blocks
from pbem.play.players import reliability
from pbem.play.ratings import standings as rating_standings
from pbem.play.ratings import wording as rating_wording
from pbem.states import MatchState
from pbem.web.common import lookup
from pbem.web.common.seat_link import hold_seat, resolve_seat
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

pages = Blueprint("invitations", __name__)

PERSON, ANYBODY, UNDO = "person", "anybody", "undo"
"""Form values: decline further invitations by this person or by anyone, or undo that."""


@pages.get("/invitation/<token>")
def invitation(token: str) -> ResponseReturnValue:
    """Show an invitation; nothing happens before a form is sent."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        if found.ply:
            return redirect(url_for("turn.seat", token=token))
        match = ctx.session.get_one(Match, found.holder.match_id)
        return _page(ctx, match, found.holder, token)


@pages.post("/invitation/<token>")
def accept(token: str) -> ResponseReturnValue:
    """Accept an invitation; the player may add a text of their own to the deal."""
    typed = request.form.get("entropy", "").strip()
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = lookup.lock_seat(ctx, found)
        holder = found.holder
        if not csrf.is_valid(f"accept {token}"):
            return _page(ctx, match, holder, token, typed, _(csrf.OLD_FORM)), 400
        first = match.state == MatchState.INVITING and match.seats[holder.seat - 1].accepted_at is None
        seat = acceptance.accept(ctx, match, holder, typed)
        if seat.accepted_at is None:
            return _page(ctx, match, holder, token)
        # Only the acceptance itself leads on to the match: an old form sent again must not reveal a newer link.
        if first:
            hold_seat(ctx, holder)
        go_on = turn_page(ctx, match, holder) if first and match.state == MatchState.RUNNING else None
        own = typed if seat.entropy and typed_entropy(typed) == seat.entropy else ""
        drawn = own == request.form.get("drawn")
        return render_template("lobby/accepted.html", own=own, drawn=drawn, go_on=go_on, **_facts(ctx, match, holder))


@pages.get("/invitation/<token>/decline")
def declining_it(token: str) -> ResponseReturnValue:
    """Show the form to decline this invitation, and further ones."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = found.holder.match
        if not tokens.is_current(ctx, found, match):
            return redirect(url_for("invitations.invitation", token=token))
        return _decline_page(ctx, match, found.holder, token)


@pages.post("/invitation/<token>/decline")
def decline(token: str) -> ResponseReturnValue:
    """Decline an invitation, which calls the match off; block further ones, or unblock them."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = lookup.lock_seat(ctx, found)
        if not tokens.is_current(ctx, found, match):
            return redirect(url_for("invitations.invitation", token=token), 303)
        if not csrf.is_valid(f"decline {token}"):
            return _decline_page(ctx, match, found.holder, token, wrong=_(csrf.OLD_FORM)), 400
        choice = request.form.get("ever", "")
        if choice == UNDO:
            invitation_blocks.unblock_all(ctx, found.holder.email)
            return _decline_page(ctx, match, found.holder, token, undone=True)
        inviter = invitation_blocks.find_inviter(ctx, match, found.holder)
        if choice == ANYBODY:
            invitation_blocks.block(ctx, found.holder.email, invitation_blocks.ANYBODY)
        elif choice == PERSON and inviter:
            invitation_blocks.block(ctx, found.holder.email, inviter.player_id)
        reopening.decline(ctx, match, found.holder)
        return _decline_page(ctx, match, found.holder, token)


def _page(ctx: Context, match: Match, holder: SeatHolder, token: str, typed: str = "", wrong: str = "") -> str:
    return render_template("lobby/invitation.html", token=token, typed=typed, wrong=wrong, **_facts(ctx, match, holder))


def _decline_page(ctx: Context, match: Match, holder: SeatHolder, token: str, **more: Any) -> str:
    inviter = invitation_blocks.find_inviter(ctx, match, holder)
    blocked = invitation_blocks.blocked_inviters(ctx, holder.email)
    unwanted = ""
    if invitation_blocks.ANYBODY in blocked:
        unwanted = ANYBODY
    elif inviter and inviter.player_id in blocked:
        unwanted = PERSON
    return render_template(
        "lobby/decline_invitation.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        you=holder,
        inviter=inviter and inviter.name,
        unwanted=unwanted,
        opens=reopening.is_wished(ctx, match, holder),
        ended=_abort_reason(ctx, match, holder),
        chosen=request.args.get("ever", ""),
        **more,
    )


def _facts(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    present = seats.holders(ctx, match)
    accepted = {place.seat for place in match.seats if place.accepted_at}
    standings = reliability.for_holders(ctx, present)
    creator = next((other.name for other in present if other.seat == match.creator_seat), None)
    return {
        "match": match,
        "game": GAMES[match.game],
        "you": holder,
        "seat": match.seats[holder.seat - 1],
        "players": [(other, other.seat in accepted, standings.get(other.seat)) for other in present],
        "waited": [other.name for other in present if other.seat not in accepted],
        "open_seats": len(match.seats) - len(present),
        "inviter": creator if match.creator_seat != holder.seat else None,
        "ended": _abort_reason(ctx, match, holder),
        "names": [other.name for other in present],
        "pair": pairs.facts(ctx, match),
        "host": invitations.invitation_facts(ctx, match, holder),
        "lead": translated(rules_for(match.game)).lead,
        "ratings": rating_standings.for_seats(ctx, match, present, holder.player_id),
        "rating_notes": _rating_notes(ctx, match),
        "by_us": seats.entropy_with_source(match.seats[holder.seat - 1])[1] == "server",
    }


def _rating_notes(ctx: Context, match: Match) -> list[str]:
    """Return what "rated" does, and who is likelier to win; nothing for a match that is not rated."""
    if not (match.public and match.rated):
        return []
    chances = rating_standings.chances(ctx, match)
    return [rating_wording.rated_sentence(), *([rating_wording.chances_sentence(*chances)] if chances else [])]


def _abort_reason(ctx: Context, match: Match, reader: SeatHolder) -> str:
    """Return the key of why a match was called off before it began; empty if it was not."""
    if match.state != MatchState.OVER or match.seed is not None:
        return ""
    off = LogEntry.match_id == match.id, LogEntry.event == "aborted"
    entry = ctx.session.scalars(select(LogEntry).where(*off)).one()
    detail = entry.detail or {}
    if detail.get("redrawn"):
        opened = "left" if entry.seat == reader.seat else "reopened"
        return opened if entry.by == "clock" or detail.get("declined") else "redrawn"
    return "waited" if entry.by == "clock" else "declined"
