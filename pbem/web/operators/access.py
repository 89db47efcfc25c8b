"""Access to the operators' pages: a second factor for operators, a 404 for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for

from pbem.games import GAMES
from pbem.play.core import actors
from pbem.play.core.actors import Actor
from pbem.play.core.context import read_only
from pbem.play.operators import audit
from pbem.play.operators.search import pagination
from pbem.telemetry import logs
from pbem.telemetry.redaction import Redactor
from pbem.web.common import cursors, operator_session
from pbem.web.operators import action_registry
from pbem.web.request import current_user, locale
from pbem.web.request.context import service

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import OutboxMessage
    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context
    from pbem.play.operators.audit import AuditEntry
    from pbem.play.operators.search.pagination import Cursor, Page
    from pbem.play.operators.second_factor import OperatorSession

pages = Blueprint("operators", __name__, url_prefix="/operators")

SIGN_IN_ENDPOINTS = {"enter", "show_code", "passkey_options", "show_passkey", "second_factor", "change_second_factor"}
"""Endpoints for operators who have not shown their second factor yet."""
LANGUAGE = "en"
"""Language of these pages, which are not translated."""
RECENT_ROWS = 5
"""Rows of each list on the page of one subject."""
SUBJECT_NAMES = {actors.NOTICE: "mail", actors.LETTER: "service mail"}
"""What pages call a kind of subject, where that is not its key."""


@pages.before_request
def only_operators() -> BaseResponse | None:
    """Admit operators who have shown their second factor; others get a 404."""
    signed_in = current_user.visitor()
    if signed_in is None or signed_in.operator is None:
        abort(404)
    locale.use_language(LANGUAGE)
    with read_only(service().engine, service().config) as ctx:
        g.entry = operator_session.current(ctx, signed_in)
    if g.entry is None and (request.endpoint or "").rpartition(".")[2] not in SIGN_IN_ENDPOINTS:
        then = request.full_path.rstrip("?") if request.method == "GET" else url_for("operators.overview")
        return redirect(url_for("operators.enter", then=then), 303)
    return None


@pages.after_request
def renew_session(response: BaseResponse) -> BaseResponse:
    """Renew the cookie of the operator session."""
    if sudo_session():
        operator_session.set_cookie(response, g.entry)
    return response


def me() -> CurrentUser:
    """Return the operator who makes the request."""
    found = current_user.visitor()
    if found is None or found.operator is None:
        abort(404)
    return found


def sudo_session() -> OperatorSession | None:
    """Return the operator session of the request, if there is one."""
    found: OperatorSession | None = g.get("entry")
    return found


def actor() -> Actor:
    """Return the operator as the actor of the audit log."""
    signed_in = me()
    return Actor("operator", signed_in.name, signed_in.player, str(logs.current_fields().get("request", "")) or None)


def scrub(text: str) -> str:
    """Remove tokens, keys and addresses from a text that came from elsewhere."""
    return Redactor(service().config.secrets)(text)


def page_cursor() -> Cursor | None:
    """Return the row that the requested page of a list begins after."""
    return cursors.decode(request.args.get("before", ""))


def text_filter(name: str, among: tuple[str, ...] = ()) -> str:
    """Return a text filter of a list; empty if it is not `among` the choices."""
    typed = request.args.get(name, "").replace("\0", "").strip()
    return typed if not among or typed in among else ""


def number_filter(name: str) -> int | None:
    """Return a numeric filter of a list, if any."""
    return pagination.parse_number(request.args.get(name, ""))


def recent_actions(ctx: Context, subject: str, about: str) -> list[AuditEntry]:
    """Return the newest audit entries about a subject."""
    return audit.newest(ctx, RECENT_ROWS, subject=(subject, about))


def render_list(template: str, rows: Page[Any], **more: Any) -> str:
    """Render one page of a list, with a link to the next one that keeps the filters."""
    older = None
    if rows.after is not None:
        filters: dict[str, Any] = {name: value for name, value in request.args.items() if name != "before"}
        older = url_for(str(request.endpoint), **filters, before=cursors.encode(*rows.after))
    return render_page(template, rows=rows.rows, older=older, first="before" not in request.args, **more)


def render_page(template: str, **parts: Any) -> str:
    """Render a page, with times in the operator's zone."""
    message, undo = action_registry.load_result(request.args.get("told", ""))
    return render_template(
        f"operators/{template}",
        zone=me().zone,
        scrub=scrub,
        reader=mail_recipient,
        called=lambda game: GAMES[game].name if game in GAMES else game,
        subject_url=subject_url,
        subject_names=SUBJECT_NAMES,
        message=message,
        undo=undo,
        **parts,
    )


def mail_recipient(mail: OutboxMessage) -> str:
    """Return the recipient of a mail; a mailbox of ours is scrubbed, as its address contains a token."""
    ours = (service().config.mail_domain, service().config.reply_domain)
    return scrub(mail.recipient) if mail.recipient.rpartition("@")[2] in ours else mail.recipient


def subject_url(line: AuditEntry) -> str:
    """Return the URL of the subject of an audit line; empty if it has no page."""
    return action_registry.page_url(line.subject, line.about) if line.subject in action_registry.PAGES else ""
