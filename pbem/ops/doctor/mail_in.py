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
from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned
from pbem.ops.doctor.dkim_dmarc import parse_tags
from pbem.ops.up.checks import join_address, reachable_host, split_address
from pbem.play.core.context import transaction
from pbem.play.deliverability import loopback
from pbem.play.notifications.outbox import RELAY_TASK, shard_of
from pbem.states import OutboxState

if TYPE_CHECKING:
    from email.message import Message

    from pbem.config import Config
    from pbem.play.deliverability.loopback import Probe

POLL_SECONDS = 0.1
_BAD_RESULT = re.compile(r"\b(dkim|spf|dmarc)\s*=\s*(fail|softfail|permerror|temperror|none)\b", re.IGNORECASE)


def _check_loopback(context: CheckContext) -> Results:
    with transaction(context.engine, context.config) as ctx:
        loopback.purge(ctx)
        token = loopback.send(ctx)
        address = loopback.address(ctx, token)
    with suppress(OperationalError):
        # Otherwise the sweeper finds it some seconds later.
        broker.send_task(context, RELAY_TASK, shard_of(address))
    began, probe = time.monotonic(), _probe_status(context, token)
    while (
        probe.raw is None
        and probe.state in {OutboxState.PENDING, OutboxState.SENT}
        and time.monotonic() < began + context.mail_timeout
    ):
        if context.config.is_mail_local and probe.state == OutboxState.SENT:
            _deliver_locally(context.config, address)
        time.sleep(POLL_SECONDS)
        probe = _probe_status(context, token)
    if probe.raw is None:
        yield _lost_result(context, probe)
        return
    yield passed(f"The test mail came back after {time.monotonic() - began:.1f} s.")
    if not context.config.is_mail_local:
        yield from _check_headers(context.config, message_from_bytes(probe.raw, policy=compat32))
    with transaction(context.engine, context.config) as ctx:
        loopback.purge(ctx, token)


def _probe_status(context: CheckContext, token: str) -> Probe:
    with transaction(context.engine, context.config) as ctx:
        return loopback.status(ctx, token)


def _lost_result(context: CheckContext, probe: Probe) -> Result:
    if probe.state in {OutboxState.FAILED, OutboxState.DROPPED} or probe.error:
        return failed(f"The mail server rejected the test mail: {probe.error}", "Fix what it complains about.")
    if probe.state == OutboxState.PENDING:
        return failed("The test mail was not sent.", "See the worker's log.")
    return failed(
        f"The test mail was sent, but did not come back within {context.mail_timeout:.0f} s.",
        f"Check where mail for {context.config.mail_domain} goes: its MX, its route at your mail server or provider, "
        "and whether the service takes mail in one of the ways in docs/operate/mail-in.md.",
    )


def _deliver_locally(config: Config, address: str) -> None:
    """Deliver a mail that was written to a local folder to our own SMTP server, in place of other mail servers."""
    folder = maildir_path(unquote(urlsplit(config.smtp_url).path), address)
    if not (folder / "cur").is_dir():
        return
    host, port = split_address(config.smtp_listen)
    transport = SmtpTransport(f"smtp://{join_address(reachable_host(host), port)}", config.mail_domain)
    with suppress(DeliveryError, OSError, smtplib.SMTPException):
        box = mailbox.Maildir(folder, factory=None, create=False)
        for key in box.keys():  # noqa: SIM118 (keys, not mails)
            # The first line is the Return-Path that was added on delivery.
            transport.send("", address, box.get_bytes(key).partition(b"\n")[2])
        shutil.rmtree(folder)
    transport.close()


def _check_headers(config: Config, message: Message) -> Results:
    """Yield what the headers of the returned mail show about how others see our mail."""
    signed = [parse_tags(str(value)).get("d", "").lower() for value in message.get_all("DKIM-Signature", [])]
    if not any(_is_aligned(domain, config.mail_domain) for domain in signed):
        yield warned(
            f"The test mail came back without a DKIM signature for {config.mail_domain}.",
            "Let your mail server sign with DKIM, or set PBEM_DKIM_KEY and PBEM_DKIM_SELECTOR.",
        )
    results = str(message.get("Authentication-Results", ""))
    if not results:
        return
    server = results.partition(";")[0].split()[:1]
    for method, result in _BAD_RESULT.findall(results):
        text = f"{' '.join(server)} found {method.lower()}={result.lower()} in our own mail."
        yield warned(text, f"See what “{method.upper()}” reports in this list.")
    if not config.authserv_id:
        yield warned(
            "Your mail server checks who mail is from, but its results are not trusted yet.",
            f"If it removes such headers from incoming mail, set PBEM_AUTHSERV_ID={' '.join(server)}: see "
            "docs/reference/who-may-move.md.",
        )


def _is_aligned(domain: str, ours: str) -> bool:
    return bool(domain) and (domain == ours or ours.endswith(f".{domain}") or domain.endswith(f".{ours}"))


CHECKS = (Check("mail in", _check_loopback, needs=("migrations", "worker", "mail out")),)
