"""Signing by DKIM: whoever asks the sender's domain for its key finds every mail to be ours and unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.outbound.dkim import sign

if TYPE_CHECKING:
    from tests.support.house import House


def test_without_a_key_nothing_is_signed(house: House) -> None:
    assert sign(house.config, b"From: x\r\n\r\nHi") == b"From: x\r\n\r\nHi"
