"""What tests of new matches share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Match

if TYPE_CHECKING:
    from tests.support.house import House


def matches(house: House) -> int:
    return int(house.rows(select(func.count()).select_from(Match))[0][0])


def shut(house: House) -> House:
    return replace(
        house, config=replace(house.config, allow_anonymous=False, dev_mailbox=None, smtp_url="smtp://127.0.0.1:1")
    )
