"""The public status page."""

from __future__ import annotations

from flask import Blueprint, render_template

from pbem.play.upkeep import status as upkeep_status
from pbem.time_format import lasting, moment
from pbem.web.common import current_user
from pbem.web.common.context import service, transaction

pages = Blueprint("status", __name__)


@pages.get("/status")
def status() -> str:
    """Show whether moves are judged, mails are sent and clocks run, and when they were not."""
    with transaction() as ctx:
        found = upkeep_status.read(ctx)
    visitor = current_user.visitor()
    zone = visitor.zone if visitor else "UTC"
    outages = [(moment(one.begin, zone), moment(one.end, zone), lasting(one.end - one.begin)) for one in found.outages]
    return render_template(
        "status.html",
        signs=found,
        moves_late=found.moves_late and lasting(found.moves_late),
        mails_late=found.mails_late and lasting(found.mails_late),
        outages=outages,
        now=moment(ctx.now, zone),
        days=upkeep_status.REMEMBERED.days,
        write_to=service().config.service_address if service().config.operator_email else None,
    )
