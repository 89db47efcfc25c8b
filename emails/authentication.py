"""What our own mail server says of a mail's From: the results of DMARC, DKIM and SPF (RFC 8601).

A sender may write such headers too. Believed are only those that name our server and stand above the first
`Received`: that is where our server puts them, after its own, and nobody else can write there. A mail without any
`Received` came by no mail server. The server must take out what comes in under its name (RFC 8601 section 5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.play.senders import Alignment

if TYPE_CHECKING:
    from email.message import Message

_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"^\s*(dmarc|dkim|spf)\s*=\s*(\w+)", re.IGNORECASE)
_PROPERTY = {
    "dkim": re.compile(r"\bheader\.(?:d|i)\s*=\s*\"?(?:[^\s;\"@]*@)?([\w.-]+)", re.IGNORECASE),
    "spf": re.compile(r"\bsmtp\.(?:mailfrom|mail)\s*=\s*\"?(?:[^\s;\"@]*@)?([\w.-]+)", re.IGNORECASE),
    "dmarc": re.compile(r"\bheader\.from\s*=\s*\"?(?:[^\s;\"@]*@)?([\w.-]+)", re.IGNORECASE),
}
_LONGEST = 4096
_NESTED = 4


def alignment(message: Message, sender: str, server: str) -> Alignment:
    """Tell whether our server vouches for the address in From; NONE where there is no such server or no word of it."""
    if not server:
        return Alignment.NONE
    domain = sender.rpartition("@")[2]
    results = [result for value in _trusted(message, server) for result in value.split(";")[1:]]
    found = [(one[1].lower(), one[2].lower(), result) for result in results if (one := _RESULT.match(result))]
    dmarc = [said for method, said, result in found if method == "dmarc" and _of(result, method, domain)]
    if dmarc and dmarc[0] != "none":
        return Alignment.PASS if dmarc == ["pass"] else Alignment.FAIL
    aligned = any(
        method != "dmarc" and said == "pass" and _of(result, method, domain) for method, said, result in found
    )
    return Alignment.PASS if aligned else Alignment.NONE


def _trusted(message: Message, server: str) -> list[str]:
    values: list[str] = []
    for name, value in message.raw_items():
        if name.lower() == "received":
            return values[:1]
        if name.lower() == "authentication-results":
            text = _bare(str(value)[:_LONGEST])
            if text.partition(";")[0].split()[:1] == [server]:
                values.append(text)
    return []


def _bare(value: str) -> str:
    """Take comments out, which may hold anything, and folds."""
    for _ in range(_NESTED):
        value = _COMMENT.sub(" ", value)
    return " ".join(value.lower().split())


def _of(result: str, method: str, domain: str) -> bool:
    """Tell whether a result speaks of the domain in From; one of DMARC that names none does."""
    named = _PROPERTY[method].search(result)
    if named is None:
        return method == "dmarc"
    said = named[1].strip(".")
    # Relaxed, as DMARC is unless told otherwise: below the one there may be the other.
    return bool(domain) and (said == domain or domain.endswith(f".{said}") or said.endswith(f".{domain}"))
