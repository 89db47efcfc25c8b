"""The kinds of mailbox of the service, each in a module of this package.

A module that has a `MAILBOXES` tuple adds its kinds without further registration; `bounces.py` is a short example. A
kind tells at RCPT which of some tokens were issued, stores a mail, and reports whether the mail is new, a copy, or to
an unknown token. Both run inside a transaction that is committed before the sender hears 250.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox, ReceivedMail, StoreResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.config import Config

__all__ = ["Mailbox", "ReceivedMail", "StoreResult", "find_mailbox", "is_local_address", "kinds", "qualify_postmaster"]

_DEFAULT_MAILBOX, _POSTMASTER = "games", "postmaster"


@cache
def kinds() -> Mapping[str, Mailbox]:
    """Return the kinds of mailbox by name."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind.name: kind for module in folder for kind in getattr(module, "MAILBOXES", ())}


def is_local_address(config: Config, recipient: str) -> bool:
    """Return whether an address belongs to a domain of this service."""
    return recipient.rpartition("@")[2].lower() in {config.mail_domain, config.reply_domain}


def qualify_postmaster(config: Config, recipient: str) -> str:
    """Return the address behind a bare `Postmaster`, which every mail server must accept (RFC 5321 4.5.1)."""
    if recipient.lower() != _POSTMASTER:
        return recipient
    local = f"{config.mailbox_local_part}+{_POSTMASTER}" if config.mailbox_local_part else _POSTMASTER
    return f"{local}@{config.mail_domain}"


def find_mailbox(config: Config, recipient: str) -> tuple[Mailbox, str] | None:
    """Find the kind of mailbox of one of our addresses, and its token ("" if it has none).

    The token follows a `+`, or a `-` for mail programs and servers that do not support `+`; in the domain for replies
    it is the whole local part. If all mail goes to one mailbox, kind and token follow the `+` of its address.
    """
    local, _, domain = recipient.rpartition("@")
    if domain.lower() == config.reply_domain and local:
        return kinds()["play"], local
    own, _, rest = local.partition("+")
    if config.mailbox_local_part and own.lower() == config.mailbox_local_part:
        local = rest or _DEFAULT_MAILBOX
    elif config.mailbox_local_part and "+" not in local:
        # Another customer's address at the same provider.
        return None
    name, _, token = local.partition("+") if "+" in local else local.partition("-")
    kind = kinds().get(name.lower())
    if kind is None or bool(token) != kind.has_tokens or (not token and name != local):
        return None
    return kind, token
