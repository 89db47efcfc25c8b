"""Answers to invitations: taking a seat, accepting, declining, and cancelling a match that has not started."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games.chain import typed_entropy
from pbem.i18n import _
from pbem.play.core import player_events
from pbem.play.core.errors import Code, Refused
from pbem.play.lifecycle import invitations, start, there_and_back
from pbem.play.matches import pairs, seats
from pbem.play.matches.match_state import append_event, lock_match
from pbem.play.moderation import avoidance, bans
from pbem.play.notifications import outbox
from pbem.play.players import bots, registry, reliability
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, MatchSeat, Player, SeatHolder
    from pbem.games import Json
    from pbem.play.core.context import Context


def take_seat(
    ctx: Context, match: Match, player: Player, email: str, name: str, text: str = "", mail: str | None = None
) -> SeatHolder:
    """Seat a player at the first open seat of a match, who thereby accepts; raises Refused if it cannot be.

    The player must have verified the address. `text` is their contribution to the deal, if any; `mail` is the
    Message-ID of the mail by which they asked for the seat, if any.
    """
    match = lock_match(ctx, match.id)
    present = seats.holders(ctx, match)
    if match.state != MatchState.INVITING:
        if match.seed is None:
            raise Refused(_("This match was called off before it began."), code=Code.CALLED_OFF)
        raise Refused(_("This match has begun. All seats are taken."), code=Code.ALREADY_BEGUN)
    if any(player.id == other.player_id for other in present):
        raise Refused(_("You already have a seat at this table."), code=Code.ALREADY_SEATED)
    bans.check_not_banned(ctx, player)
    reliability.check_admitted(ctx, match, player.id)
    bots.check_welcome(match, player)
    taken = {other.seat for other in present}
    free = [place.seat for place in match.seats if place.seat not in taken]
    if not free or not match.open_seats or not avoidance.may_sit_together(ctx, match, player.id):
        # Nobody learns that they are avoided: they hear what they would hear of a table that is full.
        raise Refused(_("All seats at this table are taken."), code=Code.NO_OPEN_SEAT)
    name, email = registry.normalise_name(name, "name"), registry.normalise_email(email, "email")
    name = registry.unique_name(name, [other.name for other in present])
    match.open_seats = len(free) - 1
    holder = registry.add_holder(ctx, match, free[0], player, name, email)
    ctx.session.flush()
    seat = match.seats[holder.seat - 1]
    # The mail already describes the deal as the acceptance below will leave it.
    facts = entropy_facts(seat, text) | {"joined": True}
    facts |= {"entropy": typed_entropy(text), "entropy_by": "player"} if text.strip() else {}
    invitations.enqueue(ctx, match, holder, answers=mail, **facts)
    accept(ctx, match, holder, text)
    return holder


def accept(
    ctx: Context, match: Match, holder: SeatHolder, text: str, mail: str | None = None, **more: Any
) -> MatchSeat:
    """Accept an invitation, with the player's own text for the deal if any; only the first acceptance counts.

    The match starts when everybody has accepted. `mail` is the Message-ID of the mail that accepted, if any; the first
    mail of the running match answers it, and `more` are facts for that mail. The caller must have locked the match.
    """
    seat = match.seats[holder.seat - 1]
    if match.state == MatchState.INVITING and text.strip() and seat.entropy is None:
        # A player whose acceptance was carried over from an earlier match may still add a text.
        carried_over = match.previous_match_id and seat.accepted_at == match.created_at
        if carried_over and holder.seat != match.creator_seat:
            seat.entropy = typed_entropy(text)
    if match.state == MatchState.INVITING and seat.accepted_at is None and not holder.player.banned_at:
        seat.accepted_at = ctx.now
        seat.entropy = typed_entropy(text) if text.strip() else None
        registry.mark_verified(ctx, holder.email)
        present = seats.holders(ctx, match)
        for other in present:
            if other.player_id == holder.player_id:
                match.seats[other.seat - 1].accepted_at = ctx.now
        invited = [] if more.get("first") else seats.distinct_players(present, first=holder.seat)
        for other in invited:
            # Enqueued only once: this is for the invitees of a creator whose address was not verified.
            invitations.enqueue(ctx, match, other)
        if holder.seat == match.creator_seat:
            match.open_seats = len(match.seats) - len(present)
            player_events.record_table(ctx, match)
        if all(place.accepted_at for place in match.seats):
            begin = there_and_back.begin if pairs.find_place(ctx, match) else start.start_match
            begin(ctx, match, holder, mail, entropy_facts(seat, text) | more)
    return seat


def decline(ctx: Context, match: Match, holder: SeatHolder, **facts: object) -> None:
    """Decline an invitation: cancel the match and notify those who had accepted, with more `facts` for their mail.

    A player who had taken an open seat only leaves it, and it is open again.
    """
    if match.state != MatchState.INVITING:
        return
    if took_open_seat(match, holder):
        seat = match.seats[holder.seat - 1]
        holder.left_at, seat.accepted_at, seat.entropy = ctx.now, None, None
        match.open_seats += 1
        player_events.record_table(ctx, match)
        return
    cancel(ctx, match, seat=holder.seat, by=f"seat {holder.seat}", detail={"declined": True})
    others = [one for one in seats.holders(ctx, match) if one.seat != holder.seat]
    notify_cancelled(ctx, match, others, by=holder.name, **facts)


def cancel(ctx: Context, match: Match, *, seat: int | None, by: str, detail: dict[str, Json]) -> None:
    """Cancel a match that has not started, and close its open seats."""
    append_event(ctx, match, "aborted", seat=seat, by=by, detail=detail)
    match.state, match.ended_at, match.open_seats = MatchState.OVER, ctx.now, 0
    match.result = {"scores": None, "winners": [], "ending": "aborted"}


def notify_cancelled(ctx: Context, match: Match, players: Sequence[SeatHolder], **facts: object) -> None:
    """Notify those of these players who had accepted a match that it is cancelled."""
    for other in seats.distinct_players(players):
        if match.seats[other.seat - 1].accepted_at:
            about = outbox.unstarted_facts(ctx, match, other) | facts
            outbox.enqueue(ctx, "called off", other, match, about, once=f"called off {match.id} {other.id}", ply=0)


def took_open_seat(match: Match, holder: SeatHolder) -> bool:
    """Return whether a player took an open seat, so was not invited by name."""
    return holder.seated_at > match.created_at


def entropy_facts(seat: MatchSeat, text: str) -> dict[str, Any]:
    """Return the facts of a seat's part in the deal: the text that was typed, and the entropy made of it."""
    entropy, by = seats.entropy_with_source(seat)
    return {"entropy": entropy, "entropy_by": by, "typed": text.strip()[:200]}
