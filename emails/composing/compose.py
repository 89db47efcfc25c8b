"""From a notification to the bytes of its mail; composing is deterministic, however often a mail is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from emails.composing import attachments, link_only, rating_facts
from emails.composing.thread_headers import answer_headers, thread_headers
from emails.content import mime
from emails.content.blocks import Board, Footnote, Links, Picture
from emails.content.html import render_html
from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content, message_kinds
from emails.messages.shared import forwarding_warning
from emails.messages.subjects import seatless_subject
from emails.parsing.reply_marker import marker
from pbem.boards import with_distinct_colours
from pbem.db.models import OutboxMessage, SeatHolder, ServiceMail
from pbem.i18n import _, current_locale, marked, use_locale
from pbem.pictures.png import png
from pbem.play.core import tokens
from pbem.play.lobby import lesson_mail
from pbem.play.weekly import stop_links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emails.content.blocks import Block
    from pbem.config import Config
    from pbem.db.models import Player
    from pbem.play.core.context import Context

SERVICE_NAME = marked("Slow games")
FEEDBACK_SENDER = "slowgames"
"""The sender in Feedback-ID, by which providers that count complaints group the service's mails."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail ready to be sent: its envelope and its bytes."""

    sender: str
    recipient: str
    raw: bytes


def compose(ctx: Context, message: OutboxMessage, before: Sequence[str] | None = None) -> Mail:
    """Compose the mail of a notification; `before` are the earlier Message-IDs of its seat, if already loaded."""
    if message.kind == "letter":
        return _compose_forward(ctx, message)
    if message.holder_id is None:
        return _compose_seatless(ctx, message)
    kind = message_kinds()[message.kind]
    holder = ctx.session.get_one(SeatHolder, message.holder_id)
    reader = rating_facts.with_rating(ctx, message, kind, message_context(ctx, message, holder))
    with use_locale(holder.player.language):
        content = build_content(kind.name, reader)
        if holder.player.link_only:
            content = link_only.redact(kind, reader, content)
        headers = common_headers(message, ctx.config, message.render_data["name"])
        headers["Reply-To"] = mime.format_mailbox(_(SERVICE_NAME), ctx.config.reply_address(reader.reply))
        headers["Subject"] = mime.encode_header(content.subject)
        headers |= thread_headers(ctx, message, before)
        headers["Auto-Submitted"] = "auto-replied" if message.in_reply_to or kind.is_answer else "auto-generated"
        unsubscribe = tokens.issue_unsubscribe(ctx, holder, tokens.UNSUB, message.render_data["key"])
        headers |= list_headers(ctx.config, message, unsubscribe, message.render_data["game"])
        notes, files = attachments.attached_files(ctx, message)
        body = (*content.parts, *notes, *_footer(reader, unsubscribe), content.proof)
        above = marker(tokens.derive(reader.reply, "marker")[:6], _("Reply above this line"))
        pictured = reader.their_turn or kind.is_pictured
        news = None if kind.is_previewed or kind.is_unredacted else link_only.summary(kind, reader)
        raw = render_mail(
            headers, content.subject, body, message, above, news, pictured=pictured, player=holder.player, files=files
        )
    return Mail(return_address(ctx, message), message.recipient, raw)


def message_context(ctx: Context, message: OutboxMessage, holder: SeatHolder) -> MessageContext:
    """Build the context of a notification, with the link and the reply address of its stage."""
    facts = message.render_data
    link, reply = (
        tokens.rederive(ctx, holder, kind, message.ply or 0, facts["key"]) for kind in (tokens.LINK, tokens.REPLY)
    )
    return MessageContext(facts, ctx.config, link, reply, holder.player.time_zone)


def common_headers(message: OutboxMessage, config: Config, name: str) -> dict[str, str]:
    """Return the headers that all mails have."""
    return {
        "From": mime.format_mailbox(_(SERVICE_NAME), config.service_address),
        "To": mime.format_mailbox(name, message.recipient),
        "Date": format_datetime(message.created_at),
        "Message-ID": message.message_id,
        "X-Auto-Response-Suppress": "All",
    }


def list_headers(config: Config, message: OutboxMessage, token: str, name: str) -> dict[str, str]:
    """Return the headers by which mail programs and providers group mails and offer to unsubscribe by a token."""
    feedback = "-".join(re.findall(r"[a-z]+", message.kind))
    return {
        "List-Id": f"<{name}.{config.mail_domain}>",
        "List-Unsubscribe": f"<{unsubscribe_url(config, token)}>, <mailto:{config.address_of('unsub', token)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Feedback-ID": f"{name}:{feedback}:{current_locale()}:{FEEDBACK_SENDER}",
    }


def unsubscribe_url(config: Config, token: str) -> str:
    """Return the URL of the page that unsubscribes by a token."""
    return f"{config.base_url}/unsubscribe/{token}"


def return_address(ctx: Context, message: OutboxMessage) -> str:
    """Return the envelope sender, an address for delivery reports about this mail only."""
    token = tokens.bounce_token(ctx, message.message_id, message.render_data["key"])
    message.return_path_hash = tokens.hash_token(token)
    return ctx.config.address_of("bounce", token)


def render_mail(
    headers: dict[str, str],
    subject: str,
    body: Sequence[Block],
    message: OutboxMessage,
    above: str,
    news: str | None = None,
    *,
    pictured: bool,
    player: Player | None = None,
    files: Sequence[mime.Attachment] = (),
) -> bytes:
    """Render a mail as text and as HTML, with its pictures and files; `news` is the preheader.

    By the player's settings, the board's text may precede its picture, and its colours may differ.
    """
    colours = with_distinct_colours if player and player.distinct_colours else str
    text_first = player is not None and player.text_first
    name = message.message_id.strip("<>").partition("@")[0]
    drawn = (Board, Picture) if pictured else (Picture,)
    boards = [(at, part.svg()) for at, part in enumerate(body) if isinstance(part, drawn)]
    cids = {at: f"board.{number}.{name}" for number, (at, _svg) in enumerate(boards, 1)}
    pictures = [mime.InlineImage(cids[at], png(colours(svg))) for at, svg in boards]
    page = render_html(subject, body, cids, above, news, text_first=text_first)
    return mime.alternative(headers, render_text(body, above).lstrip("\n"), page, pictures, name, files)


def _compose_forward(ctx: Context, message: OutboxMessage) -> Mail:
    """Compose the mail that forwards a mail to the service to the operator."""
    facts = message.render_data
    original = ctx.session.get_one(ServiceMail, facts["letter"])
    headers = common_headers(message, ctx.config, "Operator")
    headers |= {"Subject": mime.encode_header(f"Mail to {facts['recipient']}"), "Auto-Submitted": "auto-generated"}
    text = f"{facts['sender']} wrote to {facts['recipient']}. The mail is attached as it came.\n"
    raw = mime.mixed(headers, text, original.raw, "mail.eml", f"letter-{original.id}")
    return Mail(return_address(ctx, message), message.recipient, raw)


def _compose_seatless(ctx: Context, message: OutboxMessage) -> Mail:
    """Compose a mail that is not about a seat, in the language of the facts."""
    facts = message.render_data
    kind = message_kinds()[message.kind]
    with use_locale(facts["language"]):
        reader = MessageContext(facts, ctx.config, "", "", facts.get("zone", "UTC"), _seat_tokens(ctx, facts))
        subject = seatless_subject(kind, reader)
        headers = common_headers(message, ctx.config, facts["name"]) | {"Subject": mime.encode_header(subject)}
        headers["Auto-Submitted"] = "auto-replied"
        headers |= answer_headers(message)
        if "lesson_step" in facts:
            headers["Reply-To"] = mime.format_mailbox(_(SERVICE_NAME), lesson_mail.answer_address(ctx.config, facts))
        if "subscriber" in facts:
            headers |= _subscription_headers(ctx.config, facts)
        parts = kind.build_blocks(reader)
        above = marker(tokens.derive(message.message_id, "marker")[:6], _("Reply above this line"))
        raw = render_mail(headers, subject, parts, message, above, pictured=kind.is_pictured)
    return Mail(return_address(ctx, message), message.recipient, raw)


def _subscription_headers(config: Config, facts: dict[str, Any]) -> dict[str, str]:
    """Return the headers of a mail to those who wish to hear of each week, which no mail of theirs asked for."""
    return {
        "Auto-Submitted": "auto-generated",
        "List-Id": f"<weekly.{config.mail_domain}>",
        "List-Unsubscribe": f"<{stop_links.page(config, facts['subscriber'], facts['key'])}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _seat_tokens(ctx: Context, facts: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the link and the reply token of each seat that a mail about several matches covers."""
    stages = [(ctx.session.get_one(SeatHolder, holder), ply) for holder, ply in facts.get("seats", ())]
    return tuple(
        (
            tokens.rederive(ctx, holder, tokens.LINK, ply, facts["key"]),
            tokens.rederive(ctx, holder, tokens.REPLY, ply, facts["key"]),
        )
        for holder, ply in stages
    )


def _footer(reader: MessageContext, unsubscribe: str) -> list[Block]:
    pages = (
        (_("Choose what mail you get"), preferences_url(reader)),
        (_("Unsubscribe from this match"), unsubscribe_url(reader.config, unsubscribe)),
    )
    notes = [forwarding_warning()] if reader.their_turn else []
    if reader.has_times and reader.zone != "UTC":
        notes.append(_("Times are in your time zone, {zone}.", zone=reader.zone))
    return [*([Footnote(tuple(notes))] if notes else []), Links(pages)]


def preferences_url(reader: MessageContext) -> str:
    """Return the URL of the page where a player chooses which mails they get."""
    return f"{reader.config.base_url}/mail/{reader.link}"
