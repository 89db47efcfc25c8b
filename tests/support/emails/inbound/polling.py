"""What tests of polling share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import ServiceMail

if TYPE_CHECKING:
    from tests.support.house import House

LETTER = b"From: bo@x.org\nTo: games@games.localhost\n\nHello %d"


def letters(house: House) -> int:
    return len(house.all(select(ServiceMail.id)))
