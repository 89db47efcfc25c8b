"""The door to the operators' pages: others find nothing behind it, and operators show twice who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for

from pbem.games import GAMES
from pbem.play.core.actors import Actor
from pbem.play.core.context import read_only
from pbem.play.operators.search import pagination
from pbem.telemetry import logs
from pbem.telemetry.redaction import Scrubber
from pbem.web.common import current_user, cursors, locale, operator_session
from pbem.web.common.context import service
from pbem.web.operators import action_registry

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Notice
    from pbem.play.accounts.login_sessions import Visitor
    from pbem.play.operators.audit import Line
    from pbem.play.operators.search.pagination import Place, Rows
    from pbem.play.operators.second_factor import Entry

pages = Blueprint("operators", __name__, url_prefix="/operators")

BEFORE_IT = {"enter", "show_code", "passkey_options", "show_passkey", "second_factor", "change_second_factor"}
"""Where an operator goes who has not entered yet."""
LANGUAGE = "en"
"""These pages are in English only."""


@pages.before_request
def only_operators() -> BaseResponse | None:
    """Let operators in who have shown their second factor; others find nothing here."""
    signed_in = current_user.visitor()
    if signed_in is None or signed_in.operator is None:
        abort(404)
    locale.speak_in(LANGUAGE)
    with read_only(service().engine, service().config) as ctx:
        g.entry = operator_session.present(ctx, signed_in)
    if g.entry is None and (request.endpoint or "").rpartition(".")[2] not in BEFORE_IT:
        then = request.full_path.rstrip("?") if request.method == "GET" else url_for("operators.overview")
        return redirect(url_for("operators.enter", then=then), 303)
    return None


@pages.after_request
def seen(response: BaseResponse) -> BaseResponse:
    """Have the browser keep that its operator is still there."""
    if entry():
        operator_session.remember(response, g.entry)
    return response


def me() -> Visitor:
    """Give the operator who asks."""
    found = current_user.visitor()
    if found is None or found.operator is None:
        abort(404)
    return found


def entry() -> Entry | None:
    """Tell whether the operator who asks has entered."""
    found: Entry | None = g.get("entry")
    return found


def actor() -> Actor:
    """Give the operator who asks as the one who acts."""
    signed_in = me()
    return Actor("operator", signed_in.name, signed_in.player, str(logs.topics().get("request", "")) or None)


def scrub(text: str) -> str:
    """Take tokens, keys and addresses out of a text that came from elsewhere."""
    return Scrubber(service().config.secrets)(text)


def after() -> Place | None:
    """Tell behind which row the page that is asked for begins."""
    return cursors.read(request.args.get("before", ""))


def asked(name: str, among: tuple[str, ...] = ()) -> str:
    """Give what a list is narrowed by; what is none of the choices is nothing."""
    typed = request.args.get(name, "").replace("\0", "").strip()
    return typed if not among or typed in among else ""


def numbered(name: str) -> int | None:
    """Give the number that a list is narrowed by, if any."""
    return pagination.number(request.args.get(name, ""))


def older(rows: Rows[Any]) -> str | None:
    """Give the address of the next page of a list, narrowed as this one is."""
    if rows.after is None:
        return None
    kept = {name: value for name, value in request.args.items() if name != "before"}
    return url_for(str(request.endpoint), **kept, before=cursors.written(*rows.after))  # type: ignore[arg-type]


def listing(template: str, rows: Rows[Any], **more: Any) -> str:
    """Show one page of a list."""
    return page(template, rows=rows.rows, older=older(rows), first="before" not in request.args, **more)


def page(template: str, **parts: Any) -> str:
    """Show a page, with its moments in the zone of whoever reads it."""
    said, undo = action_registry.what_was_told(request.args.get("told", ""))
    return render_template(
        f"operators/{template}",
        zone=me().zone,
        scrub=scrub,
        reader=reader,
        called=called,
        subject_url=subject_url,
        said=said,
        undo=undo,
        **parts,
    )


def called(game: str) -> str:
    """Name a game, also one whose package is not installed any more."""
    return GAMES[game].name if game in GAMES else game


def reader(mail: Notice) -> str:
    """Name whom a mail goes to; one to a mailbox of ours has a token in its address."""
    ours = (service().config.mail_domain, service().config.reply_domain)
    return scrub(mail.recipient) if mail.recipient.rpartition("@")[2] in ours else mail.recipient


def subject_url(line: Line) -> str:
    """Give the page of what an act was done to, where it has one."""
    return action_registry.page_of(line.subject, line.about) if line.subject in action_registry.PAGES else ""
