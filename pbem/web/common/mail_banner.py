"""Banner on a seat's pages about mail that does not arrive, with forms to try again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, request

from pbem.addresses import domain_of
from pbem.db.models import DomainBackoff
from pbem.i18n import _
from pbem.play.clocks import clock_pauses
from pbem.play.core import match_features, tokens
from pbem.play.deliverability import bounces, domain_backoff
from pbem.play.matches.views import player_names
from pbem.play.notifications import smtp_status
from pbem.play.players import reachability
from pbem.states import MatchState
from pbem.time_format import format_day, format_moment

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder, Token
    from pbem.play.core.context import Context
    from pbem.play.players.reachability import DeliveryFailure


def prepare(ctx: Context, found: Token, token: str) -> None:
    """Set the banner about failing mail to the seat and to the other players, if there is anything to report."""
    holder = found.holder
    match = holder.match
    zone = holder.player.time_zone
    unreachable = match_features.load(ctx, match.id).unreachable
    failing = reachability.delivery_failure(ctx, holder.email) if unreachable else None
    own = _failing_lines(failing, holder.email, zone)
    own += _refusal_lines(ctx, holder, zone) if unreachable else []
    if failing and "again" in request.args and not failing.suppressed:
        own.append(_retry_line(request.args["again"]))
    others: list[str] = []
    if match.state != MatchState.OVER and tokens.is_current(ctx, found, match):
        names = player_names(ctx, match)
        others += reachability.describe_unreachable_seats(ctx, match, names, zone, you=holder.seat)
        others += clock_pauses.describe_absences(ctx, match, names, zone, you=holder.seat)
    if own or others:
        g.banner = {
            "own": own,
            "others": others,
            "token": token,
            "again": failing is not None and failing.suppressed in {None, bounces.BOUNCE},
            "arrived": failing is not None and failing.retried_at is not None and not failing.suppressed,
        }


def _failing_lines(failing: DeliveryFailure | None, email: str, zone: str) -> list[str]:
    if failing is None:
        return []
    address, since = smtp_status.redact(email), format_day(failing.since, zone)
    why = smtp_status.reason_text(failing.reason)
    lines = [_("Mail to {address} has not arrived since {since} ({why}).", address=address, since=since, why=why)]
    if failing.suppressed:
        lines.append(_("We no longer send mail there. You can keep playing on these pages."))
    if failing.suppressed == smtp_status.COMPLAINT:
        lines.append(_("If that was a mistake, write to the operator of this service from that address."))
    elif failing.retried_at:
        lines.append(_("We last tried on {moment}.", moment=format_moment(failing.retried_at, zone)))
    return lines


def _refusal_lines(ctx: Context, holder: SeatHolder, zone: str) -> list[str]:
    until = domain_backoff.backoff_until(ctx, holder.email)
    if until is None:
        return []
    row = ctx.session.get_one(DomainBackoff, domain_of(holder.email))
    return [
        _(
            "{domain} has refused our mail since {since}. The cause lies with us, not with you. Your mail waits for "
            "the next attempt, on {until}. You can keep playing on these pages.",
            domain=row.domain,
            since=format_day(row.started_at, zone),
            until=format_moment(until, zone),
        )
    ]


def _retry_line(what: str) -> str:
    if what == "often":
        return _("You have reached today’s limit. Try again tomorrow.")
    return _("A mail with a working link is on its way to that address.")
