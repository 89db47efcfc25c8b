"""The public status page."""

from __future__ import annotations

from flask import Blueprint, render_template

from pbem.play.upkeep import public_status as upkeep_status
from pbem.time_format import format_duration, format_moment
from pbem.web.request import current_user
from pbem.web.request.context import service, transaction

pages = Blueprint("status", __name__)


@pages.get("/status")
def status() -> str:
    """Show the state of moves, mails and clocks, and recent outages."""
    with transaction() as ctx:
        found = upkeep_status.current(ctx)
    visitor = current_user.visitor()
    zone = visitor.zone if visitor else "UTC"
    outages = [
        (format_moment(one.begin, zone), format_moment(one.end, zone), format_duration(one.end - one.begin))
        for one in found.outages
    ]
    return render_template(
        "system/status.html",
        signs=found,
        moves_late=found.moves_late and format_duration(found.moves_late),
        mails_late=found.mails_late and format_duration(found.mails_late),
        outages=outages,
        now=format_moment(ctx.now, zone),
        days=upkeep_status.OUTAGE_HISTORY.days,
        write_to=service().config.service_address if service().config.operator_email else None,
    )
