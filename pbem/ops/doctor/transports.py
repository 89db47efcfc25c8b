"""Check that each configured transport of incoming mail works."""

from __future__ import annotations

from imaplib import IMAP4
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from emails.inbound.transports import imap
from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.ops.up.checks import serves_smtp, split_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result


def _check_transports(ground: CheckContext) -> Iterator[Result]:
    config = ground.config
    for listen in filter(None, (config.smtp_listen, config.lmtp_listen)):
        if serves_smtp(*split_address(listen)):
            yield passed(f"Mail is taken at {listen}.")
        else:
            yield warned(
                f"Nobody takes mail at {listen}.",
                "Start the mail process; where it runs on another machine, look from there.",
            )
    if config.imap_url:
        yield _check_mailbox(config.imap_url)
    if config.maildir_in:
        yield _check_maildir(Path(config.maildir_in))


def _check_mailbox(url: str) -> Result:
    host = urlsplit(url).hostname
    try:
        mails = imap.check_mailbox(url)
    except (OSError, imap.PollError, IMAP4.error) as fault:
        todo = "Correct PBEM_IMAP_URL; many providers want a password of its own for programs, and IMAP allowed."
        return failed(f"The mailbox at {host} cannot be read: {fault}", todo)
    return passed(f"The mailbox at {host} can be read; {mails} mails lie in it.")


def _check_maildir(folder: Path) -> Result:
    if all((folder / part).is_dir() for part in ("new", "cur")):
        return passed(f"Mail is fetched from {folder}.")
    return failed(f"{folder} is no Maildir that can be read.", "Correct PBEM_MAILDIR_IN, or the folder's owner.")


CHECKS = (Check("ways in", _check_transports),)
