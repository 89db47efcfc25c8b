"""DKIM signing, for installations whose mail server does not sign, with the optional package `dkimpy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.signing_keys import load_signing_key

if TYPE_CHECKING:
    from pbem.config import Config

SIGNED_HEADERS = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version",
    b"content-type", b"list-id", b"list-unsubscribe", b"list-unsubscribe-post", b"auto-submitted", b"feedback-id",
)  # fmt: skip
"""Signed headers; providers honour one-click unsubscribing only if its two headers are signed."""
OVERSIGNED_HEADERS = (b"from", b"subject", b"reply-to")
"""Headers signed once more than they occur, so that nobody can add another."""


def sign(config: Config, raw: bytes) -> bytes:
    """Sign a mail if a key is configured; otherwise return it unchanged, since the mail server may sign it.

    Raises UnusableKeyError if the key file cannot be used now, which is not the fault of the mail.
    """
    if not config.dkim_key:
        return raw
    key = load_signing_key(config.dkim_key)
    # An optional package; if a key is configured without it, the start fails.
    import dkim  # noqa: PLC0415

    signature: bytes = dkim.sign(
        raw,
        config.dkim_selector.encode(),
        config.mail_domain.encode(),
        key.pem,
        include_headers=[*SIGNED_HEADERS, *OVERSIGNED_HEADERS],
        canonicalize=(b"relaxed", b"relaxed"),
    )
    return signature + raw
