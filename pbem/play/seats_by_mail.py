"""Seats of running matches by mail: taking one over, and coming back to one's own, named by letters of the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Address
from pbem.play import links, lobby, matches, notices, returning, substitutes
from pbem.play.senders import unseen
from pbem.words import _

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.lobby_mail import Asker
    from pbem.play.table import Table

TAKE, BACK = "take over", "come back"
"""What somebody may ask for."""


def ask(table: Table, asker: Asker, what: str, text: str) -> str:
    """Seat somebody at a match that they name, as they asked; gives why not, or ""."""
    if asker.player is None:
        return _refuse(table, asker, unseen(table.session.get_one(Address, asker.email).player))
    try:
        with table.session.begin_nested():
            return (_take if what == TAKE else _back)(table, asker, asker.player, text)
    except matches.MatchError as refused:
        return _refuse(table, asker, str(refused))


def _take(table: Table, asker: Asker, player: Player, text: str) -> str:
    typed, _space, number = text.strip().partition(" ")
    match = _public(table, typed.strip("<>,.;:“”\"'"))
    if number.strip().isascii() and number.strip().isdigit():
        seat = int(number.strip()[:3])
    else:
        seat = next((place.seat for place in match.seats if substitutes.is_sought(table, match, place.seat)), 0)
    substitutes.take(table, match, seat, player, asker.message_id)
    return ""


def _back(table: Table, asker: Asker, player: Player, text: str) -> str:
    typed = text.strip().strip("<>,.;:“”\"'").lower().translate(links.CONFUSED)
    known = [match for match in returning.possible(table, player.id) if match.id.startswith(typed)]
    if not known:
        raise matches.MatchError("", _("There is no seat at this match that you could come back to."))
    if len(known) > 1:
        several = _("You could come back to several matches: name one by some of its first letters.")
        raise matches.MatchError("", several)
    if returning.ask(table, known[0], player, asker.message_id):
        return ""
    # That is no refusal, but what they are to know until then.
    _refuse(table, asker, _("You sit there again when the next hand is dealt; until then the robot plays."))
    return ""


def _public(table: Table, typed: str) -> Match:
    found = lobby.called(table, typed)
    running = [match for match in found if match.state == "running"]
    if len(running) > 1:
        more = _("More than one table is called “{code}”: write some more of its letters.", code=typed)
        raise matches.MatchError("", more)
    if not found:
        raise matches.MatchError("", _("There is no table called “{code}”.", code=typed[: lobby.LONGEST]))
    return (running or found)[0]


def _refuse(table: Table, asker: Asker, reason: str) -> str:
    facts = {"reason": reason, "name": asker.name, "language": asker.language}
    once = f"{substitutes.NOT_SEATED} {asker.email} {asker.message_id or table.now.isoformat()}"
    notices.owe_mail(table, substitutes.NOT_SEATED, asker.email, facts, once=once, answers=asker.message_id)
    return reason
