"""Invitations and their facts, apart from the game: the inviter, their text, the terms, the match before."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Address, Match, SeatHolder
from pbem.play.core import player_events
from pbem.play.matches import withheld
from pbem.play.matches.views import player_names
from pbem.play.moderation import invitation_blocks
from pbem.play.notifications import outbox
from pbem.play.players import reliability
from pbem.play.ratings import standings

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def enqueue(ctx: Context, match: Match, holder: SeatHolder, *, answers: str | None = None, **more: object) -> None:
    """Enqueue the invitation to a player, only once; `answers` is the Message-ID that it answers, `more` adds facts."""
    seat = match.seats[holder.seat - 1]
    facts = outbox.unstarted_facts(ctx, match, holder) | {
        "entropy": seat.default_entropy,
        "options": match.options,
        "creator": match.creator_seat == holder.seat,
        "inviter": player_names(ctx, match)[match.creator_seat - 1] if match.creator_seat else None,
    }
    facts |= invitation_facts(ctx, match, holder) | more
    once = f"invitation {match.id} {holder.id}"
    outbox.enqueue(ctx, "invitation", holder, match, facts, once=once, ply=0, answers=answers)
    if seat.accepted_at is None and not (facts.get("made") or facts.get("joined")):
        player_events.record(ctx, player_events.INVITATION, match, holder, once=once)


def first_mail_facts(match: Match) -> dict[str, Any]:
    """Return the facts for the first mail of a match that begins without invitations."""
    facts = {"first": True, "options": match.options, "clock": match.time_control, "on_time": match.timeout_policy}
    return facts | ({"practice": True} if match.forked_from_id else {})


def invitation_facts(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts for an invitee; the inviter's address is included only if it is verified."""
    host = invitation_blocks.find_inviter(ctx, match, holder)
    facts: dict[str, Any] = {"words": match.invitation_text if host else None, "clock": match.time_control}
    facts |= {"on_time": match.timeout_policy, "reliable": match.min_reliability if match.open_seats else None}
    facts |= {"bots": match.bots} if match.open_seats else {}
    facts["standing"] = asdict(reliability.for_player(ctx, host.player_id)) if host else None
    facts["inviter_address"] = _inviter_address(ctx, match, host.player_id) if host else None
    facts |= {"watched": match.public, "rated": match.public and match.rated}
    if facts["rated"]:
        facts["chances"] = standings.chances(ctx, match)
    if match.forked_from_id:
        facts["practice"] = True
    if withheld.hides_table(match):
        facts["withheld"] = withheld.facts(ctx, match)
    if match.previous_match_id and match.seed is None:
        facts["rematch"] = _previous_winners(ctx, match.previous_match_id)
    return facts


def _inviter_address(ctx: Context, match: Match, host: int) -> str | None:
    theirs = SeatHolder.match_id == match.id, SeatHolder.player_id == host, SeatHolder.left_at.is_(None)
    seated = select(Address.email).join(SeatHolder, SeatHolder.email == Address.email).where(*theirs)
    verified = Address.player_id == host, Address.verified_at.is_not(None)
    # A host who does not play is identified by their main address.
    main = select(Address.email).where(Address.is_main, *verified)
    return ctx.session.scalar(seated.where(*verified)) or ctx.session.scalar(main)


def _previous_winners(ctx: Context, follows: str) -> list[str] | None:
    """Return the names of the winners of the match before; None if it was never played, or others may not know yet."""
    before = ctx.session.get_one(Match, follows)
    if before.seed is None or before.result is None or withheld.hides_table(before):
        return None
    seated = SeatHolder.match_id == follows, SeatHolder.left_at.is_(None)
    won = select(SeatHolder.name).where(*seated, SeatHolder.seat.in_(before.result["winners"]))
    return list(ctx.session.scalars(won.order_by(SeatHolder.seat)))
