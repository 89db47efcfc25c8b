"""The mailbox of one seat and stage: `play+<token>@`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox
from pbem.play.core import tokens as core_tokens

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _issued_tokens(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return core_tokens.find_valid(ctx, tokens, core_tokens.REPLY)


MAILBOXES = (Mailbox("play", None, issued_tokens=_issued_tokens),)
