"""Our own mail server's verdict on the From of a mail: the results of DMARC, DKIM and SPF (RFC 8601).

A sender can write such headers too. Only the topmost one that names our server and is above the first `Received` is
trusted: our server adds it there, after its own `Received`, and nobody else can write there. A mail without any
`Received` came from no mail server. Our server must remove incoming headers under its own name (RFC 8601 section 5).

Values may contain text that the sender chose, such as a quoted local part. So the header is parsed by the grammar:
comments, quoted strings and what is joined to them are never taken for results.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.play.submissions.sender_policy import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from email.message import Message

_MAX_HEADER_LENGTH = 64 * 1024
_TOKEN = re.compile(r"\s+|\"(?:[^\"\\]|\\.)*\"|[();=]|[^\s\"();=]+", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_METHOD = re.compile(r"([a-z0-9_-]+)(?: ?/ ?[0-9]+)?")
_PROPERTY = re.compile(r"[a-z0-9_-]+(?: ?\. ?[a-z0-9_-]+)*")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_DOMAIN = re.compile(rf"(?:(?:\"\"|[^\s\"\\@<>]*)@)?({_LABEL}(?:\.{_LABEL})*)\.?")
"""A domain, or an address whose local part may be a quoted string, which is replaced by an empty one."""
_DOMAIN_PROPERTIES = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom", "smtp.mail"),
}
"""The properties that name the domain of each method; a later one counts if the earlier ones are missing."""
_MIN_LABELS = 2
"""Minimum labels of a domain that also covers its subdomains."""


class HeaderSyntaxError(ValueError):
    """A header does not follow the grammar."""


@dataclass(frozen=True, slots=True)
class Token:
    """A delimiter, word or quoted string; `joined` if nothing separates it from the previous token."""

    text: str
    quoted: bool = False
    joined: bool = False

    def is_delimiter(self, mark: str) -> bool:
        """Return whether this is a certain delimiter, and not a quoted string with the same text."""
        return self.text == mark and not self.quoted


@dataclass(slots=True)
class Result:
    """The result of one method: `pass`, `fail` and so on, and the domain that each property names."""

    method: str
    verdict: str
    domains: dict[str, str] = field(default_factory=dict)

    def covers(self, domain: str) -> bool:
        """Return whether the result covers a domain, or one above or below it, as in DMARC's relaxed alignment."""
        named = next((self.domains[name] for name in _DOMAIN_PROPERTIES[self.method] if name in self.domains), "")
        upper, lower = sorted((named, domain), key=len)
        below = lower.endswith(f".{upper}") and upper.count(".") + 1 >= _MIN_LABELS
        return bool(upper) and (upper == lower or below)


def alignment(message: Message, sender: str, server: str) -> Alignment:
    """Return whether our server vouches for the address in From; NONE without such a server or verdict.

    A header that cannot be parsed may say that From is forged, so it counts as FAIL.
    """
    domain = sender.rpartition("@")[2]
    if not server or not domain:
        return Alignment.NONE
    try:
        results = _results(message, server.lower())
    except HeaderSyntaxError:
        return Alignment.FAIL
    # DMARC is always about the domain in From, whether it names it or not.
    about = [one for one in results if one.covers(domain) or (one.method == "dmarc" and not one.domains)]
    dmarc = [one.verdict for one in about if one.method == "dmarc"]
    if dmarc and dmarc[0] != "none":
        return Alignment.PASS if dmarc == ["pass"] else Alignment.FAIL
    passed = any(one.verdict == "pass" for one in about if one.method != "dmarc")
    return Alignment.PASS if passed else Alignment.NONE


def _results(message: Message, server: str) -> list[Result]:
    """Return the results in our server's topmost header above the first `Received`."""
    topmost: list[Result] | None = None
    for name, value in message.raw_items():
        if name.lower() == "received":
            return topmost or []
        if name.lower() == "authentication-results" and topmost is None:
            topmost = _parse_header(str(value), server)
    return []


def _parse_header(value: str, server: str) -> list[Result] | None:
    """Parse the results of a header; return None if another server wrote it."""
    if len(value) > _MAX_HEADER_LENGTH:
        raise HeaderSyntaxError
    parts = _split(list(_tokenize(value)))
    if not parts[0] or parts[0][0].text.lower() != server:
        return None
    return [result for part in parts[1:] if (result := _parse_result(part))]


def _tokenize(value: str) -> Iterator[Token]:
    """Split a header into tokens, without comments and whitespace."""
    depth, joined, end = 0, False, 0
    for found in _TOKEN.finditer(value):
        text, after = found[0], found.start() == end
        if not after:
            # Only an unterminated quoted string matches no token.
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
        raise HeaderSyntaxError


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.is_delimiter(";"):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _parse_result(part: Sequence[Token]) -> Result | None:
    """Parse one result: a method, its verdict and its properties; None for `none` and for other methods."""
    (name, value), *properties = list(_pairs(part)) or [("", [])]
    method = _METHOD.fullmatch(name)
    if method is None or method[1] not in _DOMAIN_PROPERTIES:
        return None
    result = Result(method[1], "".join(token.text for token in value).lower())
    for key, of in properties:
        if _PROPERTY.fullmatch(key) is None:
            # Stray words may be text that the sender chose.
            return Result(result.method, "unreadable", result.domains)
        property_name = key.replace(" ", "")
        if property_name in _DOMAIN_PROPERTIES[result.method]:
            # A property that occurs twice with different domains counts for none.
            domain = _domain(of)
            result.domains[property_name] = domain if result.domains.get(property_name, domain) == domain else ""
    return result


def _pairs(part: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Split a part into names, in lower case, and the values after their `=`; a name at the end has no value.

    A value extends as long as its tokens are joined, and may itself contain a `=`, as a local part may.
    """
    name, at = "", 0
    while at < len(part):
        token = part[at]
        at += 1
        if not token.is_delimiter("="):
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
    """Return the domain in a value: a domain, or an address whose local part may be quoted; "" for anything else."""
    text = "".join('""' if token.quoted and len(value) > 1 else token.text for token in value)
    found = _DOMAIN.fullmatch(text.lower())
    return found[1] if found else ""
