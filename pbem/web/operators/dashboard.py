"""The operators' dashboard, with a link to each problem, and the search."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from flask import url_for

from pbem.play.matches.views import player_names_by_match
from pbem.play.operators.search import alerts, everything, matches
from pbem.states import OutboxState
from pbem.time_format import format_duration
from pbem.web.operators.access import pages, render_page, text_filter
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from pbem.play.operators.search.alerts import Alert

_ALERTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "moves": ("Moves and mails waiting to be judged", "submissions", {"status": "pending"}),
    "letters": ("Service mails waiting to be read", "letters", {"status": "pending"}),
    "mails": ("Mails due but not sent", "mails", {"state": OutboxState.PENDING}),
    "calls": ("Webhook calls due", "", {}),
    "pushes": ("Push messages due", "", {}),
    "deadlines": ("Deadlines passed but not acted on", "match_list", {"show": matches.CLOCK}),
    "thoughts": ("Robots that wait to think about a move", "", {}),
    "analyses": ("Analyses of finished matches that wait", "", {}),
    "failed submissions": ("Submissions that could not be judged", "submissions", {"status": "failed"}),
    "failed letters": ("Service mails that could not be read", "letters", {"status": "failed"}),
    "unwritten mails": ("Failed mails that can be retried", "mails", {"state": "failed"}),
    "refused mails": ("Mails refused for good since yesterday", "mails", {"state": "failed"}),
    "unforwarded": ("Service mails of the last week that were not forwarded", "letters", {}),
    "domains": ("Mail domains that refuse us", "domains", {}),
    "backup": ("Newest backup", "", {}),
    "bounces": ("Mails bounced since yesterday", "bounces", {}),
    "reports": ("Abuse reports of the last week", "reports", {}),
}
"""Label of each alert, and endpoint and filters of the list behind its number, if it has one."""
_PART_PREFIX = "part "
MINUTE = timedelta(minutes=1)


@pages.get("")
def overview() -> str:
    """Show the alerts: problems first, then what is in order."""
    with transaction() as ctx:
        found = alerts.collect(ctx)
    wrong = [_row(alert) for alert in found if alert.wrong]
    well = [_row(alert) for alert in found if not alert.wrong]
    return render_page("overview.html", wrong=wrong, well=well, most=alerts.MAX_COUNT)


@pages.get("/search")
def search() -> str:
    """Show the results of a search."""
    typed = text_filter("q")
    with transaction() as ctx:
        found = everything.search(ctx, typed)
        names = player_names_by_match(ctx, [match.id for match in found.matches])
        return render_page("search.html", typed=typed, found=found, most=everything.MAX_RESULTS, names=names)


def _row(alert: Alert) -> tuple[str, int, str, str]:
    """Return the label of an alert, its count, its age, and the URL of the list behind it."""
    age = ""
    if alert.oldest is not None:
        age = format_duration(alert.oldest) if alert.oldest > MINUTE else "under a minute"
    if alert.what.startswith(_PART_PREFIX):
        part = alert.what.removeprefix(_PART_PREFIX)
        return f"No heartbeat from “{part}”", alert.count, age, url_for("status.status")
    label, endpoint, filters = _ALERTS[alert.what]
    return label, alert.count, age, url_for(f"operators.{endpoint}", **filters) if endpoint else ""
