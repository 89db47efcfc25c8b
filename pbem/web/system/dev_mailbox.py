"""Development mailbox: pages to read and answer the outgoing mail of this machine."""

from __future__ import annotations

import smtplib
from io import BytesIO
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, send_file, url_for

from emails import dev_mailbox
from pbem.i18n import _, marked
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import service

if TYPE_CHECKING:
    from email.message import EmailMessage

    from flask.typing import ResponseReturnValue

    from emails.dev_mailbox import LocalMailbox, StoredMail

pages = Blueprint("dev_mailbox", __name__)

UNKNOWN_MAIL = marked("This mail does not exist. The mailbox lists all mails.")
MAIL_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; "
    "base-uri 'none'"
)
"""Content Security Policy of a mail in its frame: it may show itself."""
MAX_RELOADS = 6
"""Maximum reloads of a mailbox while mail is on its way."""
SMTP_TIMEOUT_SECONDS = 10
_ANY_HOST = {"0.0.0.0", "::", ""}  # noqa: S104 (nothing is bound here)


@pages.get("/mailbox")
def everybody() -> str:
    """List the mailboxes of this machine."""
    return render_template("mailbox/everybody.html", boxes=dev_mailbox.list_mailboxes(_root()), here_is=None)


@pages.get("/mailbox/<address>")
def one(address: str) -> str:
    """Show a mailbox, the newest mail first."""
    box = dev_mailbox.find_mailbox(_root(), address)
    why = next((name for name in ("sent", "wait") if name in request.args), "")
    reloads = form_fields.parse_number(request.args.get(why), len(str(MAX_RELOADS))) or 0
    if box is None and not reloads:
        abort(404, description=UNKNOWN_MAIL)
    mails = [_summary(item) for item in dev_mailbox.list_mails(box)] if box else []
    values: dict[str, Any] = {"address": address, why: reloads + 1}
    again = url_for("dev_mailbox.one", **values) if 0 < reloads < MAX_RELOADS else None
    boxes = dev_mailbox.list_mailboxes(_root())
    return render_template(
        "mailbox/one.html", boxes=boxes, here_is=address.lower(), mails=mails, why=why if reloads else "", again=again
    )


@pages.get("/mailbox/<address>/<key>")
def mail(address: str, key: str) -> str:
    """Show a mail, with a form to reply."""
    box, item = _find_mail(address, key)
    if request.method == "GET":
        item = dev_mailbox.mark_read(item)
    message = item.message()
    reply = f"{request.args.get('reply', '')}\n\n{dev_mailbox.quote_mail(message)}"
    return _mail_page(box, item, message, reply)


@pages.get("/mailbox/<address>/<key>/html")
def page(address: str, key: str) -> Response:
    """Show the HTML part of a mail, for its frame."""
    box, item = _find_mail(address, key)
    found = dev_mailbox.html_page(
        item.message(),
        lambda text: url_for("dev_mailbox.mail", address=box.address, key=key, reply=text, _anchor="reply"),
    )
    if found is None:
        abort(404, description=UNKNOWN_MAIL)
    return Response(found, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": MAIL_POLICY})


@pages.get("/mailbox/<address>/<key>/attachments/<int:number>")
def attachment(address: str, key: str, number: int) -> Response:
    """Download an attached file of a mail."""
    _box, item = _find_mail(address, key)
    files = dev_mailbox.attachments(item.message())
    if not 0 < number <= len(files):
        abort(404, description=UNKNOWN_MAIL)
    file = files[number - 1]
    name = file.name or f"{number}"
    response = send_file(BytesIO(file.data), "application/octet-stream", as_attachment=True, download_name=name)
    response.headers["Cache-Control"] = "no-store"
    return response


@pages.post("/mailbox/<address>/<key>")
def reply(address: str, key: str) -> ResponseReturnValue:
    """Send a reply as real mail, to the service's own SMTP listener."""
    box, item = _find_mail(address, key)
    message = item.message()
    typed = request.form.get("text", "")
    if not csrf.is_valid(f"reply {box.address} {key}"):
        return _mail_page(box, item, message, typed, _(csrf.OLD_FORM)), 400
    answer = dev_mailbox.build_reply(message, box.address, typed)
    try:
        _send(answer, box.address)
    except (OSError, smtplib.SMTPException) as refused:
        wrong = _("The mail could not be sent: {why}. Please try again in a moment.", why=refused)
        return _mail_page(box, item, message, typed, wrong), 503
    return redirect(url_for("dev_mailbox.one", address=box.address, sent=1), 303)


def _send(answer: EmailMessage, sender: str) -> None:
    host, _, port = service().config.smtp_listen.rpartition(":")
    host = host.strip("[]")
    with smtplib.SMTP("127.0.0.1" if host in _ANY_HOST else host, int(port), timeout=SMTP_TIMEOUT_SECONDS) as smtp:
        smtp.send_message(answer, sender, [str(answer["To"])])


def _mail_page(box: LocalMailbox, item: StoredMail, message: EmailMessage, reply: str, wrong: str = "") -> str:
    return render_template(
        "mailbox/mail.html",
        boxes=dev_mailbox.list_mailboxes(_root()),
        here_is=box.address,
        item=item,
        headers=[(name, str(value)) for name, value in message.items()],
        subject=str(message["Subject"] or _("No subject")),
        sender=str(message["From"] or ""),
        sent_at=dev_mailbox.sent_at(message),
        html=message.get_body(("html",)) is not None,
        attachments=dev_mailbox.attachments(message),
        text=dev_mailbox.plain_text(message),
        reply=reply,
        to=dev_mailbox.reply_recipient(message),
        wrong=wrong,
    )


def _summary(item: StoredMail) -> dict[str, Any]:
    message = item.message()
    return {
        "key": item.key,
        "unread": item.unread,
        "subject": str(message["Subject"] or _("No subject")),
        "sent_at": dev_mailbox.sent_at(message),
        "line": dev_mailbox.preview_line(message),
    }


def _find_mail(address: str, key: str) -> tuple[LocalMailbox, StoredMail]:
    box = dev_mailbox.find_mailbox(_root(), address)
    item = dev_mailbox.find_mail(box, key) if box else None
    if box is None or item is None:
        abort(404, description=UNKNOWN_MAIL)
    return box, item


def _root() -> str:
    return service().config.dev_mailbox or ""
