"""Names in a mail's header block: those of its headers, and its Message-ID."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from emails.parsing.headers import header

if TYPE_CHECKING:
    from email.message import Message

MAX_MESSAGE_ID_LENGTH = 250
"""Maximum characters of a Message-ID."""
_NONSTANDARD_NAME = re.compile(
    rb"^(?:(?!from\b|authentication-results\b)([a-z][a-z0-9-]{1,60})[ \t]+(?=:)|>From [^\n]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
"""From and Authentication-Results are left as they are: a mail server may check them only in their exact form."""


def normalize_names(block: bytes) -> bytes:
    """Normalise header names for the standard parser, which takes any other line for the body.

    Old programs put a blank before the colon (RFC 5322 4.5), and mbox programs a > before From.
    """
    return _NONSTANDARD_NAME.sub(rb"\1", block)


def message_id(message: Message) -> str:
    """Return the Message-ID of a mail, "" if it has none or an overlong one."""
    found = header(message, "message-id")
    return found if len(found) <= MAX_MESSAGE_ID_LENGTH else ""
