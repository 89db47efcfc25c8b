"""The content of each kind of mail: from the facts of a notification to a subject and blocks.

A module of this package that has a `LETTERS` table adds its kinds without further registration.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from emails.content.blocks import Block, MailContent
from emails.messages import conditional_moves, premoves
from emails.messages.context import MessageContext
from emails.messages.shared import proof
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["MessageContext", "block_builders", "build_content"]


@cache
def block_builders() -> Mapping[str, Callable[[MessageContext], list[Block]]]:
    """Return the function that builds the blocks of each kind of mail."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind: write for module in folder for kind, write in getattr(module, "LETTERS", {}).items()}


def build_content(kind: str, reader: MessageContext) -> MailContent:
    """Build the content of a mail about a seat, by its kind."""
    lead, *content = block_builders()[kind](reader)
    parts = [
        lead,
        *premoves.premove(reader),
        *([] if kind in conditional_moves.LETTERS else conditional_moves.plan_summary(reader)),
        *content,
    ]
    parts.append(proof(reader, full=kind in {"invitation", "final"}))
    match = reader.facts["match"][:5]
    if reader.others:
        subject = _("{game} with {others} [{match}]", game=reader.game, others=reader.others, match=match)
    else:
        subject = f"{reader.game} [{match}]"
    return MailContent(subject, tuple(parts))
