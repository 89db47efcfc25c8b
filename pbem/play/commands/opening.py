"""Opening a new match by mail; to the service's own address it is read by `pbem.play.letters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import matches, openings
from pbem.play.answers import answer
from pbem.play.commands.command import Command, Wish
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, REJECTED, Verdict
from pbem.words import _, marked

if TYPE_CHECKING:
    from pbem.db.models import Match


def _new(wish: Wish) -> Verdict:
    table, submission = wish.table, wish.submission
    holder = submission.holder
    host = matches.Guest(holder.name, holder.email)
    try:
        wanted = openings.read(wish.text, host)
        with table.session.begin_nested():
            match: Match = openings.make(table, wanted, holder.player, known=True, mail=submission.message_id)
    except matches.MatchError as refused:
        ply = 0 if wish.match.state == "inviting" else None
        answer(table, wish.match, submission, "not made", ply, reason=str(refused))
        return Verdict(REJECTED, str(refused))
    return Verdict(DONE, _("The match is made: {match}.", match=match.id))


COMMANDS = (
    Command(
        "new",
        {"en": ("new",), "de": ("neu", "neue partie")},
        marked("with a game and addresses behind it, to begin another match: new minimax with ann@example.org"),
        _new,
        Right.ACCOUNT,
        takes=True,
        needs=True,
    ),
)
