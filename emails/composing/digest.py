"""Digests: one mail per day with all turns that wait for a player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.composing import link_only
from emails.composing.compose import (
    Mail,
    begun,
    choices_page,
    keep_to_yourself,
    listed,
    reader_of,
    return_address,
    unsubscribe_page,
    written,
)
from emails.content import mime
from emails.content.blocks import Button, Choices, Heading, Links, Say, Small, Tell
from emails.messages import letter
from emails.messages.shared import board, guide, news, proof, standing
from pbem.boards import drawing_of
from pbem.db.models import Holder
from pbem.i18n import _, several, speaking
from pbem.play.core import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from emails.content.blocks import Part
    from emails.messages import Reader
    from pbem.db.models import Notice
    from pbem.play.core.context import Context


def compose_digest(ctx: Context, notices: Sequence[Notice]) -> Mail:
    """Compose one mail of several turns; each has its own link and its own address for a move by mail."""
    lead = notices[0]
    holders = [ctx.session.get_one(Holder, notice.holder_id) for notice in notices]
    readers = [reader_of(ctx, notice, holder) for notice, holder in zip(notices, holders, strict=True)]
    player = holders[0].player
    with speaking(player.language):
        subject = _("Your turns")
        how = _("An answer to this mail plays nothing: each match has a page, and an address for a move by mail.")
        body: list[Part] = [
            Say(several("It is your turn in {count} match.", "It is your turn in {count} matches.", len(notices))),
            Say(how),
        ]
        for reader in readers:
            body += _told(reader, bare=player.link_only)
        token = tokens.unsubscribing(ctx, holders[0], tokens.UNSUB_ALL, lead.facts["key"])
        pages = (
            (_("Choose what mail you get"), choices_page(readers[0])),
            (_("No more mail about your matches"), unsubscribe_page(ctx.config, token)),
        )
        body += [Small((keep_to_yourself(),)), Links(pages)]
        headers = begun(lead, ctx.config, lead.facts["name"])
        headers |= {"Subject": mime.worded(subject), "Auto-Submitted": "auto-generated"}
        headers |= listed(ctx, lead, holders[0], tokens.UNSUB_ALL, "turns")
        raw = written(headers, subject, body, lead, "", pictured=True, player=player)
    return Mail(return_address(ctx, lead), lead.recipient, raw)


def _told(reader: Reader, *, bare: bool) -> Iterator[Part]:
    """Yield what the mail of one turn would have contained, adapted to a digest."""
    whole = letter("turn", reader)
    yield Heading(whole.subject)
    if bare:
        yield from link_only.bare("turn", reader, whole).parts
        return
    drawing = drawing_of(reader.facts["game"])
    yield Say(drawing.prompt(reader.view["board"], reader.facts["seat"], reader.view["moves"]))
    yield from news(reader)
    yield board(reader)
    yield from (Tell(f"{heading}:", lines) for heading, lines in guide(reader))
    # A reply to a digest is never parsed for moves, so its moves are not numbered.
    yield from (_unnumbered(part) for part in whole.parts if isinstance(part, Choices))
    yield Button(_("Choose your move on its page"), reader.turn_page)
    yield from standing(reader)
    address = reader.config.reply_address(reader.reply)
    yield Links(((_("To move by mail, write your move alone on the first line to"), f"mailto:{address}"),))
    yield Small((*drawing.crib, *proof(reader, full=False).lines))


def _unnumbered(part: Choices) -> Choices:
    return replace(part, likely=tuple(replace(one, number=0) for one in part.likely))
