"""DKIM signing (RFC 6376), for installations whose mail server does not sign."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from emails.content.mime import fold_header
from pbem.signing_keys import load_signing_key

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config

SIGNED_HEADERS = (
    "from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references", "mime-version",
    "content-type", "list-id", "list-unsubscribe", "list-unsubscribe-post", "auto-submitted", "feedback-id",
)  # fmt: skip
"""Signed headers; providers honour one-click unsubscribing only if its two headers are signed."""
OVERSIGNED_HEADERS = ("from", "subject", "reply-to")
"""Headers signed once more than they occur, so that nobody can add another."""

_NAMES = (*SIGNED_HEADERS, *OVERSIGNED_HEADERS)
_SIGNATURE_PIECE = 64
"""Characters of the signature between two places at which its header may be folded."""


def sign(config: Config, raw: bytes, at: datetime) -> bytes:
    """Sign a mail if a key is configured; otherwise return it unchanged, since the mail server may sign it.

    Raises UnusableKeyError if the key file cannot be used now, which is not the fault of the mail.
    """
    if not config.dkim_key:
        return raw
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15  # noqa: PLC0415 -- as for the key
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 -- the same

    key = load_signing_key(config.dkim_key)
    block, _, body = raw.partition(b"\r\n\r\n")
    fields = {
        "v": "1",
        "a": "rsa-sha256",
        "c": "relaxed/relaxed",
        "d": config.mail_domain,
        "i": f"@{config.mail_domain}",
        "q": "dns/txt",
        "s": config.dkim_selector,
        "t": str(int(at.timestamp())),
        "h": " : ".join(_NAMES),
        "bh": b64encode(sha256(_relax_body(body)).digest()).decode(),
        "b": "",
    }
    value = "; ".join(f"{name}={content}" for name, content in fields.items())
    signed = b"".join((*_relax_headers(block), f"dkim-signature:{value}".encode()))
    signature = b64encode(key.private.sign(signed, PKCS1v15(), SHA256())).decode()
    # White space within a signature is ignored, and lets its header be folded.
    pieces = (signature[start : start + _SIGNATURE_PIECE] for start in range(0, len(signature), _SIGNATURE_PIECE))
    return fold_header("DKIM-Signature", value + " ".join(pieces)) + raw


def _relax_headers(block: bytes) -> list[bytes]:
    """Return the headers that are signed in their relaxed form (RFC 6376 3.4.2), repeated ones from the last."""
    found: dict[str, list[bytes]] = {}
    for line in block.replace(b"\r\n ", b" ").replace(b"\r\n\t", b" ").split(b"\r\n"):
        name, _, value = line.partition(b":")
        found.setdefault(name.decode("ascii", "replace").strip().lower(), []).append(value)
    return [b"%b:%b\r\n" % (name.encode(), b" ".join(found[name].pop().split())) for name in _NAMES if found.get(name)]


def _relax_body(body: bytes) -> bytes:
    """Return a body in its relaxed form (RFC 6376 3.4.4): white space as one space, none at the end of lines."""
    # Each replacement searches the mail by a few fast comparisons, where a regular expression reads every byte.
    body = body.replace(b"\t", b" ")
    while b"  " in body:
        body = body.replace(b"  ", b" ")
    body = (body + b"\r\n").replace(b" \r\n", b"\r\n")
    while body.endswith(b"\r\n\r\n"):
        body = body[:-2]
    return b"" if body == b"\r\n" else body
