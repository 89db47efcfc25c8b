"""Incoming mails before they are accepted, and the rate limits that they count against.

Anybody can write under any name, to the service's own mailboxes and to their own seats, and programs answer
automatically. Such mails are counted separately, so that they never use up what a player's own moves need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.play.core.rate_limits import SECONDS_PER_HOUR, Limit
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.inbound.envelope import HeaderSummary
    from emails.inbound.mailboxes import Mailbox
    from pbem.config import Config
    from pbem.play.submissions.bulk_insert import SeatMail, StoredMail

MINUTE_SECONDS = 60
_IPV6_PREFIX_LENGTH = 64


@dataclass(frozen=True, slots=True, eq=False)
class IncomingMail:
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
    request: str = field(default_factory=lambda: str(logs.current_fields().get("request") or logs.new_id()))

    @property
    def writer(self) -> str:
        """The envelope's sender, in characters that every column can store."""
        if self.sender.isprintable():
            return self.sender
        return "".join(character if character.isprintable() else "?" for character in self.sender)


def mailbox_limits(config: Config, kind: Mailbox, token: str, head: HeaderSummary, peer: str | None) -> list[Limit]:
    """List the rate limits of a new mail to a mailbox that is not a seat's."""
    most = config.limits
    if most is None:
        return []
    program = not kind.by_hand or _is_automatic(head)
    counted = [_token_limit(most, kind.name, token)] if kind.has_tokens else []
    authors = _author_limits(most, head.author, _limit_name("service", program=program)) if kind.by_hand else []
    return [*counted, *authors, *peer_limits(config, peer, program=program)]


def seat_limits(config: Config, mail: SeatMail, kept: StoredMail, head: HeaderSummary, peer: str | None) -> list[Limit]:
    """List the rate limits of a new mail to a seat; one that was judged already counts as automatic mail."""
    most = config.limits
    if most is None:
        return []
    program = kept.is_duplicate or _is_automatic(head)
    counted = [
        _token_limit(most, _limit_name("play", program=program), mail.token),
        *peer_limits(config, peer, program=program),
    ]
    if program:
        # Their author may be forged, but their recipient is always known.
        return [*counted, Limit("programs to", kept.email, most["from"], SECONDS_PER_HOUR)]
    if not kept.own:
        return [*counted, Limit("other names to", kept.email, most["from"], SECONDS_PER_HOUR)]
    return [*counted, *_author_limits(most, mail.author, "seats")]


def peer_limits(config: Config, peer: str | None, *, program: bool = False) -> list[Limit]:
    """List the rate limits of a sending machine; an IPv6 address counts as its /64 network."""
    if config.limits is None or not peer or config.is_trusted_relay(peer):
        return []
    where = ip_address(peer.partition("%")[0])
    site = str(ip_network((where, _IPV6_PREFIX_LENGTH), strict=False)) if where.version == 6 else str(where)  # noqa: PLR2004
    return [Limit(_limit_name("address", program=program), site, config.limits["address"], MINUTE_SECONDS)]


def _is_automatic(head: HeaderSummary) -> bool:
    return head.own or head.program


def _limit_name(what: str, *, program: bool) -> str:
    """Return the name of a limit; automatic mail has its own, so that it delays no person."""
    return f"{what} by programs" if program else what


def _token_limit(most: Mapping[str, int], kind: str, token: str) -> Limit:
    return Limit(kind, tokens.normalise(token) or token, most["token"], SECONDS_PER_HOUR)


def _author_limits(most: Mapping[str, int], author: str, where: str) -> list[Limit]:
    domain = author.rpartition("@")[2]
    return [
        Limit(f"from to {where}", author, most["from"], SECONDS_PER_HOUR),
        Limit(f"domain to {where}", domain, most["domain"], SECONDS_PER_HOUR),
    ]
