"""The chat of a match: reading it, writing a message, muting, avoiding and reporting players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import guests
from pbem.play.chat import conversation, messages
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.moderation import abuse_reports, avoidance, mutes
from pbem.web.common import lookup
from pbem.web.common.seat_link import find_seat, hold_seat, render_old_link
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context

pages = Blueprint("chat", __name__)


@pages.get("/m/<token>/talk")
def read(token: str) -> ResponseReturnValue:
    """Show the chat, with a form to write a message."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        if match.seed is None:
            return redirect(url_for("invitations.invitation", token=token))
        return _page(ctx, found, match, token)


@pages.post("/m/<token>/talk")
def say(token: str) -> ResponseReturnValue:
    """Send a message to the chat, or mute, unmute or avoid a player."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        if match.seed is None or not tokens.is_current(ctx, found, match):
            return redirect(url_for("chat.read", token=token), 303)
        typed, action = request.form.get("words", ""), request.form.get("do", "")
        if not csrf.is_valid(f"talk {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM), typed=typed), 400
        if action in {"mute", "unmute"}:
            about = _find_player(ctx, match, found.holder)
            change = mutes.mute if action == "mute" else mutes.unmute
            change(ctx, found.holder.player_id, about.player_id)
        elif action in {"avoid", "avoid no more"}:
            try:
                _avoid(ctx, found.holder, _find_player(ctx, match, found.holder), off=action != "avoid")
            except Refused as refused:
                return _page(ctx, found, match, token, wrong=str(refused)), 422
        elif (text := messages.sanitise(typed)) and not conversation.post(
            ctx, lookup.lock_seat(ctx, found), found.holder, text
        ):
            return _page(ctx, found, match, token, wrong=_(messages.LIMIT_REACHED), typed=typed), 429
        hold_seat(ctx, found.holder)
    return redirect(url_for("chat.read", token=token), 303)


@pages.get("/m/<token>/report")
def reporting(token: str) -> ResponseReturnValue:
    """Show the form to report a player to the operator."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        if match.seed is None or not tokens.is_current(ctx, found, match):
            return redirect(url_for("chat.read", token=token))
        return _report_page(ctx, found, match, token)


@pages.post("/m/<token>/report")
def report(token: str) -> ResponseReturnValue:
    """Send a report; its sender is thanked, and nobody in the match is told."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        if match.seed is None or not tokens.is_current(ctx, found, match):
            return redirect(url_for("chat.read", token=token), 303)
        if not csrf.is_valid(f"report {token}"):
            return _report_page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        text = request.form.get("text", "").strip()
        if not abuse_reports.submit(
            ctx, match, found.holder, _find_player(ctx, match, found.holder), text, _find_message(ctx, match)
        ):
            return _report_page(ctx, found, match, token, wrong=_(messages.LIMIT_REACHED)), 429
        hold_seat(ctx, found.holder)
        return _report_page(ctx, found, match, token, done=True)


def _avoid(ctx: Context, holder: SeatHolder, other: SeatHolder, *, off: bool) -> None:
    """Avoid another player of the match, or do so no more."""
    if off:
        avoidance.remove(ctx, holder.player_id, other.player_id)
    else:
        avoidance.add(ctx, holder.player, other.player, other.name)


def _page(ctx: Context, found: Token, match: Match, token: str, **more: Any) -> str:
    if not tokens.is_current(ctx, found, match):
        return render_old_link(match, token)
    muted = mutes.muted_ids(ctx, found.holder.player_id)
    avoided = {one.avoided_id for one in avoidance.list_avoided(ctx, found.holder.player_id)}
    return render_template(
        "seat/chat.html",
        token=token,
        game=GAMES[match.game],
        messages=conversation.visible_messages(ctx, match, found.holder),
        others=[
            (one, one.player_id in muted, one.player_id in avoided)
            for one in conversation.other_players(ctx, match, found.holder)
        ],
        zone=found.holder.player.time_zone,
        longest=messages.MAX_CHARS,
        **more,
    )


def _report_page(ctx: Context, found: Token, match: Match, token: str, **more: Any) -> str:
    about, message = _find_player(ctx, match, found.holder), _find_message(ctx, match)
    facts = {
        "about": about,
        "message": message,
        "text": request.form.get("text", ""),
        "longest": abuse_reports.MAX_CHARS,
    }
    return render_template("seat/report_message.html", token=token, game=GAMES[match.game], **facts, **more)


def _find_player(ctx: Context, match: Match, holder: SeatHolder) -> SeatHolder:
    """Find the player whose seat number the request gives."""
    wanted = request.values.get("seat", "")
    found = next((one for one in conversation.other_players(ctx, match, holder) if str(one.seat) == wanted), None)
    if found is None:
        abort(404)
    return found


def _find_message(ctx: Context, match: Match) -> Any:
    """Find the message that a report is about, if it is about one."""
    number = form_fields.get_number("words", form_fields.MAX_ID_DIGITS)
    return None if number is None else conversation.find_message(ctx, match, number)


def _find_seat(ctx: Context, typed: str) -> tuple[Token, Match]:
    found, match = find_seat(ctx, typed)
    if len(match.seats) == 1 or guests.is_guest(ctx, found.holder.player):
        abort(404)
    return found, match
