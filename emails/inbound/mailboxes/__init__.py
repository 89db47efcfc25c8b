"""The kinds of mailbox that the service has, each in a module of this folder.

A module adds its kinds by being there, with a `MAILBOXES` tuple. To add `bounce+<token>@`, it took a
`bounces.py` with

    MAILBOXES = (Mailbox("bounce", _keep, known=_known, by_hand=False),)

where `known(table, tokens)` tells at RCPT which of some tokens were given out, and `keep(table, incoming)`
writes the mail down and says what became of it: `Kept.NEW`, `Kept.COPY` where the same mail is kept
already, or `Kept.UNKNOWN`. Both run inside a transaction that is committed before the sender hears 250.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.config import Config

__all__ = ["Incoming", "Kept", "Mailbox", "is_ours", "kinds", "mailbox_of", "whole"]

_SERVICE, _POSTMASTER = "games", "postmaster"


@cache
def kinds() -> Mapping[str, Mailbox]:
    """Give the kinds of mailbox by their names."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind.name: kind for module in folder for kind in getattr(module, "MAILBOXES", ())}


def is_ours(config: Config, recipient: str) -> bool:
    """Tell whether an address is of a domain that mail is taken for."""
    return recipient.rpartition("@")[2].lower() in {config.mail_domain, config.reply_domain}


def whole(config: Config, recipient: str) -> str:
    """Return the address that `Postmaster` without a domain stands for, whom every mail server has (RFC 5321 4.5.1)."""
    if recipient.lower() != _POSTMASTER:
        return recipient
    local = f"{config.own_mailbox}+{_POSTMASTER}" if config.own_mailbox else _POSTMASTER
    return f"{local}@{config.mail_domain}"


def mailbox_of(config: Config, recipient: str) -> tuple[Mailbox, str] | None:
    """Find the kind of mailbox that an address of ours names, with its token ("" where it has none).

    The token stands behind a `+`, or a `-` for mail programs and servers that know no `+`; in the domain
    that is for replies alone it stands alone. Where all mail goes to one mailbox, both stand behind its `+`.
    """
    local, _, domain = recipient.rpartition("@")
    if domain.lower() == config.reply_domain and local:
        return kinds()["play"], local
    own, _, rest = local.partition("+")
    if config.own_mailbox and own.lower() == config.own_mailbox:
        local = rest or _SERVICE
    elif config.own_mailbox and "+" not in local:
        # Somebody else's at the same provider.
        return None
    name, _, token = local.partition("+") if "+" in local else local.partition("-")
    kind = kinds().get(name.lower())
    if kind is None or bool(token) != kind.has_tokens or (not token and name != local):
        return None
    return kind, token
