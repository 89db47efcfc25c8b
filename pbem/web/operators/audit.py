"""Operators' page of the audit log: what operators did, to whom or what, and why."""

from __future__ import annotations

from flask import request, url_for

from pbem.play.core.actors import ADDRESS
from pbem.play.operators import audit
from pbem.play.operators.search import pagination
from pbem.web.operators.access import number_filter, pages, render_page, text_filter
from pbem.web.operators.action_registry import PAGES
from pbem.web.request.context import transaction


@pages.get("/audit")
def acts() -> str:
    """List the audit log."""
    subject, about = text_filter("subject", (*PAGES, ADDRESS)), text_filter("about")
    of = (subject, about) if subject and about else None
    with transaction() as ctx:
        found = audit.newest(ctx, pagination.ROWS_PER_PAGE + 1, before=number_filter("before"), subject=of)
    older = None
    if len(found) > pagination.ROWS_PER_PAGE:
        last = found[pagination.ROWS_PER_PAGE - 1].number
        older = url_for("operators.acts", subject=subject or None, about=about or None, before=last)
    first = "before" not in request.args
    return render_page("audit.html", acts=found[: pagination.ROWS_PER_PAGE], older=older, first=first, of=of)
