"""A turn that tests of commands reply to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.house import House, Mail


@pytest.fixture
def turn(house: House) -> Mail:
    """The first mail of Ann's, who plays with Bob and is to move."""
    house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    house.mails("Bob")
    return mail
