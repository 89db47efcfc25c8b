"""From a notification to the bytes of its mail; composing is deterministic, however often a mail is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Text, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import aliased

from emails.composing import attachments, link_only
from emails.content import mime
from emails.content.blocks import Board, Links, Picture, Small
from emails.content.html import as_html
from emails.content.plain_text import as_text
from emails.messages import Reader, kinds, letter
from emails.parsing.reply_marker import marker
from pbem.boards import distinct
from pbem.db.models import Holder, Letter, Notice
from pbem.i18n import _, marked, speaking, spoken
from pbem.pictures.png import png
from pbem.play.core import tokens
from pbem.play.players.unsubscribes import ASKED_FOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from emails.content.blocks import Part
    from pbem.config import Config
    from pbem.db.models import Player
    from pbem.play.core.context import Context

SERVICE = marked("Slow games")
SENDER = "slowgames"
"""The sender in Feedback-ID, by which providers that count complaints group the service's mails."""

ANSWERS = {
    "receipt", "rejected", "nothing typed", "stale", "earlier mail", "wrong sender", "board", "help", "rules",
    "resign?", "agreeing", "not agreed", "accepted", "invited", "held", "undone", "not undone", "declined",
    "declined for ever",
} | ASKED_FOR  # fmt: skip
"""The kinds of mail that answer a request of their reader, even if it did not come by mail."""
PREVIEWED = {
    "turn", "receipt", "begun", "final", "held", "undone", "board", "help", "due soon", "late", "nudge",
    "offer", "agreeing", "offer refused", "not agreed", "taken back", "paused", "resumed", "extended",
    "vacation", "vacation taken", "opened",
} | link_only.WHOLE  # fmt: skip
"""The kinds of mail whose first sentence reveals nothing; inboxes show a plain sentence for the others."""
PICTURED = {"board", "final"}
"""The kinds of mail that show a picture even if it is not the reader's turn."""
SUBJECTS = {
    "report": marked("A report from a table"),
    "address": marked("Is this your address?"),
    "refused us": marked("Mail of ours is refused"),
    "disk full": marked("A disk is full"),
    "disk room": marked("There is room on the disk again"),
    "leaving": marked("Do you want to leave?"),
    "left": marked("Goodbye"),
    "sign in": marked("Your link to sign in"),
    "list": marked("Your matches"),
    "lobby": marked("Open tables"),
    "join?": marked("A seat at a table"),
    "not joined": marked("A seat at a table"),
    "named": marked("A seat at a table"),
    "not seated": marked("A seat at a table"),
    "seat lost": marked("Your seat at a table"),
    "service help": marked("What you may write here"),
    "banned": marked("You are shut out"),
    "not banned": marked("You may play again"),
    "renamed": marked("Your name"),
    "merged": marked("Your accounts"),
    "probe": "Does mail arrive?",
    **dict.fromkeys(("away", "back", "not away"), marked("Your absence")),
}
YOUR_LETTER = marked("Your letter")
"""Default subject of mails that are not about a seat."""
REFERENCES = 10

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail ready to be sent: its envelope and its bytes."""

    sender: str
    recipient: str
    raw: bytes


def compose(ctx: Context, notice: Notice, before: Sequence[str] | None = None) -> Mail:
    """Compose the mail of a notification; `before` are the earlier Message-IDs of its seat, if already loaded."""
    if notice.kind == "letter":
        return _forwarded(ctx, notice)
    if notice.holder_id is None:
        return _unseated(ctx, notice)
    holder = ctx.session.get_one(Holder, notice.holder_id)
    reader = reader_of(ctx, notice, holder)
    with speaking(holder.player.language):
        content = letter(notice.kind, reader)
        if holder.player.link_only:
            content = link_only.bare(notice.kind, reader, content)
        headers = begun(notice, ctx.config, notice.facts["name"])
        headers["Reply-To"] = mime.mailbox(_(SERVICE), ctx.config.reply_address(reader.reply))
        headers["Subject"] = mime.worded(content.subject)
        headers |= _thread(ctx, notice, before)
        headers["Auto-Submitted"] = "auto-replied" if notice.answers or notice.kind in ANSWERS else "auto-generated"
        headers |= listed(ctx, notice, holder, tokens.UNSUB, notice.facts["game"])
        said, files = attachments.along(ctx, notice)
        body = (*content.parts, *said, *_footer(ctx, notice, holder, reader))
        above = marker(tokens.derive(reader.reply, "marker")[:6], _("Reply above this line"))
        pictured = reader.their_turn or notice.kind in PICTURED
        news = None if notice.kind in PREVIEWED else link_only.said(notice.kind, reader)
        raw = written(
            headers, content.subject, body, notice, above, news, pictured=pictured, player=holder.player, files=files
        )
    return Mail(return_address(ctx, notice), notice.recipient, raw)


def reader_of(ctx: Context, notice: Notice, holder: Holder) -> Reader:
    """Build the context of a notification, with the link and the reply address of its stage."""
    facts = notice.facts
    link, reply = (
        tokens.token_of(ctx, holder, kind, notice.ply or 0, facts["key"]) for kind in (tokens.LINK, tokens.REPLY)
    )
    return Reader(facts, ctx.config, link, reply, holder.player.zone)


def begun(notice: Notice, config: Config, name: str) -> dict[str, str]:
    """Return the headers that all mails have."""
    return {
        "From": mime.mailbox(_(SERVICE), config.service_address),
        "To": mime.mailbox(name, notice.recipient),
        "Date": format_datetime(notice.created_at),
        "Message-ID": notice.message_id,
        "X-Auto-Response-Suppress": "All",
    }


def listed(ctx: Context, notice: Notice, holder: Holder, kind: str, name: str) -> dict[str, str]:
    """Return the headers by which mail programs and providers group mails and offer to unsubscribe."""
    config = ctx.config
    token = tokens.unsubscribing(ctx, holder, kind, notice.facts["key"])
    feedback = "-".join(re.findall(r"[a-z]+", notice.kind))
    return {
        "List-Id": f"<{name}.{config.mail_domain}>",
        "List-Unsubscribe": f"<{unsubscribe_page(config, token)}>, <mailto:{config.address_of('unsub', token)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Feedback-ID": f"{name}:{feedback}:{spoken()}:{SENDER}",
    }


def unsubscribe_page(config: Config, token: str) -> str:
    """Return the URL of the page that unsubscribes by a token."""
    return f"{config.base_url}/unsubscribe/{token}"


def return_address(ctx: Context, notice: Notice) -> str:
    """Return the envelope sender, an address for delivery reports about this mail only."""
    token = tokens.return_path(ctx, notice.message_id, notice.facts["key"])
    notice.return_path = tokens.hashed(token)
    return ctx.config.address_of("bounce", token)


def written(
    headers: dict[str, str],
    subject: str,
    body: Sequence[Part],
    notice: Notice,
    above: str,
    news: str | None = None,
    *,
    pictured: bool,
    player: Player | None = None,
    files: Sequence[mime.Attached] = (),
) -> bytes:
    """Render a mail as text and as HTML, with its pictures and files; `news` is the preheader.

    By the player's settings, the board's text may precede its picture, and its colours may differ.
    """
    colours = distinct if player and player.distinct_colours else str
    text_first = player is not None and player.text_first
    name = notice.message_id.strip("<>").partition("@")[0]
    drawn = (Board, Picture) if pictured else (Picture,)
    boards = [(at, part.svg()) for at, part in enumerate(body) if isinstance(part, drawn)]
    cids = {at: f"board.{number}.{name}" for number, (at, _svg) in enumerate(boards, 1)}
    pictures = [mime.Picture(cids[at], png(colours(svg))) for at, svg in boards]
    page = as_html(subject, body, cids, above, news, text_first=text_first)
    return mime.alternative(headers, as_text(body, above).lstrip("\n"), page, pictures, name, files)


def _forwarded(ctx: Context, notice: Notice) -> Mail:
    """Compose the mail that forwards a mail to the service to the operator."""
    facts = notice.facts
    original = ctx.session.get_one(Letter, facts["letter"])
    headers = begun(notice, ctx.config, "Operator")
    headers |= {"Subject": mime.worded(f"A letter to {facts['recipient']}"), "Auto-Submitted": "auto-generated"}
    text = f"{facts['sender']} wrote to {facts['recipient']}. The letter is attached as it came.\n"
    raw = mime.mixed(headers, text, original.raw, "letter.eml", f"letter-{original.id}")
    return Mail(return_address(ctx, notice), notice.recipient, raw)


def _unseated(ctx: Context, notice: Notice) -> Mail:
    """Compose a mail that is not about a seat, in the language of the facts."""
    facts = notice.facts
    with speaking(facts["language"]):
        subject = _(SUBJECTS.get(notice.kind, YOUR_LETTER))
        headers = begun(notice, ctx.config, facts["name"]) | {"Subject": mime.worded(subject)}
        headers["Auto-Submitted"] = "auto-replied"
        if notice.answers and _MESSAGE_ID.fullmatch(notice.answers):
            headers |= {"In-Reply-To": notice.answers, "References": notice.answers}
        reader = Reader(facts, ctx.config, "", "", facts.get("zone", "UTC"), _seats(ctx, facts))
        parts = kinds()[notice.kind](reader)
        above = marker(tokens.derive(notice.message_id, "marker")[:6], _("Reply above this line"))
        raw = written(headers, subject, parts, notice, above, pictured=False)
    return Mail(return_address(ctx, notice), notice.recipient, raw)


def _seats(ctx: Context, facts: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the link and the reply token of each seat that a mail about several matches covers."""
    stages = [(ctx.session.get_one(Holder, holder), ply) for holder, ply in facts.get("seats", ())]
    return tuple(
        (
            tokens.token_of(ctx, holder, tokens.LINK, ply, facts["key"]),
            tokens.token_of(ctx, holder, tokens.REPLY, ply, facts["key"]),
        )
        for holder, ply in stages
    )


def _thread(ctx: Context, notice: Notice, before: Sequence[str] | None) -> dict[str, str]:
    """Return the headers that put a mail in the thread of its match and player: root, earlier mails, answered mail."""
    root = f"<match.{notice.match_id}.{notice.facts['seat']}@{ctx.config.mail_domain}>"
    if before is None:
        before = ctx.session.scalar(select(sent_before()).where(Notice.id == notice.id)) or ()
    answered = [notice.answers] if notice.answers and _MESSAGE_ID.fullmatch(notice.answers) else []
    thread = [root, *reversed(before), *answered]
    return {"In-Reply-To": thread[-1], "References": " ".join(thread)}


def sent_before() -> ColumnElement[Sequence[str]]:
    """Return a subquery for the Message-IDs of earlier mails to the same seat, the latest first."""
    earlier = aliased(Notice)
    same = earlier.match_id == Notice.match_id, earlier.holder_id == Notice.holder_id, earlier.id < Notice.id
    newest = select(earlier.message_id).where(*same).order_by(earlier.id.desc()).limit(REFERENCES - 2).correlate(Notice)
    return func.array(newest.scalar_subquery(), type_=ARRAY(Text))


def _footer(ctx: Context, notice: Notice, holder: Holder, reader: Reader) -> list[Part]:
    token = tokens.unsubscribing(ctx, holder, tokens.UNSUB, notice.facts["key"])
    pages = (
        (_("Choose what mail you get"), choices_page(reader)),
        (_("No more mail about this match"), unsubscribe_page(ctx.config, token)),
    )
    return [*([Small((keep_to_yourself(),))] if reader.their_turn else []), Links(pages)]


def choices_page(reader: Reader) -> str:
    """Return the URL of the page where a player chooses which mails they get."""
    return f"{reader.config.base_url}/mail/{reader.link}"


def keep_to_yourself() -> str:
    """Return the warning against passing on a mail."""
    return _("Whoever has this mail can move for you, so pass it on to nobody before you have moved.")
