"""Mails about deals that several matches share: both results of a pair that was played there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emails.content.blocks import Links
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending
from pbem.i18n import _, marked
from pbem.play.matches import descriptions
from pbem.play.matches.pairs import margin_sentence, own_margin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _pair_over(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    return [
        _("Both matches of {game} that you played there and back are over.", game=reader.game),
        _margin(reader),
        *(block for number, one in enumerate(facts["results"], 1) for block in _one_match(reader, number, one)),
        Links(((_("Both together"), reader.pair_page),)),
        *brief_ending(reader),
    ]


def _margin(reader: MessageContext) -> str:
    margin, place = reader.facts["margin"], reader.facts["pair"]["place"]
    own = None if margin is None else own_margin(margin, place, reader.facts["seat"])
    return margin_sentence(own, reader.others)


def _one_match(reader: MessageContext, number: int, one: Mapping[str, Any]) -> list[Block]:
    address, key = f"/matches/{one['match']}", f"?key={one['shared']}" if "shared" in one else ""
    pages = (
        (_("The finished match"), f"{reader.config.base_url}{address}{key}"),
        (_("Its record, to keep and to check"), f"{reader.config.base_url}/api{address}/record{key}"),
    )
    ended = descriptions.ending(one["result"], one["names"])
    return [_("Match {place} of 2: {ended}", place=number, ended=ended), Links(pages)]


KINDS = (
    MessageKind(
        "pair over",
        _pair_over,
        subject=marked("There and back, both results"),
        summary=marked("Both matches of {game} that you played there and back are over."),
        is_previewed=True,
    ),
)
