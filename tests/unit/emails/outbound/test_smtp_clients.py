"""A mail on its way over a connection: what smtplib would transmit."""

from __future__ import annotations

import smtplib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emails.outbound.smtp_clients import content


def by_smtplib(raw: bytes) -> bytes:
    quoted: bytes = smtplib._quote_periods(raw)  # type: ignore[attr-defined]
    return quoted + (b"" if quoted.endswith(b"\r\n") else b"\r\n") + b".\r\n"


@pytest.mark.parametrize(
    ("raw", "transmitted"),
    [
        (b"Hi\r\n", b"Hi\r\n.\r\n"),
        (b"Hi", b"Hi\r\n.\r\n"),
        (b"Hi\r\n.\r\nBye\r\n", b"Hi\r\n..\r\nBye\r\n.\r\n"),
        (b".Hi\r\n..\r\n", b"..Hi\r\n...\r\n.\r\n"),
        (b"", b"\r\n.\r\n"),
    ],
)
def test_no_line_of_a_mail_is_its_end(raw: bytes, transmitted: bytes) -> None:
    assert content(raw) == transmitted


@given(st.lists(st.sampled_from([b".", b"\r\n", b"\n", b"\r", b"a", b" "])))
def test_it_is_what_smtplib_transmits(pieces: list[bytes]) -> None:
    assert content(b"".join(pieces)) == by_smtplib(b"".join(pieces))
