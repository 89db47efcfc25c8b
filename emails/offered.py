"""A mail that is offered to us, and what it is counted under once it is kept.

Anybody may write in anybody's name, to the service's own mailboxes and to seats that they hold themselves, so such
mails are counted apart: nobody can use up what a player's own moves need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from pbem.play import links
from pbem.play.allowances import HOUR, Allowed
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.mailboxes import Mailbox
    from pbem.config import Config
    from pbem.play.arriving import Kept, Mail

MINUTE = 60
_IPV6_SITE = 64


def _request() -> str:
    return str(logs.topics().get("request") or logs.fresh())


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """A mail for one recipient, with what is known of where it comes from.

    `recipient` and `sender` are those of the envelope; an empty sender marks mail that no person sent.
    `peer` is the address of the machine that sends, where its mail is counted; `proof` what shows who
    hands the mail on, where it may do so for one mail alone. Lines in logs name it by its `request`.
    """

    raw: bytes
    recipient: str
    sender: str
    peer: str | None = None
    proof: str | None = None
    request: str = field(default_factory=_request)

    @property
    def writer(self) -> str:
        """The envelope's sender, in characters that any row holds."""
        if self.sender.isprintable():
            return self.sender
        return "".join(character if character.isprintable() else "?" for character in self.sender)


def of_mailbox(config: Config, kind: Mailbox, token: str, author: str) -> list[Allowed]:
    """List what a new mail to a mailbox that is no seat's is counted under."""
    most = config.limits
    if most is None:
        return []
    counted = [_of_token(most, kind.name, token)] if kind.has_tokens else []
    return [*counted, *_of_author(most, author, to_seat=kind.has_tokens)] if kind.by_hand else counted


def of_seat(config: Config, mail: Mail, kept: Kept) -> list[Allowed]:
    """List what a new mail to a seat is counted under."""
    most = config.limits
    if most is None:
        return []
    counted = _of_token(most, "play", mail.token)
    if not kept.own:
        return [counted, Allowed("other names to", kept.email, most["from"], HOUR)]
    return [counted, *_of_author(most, mail.author, to_seat=True)]


def of_machine(config: Config, peer: str | None) -> list[Allowed]:
    """List what a machine's mail is counted under; one with IPv6 has a whole network of addresses."""
    if config.limits is None or not peer or config.trusts(peer):
        return []
    where = ip_address(peer.partition("%")[0])
    site = str(ip_network((where, _IPV6_SITE), strict=False)) if where.version == 6 else str(where)  # noqa: PLR2004
    return [Allowed("address", site, config.limits["address"], MINUTE)]


def _of_token(most: Mapping[str, int], kind: str, token: str) -> Allowed:
    return Allowed(kind, links.tidy(token) or token, most["token"], HOUR)


def _of_author(most: Mapping[str, int], author: str, *, to_seat: bool) -> list[Allowed]:
    domain = author.rpartition("@")[2]
    return [
        Allowed(f"from to {to_seat}", author, most["from"], HOUR),
        Allowed(f"domain to {to_seat}", domain, most["domain"], HOUR),
    ]
