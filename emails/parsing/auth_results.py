"""What our own mail server says of a mail's From: the results of DMARC, DKIM and SPF (RFC 8601).

A sender may write such headers too. Believed is only the topmost one that names our server and stands above the first
`Received`: that is where our server puts it, after its own, and nobody else can write there. A mail without any
`Received` came by no mail server. The server must take out what comes in under its name (RFC 8601 section 5).

Values may hold what the sender chose, such as a local part in quotation marks. So the header is read by the grammar:
comments, quoted strings and what joins them are never taken for results.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.play.submissions.sender_policy import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from email.message import Message

_LONGEST = 64 * 1024
_TOKEN = re.compile(r"\s+|\"(?:[^\"\\]|\\.)*\"|[();=]|[^\s\"();=]+", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_METHOD = re.compile(r"([a-z0-9_-]+)(?: ?/ ?[0-9]+)?")
_PROPERTY = re.compile(r"[a-z0-9_-]+(?: ?\. ?[a-z0-9_-]+)*")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_DOMAIN = re.compile(rf"(?:(?:\"\"|[^\s\"\\@<>]*)@)?({_LABEL}(?:\.{_LABEL})*)\.?")
"""A domain, or an address whose local part may be a quoted string, which is read as an empty one."""
_NAMED_BY = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom", "smtp.mail")}
"""By which property each method says of whom it speaks; a later one counts where the earlier is missing."""
_LABELS = 2
"""A domain of fewer labels speaks for itself alone."""


class UnreadableError(ValueError):
    """Refuses a header that does not follow the grammar."""


@dataclass(frozen=True, slots=True)
class Token:
    """A mark, word or quoted string; `joined` is whether nothing stands between it and the one before."""

    text: str
    quoted: bool = False
    joined: bool = False

    def is_mark(self, mark: str) -> bool:
        """Return whether it is a mark, and not the same in quotation marks."""
        return self.text == mark and not self.quoted


@dataclass(slots=True)
class Result:
    """What one method found: `pass`, `fail` and so on, and the domain that each property names."""

    method: str
    said: str
    domains: dict[str, str] = field(default_factory=dict)

    def speaks_of(self, domain: str) -> bool:
        """Return whether it speaks of a domain, or of one above or below it, as DMARC's relaxed alignment does."""
        named = next((self.domains[name] for name in _NAMED_BY[self.method] if name in self.domains), "")
        upper, lower = sorted((named, domain), key=len)
        below = lower.endswith(f".{upper}") and upper.count(".") + 1 >= _LABELS
        return bool(upper) and (upper == lower or below)


def alignment(message: Message, sender: str, server: str) -> Alignment:
    """Return whether our server vouches for the address in From; NONE where there is no such server or no word of it.

    What cannot be read may say that From is forged, and is taken so.
    """
    domain = sender.rpartition("@")[2]
    if not server or not domain:
        return Alignment.NONE
    try:
        results = _results(message, server.lower())
    except UnreadableError:
        return Alignment.FAIL
    # DMARC is of the domain in From, whether it is named or not.
    about = [one for one in results if one.speaks_of(domain) or (one.method == "dmarc" and not one.domains)]
    dmarc = [one.said for one in about if one.method == "dmarc"]
    if dmarc and dmarc[0] != "none":
        return Alignment.PASS if dmarc == ["pass"] else Alignment.FAIL
    passed = any(one.said == "pass" for one in about if one.method != "dmarc")
    return Alignment.PASS if passed else Alignment.NONE


def _results(message: Message, server: str) -> list[Result]:
    """Return the results in the topmost header of our server above the first `Received`."""
    topmost: list[Result] | None = None
    for name, value in message.raw_items():
        if name.lower() == "received":
            return topmost or []
        if name.lower() == "authentication-results" and topmost is None:
            topmost = _read(str(value), server)
    return []


def _read(value: str, server: str) -> list[Result] | None:
    """Return the results of a header, or None where another server wrote it."""
    if len(value) > _LONGEST:
        raise UnreadableError
    parts = _split(list(_tokens(value)))
    if not parts[0] or parts[0][0].text.lower() != server:
        return None
    return [result for part in parts[1:] if (result := _result(part))]


def _tokens(value: str) -> Iterator[Token]:
    """Cut a header into its tokens, without comments and blanks."""
    depth, joined, end = 0, False, 0
    for found in _TOKEN.finditer(value):
        text, after = found[0], found.start() == end
        if not after:
            # Only an unfinished quoted string is no token.
            break
        end = found.end()
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        elif not depth and not text.isspace():
            quoted = text.startswith('"')
            yield Token(_ESCAPED.sub(r"\1", text[1:-1]) if quoted else text, quoted, joined)
        joined = not text.isspace() and text not in {"(", ")"}
        if depth < 0:
            break
    if depth or end < len(value):
        raise UnreadableError


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.is_mark(";"):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _result(part: Sequence[Token]) -> Result | None:
    """Read one result: a method, what it found, and its properties; None for `none` and for other methods."""
    (name, value), *properties = list(_pairs(part)) or [("", [])]
    method = _METHOD.fullmatch(name)
    if method is None or method[1] not in _NAMED_BY:
        return None
    result = Result(method[1], "".join(token.text for token in value).lower())
    for key, of in properties:
        if _PROPERTY.fullmatch(key) is None:
            # Words that belong to nothing may be what a sender chose.
            return Result(result.method, "unreadable", result.domains)
        property_name = key.replace(" ", "")
        if property_name in _NAMED_BY[result.method]:
            # Said twice of different domains, it is said of none.
            domain = _domain(of)
            result.domains[property_name] = domain if result.domains.get(property_name, domain) == domain else ""
    return result


def _pairs(part: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Cut a part into names, in lower case, and the values behind their `=`; what is left at the end is a name too.

    A value goes on as long as nothing stands between its tokens, and may hold a `=` itself, as a local part may.
    """
    name, at = "", 0
    while at < len(part):
        token = part[at]
        at += 1
        if not token.is_mark("="):
            name += ("" if token.joined else " ") + ('""' if token.quoted else token.text.lower())
            continue
        start = at
        at += 1
        while at < len(part) and part[at].joined:
            at += 1
        yield name.strip(), list(part[start:at])
        name = ""
    if name:
        yield name, []


def _domain(value: Sequence[Token]) -> str:
    """Return the domain of a value: a domain, or an address whose local part may be quoted; "" for anything else."""
    text = "".join('""' if token.quoted and len(value) > 1 else token.text for token in value)
    found = _DOMAIN.fullmatch(text.lower())
    return found[1] if found else ""
