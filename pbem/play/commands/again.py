"""Asking for a rematch, when a match is over."""

from __future__ import annotations

from pbem.play import matches, rematches
from pbem.play.answers import answer
from pbem.play.commands.command import OVER, Command, Wish
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, REJECTED, Verdict
from pbem.words import _, marked


def _rematch(wish: Wish) -> Verdict:
    table, submission = wish.table, wish.submission
    player = submission.holder.player
    known = rematches.of(table, wish.match)
    try:
        with table.session.begin_nested():
            match = rematches.ask(table, wish.match, player, submission.message_id)
    except matches.MatchError as refused:
        answer(table, wish.match, submission, "no rematch", reason=str(refused))
        return Verdict(REJECTED, str(refused))
    if known is not None and match.started_at != table.now:
        # Whoever begins it by asking is answered by its first mail.
        answer(table, wish.match, submission, "rematch waits", state=match.state)
    return Verdict(DONE, _("The rematch is made: {match}.", match=match.id))


COMMANDS = (
    Command(
        "rematch",
        {"en": ("rematch", "again", "play again"), "de": ("revanche", "noch einmal", "nochmal")},
        marked("to play once more, with the seats turned by one"),
        _rematch,
        Right.ACCOUNT,
        frozenset({OVER}),
    ),
)
