"""DNS records that the owner of a domain must publish, and other steps, as lines to copy."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from pbem.signing_keys import load_signing_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.config import Config

UNKNOWN_ADDRESS = "<this machine's public address>"
_PROBE_ADDRESS = ("192.0.2.1", 9)
"""A documentation address: nothing is sent there, only the route is looked up."""


def dns_records(config: Config, address: str) -> Iterator[str]:
    """Yield the DNS records for the pages and the mail."""
    family = "AAAA" if ":" in address else "A"
    yield f"{config.host}.  {family}  {address}"
    if config.mailbox_local_part:
        return
    domain = config.mail_domain
    if config.lmtp_listen:
        yield f"{domain}.  MX  10 {config.host}."
        yield f'{domain}.  TXT  "v=spf1 a:{config.host} -all"'
    else:
        yield f"{domain}.  MX   as your mail service says"
        yield f'{domain}.  TXT  "v=spf1 include:<what your mail service says> ~all"'
    if config.dkim_key:
        record = load_signing_key(config.dkim_key).record
        # A string of a TXT record has at most 255 characters.
        strings = " ".join(f'"{record[at : at + 255]}"' for at in range(0, len(record), 255))
        yield f"{config.dkim_selector}._domainkey.{domain}.  TXT  {strings}"
    else:
        server = "mail server" if config.lmtp_listen else "mail service"
        yield f"<selector>._domainkey.{domain}.  TXT  the key that your {server} signs with"
    yield f'_dmarc.{domain}.  TXT  "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}"'


def other_steps(config: Config, settings: Mapping[str, str], address: str) -> Iterator[str]:
    """Yield the steps outside the domain's records."""
    if config.lmtp_listen:
        yield f"Where you rent the machine, set the reverse DNS name (PTR) of {address} to {config.host}."
        yield f"Let the mail server pass on mail for {config.mail_domain} by LMTP to {config.lmtp_listen}:"
        yield "see docs/operate/mail-in.md for the settings of Postfix."
    elif config.mailgun_key:
        yield f"Create a route at Mailgun for all addresses of {config.mail_domain}, with the action"
        yield f'forward("{config.base_url}/incoming/mailgun?mime")'
    elif config.incoming_key:
        scheme, _, host = config.base_url.partition("://")
        key = settings["PBEM_INCOMING_KEY"].split(",")[-1]
        yield "Let your mail service pass on mail unchanged (raw, with all headers) to one of these:"
        yield from (f"{scheme}://mail:{key}@{host}/incoming/{service}" for service in ("postmark", "sendgrid", "ses"))


def public_address() -> str:
    """Return the public address of this machine if it knows it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        try:
            connection.connect(_PROBE_ADDRESS)
        except OSError:
            return UNKNOWN_ADDRESS
        found = str(connection.getsockname()[0])
    return found if ip_address(found).is_global else UNKNOWN_ADDRESS
