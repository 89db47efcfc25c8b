"""Mails about the people whom a player avoids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, TitledList
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _people_to_avoid(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _("You avoid nobody.") if not facts["names"] else _("This is your list of people to avoid.")
    what: list[Block] = []
    if "added" in facts:
        lead = _("You avoid {name} from now on.", name=facts["added"])
        what = [
            _("Neither of you sees or can join a table where the other sits. They cannot invite you, and they are not "
              "told."),
            _("Matches that you both play go on. To stop avoiding {name}, reply “{word} {name}”.",
              word=reader.word("avoid no more"), name=facts["added"]),
        ]  # fmt: skip
    elif "removed" in facts:
        lead = _("You no longer avoid {name}.", name=facts["removed"])
    # In quotation marks, because somebody may be called what is a move.
    names = tuple(_("“{name}”", name=name) for name in facts["names"])
    return [lead, *what, *([TitledList(_("You avoid:"), names)] if names else []), _page(reader)]


def _not_avoided(reader: MessageContext) -> list[Block]:
    return [_("Your list of people to avoid is unchanged."), reader.facts["reason"], _page(reader)]


def _page(reader: MessageContext) -> Button:
    return Button(_("People you avoid"), f"{reader.config.base_url}/me/avoided")


KINDS = (
    MessageKind("people to avoid", _people_to_avoid, subject=marked("People you avoid"), is_answer=True),
    MessageKind("not avoided", _not_avoided, subject=marked("People you avoid")),
)
