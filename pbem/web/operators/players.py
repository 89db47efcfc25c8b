"""Operators' pages of players: lists, each player, addresses that mail does not reach, and abuse reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from pbem.play.accounts import dashboard, login_sessions, user_agents
from pbem.play.core.actors import PLAYER
from pbem.play.operators.search import abuse_reports as reported
from pbem.play.operators.search import players, rating_pairs
from pbem.play.players import reliability
from pbem.web.operators.access import (
    number_filter,
    page_cursor,
    pages,
    recent_actions,
    render_list,
    render_page,
    text_filter,
)
from pbem.web.operators.action_registry import links
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from pbem.play.operators.search.players import AddressDetails, PlayerDetails


@pages.get("/people")
def people_list() -> str:
    """List players."""
    wanted = text_filter("q")
    with transaction() as ctx:
        return render_list("people.html", players.search(ctx, wanted, page_cursor()), wanted=wanted)


@pages.get("/people/<int:number>")
def person(number: int) -> str:
    """Show a player."""
    with transaction() as ctx:
        found = players.load_details(ctx, number) if number.bit_length() < 64 else None  # noqa: PLR2004 -- 64-bit ids
        if found is None:
            abort(404)
        return render_page(
            "person.html",
            person=found,
            player=found.player,
            standing=reliability.describe(reliability.for_player(ctx, number)),
            present=dashboard.unfinished(ctx, number),
            browsers=[
                (user_agents.describe(one.user_agent), one.seen_at) for one in login_sessions.active(ctx, found.player)
            ],
            actions=_action_links(found),
            address_acts=_address_links,
            acts=recent_actions(ctx, PLAYER, str(number)),
        )


@pages.get("/suppressed")
def suppressed() -> str:
    """List the suppressed addresses."""
    with transaction() as ctx:
        return render_list(
            "suppressed.html",
            players.suppressed_addresses(ctx, page_cursor()),
            actions=links("", "suppress", "lift"),
        )


@pages.get("/unreached")
def unreached() -> str:
    """List the addresses that mail does not reach."""
    with transaction() as ctx:
        return render_list("unreached.html", players.unreachable_addresses(ctx, page_cursor()))


@pages.get("/rating-pairs")
def rating_pair_list() -> str:
    """List pairs of players whose rated matches look arranged."""
    with transaction() as ctx:
        rows = rating_pairs.list_pairs(ctx)
    return render_page("rating_pairs.html", rows=rows, least=rating_pairs.MIN_MATCHES)


@pages.get("/reports")
def reports() -> str:
    """List the abuse reports."""
    of = number_filter("player")
    with transaction() as ctx:
        return render_list("reports.html", reported.reports(ctx, of, page_cursor()), of=of)


def _action_links(found: PlayerDetails) -> list[tuple[str, str]]:
    if found.player.is_robot or found.player.deleted_at:
        return []
    role = ("dismiss", "forget-factor") if found.operator else ("appoint",)
    return links(
        found.player.id, "unban" if found.ban else "ban", "rename", "merge", "remove", "exchange", "forget", *role
    )


def _address_links(one: AddressDetails) -> list[tuple[str, str]]:
    return links(one.address.email, "lift" if one.suppressed else "suppress")
