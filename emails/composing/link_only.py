"""Link-only mails, for players who want no secrets in their mailbox: one sentence and the link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Block, Button, MailContent, Paragraph
from emails.messages.shared import deadline, proof
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.messages import MessageContext

UNREDACTED_KINDS = {
    "invitation", "invited", "accepted", "declined", "declined for ever", "called off", "rules", "not made", "stop?",
    "stop all?", "stopped", "not undone", "stopped all", "started", "talks", "talks not", "not said", "muted",
    "unmuted", "reported", "whom?", "waiting", "reminder", "reminded", "not hosted", "waited", "nudged", "why",
    "replay", "no replay",
}  # fmt: skip
"""The kinds of mail that reveal nothing about a position, and are the same for all players."""

SUMMARIES = {
    "turn": marked("It is your turn in {game}."),
    "due soon": marked("Your move in {game} is due soon."),
    "vacation": marked("Days of vacation were taken for somebody in your match of {game}."),
    "vacation taken": marked("Days of your vacation were taken in your match of {game}."),
    "nudge": marked("Somebody looks forward to your move in {game}."),
    "late": marked("Somebody has run out of time in your match of {game}."),
    "receipt": marked("Your move in {game} was played."),
    "begun": marked("Your match of {game} has begun; you will be mailed when it is your turn."),
    "final": marked("Your match of {game} is over. Thank you for playing."),
    "offer": marked("Somebody proposes something to the table in your match of {game}."),
    "agreeing": marked("You have answered what was proposed in your match of {game}."),
    "offer refused": marked("Somebody does not agree to what you proposed in your match of {game}."),
    "not agreed": marked("Nothing was done in your match of {game}: the page says why."),
    "taken back": marked("A move was taken back in your match of {game}."),
    "paused": marked("The clocks of your match of {game} stand still for a while."),
    "resumed": marked("The clocks of your match of {game} go on."),
    "extended": marked("There is more time for a move in your match of {game}."),
    "resign?": marked("Do you want to resign from {game}? Nothing has happened yet; the page asks you once more."),
    "held": marked("Your move in {game} is kept, and can be taken back on its page for some minutes."),
    "undone": marked("Your move in {game} was taken back; nothing was played."),
    "rejected": marked("Your mail about {game} was not played: it held no move that can be played now."),
    "start": marked("Nothing was played yet: your mail about {game} held the start of a move."),
    "vote": marked("Somebody does not move in {game}: the page asks you what shall happen."),
    "name?": marked("Somebody does not move in {game}: on the page you may name another one for the seat."),
    "said": marked("Something was said at your table of {game}."),
    "said so": marked("Your words went to the table of {game}."),
    "talks?": marked(
        "Your move in {game} was played. Shall the table read what you write below your moves? "
        "Reply with “yes” or “no”."
    ),
    "nothing typed": marked("Nothing was played: there was nothing in your mail above the quoted one."),
    "earlier mail": marked(
        "Nothing was done in {game}: you answered a mail of an earlier turn, which others may have by now. "
        "Reply to this one with the same line."
    ),
    "stale": marked("Nothing new was played in {game}."),
    "restored": marked("The latest moves of your match of {game} were lost; please use this link from now on."),
    "opened": marked("Whoever runs this service has looked at what is hidden in your match of {game}."),
    "wrong sender": marked("Somebody answered one of your mails from another address. Nothing was played."),
}
"""The sentences that replace the content of a mail; any other kind gets a general one."""
DEFAULT_SUMMARY = marked("There is news in your match of {game}.")


def summary(kind: str, reader: MessageContext) -> str:
    """Return what a mail is about, without anything that only its reader may know."""
    return _(SUMMARIES.get(kind, DEFAULT_SUMMARY), game=reader.game)


def redact(kind: str, reader: MessageContext, letter: MailContent) -> MailContent:
    """Reduce a mail to one sentence and the link, without hands, boards and moves."""
    if kind in UNREDACTED_KINDS:
        return letter
    turn = [_("It is your turn.")] if reader.their_turn and kind != "turn" else []
    page = Button(_("Look at the match"), reader.turn_page)
    due = deadline(reader) if reader.their_turn else []
    parts: tuple[Block, ...] = (
        Paragraph(" ".join([summary(kind, reader), *turn])),
        page,
        *due,
        proof(reader, full=False),
    )
    return MailContent(letter.subject, parts)
