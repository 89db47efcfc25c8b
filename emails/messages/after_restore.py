"""The mail to the players of a match whose latest moves were lost when a backup was restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked
from pbem.play.offers import wording
from pbem.play.upkeep.after_restore import KIND

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _restored(reader: MessageContext) -> list[Block]:
    lead = _("We are sorry: moves after {moment} were lost. The match continues at move {ply}.",
             moment=reader.moment("lost_after"), ply=reader.view["ply"])  # fmt: skip
    links = _("Please reply to this mail only: the links and addresses in earlier ones no longer work.")
    if reader.their_turn:
        again = _("It is your turn. Please send again what you have sent since then.")
        # The first link of a mail that asks for a move must be the turn page.
        return [lead, f"{links} {again}", *your_turn(reader), *_abandon_option(reader)]
    page = Button(_("Your page of this match"), reader.turn_page)
    return [lead, links, page, *position(reader), *_abandon_option(reader)]


def _abandon_option(reader: MessageContext) -> list[Block]:
    """Explain how the players can end the match instead of playing on."""
    if not reader.has_opponents:
        return []
    luck = _("Shuffles and rolls come out the same again, so somebody may know what comes.")
    how = _(
        "If you would rather not play on, reply “{word}”: if everybody agrees, the match ends without a winner and "
        "counts against nobody.",
        word=reader.word(wording.ABANDON),
    )
    page = Button(_(wording.PROPOSE_LABELS[wording.ABANDON]), f"{reader.turn_page}/agreements")
    return [f"{luck} {how}", page]


KINDS = (
    MessageKind(
        KIND,
        _restored,
        subject=marked("New links"),
        summary=marked("The latest moves of your match of {game} were lost; please use this link from now on."),
    ),
)
