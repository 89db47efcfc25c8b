"""Check that a mail that the service sends to itself goes out and comes in again."""

from __future__ import annotations

import mailbox
import re
import shutil
import smtplib
import time
from contextlib import suppress
from email import message_from_bytes
from email.policy import compat32
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from kombu.exceptions import OperationalError

from emails.outbound.maildir import maildir_path
from emails.outbound.transport import DeliveryError, SmtpTransport
from pbem.ops.doctor import broker
from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.ops.doctor.dkim import parse_tags
from pbem.ops.up.checks import join_address, reachable_host, split_address
from pbem.play.core.context import transaction
from pbem.play.deliverability import loopback
from pbem.play.notifications.outbox import RELAY_TASK, shard_of
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message
    from pathlib import Path

    from pbem.config import Config
    from pbem.ops.doctor.check import CheckContext, Result
    from pbem.play.deliverability.loopback import Probe

POLL_SECONDS = 0.1
_BAD_RESULT = re.compile(r"\b(dkim|spf|dmarc)\s*=\s*(fail|softfail|permerror|temperror|none)\b", re.IGNORECASE)


def _check_loopback(ground: CheckContext) -> Iterator[Result]:
    with transaction(ground.engine, ground.config) as ctx:
        loopback.purge(ctx)
        token = loopback.send(ctx)
        address = loopback.address(ctx, token)
    with suppress(OperationalError):
        # Otherwise the sweeper finds it some seconds later.
        broker.send_task(ground, RELAY_TASK, shard_of(address))
    began, seen = time.monotonic(), _probe_status(ground, token)
    while (
        seen.raw is None
        and seen.state in {OutboxState.PENDING, OutboxState.SENT}
        and time.monotonic() < began + ground.mail_timeout
    ):
        if ground.config.is_mail_local and seen.state == "sent":
            _deliver_locally(ground.config, address)
        time.sleep(POLL_SECONDS)
        seen = _probe_status(ground, token)
    if seen.raw is None:
        yield _lost_result(ground, seen)
        return
    yield passed(f"A mail to ourselves was sent, and back after {time.monotonic() - began:.1f} s.")
    if not ground.config.is_mail_local:
        yield from _check_headers(ground.config, message_from_bytes(seen.raw, policy=compat32))
    with transaction(ground.engine, ground.config) as ctx:
        loopback.purge(ctx, token)


def _probe_status(ground: CheckContext, token: str) -> Probe:
    with transaction(ground.engine, ground.config) as ctx:
        return loopback.status(ctx, token)


def _lost_result(ground: CheckContext, seen: Probe) -> Result:
    if seen.state in {"failed", "dropped"} or seen.error:
        return failed(f"The mail server did not take a mail to ourselves: {seen.error}", "See what it says of it.")
    if seen.state == OutboxState.PENDING:
        return failed("A mail to ourselves was not sent.", "Look at the worker's log.")
    return failed(
        f"A mail to ourselves was sent, and was not back after {ground.mail_timeout:.0f} s.",
        f"Look where the mail of {ground.config.mail_domain} goes: its MX, the route that your mail server or provider "
        "has for it, and whether one of the ways in is set that docs/operate/mail-in.md names.",
    )


def _deliver_locally(config: Config, address: str) -> None:
    """Deliver a mail that was written to a local folder to our own SMTP server, in place of other mail servers."""
    folder = maildir_path(unquote(urlsplit(config.smtp_url).path), address)
    if not (folder / "cur").is_dir():
        return
    host, port = split_address(config.smtp_listen)
    line = SmtpTransport(f"smtp://{join_address(reachable_host(host), port)}", config.mail_domain)
    with suppress(DeliveryError, OSError, smtplib.SMTPException):
        for raw in _maildir_mails(folder):
            line.send("", address, raw)
        shutil.rmtree(folder)
    line.close()


def _maildir_mails(folder: Path) -> list[bytes]:
    box = mailbox.Maildir(folder, factory=None, create=False)
    # The first line is the Return-Path that was added on delivery.
    return [box.get_bytes(key).partition(b"\n")[2] for key in box.keys()]  # noqa: SIM118 (keys, not mails)


def _check_headers(config: Config, message: Message) -> Iterator[Result]:
    """Yield what the headers of the returned mail show about how others see our mail."""
    signed = [parse_tags(str(value)).get("d", "").lower() for value in message.get_all("DKIM-Signature", [])]
    if not any(_is_aligned(domain, config.mail_domain) for domain in signed):
        yield warned(
            f"What came back is not signed for {config.mail_domain}.",
            "Have your mail server sign by DKIM, or set PBEM_DKIM_KEY and PBEM_DKIM_SELECTOR.",
        )
    results = str(message.get("Authentication-Results", ""))
    if not results:
        return
    server = results.partition(";")[0].split()[:1]
    for method, result in _BAD_RESULT.findall(results):
        todo = f"Look at what “{method.upper()}” above or below says."
        yield warned(f"{' '.join(server)} found {method.lower()}={result.lower()} in our own mail.", todo)
    if not config.authserv_id:
        yield warned(
            "Your mail server says whose mails are genuine, and it is not told to be believed.",
            f"If it takes out such headers of others, set PBEM_AUTHSERV_ID={' '.join(server)}:"
            " docs/reference/who-may-move.md.",
        )


def _is_aligned(domain: str, ours: str) -> bool:
    return bool(domain) and (domain == ours or ours.endswith(f".{domain}") or domain.endswith(f".{ours}"))


CHECKS = (Check("mail in", _check_loopback, needs=("migrations", "worker", "mail out")),)
