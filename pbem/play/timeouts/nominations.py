"""Nominations: the host of a private match nominates a substitute for a seat that timed out, who is asked by mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import select

from pbem.db.models import Holder, Match
from pbem.i18n import _, spoken
from pbem.play.core import tokens
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import create
from pbem.play.lobby import request_parser
from pbem.play.matches import seats as matches_seats
from pbem.play.matches.match_state import course_of, lock
from pbem.play.moderation import invitation_blocks
from pbem.play.notifications import outbox
from pbem.play.players import registry
from pbem.play.timeouts import substitutes

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.db.models import Deadline
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.create import Guest

NAMED = "named"
"""Kind of the mail to a nominee."""
AT_MOST = 3
"""Maximum nominations per seat and day."""
_SALT = "pbem named"


@dataclass(frozen=True, slots=True)
class Asked:
    """A nomination: the seat of the player who is late, and the name and address of the nominee."""

    gone: Holder
    match: Match
    email: str
    name: str


def host_of(ctx: Context, match: Match, late: Holder) -> Holder | None:
    """Find who may nominate a substitute: the host, if they have a seat and are not the one who is late."""
    beside = substitutes.persons_beside(ctx, match, late)
    return next((one for one in beside if one.player_id == match.host_id), None)


def ask(ctx: Context, match: Match, host: Holder, late: Holder, row: Deadline) -> None:
    """Enqueue a mail to a host that they may nominate a substitute."""
    facts = outbox.position_facts(ctx, course_of(ctx, match), host)
    facts |= {"whose": late.seat, "until": row.ends_at and row.ends_at.isoformat()}
    outbox.owe(ctx, "name?", host, match, facts, once=f"name {match.id} {late.id} {row.ply}")


def open_for(ctx: Context, match: Match, host: Holder) -> list[int]:
    """List the seats for which a player may nominate a substitute now."""
    if match.public or match.host_id != host.player_id or host.until is not None:
        return []
    rows = turn_deadlines.of_match(ctx, match)
    return [row.seat for row in rows if row.seat != host.seat and substitutes.is_sought(ctx, match, row.seat)]


def read(text: str) -> tuple[Guest, int | None]:
    """Parse a nominee, as in “Zoe zoe@example.org”, with an optional seat number in front."""
    words = [word.strip('<>,;()"“”„') for word in text.split()]
    email = next((word for word in words if "@" in word), "")
    called = [word for word in words if word and word != email]
    seat = int(called.pop(0)[:3]) if called and called[0].isascii() and called[0].isdigit() else None
    name = " ".join(called)[: registry.LONGEST_NAME] or request_parser.name_of(email)
    return create.Guest(name, email), seat


def name(ctx: Context, match: Match, host: Holder, guest: Guest, seat: int | None = None) -> str:
    """Nominate a substitute for a seat, with the full time to answer from now on; return their name.

    The caller must have locked the match. Raises MatchError with a sentence for the host.
    """
    seats = [one for one in open_for(ctx, match, host) if seat in {None, one}]
    if not seats:
        raise create.MatchError("", _("There is no seat at this match that you may name somebody for now."))
    try:
        email, called = registry.tidy_email(guest.email), registry.tidy_name(guest.name)
    except registry.PersonError as refused:
        raise create.MatchError("email" if "@" not in guest.email else "name", str(refused)) from None
    _may_be_asked(ctx, match, host, email)
    late = next(one for one in matches_seats.holders(ctx, match) if one.seat == seats[0])
    if spend(ctx, Allowed("named", str(late.id), AT_MOST, DAY), _invited(email)):
        raise create.MatchError("", _("You have asked enough people for today. Please try again tomorrow."))
    row = next(row for row in turn_deadlines.of_match(ctx, match) if row.seat == late.seat)
    if row.sought_at and row.ends_at:
        row.sought_at, row.ends_at = ctx.now, ctx.now + (row.ends_at - row.sought_at)
        turn_deadlines.set_next_act(row)
    facts = {
        "name": called,
        "language": spoken(),
        "game": match.game,
        "host": host.name,
        "late": late.name,
        "others": [one.name for one in matches_seats.holders(ctx, match) if one.id != late.id],
        "clock": match.clock,
        "asked": [late.id, email, called],
    }
    outbox.owe_mail(ctx, NAMED, email, facts, once=f"named {late.id} {email}")
    return called


def signed(config: Config, asked: tuple[int, str, str], key: str) -> str:
    """Sign a nomination for a link with the secret named `key`, else the newest one; deterministic."""
    newest = config.secret_keys[-1]
    secret = next((secret for secret in config.secret_keys if tokens.key_name(secret) == key), newest)
    return URLSafeSerializer(secret, salt=_SALT).dumps([*asked])


def found(ctx: Context, typed: str) -> Asked | None:
    """Return the nomination of a link, or None if its signature is not valid."""
    try:
        number, email, called = URLSafeSerializer(list(ctx.config.secret_keys), salt=_SALT).loads(typed)
    except BadSignature:
        return None
    gone = ctx.session.get_one(Holder, number)
    return Asked(gone, ctx.session.get_one(Match, gone.match_id), email, called)


def stands(ctx: Context, asked: Asked) -> bool:
    """Return whether a nominee may still take the seat."""
    return asked.gone.until is None and substitutes.is_sought(ctx, asked.match, asked.gone.seat)


def accept(ctx: Context, asked: Asked) -> Holder:
    """Seat a nominee, whose address the link has verified; raises MatchError with a sentence for them."""
    match = lock(ctx, asked.match.id)
    ctx.session.refresh(asked.gone)
    if not stands(ctx, asked):
        raise create.MatchError("", _("Nobody is looked for at this seat any more."))
    player = registry.players_at(ctx, {asked.email: asked.name})[asked.email]
    registry.confirm(ctx, asked.email)
    return substitutes.take(ctx, match, asked.gone.seat, player, named=True)


def _may_be_asked(ctx: Context, match: Match, host: Holder, email: str) -> None:
    sat = select(Holder.id).where(Holder.match_id == match.id, Holder.email == email)
    if ctx.session.scalar(sat.limit(1)) is not None:
        raise create.MatchError("email", _("They sit or sat at this match: its other seats are not for them."))
    if invitation_blocks.is_unwanted(ctx, email, host.player_id):
        raise create.MatchError("email", _(invitation_blocks.UNWANTED))


def _invited(email: str) -> Allowed:
    return Allowed("invitation", email, create.INVITED_A_DAY, DAY)
