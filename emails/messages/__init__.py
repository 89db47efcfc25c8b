"""The content of each kind of mail: from the facts of a notification to a subject and blocks.

A module of this package that has `KINDS`, a tuple of `MessageKind`, adds them without further registration.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from emails.content.blocks import MailContent
from emails.messages import conditional_moves, subjects
from emails.messages.context import MessageContext
from emails.messages.kinds import MessageKind
from emails.messages.shared import premove, proof

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MessageContext", "MessageKind", "build_content", "message_kinds"]


@cache
def message_kinds() -> Mapping[str, MessageKind]:
    """Return each kind of mail by its name."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {kind.name: kind for module in folder for kind in getattr(module, "KINDS", ())}


def build_content(name: str, reader: MessageContext) -> MailContent:
    """Build the content of a mail about a seat, by the name of its kind."""
    kind = message_kinds()[name]
    lead, *content = kind.build_blocks(reader)
    plan = conditional_moves.plan_summary(reader) if kind.has_plan_summary else []
    parts = (lead, *premove(reader), *plan, *content)
    return MailContent(subjects.subject(kind, reader), parts, proof(reader, full=kind.has_full_proof))
