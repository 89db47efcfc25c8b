"""Mails to the operator about a full disk, and about free space again."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked
from pbem.play.upkeep import disk_full
from pbem.time_format import format_duration

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _disk_full(reader: MessageContext) -> list[Block]:
    return [
        _("A disk has been full since {since}: {whose}.",
          since=reader.moment("since"), whose=", ".join(reader.facts["whose"])),
        _(
            "Nothing new is accepted: senders are asked to try again later, pages are read-only, and all clocks are "
            "paused. Nothing is lost. Remove old backups and logs, or enlarge the disk. The command “pbem doctor” "
            "shows how much is free."
        ),
        _("The service resumes by itself when there is free space. You get no other mail until then."),
    ]  # fmt: skip


def _disk_free(reader: MessageContext) -> list[Block]:
    now, since = (datetime.fromisoformat(reader.facts[name]) for name in ("now", "since"))
    how = _("It was full for {time}. Everything is accepted again, and all clocks were given that time back.",
            time=format_duration(now - since))  # fmt: skip
    return [_("The disk has had free space again since {now}.", now=reader.moment("now")), how]


KINDS = (
    MessageKind(disk_full.DISK_FULL_MAIL, _disk_full, subject=marked("A disk is full")),
    MessageKind(disk_full.SPACE_AGAIN_MAIL, _disk_free, subject=marked("The disk has free space again")),
)
