"""Check that the mail server accepts our mail, and that no mail failed by an error of ours."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from emails.outbound.transport import DeliveryError, SmtpTransport, create_transport
from pbem.ops.doctor.check import Check, CheckContext, Results, failed, passed, warned
from pbem.play.core.context import read_only
from pbem.play.notifications import failed_mails

MAX_COUNT = 1000
"""Maximum failed mails that are counted."""


def _check_mail_server(context: CheckContext) -> Results:
    url = urlsplit(context.config.smtp_url)
    transport = create_transport(context.config)
    try:
        transport.open()
    except DeliveryError as refused:
        where = url.hostname or url.path
        yield failed(f"{where} accepts no mail from us: {refused}", "Correct PBEM_SMTP_URL, or start the mail server.")
        return
    else:
        encrypted = not isinstance(transport, SmtpTransport) or transport.is_encrypted
    finally:
        transport.close()
    if context.config.is_mail_local:
        yield passed(f"Mail is written to folders in {url.path}.")
    elif not encrypted and url.username and not _is_private(url.hostname or ""):
        todo = "Use smtps://, or a server with STARTTLS."
        yield warned(f"The password is sent to {url.hostname} without encryption.", todo)
    else:
        how = "encrypted" if encrypted else "not encrypted"
        yield passed(f"{url.hostname} accepts our mail, {how}{', as ' + url.username if url.username else ''}.")


def _is_private(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_private
    except ValueError:
        return False


def _check_given_up(context: CheckContext) -> Results:
    with read_only(context.engine, context.config) as ctx:
        count, oldest = failed_mails.count_unrendered(ctx, MAX_COUNT)
    if oldest is None:
        yield passed("All mails could be written.")
        return
    yield warned(
        f"{'One mail' if count == 1 else f'{count} mails'} could not be written, the oldest on {oldest:%Y-%m-%d}.",
        "See the worker's log for the cause. Then send each again from the operators' pages or with `pbem admin retry "
        f"mail NUMBER`: their content is kept for {failed_mails.RETENTION.days} days.",
    )


CHECKS = (
    Check("mail out", _check_mail_server),
    Check("mails given up", _check_given_up, needs=("migrations",)),
)
