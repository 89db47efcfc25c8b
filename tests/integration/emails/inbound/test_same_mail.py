"""The same mail, a hundred times by each of five ways at once: one submission, one move, one receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.emails.inbound.same_mail import handed_on

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.house import House


def test_a_mail_that_comes_by_every_way_is_one_mail(house: House, tmp_path: Path) -> None:
    handed_on(house, tmp_path, 3, None)
