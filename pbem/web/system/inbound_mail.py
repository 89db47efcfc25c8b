"""Inbound mail over HTTP, as mail services forward it: always the raw mail, and 2xx only once it is stored.

`docs/operate/mail-in.md` describes the setup. The routes exist only with `PBEM_INCOMING_KEY` or `PBEM_MAILGUN_KEY`.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import logging
import time
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, request
from werkzeug.exceptions import Unauthorized

from emails.inbound import envelope as inbound_envelope
from emails.inbound.accept import accept, accept_delivered, combined_reply
from emails.inbound.smtp_replies import TOO_LARGE
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.telemetry import logs
from pbem.web.request.context import service
from pbem.web.request.errors import RETRY_AFTER_SECONDS

if TYPE_CHECKING:
    from emails.inbound.smtp_replies import SmtpReply

log = logging.getLogger(__name__)

pages = Blueprint("inbound_mail", __name__, url_prefix="/incoming")

SIGNATURE_WINDOW_SECONDS = 120
"""Seconds before and after its timestamp for which a signature is valid."""
_MAX_TIMESTAMP_DIGITS = 12
"""Maximum digits of a timestamp in seconds."""
MAX_REQUEST_BYTES = 4 * MAX_MAIL_BYTES
"""Maximum bytes of a request: a form may encode each byte of a mail as three, or the mail as base64."""

UNPRINTABLE_ADDRESS = (
    "A sender and a recipient are addresses, and hold no line ends or other characters that cannot be seen."
)
UNAUTHORIZED = "The key or the signature is not the one that is set here, or it is too old."


@dataclass(frozen=True, slots=True)
class ForwardedMail:
    """Mail that a service forwarded: the raw mail, its envelope, and its proof, where that is good for one mail only.

    Without recipients they are read from the mail's headers; without a sender its Return-Path is used.
    """

    raw: bytes
    recipients: tuple[str, ...] = ()
    sender: str | None = None
    proof: str | None = None


@pages.before_request
def allow_large_requests() -> None:
    """Allow requests as large as the largest encoding of a mail."""
    request.max_content_length = MAX_REQUEST_BYTES
    request.max_form_memory_size = MAX_REQUEST_BYTES


@pages.post("/raw")
def raw() -> Response:
    """Accept a raw mail (`message/rfc822`) with its envelope in `?recipient=` and `?sender=`, or in headers."""
    recipients = request.args.getlist("recipient") or request.headers.getlist("X-Recipient")
    sender = request.args.get("sender", request.headers.get("X-Sender"))
    proof = None
    if not all(each.isprintable() and each == each.strip() for each in [*recipients, sender or ""]):
        # The signed parts are joined by line ends: one within a part would make another split of them valid too.
        abort(400, description=UNPRINTABLE_ADDRESS)
    if "X-Signature" in request.headers:
        stamp = request.headers.get("X-Timestamp", "")
        signed = "\n".join([stamp, ",".join(recipients), sender or ""]).encode() + b"\n" + request.get_data()
        proof = _check_signature(service().config.incoming_key, stamp, signed, request.headers["X-Signature"])
    else:
        _check_key()
    return _accept_and_respond(ForwardedMail(request.get_data(), tuple(recipients), sender, proof))


@pages.post("/mailgun")
def mailgun() -> Response:
    """Accept what Mailgun posts to a URL that ends in `mime`."""
    form = request.form
    stamp, token = form.get("timestamp", ""), form.get("token", "")
    proof = _check_signature(service().config.mailgun_key, stamp, (stamp + token).encode(), form.get("signature", ""))
    mail = form.get("body-mime", "").encode("utf-8", "replace")
    recipients = tuple(each.strip() for each in form.get("recipient", "").split(",") if each.strip())
    # Only this status stops Mailgun from retrying.
    return _accept_and_respond(ForwardedMail(mail, recipients, form.get("sender"), proof), refused=406)


@pages.post("/postmark")
def postmark() -> Response:
    """Accept what Postmark posts when it is set to include the raw mail."""
    _check_key()
    said = _request_json()
    mail = _text_field(said, "RawEmail").encode("utf-8", "replace")
    recipient = _text_field(said, "OriginalRecipient")
    # Only this status stops Postmark from retrying.
    return _accept_and_respond(ForwardedMail(mail, (recipient,) if recipient else ()), refused=403)


@pages.post("/sendgrid")
def sendgrid() -> Response:
    """Accept what SendGrid posts when it is set to post the raw mail."""
    _check_key()
    envelope = _parse_object(request.form.get("envelope", "{}"))
    to = envelope.get("to", [])
    recipients = tuple(str(each) for each in to) if isinstance(to, list) else ()
    mail = request.form.get("email", "").encode("utf-8", "replace")
    return _accept_and_respond(
        ForwardedMail(mail, recipients, _text_field(envelope, "from") if "from" in envelope else None)
    )


@pages.post("/ses")
def ses() -> Response:
    """Accept what Amazon SES publishes to an SNS topic with the content of the mail."""
    _check_key()
    said = _request_json()
    if said.get("Type") == "SubscriptionConfirmation":
        address = said.get("SubscribeURL")
        log.warning("open this address once to let the topic send its mail here: %s", address, extra=logs.UNREDACTED)
        return Response("Noted; the address to confirm is in the log.\n", 200, content_type="text/plain")
    notice = _parse_object(_text_field(said, "Message")) if "Message" in said else said
    receipt, mail = notice.get("receipt"), notice.get("mail")
    recipients = receipt.get("recipients") if isinstance(receipt, dict) else []
    recipients = recipients if isinstance(recipients, list) else []
    content = _text_field(notice, "content").encode("utf-8", "replace")
    if isinstance(receipt, dict) and isinstance(action := receipt.get("action"), dict):
        content = _decode_base64(content) if action.get("encoding") == "BASE64" else content
    sender = str(mail["source"]) if isinstance(mail, dict) and "source" in mail else None
    return _accept_and_respond(ForwardedMail(content, tuple(map(str, recipients)), sender))


def _accept_and_respond(handed: ForwardedMail, refused: int = 404) -> Response:
    """Accept a forwarded mail for each recipient, and return the status that the service understands."""
    if not handed.raw:
        abort(400, description="There is no mail in this request.")
    answer = TOO_LARGE if len(handed.raw) > MAX_MAIL_BYTES else _accept(handed)
    status = 200 if answer.is_accepted else 503 if answer.is_temporary else 413 if answer is TOO_LARGE else refused
    headers = {"Retry-After": RETRY_AFTER_SECONDS} if answer.is_temporary else {}
    return Response(f"{answer}\n", status, headers, content_type="text/plain")


def _accept(handed: ForwardedMail) -> SmtpReply:
    engine, config = service().engine, service().config
    if not handed.recipients:
        return accept_delivered(engine, config, handed.raw)
    sender = handed.sender
    if sender is None:
        sender = inbound_envelope.envelope_sender(inbound_envelope.parse_headers(handed.raw))
    proofs = [handed.proof and f"{handed.proof} {to}" for to in handed.recipients]
    by = sender.strip().strip("<>")
    return combined_reply(
        [
            accept(engine, config, handed.raw, to, by, proof=proof)
            for to, proof in zip(handed.recipients, proofs, strict=True)
        ]
    )


def _check_key() -> None:
    """Raise Unauthorized unless the request has the key, as a bearer token or as the password of any user."""
    keys = service().config.incoming_key
    given = request.authorization
    told = (given.token or given.password or "") if given else ""
    if keys is None:
        abort(404)
    if not any(hmac.compare_digest(told.encode(), key.encode()) for key in keys.split(",")):
        raise Unauthorized(UNAUTHORIZED)


def _check_signature(keys: str | None, stamp: str, message: bytes, signature: str) -> str:
    """Raise Unauthorized unless one of the keys signed this just now; return what is good for one mail only."""
    if keys is None:
        abort(404)
    expected = [hmac.new(key.encode(), message, hashlib.sha256).hexdigest() for key in keys.split(",")]
    fresh = (
        stamp.isdecimal()
        and len(stamp) <= _MAX_TIMESTAMP_DIGITS
        and abs(time.time() - int(stamp)) <= SIGNATURE_WINDOW_SECONDS
    )
    found = [one for one in expected if hmac.compare_digest(signature.lower().encode(), one.encode())]
    if not found or not fresh:
        raise Unauthorized(UNAUTHORIZED)
    return found[0]


def _request_json() -> dict[str, Any]:
    return _parse_object(request.get_data(as_text=True))


def _parse_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        abort(400, description="This is not the JSON of a mail.")
    return found


def _text_field(said: dict[str, Any], name: str) -> str:
    found = said.get(name, "")
    return found if isinstance(found, str) else ""


def _decode_base64(content: bytes) -> bytes:
    try:
        return b64decode(content)
    except (binascii.Error, ValueError):
        abort(400, description="This is not the base64 of a mail.")
