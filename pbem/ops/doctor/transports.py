"""Check that each configured transport of incoming mail works."""

from __future__ import annotations

from imaplib import IMAP4
from pathlib import Path
from urllib.parse import urlsplit

from emails.inbound.transports import imap
from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned
from pbem.ops.up.checks import serves_smtp, split_address


def _check_transports(context: CheckContext) -> Results:
    config = context.config
    for listen in filter(None, (config.smtp_listen, config.lmtp_listen)):
        if serves_smtp(*split_address(listen)):
            yield passed(f"Mail is accepted at {listen}.")
        else:
            yield warned(
                f"No server accepts mail at {listen}.",
                "Start the mail process. If it runs on another machine, run this check there.",
            )
    if config.imap_url:
        yield _check_mailbox(config.imap_url)
    if config.maildir_in:
        yield _check_maildir(Path(config.maildir_in))


def _check_mailbox(url: str) -> Result:
    host = urlsplit(url).hostname
    try:
        mails = imap.check_mailbox(url)
    except (OSError, imap.PollError, IMAP4.error) as error:
        todo = "Correct PBEM_IMAP_URL. Many providers need IMAP to be switched on, and an app password."
        return failed(f"The mailbox at {host} cannot be read: {error}", todo)
    return passed(f"The mailbox at {host} can be read; mails in it: {mails}.")


def _check_maildir(folder: Path) -> Result:
    if all((folder / part).is_dir() for part in ("new", "cur")):
        return passed(f"Mail is fetched from {folder}.")
    return failed(f"{folder} is not a readable Maildir.", "Correct PBEM_MAILDIR_IN, or the folder's owner.")


CHECKS = (Check("ways in", _check_transports),)
