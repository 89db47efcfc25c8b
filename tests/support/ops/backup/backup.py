"""What tests of backup share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.core.tokens import key_id

if TYPE_CHECKING:
    from tests.support.house import House

KEYS = [key_id("0" * 40)]


def url_of(house: House) -> str:
    return house.engine.url.render_as_string(hide_password=False)
