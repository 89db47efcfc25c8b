"""The operators' dashboard: what is wrong now, with a link to each; and the search."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from flask import url_for

from pbem.play.matches.views import player_names_by_match
from pbem.play.operators.search import alerts, everything, matches
from pbem.states import OutboxState
from pbem.time_format import format_duration
from pbem.web.operators.access import pages, render_page, text_filter
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from pbem.play.operators.search.alerts import Alert

_LABELS = {
    "moves": "Moves and mails to seats that wait to be judged",
    "letters": "Letters that wait to be read",
    "mails": "Mails that are due and not sent",
    "calls": "Calls to players’ programs that are due",
    "deadlines": "Deadlines that have passed and not been acted on",
    "failed submissions": "Submissions that the service could not judge",
    "failed letters": "Letters that the service could not read",
    "unwritten mails": "Mails given up that could not be written, and can be sent again",
    "refused mails": "Mails given up since yesterday that nobody takes",
    "unforwarded": "Letters of the last week that could not be forwarded to the operator",
    "domains": "Mail domains that refuse us",
    "backup": "The newest backup",
    "bounces": "Mails reported as not delivered since yesterday",
    "reports": "Players reported by others in the last week",
}
_PART_PREFIX = "part "
MINUTE = timedelta(minutes=1)


@pages.get("")
def overview() -> str:
    """Show what is wrong now, then what is well."""
    with transaction() as ctx:
        found = alerts.collect(ctx)
    rows = [(_label(need), need.count, _age(need), _list_url(need)) for need in found]
    wrong = [row for row, need in zip(rows, found, strict=True) if need.wrong]
    return render_page(
        "overview.html", wrong=wrong, well=[row for row in rows if row not in wrong], most=alerts.MAX_COUNT
    )


@pages.get("/search")
def search() -> str:
    """Show everything that a text matches."""
    typed = text_filter("q")
    with transaction() as ctx:
        found = everything.search(ctx, typed)
        names = player_names_by_match(ctx, [match.id for match in found.matches])
        return render_page("search.html", typed=typed, found=found, most=everything.MAX_RESULTS, names=names)


def _label(need: Alert) -> str:
    part = need.what.removeprefix(_PART_PREFIX)
    return _LABELS.get(need.what, f"No sign of life from the part “{part}”")


def _age(need: Alert) -> str:
    if need.oldest is None:
        return ""
    return format_duration(need.oldest) if need.oldest > MINUTE else "under a minute"


def _list_url(need: Alert) -> str:
    """Return the URL of the list behind a number."""
    if need.what.startswith(_PART_PREFIX):
        return url_for("status.status")
    addresses = {
        "moves": url_for("operators.submissions", status="pending"),
        "letters": url_for("operators.letters", status="pending"),
        "mails": url_for("operators.mails", state=OutboxState.PENDING),
        "deadlines": url_for("operators.match_list", show=matches.CLOCK),
        "failed submissions": url_for("operators.submissions", status="failed"),
        "failed letters": url_for("operators.letters", status="failed"),
        "unwritten mails": url_for("operators.mails", state="failed"),
        "refused mails": url_for("operators.mails", state="failed"),
        "unforwarded": url_for("operators.letters"),
        "domains": url_for("operators.domains"),
        "bounces": url_for("operators.bounces"),
        "reports": url_for("operators.reports"),
    }
    return addresses.get(need.what, "")
