"""Incoming mails before they are accepted, and the rate limits that they count against.

Anybody can write under any name, to the service's own mailboxes and to their own seats, and programs answer
automatically. Such mails are counted separately, so that they never use up what a player's own moves need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.play.core.rate_limits import HOUR, Allowed
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.inbound.envelope import Head
    from emails.inbound.mailboxes import Mailbox
    from pbem.config import Config
    from pbem.play.submissions.bulk_insert import Kept, Mail

MINUTE = 60
_IPV6_SITE = 64


def _request() -> str:
    return str(logs.topics().get("request") or logs.fresh())


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """A mail for one recipient, with what is known about where it comes from.

    `recipient` and `sender` are those of the envelope; an empty sender marks automatic mail. `peer` is the address of
    the sending machine, where its mail is counted; `proof` is the single-use proof of the client that hands in the
    mail, if any. Log lines identify the mail by its `request`.
    """

    raw: bytes
    recipient: str
    sender: str
    peer: str | None = None
    proof: str | None = None
    request: str = field(default_factory=_request)

    @property
    def writer(self) -> str:
        """The envelope's sender, in characters that every column can store."""
        if self.sender.isprintable():
            return self.sender
        return "".join(character if character.isprintable() else "?" for character in self.sender)


def of_mailbox(config: Config, kind: Mailbox, token: str, head: Head, peer: str | None) -> list[Allowed]:
    """List the rate limits of a new mail to a mailbox that is not a seat's."""
    most = config.limits
    if most is None:
        return []
    program = not kind.by_hand or _is_no_persons(head)
    counted = [_of_token(most, kind.name, token)] if kind.has_tokens else []
    authors = _of_author(most, head.author, _by("service", program=program)) if kind.by_hand else []
    return [*counted, *authors, *of_machine(config, peer, program=program)]


def of_seat(config: Config, mail: Mail, kept: Kept, head: Head, peer: str | None) -> list[Allowed]:
    """List the rate limits of a new mail to a seat; one that was judged already counts as automatic mail."""
    most = config.limits
    if most is None:
        return []
    program = kept.again or _is_no_persons(head)
    counted = [_of_token(most, _by("play", program=program), mail.token), *of_machine(config, peer, program=program)]
    if program:
        # Their author may be forged, but their recipient is always known.
        return [*counted, Allowed("programs to", kept.email, most["from"], HOUR)]
    if not kept.own:
        return [*counted, Allowed("other names to", kept.email, most["from"], HOUR)]
    return [*counted, *_of_author(most, mail.author, "seats")]


def of_machine(config: Config, peer: str | None, *, program: bool = False) -> list[Allowed]:
    """List the rate limits of a sending machine; an IPv6 address counts as its /64 network."""
    if config.limits is None or not peer or config.trusts(peer):
        return []
    where = ip_address(peer.partition("%")[0])
    site = str(ip_network((where, _IPV6_SITE), strict=False)) if where.version == 6 else str(where)  # noqa: PLR2004
    return [Allowed(_by("address", program=program), site, config.limits["address"], MINUTE)]


def _is_no_persons(head: Head) -> bool:
    return head.own or head.program


def _by(what: str, *, program: bool) -> str:
    """Return the name of a limit; automatic mail has its own, so that it delays no person."""
    return f"{what} by programs" if program else what


def _of_token(most: Mapping[str, int], kind: str, token: str) -> Allowed:
    return Allowed(kind, tokens.tidy(token) or token, most["token"], HOUR)


def _of_author(most: Mapping[str, int], author: str, where: str) -> list[Allowed]:
    domain = author.rpartition("@")[2]
    return [
        Allowed(f"from to {where}", author, most["from"], HOUR),
        Allowed(f"domain to {where}", domain, most["domain"], HOUR),
    ]
