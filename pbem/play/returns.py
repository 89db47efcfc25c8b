"""What comes back: the notice whose mail a report of failed delivery is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Notice
from pbem.play import links

if TYPE_CHECKING:
    from pbem.play.table import Table


def notice_of(table: Table, token: str) -> Notice | None:
    """Find the notice whose mail was sent with this token in its envelope; None for one that no mail had."""
    tidied = links.tidy(token)
    return table.session.scalar(select(Notice).where(Notice.return_path == links.hashed(tidied))) if tidied else None
