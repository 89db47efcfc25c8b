"""Signing mail by DKIM, for those whose mail server does not: with the optional package `dkimpy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.signing_keys import signing_key

if TYPE_CHECKING:
    from pbem.config import Config

HEADERS = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version",
    b"content-type", b"list-id", b"list-unsubscribe", b"list-unsubscribe-post", b"auto-submitted", b"feedback-id",
)  # fmt: skip
"""What is signed; providers heed one-click unsubscribing only where its two headers are."""
TWICE = (b"from", b"subject", b"reply-to")
"""Signed once more than they are there, so that nobody can add another."""


def signed(config: Config, raw: bytes) -> bytes:
    """Sign a mail where a key is configured; without one, the mail server may do it.

    Raises UnusableKeyError where the key's file cannot be used now, which is the fault of no mail.
    """
    if not config.dkim_key:
        return raw
    key = signing_key(config.dkim_key)
    # Not installed by everybody, and refused at start where it is missing.
    import dkim  # noqa: PLC0415

    signature: bytes = dkim.sign(
        raw,
        config.dkim_selector.encode(),
        config.mail_domain.encode(),
        key.pem,
        include_headers=[*HEADERS, *TWICE],
        canonicalize=(b"relaxed", b"relaxed"),
    )
    return signature + raw
