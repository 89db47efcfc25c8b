"""Operators' pages for actions: a form that states the effect and asks for a reason, and the action itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, redirect, request

from pbem.play.core.actors import ADDRESS, ActError
from pbem.play.operators.perform import LONGEST_REASON
from pbem.play.operators.search import players
from pbem.web.common import csrf
from pbem.web.common.context import transaction
from pbem.web.operators import action_registry
from pbem.web.operators.access import actor, page, pages

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.core.actors import Done
    from pbem.web.operators.action_registry import Way

    Page = str | BaseResponse | tuple[str, int]

SURE = "Tick the box: this cannot be undone."


@pages.get("/act/<name>")
def act(name: str) -> str:
    """Show the form of an action; looking does nothing."""
    return _form(_way(name), request.args.get("whom", ""))


@pages.post("/act/<name>")
def do(name: str) -> Page:
    """Perform an action, and show its result."""
    way, typed = _way(name), request.form.get("whom", "").replace("\0", "")
    if not csrf.is_ours(_purpose(way, typed)):
        return _form(way, typed, csrf.OLD_FORM), 400
    if way.grave and "sure" not in request.form:
        return _form(way, typed, SURE), 422
    try:
        with transaction() as ctx:
            whom = action_registry.whom(way, typed)
            done = way.act(
                ctx, actor(), whom, request.form.get("reason", ""), **action_registry.read(way, request.form)
            )
            back = _page_after(way, typed, done)
    except ActError as refused:
        return _form(way, typed, str(refused)), 422
    return back


def _page_after(way: Way, typed: str, done: Done) -> Page:
    if done.seen is not None:
        return page("opened.html", seen=done.seen, back=_back(way, typed))
    back = _back(way, request.form.get(way.leads_to, "").strip() or typed)
    joined = "&" if "?" in back else "?"
    return redirect(f"{back}{joined}told={action_registry.told(done.said, way, typed)}", 303)


def _form(way: Way, typed: str, wrong: str = "") -> str:
    return page(
        "act.html",
        way=way,
        whom=typed,
        back=_back(way, typed) if typed else "",
        purpose=_purpose(way, typed),
        form=request.form,
        wrong=wrong,
        longest=LONGEST_REASON,
    )


def _back(way: Way, typed: str) -> str:
    """Return the URL to go back to: the page of the subject, or of the owner of an address."""
    if way.subject != ADDRESS:
        return action_registry.page_of(way.subject, typed)
    with transaction() as ctx:
        owner = players.owner(ctx, typed)
    return action_registry.page_of("player", owner) if owner is not None else action_registry.page_of(ADDRESS, typed)


def _way(name: str) -> Way:
    found = action_registry.WAYS.get(name)
    if found is None:
        abort(404)
    return found


def _purpose(way: Way, typed: str) -> str:
    return f"operator {way.name} {typed}"
