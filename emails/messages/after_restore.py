"""The mail to the players of a match whose latest moves were lost when a backup was restored."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked
from pbem.play.inbox import commands
from pbem.play.offers import wording
from pbem.play.upkeep.after_restore import KIND
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _restored(reader: MessageContext) -> list[Block]:
    lost = format_moment(datetime.fromisoformat(reader.facts["lost_after"]), reader.zone)
    lead = _(
        "We are sorry: moves after {moment} were lost. The match stands at ply {ply}.",
        moment=lost,
        ply=reader.view["ply"],
    )
    links = _("Please answer this mail only: the links and addresses of earlier ones work no more.")
    again = _("It is your turn; what you sent since then, please send again.")
    if reader.their_turn:
        # The first link of a mail that asks for a move must be the turn page.
        return [lead, f"{links} {again}", *your_turn(reader), *_abandon_option(reader)]
    page = Button(_("Your page of this match"), reader.turn_page)
    return [lead, links, page, *position(reader), *_abandon_option(reader)]


def _abandon_option(reader: MessageContext) -> list[Block]:
    """Explain how the players can end the match instead of playing on."""
    if not reader.others:
        return []
    luck = _("Where luck decides, it falls the same way again, so somebody may know what comes.")
    how = _(
        "If you would rather not play on, reply “{word}”: if everybody agrees, the match ends without a winner and "
        "counts against nobody.",
        word=commands.by_name()[wording.ABANDON].word,
    )
    page = Button(_(wording.PROPOSE_LABELS[wording.ABANDON]), f"{reader.turn_page}/agreements")
    return [f"{luck} {how}", page]


KINDS = (
    MessageKind(
        KIND,
        _restored,
        summary=marked("The latest moves of your match of {game} were lost; please use this link from now on."),
    ),
)
