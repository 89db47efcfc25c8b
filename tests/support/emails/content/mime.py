"""What tests of mime share."""

from __future__ import annotations

BREAKS = ("\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\0", "\r\n\r\n")
INJECTED = [
    *(f"Ann{one}Bcc: eve@example.org" for one in BREAKS),
    *(f"{one}Bcc: eve@example.org{one} " for one in BREAKS[:3]),
    "=?utf-8?q?=0D=0ABcc:_eve@example.org?=",
    "=?utf-8?b?DQpCY2M6IGV2ZUBleGFtcGxlLm9yZw==?=",
    "Ann =?utf-8?q?=0ABcc:_eve?= =?utf-8?q?=0D=0A=0D=0A<script>?=",
    "Zoë =?utf-8?q?=0ABcc:_eve?=",
    "Zoë\r\nBcc: eve@example.org",
    'Ann" <eve@example.org>, "Bob',
    "Ann <eve@example.org>",
    "Ann, eve@example.org",
    "Ann: eve@example.org;",
    "Ann (comment",
    "Ann\\",
    "\\\r\n Bcc: eve",
    "x" * 500,
    "ü" * 500,
    "漢字" * 300,
    "a " * 300,
    "\U0001f600" * 40,
    "\u202eArzt",
    "\ud800",
]
"""What somebody may be called who wants to write headers of their own."""
