"""Client for URLs that others chose: sends one POST; that of a webhook is signed as specified by Standard Webhooks."""

from __future__ import annotations

import base64
import hmac
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from pbem import __version__
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.notifications.webhook_urls import parse_url, resolve_host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pbem.config import Config

TIMEOUT_SECONDS = 10.0
"""Maximum seconds for a whole call."""
_SHUTDOWN_INTERVAL_SECONDS = 0.1
SUCCESS_STATUSES = range(200, 300)
REDIRECT_STATUSES = range(300, 400)
REFUSED_STATUSES = {400, 401, 403, 404, 405, 410, 413, 415, 422}
"""Answers of a service that does not take what is sent, or not at this address."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of a response, and its header that says when to try again."""

    status: int
    retry_after: str | None


class CallError(Exception):
    """A call failed, with a sentence for the webhook's owner; `refused` if it would be so each time."""

    def __init__(self, sentence: str, *, refused: bool = False) -> None:
        super().__init__(sentence)
        self.refused = refused


def encode_secret(secret: bytes) -> str:
    """Encode a secret as the libraries of Standard Webhooks expect it."""
    return f"whsec_{base64.b64encode(secret).decode()}"


def signature_headers(secret: bytes, name: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers that authenticate and timestamp a call."""
    moment = str(int(now.timestamp()))
    signed = hmac.digest(secret, b".".join([name.encode(), moment.encode(), body]), "sha256")
    return {
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }


def call(config: Config, url: str, body: bytes, signature: dict[str, str], seconds: float = TIMEOUT_SECONDS) -> None:
    """Send one call; raises CallError."""
    status = post(config, url, body, signature | {"Content-Type": "application/json"}, seconds).status
    if status in REDIRECT_STATUSES:
        raise CallError(_("It answered with a redirect ({status}). Enter the final URL.", status=status))
    if status not in SUCCESS_STATUSES:
        raise CallError(_("It answered with status {status}.", status=status), refused=status in REFUSED_STATUSES)


def post(config: Config, url: str, body: bytes, headers: dict[str, str], seconds: float = TIMEOUT_SECONDS) -> Answer:
    """Send one POST to a host on the public internet, and return the answer; raises CallError if there is none.

    Reads only the status and the headers of the response, and follows no redirect.
    """
    try:
        target = parse_url(url)
        address = resolve_host(config, target)
    except Refused as refused:
        raise CallError(str(refused)) from None
    more = {
        "Host": target.host_header,
        "User-Agent": f"pbem/{__version__}",
        "Connection": "close",
    }
    # Connect to the address that was checked: the name may resolve to another one by now.
    connection = HTTPConnection(address, target.port, timeout=seconds)
    if target.secure:
        connection = HTTPSConnection(
            address, target.port, timeout=seconds, cert_reqs=ssl.CERT_REQUIRED, server_hostname=target.host
        )
    try:
        with _time_limit(connection, seconds) as late:
            connection.request("POST", target.path, body=body, headers=headers | more, preload_content=False)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers.get("Retry-After"))
            response.close()
    except (HTTPError, HTTPException, OSError, ValueError) as fault:
        raise CallError(_failure_text(fault, late=late.is_set())) from fault
    finally:
        connection.close()
    if late.is_set():
        # A connection that was shut down looks like the end of the headers.
        raise CallError(_failure_text(TimeoutError(), late=True))
    return answer


@contextmanager
def _time_limit(connection: HTTPConnection, seconds: float) -> Iterator[threading.Event]:
    """Shut down a call that takes too long, even if its response trickles in."""
    late, done = threading.Event(), threading.Event()

    def watch() -> None:
        if done.wait(seconds):
            return
        late.set()
        while not done.wait(_SHUTDOWN_INTERVAL_SECONDS):
            with suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    threading.Thread(target=watch, name="webhook", daemon=True).start()
    try:
        yield late
    finally:
        done.set()


def _failure_text(fault: Exception, *, late: bool) -> str:
    if late or isinstance(fault, TimeoutError) or "timed out" in str(fault):
        return _("It did not answer within ten seconds.")
    cause: BaseException | None = fault
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _("Its certificate is not valid for this address.")
        cause = cause.__cause__
    return _("It could not be reached, or did not answer with HTTP.")
