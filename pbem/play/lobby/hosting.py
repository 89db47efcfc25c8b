"""Host actions on a waiting match: remind invitees, replace one, or cancel the match."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match, OutboxMessage, Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, create, forks, match_requests
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.matches import pairs
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.play.moderation import invitation_blocks
from pbem.play.notifications import outbox
from pbem.play.players import robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

MAX_REPLACEMENTS = 3
"""Maximum replacements per match; each one mails every other player."""


def is_host(match: Match, holder: SeatHolder) -> bool:
    """Return whether a seat is the creator's, and they have accepted."""
    return holder.seat == match.creator_seat and match.seats[holder.seat - 1].accepted_at is not None


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

    The invitee knows the commitment and the entropies of the match, so it is cancelled and a new one is created, with
    its own secret. Those who had accepted stay. Return the new match. The caller must have locked the old one.
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
    accepted = [holder for holder in present.values() if match.seats[holder.seat - 1].accepted_at]
    stay = {holder.email: holder for holder in accepted if not holder.player.is_robot}
    invitees = [invitee if place.seat == seat else _invitee_of_seat(present.get(place.seat)) for place in match.seats]
    with ctx.session.begin_nested():
        request = MatchRequest(
            match.game,
            match.options,
            invitees,
            Terms.of_match(match),
            creator_seat=host.seat,
            host=ctx.session.get(Player, match.host_id) if match.host_id else None,
            invitation_text=match.invitation_text or "",
            message_id=mail,
            previous_match_id=match.id,
            staying=stay,
            fork=forks.find_origin(ctx, match),
            there_and_back=pairs.find_place(ctx, match) is not None,
        )
        drawn = create.create_match(ctx, request)
    for holder in holders(ctx, drawn):
        if holder.email in stay and acceptance.took_open_seat(match, stay[holder.email]):
            # A player who had taken an open seat may still leave it without cancelling the match.
            holder.seated_at = ctx.now + timedelta(microseconds=1)
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


def _invitee_of_seat(holder: SeatHolder | None) -> Invitee | None:
    if holder and holder.player.is_robot:
        return match_requests.robot(robots.level_of(holder.player))
    return Invitee(holder.name, holder.email) if holder else None


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
