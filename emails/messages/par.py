"""Par in mails: what the strong robot made of the reader's cards, or where it will stand."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Links
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending
from pbem.i18n import _, marked
from pbem.play.analysis import par_mail, par_words
from pbem.play.analysis.comparison import Comparison
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def par(reader: MessageContext) -> list[Block]:
    """Return what a mail says of par, if its reader wished that."""
    said = reader.facts.get("par")
    if said is None:
        return []
    if said["state"] == par_mail.DONE:
        compared = Comparison(**said["compared"])
        return [" ".join([par_words.sentence(compared), *par_words.notes(compared)])]
    page = Links(((_(par_words.QUESTION), f"{reader.turn_page}/par"),))
    if "until" not in said:
        return [_sentence(said["state"]), page]
    until = format_moment(datetime.fromisoformat(said["until"]), reader.zone)
    return [_sentence(said["state"]), page, _("From {moment} on you can ask again.", moment=until)]


def _sentence(state: str) -> str:
    if state == par_mail.WAITING:
        return _("The robot still plays your cards. How it did will stand on this page:")
    if state == par_mail.LIMITED:
        return _("The robot has been asked too often to play your cards now. You can ask it later on this page:")
    return _("The robot could not finish its plays of this match.")


def _answer(reader: MessageContext) -> list[Block]:
    return [*par(reader), *brief_ending(reader)]


def _settled(reader: MessageContext) -> list[Block]:
    lead = _(par_words.SETTLED) if reader.facts["wishes"] else _(par_words.UNSETTLED)
    return [lead, *brief_ending(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    return [_("The robot did not play your cards."), reader.facts["reason"], *brief_ending(reader)]


KINDS = (
    MessageKind("par", _answer, subject=marked("You and the robot")),
    MessageKind("par settled", _settled, subject=marked("You and the robot"), is_unredacted=True),
    MessageKind("no par", _refused, subject=marked("You and the robot"), is_unredacted=True),
)
