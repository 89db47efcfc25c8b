"""The SMTP and LMTP servers of each connection: those of aiosmtpd, with quicker ways through what every mail needs."""

from __future__ import annotations

import asyncio
import re

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, syntax

from emails.inbound.smtp_replies import TOO_LARGE
from emails.parsing.limits import MAX_MAIL_BYTES

_GO_AHEAD = "354 End data with <CR><LF>.<CR><LF>"
_LINE_END, _END = b"\r\n", b"\r\n.\r\n"
_STARTS_OF_END = tuple(_END[:length] for length in range(1, len(_END)))

_ATOMS = r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*"
_PLAIN_PATH = re.compile(rf"<({_ATOMS}@{_ATOMS})>(?: +([\w =]*))?", re.ASCII)
"""A path without quotes, comments and routes, and its parameters."""


class SmtpServer(SMTP):
    """An SMTP server for lines of any length, since old mail programs write a paragraph as one line."""

    line_length_limit = MAX_MAIL_BYTES

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 (aiosmtpd calls it by this name)
        """Read the data of a mail and hand it on; aiosmtpd reads it line by line, which takes as long as all else."""
        if arg or not (self.session and self.session.host_name and self.envelope and self.envelope.rcpt_tos):
            # It refuses the command.
            await super().smtp_DATA(arg)
            return
        await self.push(_GO_AHEAD)
        data = await self._read_data()
        if data is None:
            await self.refuse_data(str(TOO_LARGE))
        else:
            self.envelope.content = self.envelope.original_content = data
            await self.push(await self._call_handler_hook("DATA"))
        self.envelope = self._create_envelope()

    async def refuse_data(self, reply: str) -> None:
        """Refuse data that was discarded."""
        await self.push(reply)

    async def _read_data(self) -> bytes | None:
        """Read up to the end of the data, without the dots that were added to lines; None if it is too large."""
        data, is_too_large = bytearray(_LINE_END), False
        # As long as the end may have begun, the next byte decides.
        while data.endswith(_STARTS_OF_END) and not data.endswith(_END):
            data += await self._reader.readexactly(1)
            if len(data) > MAX_MAIL_BYTES + len(_LINE_END + _END):
                is_too_large = True
                del data[: -len(_END)]
        while not data.endswith(_END):
            try:
                data += await self._reader.readuntil(_END)
            except asyncio.LimitOverrunError as overrun:
                is_too_large = True
                await self._reader.read(overrun.consumed)
        del data[len(_LINE_END) - len(_END) :]
        if is_too_large or len(data) > len(_LINE_END) + MAX_MAIL_BYTES:
            return None
        return bytes(data.replace(_LINE_END + b".", _LINE_END)[len(_LINE_END) :])

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Parse the address of a command; aiosmtpd's parser takes a tenth of all that a mail costs the server."""
        plain = _PLAIN_PATH.fullmatch(arg)
        return (plain[1], plain[2] or "") if plain else super()._getaddr(arg)


class LmtpServer(SmtpServer, LMTP):
    """An LMTP server for lines of any length, which replies once per recipient also if a mail is too large."""

    async def refuse_data(self, reply: str) -> None:
        """Refuse data that is discarded, once for each recipient."""
        for _ in self.envelope.rcpt_tos if self.envelope else ():
            await self.push(reply)
