"""Operators' pages for actions: a form that states the effect and asks for a reason, and the action itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, redirect, request

from pbem.play.core.actors import ADDRESS, ActionError
from pbem.play.operators.perform import MAX_REASON_LENGTH
from pbem.play.operators.search import players
from pbem.web.operators import action_registry
from pbem.web.operators.access import actor, pages, render_page
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.core.actors import ActionResult
    from pbem.web.operators.action_registry import Action

    Page = str | BaseResponse | tuple[str, int]

NOT_CONFIRMED = "Tick the box: this cannot be undone."


@pages.get("/act/<name>")
def act(name: str) -> str:
    """Show the form of an action; looking does nothing."""
    return _form_page(_find_action(name), request.args.get("whom", ""))


@pages.post("/act/<name>")
def do(name: str) -> Page:
    """Perform an action, and show its result."""
    way, typed = _find_action(name), request.form.get("whom", "").replace("\0", "")
    if not csrf.is_valid(_purpose(way, typed)):
        return _form_page(way, typed, csrf.OLD_FORM), 400
    if way.grave and "sure" not in request.form:
        return _form_page(way, typed, NOT_CONFIRMED), 422
    try:
        with transaction() as ctx:
            whom = action_registry.parse_subject(way, typed)
            done = way.act(
                ctx, actor(), whom, request.form.get("reason", ""), **action_registry.parse_fields(way, request.form)
            )
            back = _result_page(way, typed, done)
    except ActionError as refused:
        return _form_page(way, typed, str(refused)), 422
    return back


def _result_page(way: Action, typed: str, done: ActionResult) -> Page:
    if done.revealed is not None:
        return render_page("opened.html", seen=done.revealed, back=_back_url(way, typed))
    back = _back_url(way, request.form.get(way.leads_to, "").strip() or typed)
    joined = "&" if "?" in back else "?"
    return redirect(f"{back}{joined}told={action_registry.sign_result(done.message, way, typed)}", 303)


def _form_page(way: Action, typed: str, wrong: str = "") -> str:
    return render_page(
        "act.html",
        way=way,
        whom=typed,
        back=_back_url(way, typed) if typed else "",
        purpose=_purpose(way, typed),
        form=request.form,
        wrong=wrong,
        longest=MAX_REASON_LENGTH,
    )


def _back_url(way: Action, typed: str) -> str:
    """Return the URL to go back to: the page of the subject, or of the owner of an address."""
    if way.subject != ADDRESS:
        return action_registry.page_url(way.subject, typed)
    with transaction() as ctx:
        owner = players.find_owner(ctx, typed)
    return action_registry.page_url("player", owner) if owner is not None else action_registry.page_url(ADDRESS, typed)


def _find_action(name: str) -> Action:
    found = action_registry.ACTIONS.get(name)
    if found is None:
        abort(404)
    return found


def _purpose(way: Action, typed: str) -> str:
    return f"operator {way.name} {typed}"
