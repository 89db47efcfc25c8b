"""Telling: what those hear whom an operator's act concerns, by a mail written in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import leaving, notices, seated
from pbem.play.history import course_of

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.table import Table

OPENED, RENAMED, MERGED = "opened", "renamed", "merged"
"""The mails that hidden things were looked at, and that somebody has another name, or one account for two."""


def to_table(table: Table, match: Match, kind: str, reason: str, **more: object) -> None:
    """Owe everybody who sits at a running match a mail of what was done to it, and why; once for this state of it."""
    course = course_of(table, match)
    for holder in seated.persons(seated.holders(table, match)):
        facts = notices.position_facts(table, course, holder) | more | {"operated": reason}
        notices.owe(table, kind, holder, match, facts, once=f"{kind} {match.id} {holder.id} operator {match.length}")


def to_person(table: Table, player: Player, kind: str, once: str, reason: str = "") -> None:
    """Owe somebody a mail about their account, where they have an address that they have shown to be theirs."""
    address = leaving.main_address(table, player.id)
    if address:
        facts = {"name": player.name, "language": player.language, "operated": reason}
        notices.owe_mail(table, kind, address, facts, once=once)
