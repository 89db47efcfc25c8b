"""The mail about automatic forced moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _forced_moves(reader: MessageContext) -> list[Block]:
    if not reader.facts["on"]:
        off = _("From now on you play all your moves yourself; to have your only moves played, reply “forced on”.")
        return [off]
    on = _("From now on, where you have only one move, it is played for you, and you are told in your next mail.")
    when = _(
        "Where cards are hidden it is played after about as long as you usually take, so that nobody can tell by the "
        "time that you had no choice."
    )
    return [on, when, _("To play all your moves yourself again, reply “forced off”.")]


KINDS = (MessageKind("forced", _forced_moves),)
