"""Host actions on a waiting match: remind invitees, replace one, or cancel the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match, OutboxMessage
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import redraws
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.play.moderation import invitation_blocks
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitee

MAX_REPLACEMENTS = 3
"""Maximum replacements per match; each one mails every other player."""


def is_host(match: Match, holder: SeatHolder) -> bool:
    """Return whether a seat is the creator's, and they have accepted."""
    return holder.seat == match.creator_seat and match.seats[holder.seat - 1].accepted_at is not None


def find_host(ctx: Context, match: Match) -> SeatHolder | None:
    """Return the seat of a match's host; None if they have none, or have not accepted it."""
    return next((holder for holder in holders(ctx, match) if is_host(match, holder)), None)


def unanswered_invitees(ctx: Context, match: Match) -> list[SeatHolder]:
    """List the invitees of a match who have not answered."""
    return [holder for holder in holders(ctx, match) if not match.seats[holder.seat - 1].accepted_at]


def remind(ctx: Context, match: Match, host: SeatHolder) -> list[str]:
    """Enqueue a reminder to invitees who have not answered, only once each; return the names of those reminded now."""
    _check_host_may_act(match, host)
    unanswered = {f"reminded {match.id} {holder.id}": holder for holder in unanswered_invitees(ctx, match)}
    key = OutboxMessage.idempotency_key
    already = {*ctx.session.scalars(select(key).where(key.in_(unanswered)))}
    reminded = []
    for once, holder in unanswered.items():
        if once not in already and not invitation_blocks.is_refused(ctx, holder.email, match.host_id):
            facts = outbox.unstarted_facts(ctx, match, holder) | {"inviter": host.name}
            outbox.enqueue(ctx, "reminder", holder, match, facts, once=once, ply=0)
            reminded.append(holder.name)
    return reminded


def cancel(ctx: Context, match: Match, host: SeatHolder) -> None:
    """Cancel a waiting match, and notify those who had accepted."""
    _check_host_may_act(match, host)
    acceptance.decline(ctx, match, host)


def replace(
    ctx: Context, match: Match, host: SeatHolder, seat: int, invitee: Invitee | None, mail: str | None = None
) -> Match:
    """Replace an invitee who has not answered with another, or with an open seat; raises Refused with a sentence.

    Return the new match, which is drawn anew. The caller must have locked the old one.
    """
    _check_host_may_act(match, host)
    present = {holder.seat: holder for holder in holders(ctx, match)}
    if not 1 <= seat <= len(match.seats) or seat == host.seat:
        raise Refused(_("There is nobody to replace at this seat."), "seat")
    if match.seats[seat - 1].accepted_at:
        raise Refused(_("{name} has accepted and cannot be replaced.", name=present[seat].name), "seat")
    if seat not in present and invitee is None:
        raise Refused(_("This seat is already open."), "seat")
    if _count_replacements(ctx, match) >= MAX_REPLACEMENTS:
        sentence = _("You already replaced {count} players. Start a new match instead.", count=MAX_REPLACEMENTS)
        raise Refused(sentence, "seat")
    drawn = redraws.redraw(ctx, match, host, {seat: invitee}, mail=mail)
    acceptance.cancel(ctx, match, seat=host.seat, by=f"seat {host.seat}", detail={"redrawn": True})
    return drawn


def host_facts(ctx: Context, match: Match) -> dict[str, object]:
    """Return the facts for the host of a waiting match: who has not answered, and how many seats are open."""
    unanswered = [[holder.seat, holder.name] for holder in unanswered_invitees(ctx, match)]
    return {"unanswered": unanswered, "open": match.open_seats, "names": list(player_names(ctx, match))}


def _check_host_may_act(match: Match, host: SeatHolder) -> None:
    if not is_host(match, host):
        raise Refused(_("Only the host can do that, once they have accepted."))
    if match.state != MatchState.INVITING:
        over = _("This match was called off before it began.")
        raise Refused(over if match.seed is None else _("This match has already begun."))


def _count_replacements(ctx: Context, match: Match) -> int:
    """Count how often a waiting match was replaced before this one, up to the maximum."""
    count, before = 0, match.previous_match_id
    while before and count < MAX_REPLACEMENTS:
        earlier = ctx.session.get_one(Match, before)
        if earlier.seed is not None:
            # This one was played, so the next is its rematch.
            break
        count, before = count + 1, earlier.previous_match_id
    return count
