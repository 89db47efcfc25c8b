"""What a database holds, to be compared before and after something that is to change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Base

if TYPE_CHECKING:
    from tests.support.house import House

COUNTED = frozenset({"allowances", "counts", "visits"})
"""Counted of requests themselves."""
SENT = frozenset({"submissions", "outbox_messages", "tokens"})
"""What is kept of everything that is sent, and what is answered."""
ASKED = frozenset({"analyses"})
"""What answers to questions are made from."""


def snapshot(house: House, but: frozenset[str] = COUNTED) -> dict[str, list[str]]:
    """Return the rows of all tables but some, as text in a fixed order."""
    with house.transaction() as ctx:
        return {
            one.name: sorted(str(tuple(row)) for row in ctx.session.execute(select(one)))
            for one in Base.metadata.sorted_tables
            if one.name not in but
        }
