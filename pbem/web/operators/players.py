"""Operators' pages of players: lists, each player, addresses that mail does not reach, and abuse reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from pbem.play.accounts import dashboard, login_sessions, user_agents
from pbem.play.core.actors import PLAYER
from pbem.play.operators import audit
from pbem.play.operators.search import abuse_reports as reported
from pbem.play.operators.search import players
from pbem.play.players import reliability
from pbem.web.common.context import transaction
from pbem.web.operators.access import after, asked, listing, numbered, page, pages
from pbem.web.operators.action_registry import links

if TYPE_CHECKING:
    from pbem.play.operators.search.players import Person, Reached

FEW = 5


@pages.get("/people")
def people_list() -> str:
    """List players."""
    wanted = asked("q")
    with transaction() as ctx:
        return listing("people.html", players.listed(ctx, wanted, after()), wanted=wanted)


@pages.get("/people/<int:number>")
def person(number: int) -> str:
    """Show a player."""
    with transaction() as ctx:
        found = players.person(ctx, number) if number.bit_length() < 64 else None  # noqa: PLR2004 -- 64-bit ids
        if found is None:
            abort(404)
        return page(
            "person.html",
            person=found,
            player=found.player,
            standing=reliability.said(reliability.of(ctx, number)),
            present=dashboard.present(ctx, number),
            browsers=[
                (user_agents.named(one.browser), one.seen_at) for one in login_sessions.present(ctx, found.player)
            ],
            ways_to_act=_ways(found),
            address_acts=_for_address,
            acts=audit.newest(ctx, FEW, subject=(PLAYER, str(number))),
        )


@pages.get("/suppressed")
def suppressed() -> str:
    """List the suppressed addresses."""
    with transaction() as ctx:
        return listing("suppressed.html", players.suppressed(ctx, after()), ways_to_act=links("", "suppress", "lift"))


@pages.get("/unreached")
def unreached() -> str:
    """List the addresses that mail does not reach."""
    with transaction() as ctx:
        return listing("unreached.html", players.unreached(ctx, after()))


@pages.get("/reports")
def reports() -> str:
    """List the abuse reports."""
    of = numbered("player")
    with transaction() as ctx:
        return listing("reports.html", reported.reports(ctx, of, after()), of=of)


def _ways(found: Person) -> list[tuple[str, str]]:
    if found.player.bot or found.player.deleted_at:
        return []
    role = ("dismiss", "forget-factor") if found.operator else ("appoint",)
    return links(found.player.id, "unban" if found.ban else "ban", "rename", "merge", "forget", *role)


def _for_address(one: Reached) -> list[tuple[str, str]]:
    return links(one.address.email, "lift" if one.suppressed else "suppress")
