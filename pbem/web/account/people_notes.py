"""The page of a player's private notes on people: to edit each, and to write one on somebody they have met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.moderation import acquaintances
from pbem.play.players import private_notes, registry
from pbem.play.players.private_notes import Changed, Subject
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

pages = Blueprint("people_notes", __name__)


@pages.get("/me/notes")
def show() -> ResponseReturnValue:
    """List the player's notes on people."""
    with transaction() as ctx:
        return _page(ctx, current_user.require(), kept="kept" in request.args)


@pages.post("/me/notes")
def save() -> ResponseReturnValue:
    """Replace the note with a number, or add to the one on the person with the typed name."""
    signed_in, text = current_user.require(), request.form.get("text", "")
    name, seen = request.form.get("name", ""), request.form.get("seen", "")
    entry = form_fields.get_number("entry", form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        typed = {"typed": text, "typed_name": name, "about": entry}
        if not csrf.is_valid("notes"):
            return _page(ctx, signed_in, wrong=_(csrf.OLD_FORM), **typed), 400
        player = ctx.session.get_one(Player, signed_in.player)
        try:
            if entry is None:
                private_notes.add(ctx, player.id, _find_person(ctx, player, name), text)
            else:
                private_notes.replace(ctx, player.id, _find_noted(ctx, player, entry), text, seen)
        except Changed as changed:
            return _page(ctx, signed_in, wrong=str(changed), changed=changed.text, **typed), 409
        except Refused as refused:
            return _page(ctx, signed_in, wrong=str(refused), **typed), 422
    return redirect(url_for("people_notes.show", kept=1), 303)


def _find_person(ctx: Context, player: Player, name: str) -> Subject:
    """Find the person whom the player has met under a name; raises Refused with a sentence."""
    met = acquaintances.find(ctx, player, name)
    if met.is_robot or met.player == player.id:
        raise Refused(_("You can write notes only on other people."), "name")
    return Subject(person=met.player, name=met.name)


def _find_noted(ctx: Context, player: Player, entry: int) -> Subject:
    """Find the person whom a note of the player is on; raises Refused if it was deleted."""
    found = next((one for one in private_notes.list_people(ctx, player.id) if one.id == entry), None)
    if found is None:
        raise Refused(_("This note was deleted in the meantime. Write it again below."), "text")
    return Subject(person=found.about_id, name=found.name)


def _page(ctx: Context, signed_in: CurrentUser, **more: Any) -> str:
    return render_template(
        "account/people_notes.html",
        notes=private_notes.list_people(ctx, signed_in.player),
        longest_note=private_notes.MAX_CHARS,
        longest=registry.MAX_NAME_LENGTH,
        **more,
    )
