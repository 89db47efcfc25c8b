"""Digests: one mail per day with all turns that wait for a player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.composing import link_only
from emails.composing.compose import (
    Mail,
    common_headers,
    list_headers,
    message_context,
    preferences_url,
    render_mail,
    return_address,
    unsubscribe_url,
)
from emails.content import mime
from emails.content.blocks import Button, Choices, Footnote, Heading, Links, TitledList
from emails.messages import build_content, message_kinds, subjects
from emails.messages.shared import board, forwarding_warning, guide, news, no_moves_here, score
from pbem.boards import drawing_for
from pbem.db.models import SeatHolder
from pbem.i18n import _, several, use_locale
from pbem.play.core import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from emails.content.blocks import Block
    from emails.messages import MessageContext
    from pbem.db.models import OutboxMessage
    from pbem.play.core.context import Context


def compose_digest(ctx: Context, messages: Sequence[OutboxMessage]) -> Mail:
    """Compose one mail of several turns; each has its own link and its own address for a move by mail."""
    lead = messages[0]
    holders = [ctx.session.get_one(SeatHolder, message.holder_id) for message in messages]
    readers = [message_context(ctx, message, holder) for message, holder in zip(messages, holders, strict=True)]
    player = holders[0].player
    with use_locale(player.language):
        subject = _("Your turns")
        body: list[Block] = [
            several("It is your turn in {count} match.", "It is your turn in {count} matches.", len(messages)),
            no_moves_here(),
        ]
        for reader in readers:
            body += _match_blocks(reader, bare=player.link_only)
        token = tokens.issue_unsubscribe(ctx, holders[0], tokens.UNSUB_ALL, lead.render_data["key"])
        pages = (
            (_("Choose what mail you get"), preferences_url(readers[0])),
            (_("Unsubscribe from all matches"), unsubscribe_url(ctx.config, token)),
        )
        body += [Footnote((forwarding_warning(),)), Links(pages)]
        headers = common_headers(lead, ctx.config, lead.render_data["name"])
        headers |= {"Subject": mime.encode_header(subject), "Auto-Submitted": "auto-generated"}
        headers |= list_headers(ctx.config, lead, token, "turns")
        raw = render_mail(headers, subject, body, lead, "", pictured=True, player=player)
    return Mail(return_address(ctx, lead), lead.recipient, raw)


def _match_blocks(reader: MessageContext, *, bare: bool) -> Iterator[Block]:
    """Yield what the mail of one turn would have contained, adapted to a digest."""
    whole = build_content("turn", reader)
    yield Heading(subjects.match_title(reader))
    if bare:
        yield from link_only.redact(message_kinds()["turn"], reader, whole).parts
        yield whole.proof
        return
    drawing = drawing_for(reader.facts["game"])
    yield drawing.prompt(reader.view["board"], reader.facts["seat"], reader.view["moves"]).text
    yield from news(reader)
    yield board(reader)
    yield from (TitledList(f"{heading}:", lines) for heading, lines in guide(reader))
    # A reply to a digest is never parsed for moves, so its moves are not numbered.
    yield from (_unnumbered(part) for part in whole.parts if isinstance(part, Choices))
    yield Button(_("Choose your move on its page"), reader.turn_page)
    yield from score(reader)
    address = reader.config.reply_address(reader.reply)
    yield Links(((_("To move by mail, write your move alone on the first line to"), f"mailto:{address}"),))
    yield Footnote(drawing.crib)
    yield whole.proof


def _unnumbered(part: Choices) -> Choices:
    return replace(part, likely=tuple(replace(one, number=0) for one in part.likely))
