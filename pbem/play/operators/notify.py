"""Telling: what those hear whom an operator's act concerns, by a mail written in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.accounts import deletion
from pbem.play.matches import seats
from pbem.play.matches.match_state import course_of
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.core.context import Context

OPENED, RENAMED, MERGED = "opened", "renamed", "merged"
"""The mails that hidden things were looked at, and that somebody has another name, or one account for two."""


def to_table(ctx: Context, match: Match, kind: str, reason: str, **more: object) -> None:
    """Owe everybody who sits at a running match a mail of what was done to it, and why; once for this state of it."""
    course = course_of(ctx, match)
    for holder in seats.persons(seats.holders(ctx, match)):
        facts = outbox.position_facts(ctx, course, holder) | more | {"operated": reason}
        outbox.owe(ctx, kind, holder, match, facts, once=f"{kind} {match.id} {holder.id} operator {match.length}")


def to_person(ctx: Context, player: Player, kind: str, once: str, reason: str = "") -> None:
    """Owe somebody a mail about their account, where they have an address that they have shown to be theirs."""
    address = deletion.main_address(ctx, player.id)
    if address:
        facts = {"name": player.name, "language": player.language, "operated": reason}
        outbox.owe_mail(ctx, kind, address, facts, once=once)
