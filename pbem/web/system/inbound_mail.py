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
    from collections.abc import Sequence

    from emails.inbound.smtp_replies import SmtpReply

log = logging.getLogger(__name__)

pages = Blueprint("inbound_mail", __name__, url_prefix="/incoming")

SIGNATURE_WINDOW_SECONDS = 120
"""Seconds before and after its timestamp for which a signature is valid."""
_MAX_TIMESTAMP_DIGITS = 12
MAX_REQUEST_BYTES = 4 * MAX_MAIL_BYTES
"""Maximum bytes of a request: a form may encode each byte of a mail as three, or the mail as base64."""

UNPRINTABLE_ADDRESS = "The sender and the recipients must be addresses without line ends or other invisible characters."
UNAUTHORIZED = "The key or the signature is wrong or too old."


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
    return _accept_and_respond(request.get_data(), recipients, sender, proof)


@pages.post("/mailgun")
def mailgun() -> Response:
    """Accept what Mailgun posts to a URL that ends in `mime`."""
    form = request.form
    stamp, token = form.get("timestamp", ""), form.get("token", "")
    proof = _check_signature(service().config.mailgun_key, stamp, (stamp + token).encode(), form.get("signature", ""))
    mail = form.get("body-mime", "").encode("utf-8", "replace")
    recipients = [each.strip() for each in form.get("recipient", "").split(",") if each.strip()]
    # Only this status stops Mailgun from retrying.
    return _accept_and_respond(mail, recipients, form.get("sender"), proof, refused=406)


@pages.post("/postmark")
def postmark() -> Response:
    """Accept what Postmark posts when it is set to include the raw mail."""
    _check_key()
    fields = _parse_object(request.get_data(as_text=True))
    mail = _text_field(fields, "RawEmail").encode("utf-8", "replace")
    recipient = _text_field(fields, "OriginalRecipient")
    # Only this status stops Postmark from retrying.
    return _accept_and_respond(mail, [recipient] if recipient else [], refused=403)


@pages.post("/sendgrid")
def sendgrid() -> Response:
    """Accept what SendGrid posts when it is set to post the raw mail."""
    _check_key()
    envelope = _parse_object(request.form.get("envelope", "{}"))
    to = envelope.get("to", [])
    recipients = [str(each) for each in to] if isinstance(to, list) else []
    mail = request.form.get("email", "").encode("utf-8", "replace")
    return _accept_and_respond(mail, recipients, _text_field(envelope, "from") if "from" in envelope else None)


@pages.post("/ses")
def ses() -> Response:
    """Accept what Amazon SES publishes to an SNS topic with the content of the mail."""
    _check_key()
    fields = _parse_object(request.get_data(as_text=True))
    if fields.get("Type") == "SubscriptionConfirmation":
        address = fields.get("SubscribeURL")
        log.warning("open this address once to let the topic send its mail here: %s", address, extra=logs.UNREDACTED)
        return Response("Open the address in the log to confirm the subscription.\n", 200, content_type="text/plain")
    message = _parse_object(_text_field(fields, "Message")) if "Message" in fields else fields
    receipt, mail = message.get("receipt"), message.get("mail")
    recipients = receipt.get("recipients") if isinstance(receipt, dict) else []
    content = _text_field(message, "content").encode("utf-8", "replace")
    if isinstance(receipt, dict) and isinstance(action := receipt.get("action"), dict):
        content = _decode_base64(content) if action.get("encoding") == "BASE64" else content
    sender = str(mail["source"]) if isinstance(mail, dict) and "source" in mail else None
    return _accept_and_respond(content, [*map(str, recipients)] if isinstance(recipients, list) else [], sender)


def _accept_and_respond(
    raw: bytes, recipients: Sequence[str], sender: str | None = None, proof: str | None = None, refused: int = 404
) -> Response:
    """Accept a forwarded mail for each recipient, and return the status that the mail service understands.

    Without recipients they are read from the mail's headers; without a sender its Return-Path is used. A `proof` is
    valid for one mail only.
    """
    if not raw:
        abort(400, description="There is no mail in this request.")
    answer = TOO_LARGE if len(raw) > MAX_MAIL_BYTES else _accept(raw, recipients, sender, proof)
    status = 200 if answer.is_accepted else 503 if answer.is_temporary else 413 if answer is TOO_LARGE else refused
    headers = {"Retry-After": RETRY_AFTER_SECONDS} if answer.is_temporary else {}
    return Response(f"{answer}\n", status, headers, content_type="text/plain")


def _accept(raw: bytes, recipients: Sequence[str], sender: str | None, proof: str | None) -> SmtpReply:
    engine, config = service().engine, service().config
    if not recipients:
        return accept_delivered(engine, config, raw)
    if sender is None:
        sender = inbound_envelope.envelope_sender(inbound_envelope.parse_headers(raw))
    by = sender.strip().strip("<>")
    return combined_reply([accept(engine, config, raw, to, by, proof=proof and f"{proof} {to}") for to in recipients])


def _check_key() -> None:
    """Raise Unauthorized unless the request has the key, as a bearer token or as the password of any user."""
    keys = service().config.incoming_key
    credentials = request.authorization
    given = (credentials.token or credentials.password or "") if credentials else ""
    if keys is None:
        abort(404)
    if not any(hmac.compare_digest(given.encode(), key.encode()) for key in keys.split(",")):
        raise Unauthorized(UNAUTHORIZED)


def _check_signature(keys: str | None, stamp: str, message: bytes, signature: str) -> str:
    """Return the signature as the proof for one mail; raises Unauthorized unless one of the keys made it just now."""
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


def _parse_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        abort(400, description="This is not a mail in JSON.")
    return found


def _text_field(fields: dict[str, Any], name: str) -> str:
    found = fields.get(name, "")
    return found if isinstance(found, str) else ""


def _decode_base64(content: bytes) -> bytes:
    try:
        return b64decode(content)
    except (binascii.Error, ValueError):
        abort(400, description="This is not a mail in base64.")
