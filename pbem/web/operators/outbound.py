"""Operators' pages of outbound mail: each mail with the reason for its state, bounces, and domains that refuse us."""

from __future__ import annotations

from flask import abort

from pbem.play.core.actors import NOTICE
from pbem.play.operators import audit
from pbem.play.operators.search import outbound, pagination
from pbem.web.common.context import transaction
from pbem.web.operators.access import after, asked, listing, numbered, page, pages, scrub
from pbem.web.operators.action_registry import links

FEW = 5


@pages.get("/mails")
def mails() -> str:
    """List mails."""
    asks = {"state": asked("state", outbound.STATES), "recipient": asked("recipient"), "match": asked("match")}
    player = numbered("player")
    with transaction() as ctx:
        rows = outbound.mails(ctx, **asks, player=player, after=after())
        return listing("mails.html", rows, choices=outbound.STATES, player=player, **asks)


@pages.get("/mails/<number>")
def mail(number: str) -> str:
    """Show a mail, with the reason for its state."""
    row = pagination.number(number)
    with transaction() as ctx:
        found = None if row is None else outbound.mail(ctx, row, scrub)
        if row is None or found is None:
            abort(404)
        return page(
            "mail.html",
            found=found,
            mail=found.notice,
            reports=outbound.reports_of(ctx, row, scrub),
            ways_to_act=[] if found.notice.state == "sent" else links(row, "retry-notice"),
            acts=audit.newest(ctx, FEW, subject=(NOTICE, number)),
        )


@pages.get("/bounces")
def bounces() -> str:
    """List the bounces."""
    with transaction() as ctx:
        return listing("bounces.html", outbound.reports(ctx, scrub, after()))


@pages.get("/domains")
def domains() -> str:
    """List the domains that refuse our mail."""
    with transaction() as ctx:
        return listing("domains.html", outbound.domains(ctx, after()))
