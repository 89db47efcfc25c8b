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


def handle(ctx: Context, asker: MailSender, what: str, text: str) -> str:
    """Seat a player in the match that they name, as requested; return why not, or an empty string."""
    if asker.player is None:
        return _refuse(ctx, asker, unproven_text(ctx.session.get_one(Address, asker.email).player))
    try:
        with ctx.session.begin_nested():
            return (_take_over if what == TAKE_OVER else _reclaim)(ctx, asker, asker.player, text)
    except Refused as refused:
        return _refuse(ctx, asker, str(refused))


def _take_over(ctx: Context, asker: MailSender, player: Player, text: str) -> str:
    typed, _space, number = text.strip().partition(" ")
    match = _find_match(ctx, typed.strip("<>,.;:“”\"'"))
    if number.strip().isascii() and number.strip().isdigit():
        seat = int(number.strip()[:3])
    else:
        seat = next((place.seat for place in match.seats if substitutes.is_open(ctx, match, place.seat)), 0)
    substitutes.take_over(ctx, match, seat, player, asker.message_id)
    return ""


def _reclaim(ctx: Context, asker: MailSender, player: Player, text: str) -> str:
    typed = text.strip().strip("<>,.;:“”\"'").lower().translate(tokens.CONFUSABLES)
    known = [match for match in reclaims.list_matches(ctx, player.id) if match.id.startswith(typed)]
    if not known:
        raise Refused(_("You have no seat to come back to in this match."))
    if len(known) > 1:
        several = _("You could come back to several matches: name one by some of its first letters.")
        raise Refused(several)
    if reclaims.request(ctx, known[0], player, asker.message_id):
        return ""
    # Not a refusal: it only tells them what happens until then.
    _refuse(ctx, asker, _("You sit there again when the next hand is dealt; until then the robot plays."))
    return ""


def _find_match(ctx: Context, typed: str) -> Match:
    found = open_tables.find_by_code(ctx, typed)
    running = [match for match in found if match.state == MatchState.RUNNING]
    if len(running) > 1:
        more = _("Several tables begin with “{code}”. Write more letters of the code.", code=typed)
        raise Refused(more)
    if not found:
        raise Refused(_("There is no table called “{code}”.", code=typed[: open_tables.MAX_CODE_LENGTH]))
    return (running or found)[0]


def _refuse(ctx: Context, asker: MailSender, reason: str) -> str:
    facts = {"reason": reason, "name": asker.name, "language": asker.language}
    once = f"{substitutes.NOT_SEATED} {asker.email} {asker.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, substitutes.NOT_SEATED, asker.email, facts, once=once, answers=asker.message_id)
    return reason
