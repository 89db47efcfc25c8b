"""Inbound mail from a Maildir that a mail server on this machine delivers to."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from emails.inbound.accept import accept_delivered
from emails.parsing.limits import MAX_MAIL_BYTES

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)


def poll(engine: Engine, config: Config, folder: str) -> int:
    """Accept the mails in `new` and move them to `cur`; return how many were moved.

    A mail is moved only after it is stored. Refused mail is moved too, but not marked as read. Mail that must wait
    stays in `new`.
    """
    settled = 0
    for file in sorted((Path(folder) / "new").iterdir()):
        if file.name.startswith("."):
            continue
        try:
            with file.open("rb") as mail:
                raw = mail.read(MAX_MAIL_BYTES + 1)
            answer = accept_delivered(engine, config, raw)
            if answer.is_temporary:
                log.warning("%s must wait: %s", file, answer)
                continue
            if not answer.is_accepted:
                log.warning("%s was refused: %s", file, answer)
            flag = "S" if answer.is_accepted else ""
            file.rename(Path(folder) / "cur" / f"{file.name.partition(':')[0]}:2,{flag}")
            settled += 1
        except FileNotFoundError:
            log.info("%s was moved by another process", file)
    return settled
