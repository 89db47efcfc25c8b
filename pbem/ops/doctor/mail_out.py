"""Check that the mail server accepts our mail."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from emails.outbound.transport import DeliveryError, SmtpTransport, create_transport
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result


def _check_mail_server(ground: CheckContext) -> Iterator[Result]:
    split = urlsplit(ground.config.smtp_url)
    way = create_transport(ground.config)
    try:
        way.open()
    except DeliveryError as refused:
        where = split.hostname or split.path
        yield failed(f"{where} takes no mail from us: {refused}", "Correct PBEM_SMTP_URL, or start the mail server.")
        return
    else:
        encrypted = not isinstance(way, SmtpTransport) or way.is_encrypted
    finally:
        way.close()
    if ground.config.is_mail_local:
        yield passed(f"Mail goes into the folders below {split.path}.")
    elif not encrypted and split.username and not _is_here(split.hostname or ""):
        yield warned(
            f"{split.hostname} is told our password without encryption.", "Use smtps://, or a server with STARTTLS."
        )
    else:
        how = "encrypted" if encrypted else "not encrypted"
        yield passed(f"{split.hostname} takes our mail, {how}{', as ' + split.username if split.username else ''}.")


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_private
    except ValueError:
        return False


CHECKS = (Check("mail out", _check_mail_server),)
