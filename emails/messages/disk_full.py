"""Mails to the operator about a full disk, and about free space again."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked
from pbem.play.upkeep import disk_full
from pbem.time_format import format_duration, format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _disk_full(reader: MessageContext) -> list[Block]:
    whose = ", ".join(reader.facts["whose"])
    lead = _("Since {since} a disk is full: that of {whose}.", since=_moment(reader, "since"), whose=whose)
    how = _(
        "Nothing new is taken: mails are told to come later, pages can only be read, and all clocks stand still. "
        "Nothing is lost. Make room: remove old backups and logs, or enlarge the disk. The command “pbem doctor” says "
        "how much is free."
    )
    after = _("All goes on by itself when there is room. This is the only mail until then.")
    return [lead, how, after]


def _disk_free(reader: MessageContext) -> list[Block]:
    length = format_duration(
        datetime.fromisoformat(reader.facts["now"]) - datetime.fromisoformat(reader.facts["since"])
    )
    lead = _("Since {now} there is room on the disk again.", now=_moment(reader, "now"))
    how = _("It was full for {time}. Everything is taken again, and everybody was given that time back.", time=length)
    return [lead, how]


def _moment(reader: MessageContext, name: str) -> str:
    return format_moment(datetime.fromisoformat(reader.facts[name]), "UTC")


KINDS = (
    MessageKind(disk_full.DISK_FULL_MAIL, _disk_full, subject=marked("A disk is full")),
    MessageKind(disk_full.SPACE_AGAIN_MAIL, _disk_free, subject=marked("There is room on the disk again")),
)
