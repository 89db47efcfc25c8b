"""Requests for seats by mail: taking one over, or reclaiming one's own, in a match named by its first letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Address
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.lobby import open_tables
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text
from pbem.play.timeouts import reclaims, substitutes
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.core.context import Context
    from pbem.play.lobby.lobby_mail import MailSender

TAKE_OVER, COME_BACK = "take over", "come back"
"""The possible requests."""
_MARKS = "<>,.;:“”\"'"
"""Marks that may stand around the letters of a match."""


def handle(ctx: Context, sender: MailSender, what: str, text: str) -> str:
    """Seat a player in the match that they name, as requested; return why not, or an empty string."""
    if sender.player is None:
        return _refuse(ctx, sender, unproven_text(ctx.session.get_one(Address, sender.email).player))
    try:
        with ctx.session.begin_nested():
            return (_take_over if what == TAKE_OVER else _reclaim)(ctx, sender, sender.player, text)
    except Refused as refused:
        return _refuse(ctx, sender, str(refused))


def _take_over(ctx: Context, sender: MailSender, player: Player, text: str) -> str:
    code, _space, number = text.strip().partition(" ")
    match = _find_match(ctx, code.strip(_MARKS))
    if number.strip().isascii() and number.strip().isdigit():
        seat = int(number.strip()[:3])
    else:
        seat = next(
            (place.seat for place in match.seats if substitutes.is_open_to(ctx, match, place.seat, player.id)), 0
        )
    substitutes.take_over(ctx, match, seat, player, sender.message_id)
    return ""


def _reclaim(ctx: Context, sender: MailSender, player: Player, text: str) -> str:
    code = text.strip().strip(_MARKS).lower().translate(tokens.CONFUSABLES)
    known = [match for match in reclaims.list_matches(ctx, player.id) if match.id.startswith(code)]
    if not known:
        raise Refused(_("You have no seat in this match to come back to."))
    if len(known) > 1:
        raise Refused(_("You could come back to several matches. Add the first letters of one of them."))
    if not reclaims.request(ctx, known[0], player, sender.message_id):
        # Not a refusal: it only says what happens until then.
        _refuse(ctx, sender, _("You get your seat back with the next hand. Until then the robot plays."))
    return ""


def _find_match(ctx: Context, code: str) -> Match:
    found = open_tables.find_by_code(ctx, code)
    running = [match for match in found if match.state == MatchState.RUNNING]
    if len(running) > 1:
        raise Refused(_("Several tables begin with “{code}”. Write more letters of the code.", code=code))
    if not found:
        raise Refused(_("There is no table called “{code}”.", code=code[: open_tables.MAX_CODE_LENGTH]))
    return (running or found)[0]


def _refuse(ctx: Context, sender: MailSender, reason: str) -> str:
    facts = {"reason": reason, "name": sender.name, "language": sender.language}
    once = f"{substitutes.NOT_SEATED} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, substitutes.NOT_SEATED, sender.email, facts, once=once, answers=sender.message_id)
    return reason
