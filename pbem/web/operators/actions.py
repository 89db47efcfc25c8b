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
    from flask.typing import ResponseReturnValue

    from pbem.play.core.actors import ActionResult
    from pbem.web.operators.action_registry import Action


NOT_CONFIRMED = "Tick the box to confirm: this cannot be undone."


@pages.get("/act/<name>")
def act(name: str) -> str:
    """Show the form of an action; looking does nothing."""
    return _form_page(_find_action(name), request.args.get("whom", ""))


@pages.post("/act/<name>")
def do(name: str) -> ResponseReturnValue:
    """Perform an action, and show its result."""
    action, typed = _find_action(name), request.form.get("whom", "").replace("\0", "")
    if not csrf.is_valid(_purpose(action, typed)):
        return _form_page(action, typed, csrf.OLD_FORM), 400
    if action.grave and "sure" not in request.form:
        return _form_page(action, typed, NOT_CONFIRMED), 422
    try:
        with transaction() as ctx:
            whom = action_registry.parse_subject(action, typed)
            done = action.act(
                ctx, actor(), whom, request.form.get("reason", ""), **action_registry.parse_fields(action, request.form)
            )
            back = _result_page(action, typed, done)
    except ActionError as refused:
        return _form_page(action, typed, str(refused)), 422
    return back


def _result_page(action: Action, typed: str, done: ActionResult) -> ResponseReturnValue:
    if done.revealed is not None:
        return render_page("opened.html", seen=done.revealed, back=_back_url(action, typed))
    back = _back_url(action, request.form.get(action.leads_to, "").strip() or typed)
    joined = "&" if "?" in back else "?"
    return redirect(f"{back}{joined}told={action_registry.sign_result(done.message, action, typed)}", 303)


def _form_page(action: Action, typed: str, wrong: str = "") -> str:
    return render_page(
        "act.html",
        action=action,
        whom=typed,
        back=_back_url(action, typed) if typed else "",
        purpose=_purpose(action, typed),
        form=request.form,
        wrong=wrong,
        longest=MAX_REASON_LENGTH,
    )


def _back_url(action: Action, typed: str) -> str:
    """Return the URL to go back to: the page of the subject, or of the owner of an address."""
    if action.subject != ADDRESS:
        return action_registry.page_url(action.subject, typed)
    with transaction() as ctx:
        owner = players.find_owner(ctx, typed)
    return action_registry.page_url("player", owner) if owner is not None else action_registry.page_url(ADDRESS, typed)


def _find_action(name: str) -> Action:
    found = action_registry.ACTIONS.get(name)
    if found is None:
        abort(404)
    return found


def _purpose(action: Action, typed: str) -> str:
    return f"operator {action.name} {typed}"
