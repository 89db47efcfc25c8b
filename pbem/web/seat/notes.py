"""A player's private notes on a match and on the people there, behind the link of their seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.chat import conversation
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.inbox import note_lines
from pbem.play.players import private_notes
from pbem.play.players.private_notes import Changed, Subject
from pbem.web.common import lookup
from pbem.web.common.seat_link import find_seat, hold_seat, render_old_link
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context

pages = Blueprint("notes", __name__)


@pages.get("/m/<token>/notes")
def show(token: str) -> ResponseReturnValue:
    """Show the notes of a seat's player on the match and on the people there, with forms to edit them."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        return render(ctx, found, match, token, saved="saved" in request.args)


@pages.post("/m/<token>/notes")
def save(token: str) -> ResponseReturnValue:
    """Replace a note of a seat's player: on the match, or on the person in a seat."""
    text, seen = request.form.get("text", ""), request.form.get("seen", "")
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not tokens.is_current(ctx, found, match):
            return render_old_link(match, token)
        about = _find_person(ctx, match, found.holder)
        typed = {"typed": text, "about": about.seat if about else 0}
        if not csrf.is_valid(f"notes {token}"):
            return render(ctx, found, match, token, wrong=_(csrf.OLD_FORM), **typed), 400
        subject = Subject(person=about.player_id, name=about.name) if about else Subject(match.id)
        lookup.lock_seat(ctx, found)
        try:
            private_notes.replace(ctx, found.holder.player_id, subject, text, seen)
        except Changed as changed:
            return render(ctx, found, match, token, wrong=str(changed), changed=changed.text, **typed), 409
        except Refused as refused:
            return render(ctx, found, match, token, wrong=str(refused), **typed), 422
        hold_seat(ctx, found.holder)
    return redirect(url_for("notes.show", token=token, saved=1), 303)


def offer(token: str, typed: str) -> ResponseReturnValue:
    """Render a note that was typed instead of a move, to be saved; it is in no address, since logs have those."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        texts, _others = note_lines.split([typed], lambda _lines: False)
        present = private_notes.on_match(ctx, found.holder.player_id, match.id)
        return render(ctx, found, match, token, typed="\n".join(filter(None, (present, *texts))), about=0)


def render(ctx: Context, found: Token, match: Match, token: str, **more: Any) -> str:
    """Render the notes; `typed` is the unsaved text of the note on the match, or on the person in the seat `about`."""
    if not tokens.is_current(ctx, found, match):
        return render_old_link(match, token)
    player = found.holder.player_id
    return render_template(
        "seat/notes.html",
        token=token,
        game=GAMES[match.game],
        note=private_notes.on_match(ctx, player, match.id),
        people=[
            (one, private_notes.on_person(ctx, player, one.player_id))
            for one in conversation.other_people(ctx, match, found.holder)
        ],
        longest_note=private_notes.MAX_CHARS,
        **more,
    )


def _find_person(ctx: Context, match: Match, holder: SeatHolder) -> SeatHolder | None:
    """Find the person whose seat number the request gives; None if it gives none."""
    wanted = form_fields.get_number("seat")
    if wanted is None:
        return None
    found = next((one for one in conversation.other_people(ctx, match, holder) if one.seat == wanted), None)
    return found or abort(404)
