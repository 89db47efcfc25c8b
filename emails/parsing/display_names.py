"""The names that stand in a mail's head: those of its headers, and its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from emails.parsing.headers import header

if TYPE_CHECKING:
    from email.message import Message

LONGEST = 250
"""Characters of a Message-ID at most."""
_ODD_NAME = re.compile(
    rb"^(?:(?!from\b|authentication-results\b)([a-z][a-z0-9-]{1,60})[ \t]+(?=:)|>From [^\n]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
"""Not who wrote a mail, nor who vouches for that: a mail server may look at those as they are written alone."""


def with_names(block: bytes) -> bytes:
    """Write the names of headers as the standard parser knows them: any other line it takes for the mail's text.

    Old programs put a blank before the colon (RFC 5322 4.5), and keepers of mailboxes a > before From.
    """
    return _ODD_NAME.sub(rb"\1", block)


def message_id(message: Message) -> str:
    """Return the Message-ID that a mail is known by, "" where it has none, or one that is longer than any is."""
    found = header(message, "message-id")
    return found if len(found) <= LONGEST else ""
