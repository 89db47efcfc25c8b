"""A player's data export: one ZIP file of their data, mails and records, streamed while it is built."""

from __future__ import annotations

import json
import logging
import re
from email.utils import format_datetime
from io import RawIOBase
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import select

from emails.composing.recompose import recompose
from pbem.db.models import OutboxMessage
from pbem.play.accounts import data_export
from pbem.play.core.context import transaction
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

README_TEXT = """\
data.json      your account and what operators did to it, your matches, moves and messages, and a list of all mails
mails.mbox     the mails we sent to you, without sign-in links
sent.mbox      the mails you sent to us, as far as they are stored
records/       the record of each match you finished; `pbem verify FILE` checks one
"""
_FROM_LINE = re.compile(rb"^(>*From )", re.MULTILINE)
_BATCH_SIZE = 100


class _DrainBuffer(RawIOBase):
    """A write-only buffer that is drained as it fills, so that the whole file is never in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written.append(bytes(data))
        return len(data)

    def drain(self) -> bytes:
        """Return what was written since the last call."""
        taken, self._written = b"".join(self._written), []
        return taken


def stream_zip(engine: Engine, config: Config, player: int) -> Iterator[bytes]:
    """Yield the ZIP file of everything stored about a player, piece by piece."""
    pipe = _DrainBuffer()
    with transaction(engine, config) as ctx, ZipFile(pipe, "w", ZIP_DEFLATED) as packed:
        packed.writestr("README.txt", README_TEXT)
        packed.writestr("data.json", json.dumps(data_export.build(ctx, player), ensure_ascii=False, indent=1))
        yield pipe.drain()
        for match, record in data_export.match_records(ctx, player):
            packed.writestr(f"records/{match}.json", json.dumps(record, ensure_ascii=False))
            yield pipe.drain()
        for name, mails in (
            ("sent.mbox", (mbox_entry(raw, ctx.now) for raw in data_export.raw_mails(ctx, player))),
            ("mails.mbox", _mails_to_player(ctx, player)),
        ):
            with packed.open(name, "w") as file:
                for mail in mails:
                    file.write(mail)
                    yield pipe.drain()
    yield pipe.drain()


def _mails_to_player(ctx: Context, player: int) -> Iterator[bytes]:
    """Yield the mails that a player was sent, oldest first, as far as they can be composed again."""
    sent = select(OutboxMessage.id).where(
        *data_export.notification_filter(player),
        OutboxMessage.state == OutboxState.SENT,
        OutboxMessage.render_preferences.is_not(None),
    )
    numbers = list(ctx.session.scalars(sent.order_by(OutboxMessage.id)))
    for at in range(0, len(numbers), _BATCH_SIZE):
        some = OutboxMessage.id.in_(numbers[at : at + _BATCH_SIZE])
        for message in ctx.session.scalars(select(OutboxMessage).where(some).order_by(OutboxMessage.id)).all():
            try:
                mail = recompose(ctx, message)
            except Exception:
                # For example, its game is no longer installed. The list in data.json still has it.
                log.exception("could not compose mail %s again", message.id)
            else:
                if mail is not None:
                    yield mbox_entry(mail.raw, message.finished_at or message.created_at)


def mbox_entry(raw: bytes, at: datetime) -> bytes:
    """Format a mail as an mbox entry: lines that would start another entry are quoted."""
    lines = raw.replace(b"\r\n", b"\n").rstrip(b"\n")
    day = format_datetime(at).split()
    # The date format of mbox: Sat Nov 21 05:50:10 2026.
    head = f"From MAILER-DAEMON {day[0].rstrip(',')} {day[2]} {int(day[1]):>2} {day[4]} {day[3]}\n"
    return head.encode() + _FROM_LINE.sub(rb">\1", lines) + b"\n\n"
