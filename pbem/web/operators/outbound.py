"""Operators' pages of outbound mail: each mail with the reason for its state, bounces, and domains that refuse us."""

from __future__ import annotations

from flask import abort

from pbem.play.core.actors import NOTICE
from pbem.play.operators.search import outbound, pagination
from pbem.states import OutboxState
from pbem.web.operators.access import (
    number_filter,
    page_cursor,
    pages,
    recent_actions,
    render_list,
    render_page,
    scrub,
    text_filter,
)
from pbem.web.operators.action_registry import links
from pbem.web.request.context import transaction


@pages.get("/mails")
def mails() -> str:
    """List mails."""
    filters = {
        "state": text_filter("state", outbound.STATES),
        "recipient": text_filter("recipient"),
        "match": text_filter("match"),
    }
    player = number_filter("player")
    with transaction() as ctx:
        rows = outbound.list_mails(ctx, **filters, player=player, after=page_cursor())
        return render_list("mails.html", rows, choices=outbound.STATES, player=player, **filters)


@pages.get("/mails/<number>")
def mail(number: str) -> str:
    """Show a mail, with the reason for its state."""
    row = pagination.parse_number(number)
    with transaction() as ctx:
        found = None if row is None else outbound.load_mail(ctx, row, scrub)
        if row is None or found is None:
            abort(404)
        return render_page(
            "mail.html",
            found=found,
            mail=found.notice,
            reports=outbound.bounce_reports_for_mail(ctx, row, scrub),
            actions=[] if found.notice.state == OutboxState.SENT else links(row, "retry-notice"),
            acts=recent_actions(ctx, NOTICE, number),
        )


@pages.get("/bounces")
def bounces() -> str:
    """List the bounces."""
    with transaction() as ctx:
        return render_list("bounces.html", outbound.bounce_reports(ctx, scrub, page_cursor()))


@pages.get("/domains")
def domains() -> str:
    """List the domains that refuse our mail."""
    with transaction() as ctx:
        return render_list("domains.html", outbound.refusing_domains(ctx, page_cursor()))
