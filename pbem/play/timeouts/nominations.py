"""Nominations: the host of a private match nominates a substitute for a seat that timed out, who is asked by mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match, SeatHolder
from pbem.i18n import _, current_locale
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import seat_changes
from pbem.play.lifecycle.invitees import MAX_INVITATIONS_PER_DAY
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.matches import seats as matches_seats
from pbem.play.matches import withheld
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.moderation import avoidance, invitation_blocks
from pbem.play.notifications import outbox, signed_links
from pbem.play.players import registry
from pbem.play.timeouts import substitutes

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.db.models import Deadline
    from pbem.play.core.context import Context

NOMINATION_MAIL = "named"
"""Kind of the mail to a nominee."""
MAX_PER_DAY = 3
"""Maximum nominations per seat and day."""
_SALT = "pbem named"


@dataclass(frozen=True, slots=True)
class Nomination:
    """A nomination: the seat of the player who is late, and the name and address of the nominee."""

    late_holder: SeatHolder
    match: Match
    email: str
    name: str


def find_nominator(ctx: Context, match: Match, late: SeatHolder) -> SeatHolder | None:
    """Find who may nominate a substitute: the host, if they have a seat and are not the one who is late."""
    beside = seat_changes.other_people(ctx, match, late)
    return next((one for one in beside if one.player_id == match.host_id), None)


def ask_host(ctx: Context, match: Match, host: SeatHolder, late: SeatHolder, row: Deadline) -> None:
    """Enqueue a mail to a host that they may nominate a substitute."""
    facts = outbox.position_facts(ctx, load_match(ctx, match), host)
    facts |= {"whose": late.seat, "until": row.phase_ends_at and row.phase_ends_at.isoformat()}
    outbox.enqueue(ctx, "name?", host, match, facts, once=f"name {match.id} {late.id} {row.ply}")


def nominable_seats(ctx: Context, match: Match, host: SeatHolder) -> list[int]:
    """List the seats for which a player may nominate a substitute now."""
    if match.public or match.host_id != host.player_id or host.left_at is not None:
        return []
    rows = turn_deadlines.for_match(ctx, match)
    return [row.seat for row in rows if row.seat != host.seat and substitutes.is_open(ctx, match, row.seat)]


def parse(text: str) -> tuple[Invitee, int | None]:
    """Parse a nominee, as in “Zoe zoe@example.org”, with an optional seat number in front."""
    words = [word.strip('<>,;()"“”„') for word in text.split()]
    email = next((word for word in words if "@" in word), "")
    called = [word for word in words if word and word != email]
    seat = int(called.pop(0)[:3]) if called and called[0].isascii() and called[0].isdigit() else None
    name = " ".join(called)[: registry.MAX_NAME_LENGTH] or request_parser.default_name(email)
    return Invitee(name, email), seat


def nominate(ctx: Context, match: Match, host: SeatHolder, invitee: Invitee, seat: int | None = None) -> str:
    """Nominate a substitute for a seat, with the full time to answer from now on; return their name.

    The caller must have locked the match. Raises Refused with a sentence for the host.
    """
    seats = [one for one in nominable_seats(ctx, match, host) if seat in {None, one}]
    if not seats:
        raise Refused(_("No seat in this match needs a substitute from you now."))
    email, name = registry.normalise_email(invitee.email, "email"), registry.normalise_name(invitee.name, "name")
    _check_nominee(ctx, match, host, email, seats[0])
    late = next(one for one in matches_seats.holders(ctx, match) if one.seat == seats[0])
    per_seat = Limit("named", str(late.id), MAX_PER_DAY, SECONDS_PER_DAY)
    if hit(ctx, per_seat, Limit("invitation", email, MAX_INVITATIONS_PER_DAY, SECONDS_PER_DAY)):
        raise Refused(_("You asked enough people today. Try again tomorrow."))
    row = next(row for row in turn_deadlines.for_match(ctx, match) if row.seat == late.seat)
    if row.phase_started_at and row.phase_ends_at:
        full_time = row.phase_ends_at - row.phase_started_at
        turn_deadlines.enter_phase(ctx, row, row.phase, ctx.now + full_time)
    facts = {
        "name": name,
        "language": current_locale(),
        "game": match.game,
        "host": host.name,
        "late": late.name,
        "others": [one.name for one in matches_seats.holders(ctx, match) if one.id != late.id],
        "clock": match.time_control,
        "asked": [late.id, email, name],
    }
    outbox.enqueue_mail(ctx, NOMINATION_MAIL, email, facts, once=f"named {late.id} {email}")
    return name


def sign(config: Config, nomination: tuple[int, str, str], key: str) -> str:
    """Sign a nomination for a link with the key of that ID."""
    return signed_links.sign(config, _SALT, nomination, key)


def load_signed(ctx: Context, typed: str) -> Nomination | None:
    """Return the nomination of a link, or None if its signature is not valid."""
    signed = signed_links.load(ctx.config, _SALT, typed)
    if signed is None:
        return None
    number, email, called = signed
    gone = ctx.session.get_one(SeatHolder, number)
    return Nomination(gone, ctx.session.get_one(Match, gone.match_id), email, called)


def is_open(ctx: Context, nomination: Nomination) -> bool:
    """Return whether a nominee may still take the seat."""
    player = registry.find_player(ctx, nomination.email)
    return nomination.late_holder.left_at is None and substitutes.is_open_to(
        ctx, nomination.match, nomination.late_holder.seat, player
    )


def accept(ctx: Context, nomination: Nomination) -> SeatHolder:
    """Seat a nominee, whose address the link has verified; raises Refused with a sentence for them."""
    match = lock_match(ctx, nomination.match.id)
    ctx.session.refresh(nomination.late_holder)
    if not is_open(ctx, nomination):
        raise Refused(_("This seat no longer needs a substitute."))
    player = registry.get_or_create(ctx, {nomination.email: nomination.name})[nomination.email]
    registry.mark_verified(ctx, nomination.email)
    return substitutes.take_over(ctx, match, nomination.late_holder.seat, player, named=True)


def _check_nominee(ctx: Context, match: Match, host: SeatHolder, email: str, seat: int) -> None:
    sat = select(SeatHolder.id).where(SeatHolder.match_id == match.id, SeatHolder.email == email)
    if ctx.session.scalar(sat.limit(1)) is not None:
        raise Refused(_("This person has or had a seat in this match and cannot take another."), "email")
    nominee = registry.find_player(ctx, email)
    if withheld.sits_elsewhere(ctx, match, nominee):
        raise Refused(_("This person plays the same deal in another match and cannot play it in this one."), "email")
    if invitation_blocks.is_refused(ctx, email, host.player_id) or not avoidance.may_sit_together(
        ctx, match, nominee, seat
    ):
        raise Refused(_(invitation_blocks.REFUSAL), "email")
