"""Leaving for good: asked for on a page, confirmed by a mailed link, done in one transaction.

Matches that run are resigned, those that have not begun are declined, and all that tells who somebody was is forgotten;
what they played stays, so that finished matches are whole for the others.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import func, select

from pbem.db.models import Address, Holder, Match, Player
from pbem.play.accounts import erasure
from pbem.play.core import tokens
from pbem.play.lifecycle import create, endings
from pbem.play.matches.match_state import course_of, lock
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.config import Config
    from pbem.play.core.context import Context

KIND, PARTED = "leaving", "left"
"""The mail that asks whether somebody means it, and the last one, which says that it is done."""
FORMER = "Former player"
"""How somebody who has left is called at the tables where they sat, with a number where two would be alike."""
HOURS = 24
"""How long the mailed link holds."""

_SALT = "pbem leaving"


def ask(ctx: Context, player: Player) -> None:
    """Mail a link to a player's main address, by which they leave; once an hour at the most."""
    address = main_address(ctx, player.id)
    if address is None:
        return
    asked = int(ctx.now.timestamp())
    facts = {"name": player.name, "language": player.language, "player": player.id, "asked": asked}
    outbox.owe_mail(ctx, KIND, address, facts, once=f"{KIND} {player.id} {asked // 3600}")


def signed(config: Config, player: int, asked: int, key: str) -> str:
    """Make the secret part of the link, with the key of that name; the same again gives the same."""
    newest = config.secret_keys[-1]
    secret = next((secret for secret in config.secret_keys if tokens.key_name(secret) == key), newest)
    return URLSafeSerializer(secret, salt=_SALT).dumps([player, asked])


def player_of(ctx: Context, typed: str) -> Player | None:
    """Find who may leave by a link; None for one that is not ours, too old, or of somebody who has left."""
    try:
        number, asked = URLSafeSerializer(list(ctx.config.secret_keys), salt=_SALT).loads(typed)
    except BadSignature:
        return None
    if ctx.now - datetime.fromtimestamp(asked, UTC) > timedelta(hours=HOURS):
        return None
    player = ctx.session.get(Player, number)
    return player if player and player.deleted_at is None else None


def main_address(ctx: Context, player: int) -> str | None:
    """Give where a player is mailed about their account: their main address, if they have shown that it is theirs."""
    own = Address.player_id == player, Address.verified_at.is_not(None)
    first = select(Address.email).where(*own).order_by(Address.main.desc(), Address.created_at, Address.email)
    return ctx.session.scalar(first.limit(1))


def unfinished(ctx: Context, player: int) -> list[Match]:
    """List the matches that a player would leave before their end: where they sit, or are the host."""
    seated = select(Holder.match_id).where(Holder.player_id == player, Holder.until.is_(None))
    theirs = Match.id.in_(seated) | (Match.host_id == player)
    return list(ctx.session.scalars(select(Match).where(theirs, Match.state != MatchState.OVER).order_by(Match.id)))


def leave(ctx: Context, player: Player) -> None:
    """Have a player leave for good: nothing here tells any more who they were."""
    emails = locked(ctx, player)
    if player.deleted_at is not None:
        return
    parting, name, language = main_address(ctx, player.id), player.name, player.language
    seats = list(ctx.session.scalars(select(Holder).where(Holder.player_id == player.id).order_by(Holder.match_id)))
    # First, so that what the others are mailed of it has the new name already.
    names = {name} | {holder.name for holder in seats}
    emails |= {holder.email for holder in seats if holder.email}
    for match in unfinished(ctx, player.id):
        _rename(ctx, lock(ctx, match.id), [holder for holder in seats if holder.match_id == match.id])
        _end(ctx, match, player)
    _rename_over(ctx, seats)
    erasure.forget(ctx, player, seats, names, emails)
    player.name, player.deleted_at = FORMER, ctx.now
    if parting:
        facts = {"name": "", "language": language}
        outbox.owe_mail(ctx, PARTED, parting, facts, once=f"{PARTED} {player.id}")


def locked(ctx: Context, player: Player) -> set[str]:
    """Hold a player and their addresses, so that nobody seats them meanwhile; gives the addresses."""
    own = select(Address.email).where(Address.player_id == player.id)
    emails = set(ctx.session.scalars(own))
    for email in sorted(emails):
        ctx.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(email, 0))))
    ctx.session.refresh(player, with_for_update=True)
    return emails


def _end(ctx: Context, match: Match, player: Player) -> None:
    """End a player's part in a match that is not over."""
    present = create.holders(ctx, match)
    own = [holder for holder in present if holder.player_id == player.id]
    if match.state == MatchState.RUNNING:
        for holder in own[:1]:
            endings.resign(ctx, course_of(ctx, match), holder)
    elif own:
        create.decline(ctx, match, own[0])
    if match.state == MatchState.INVITING and match.host_id == player.id:
        create.call_off(ctx, match, seat=None, by="table", detail={})
        create.tell_called_off(ctx, match, present, by=FORMER)


def _rename_over(ctx: Context, seats: Sequence[Holder]) -> None:
    by_match: dict[str, list[Holder]] = {}
    for holder in seats:
        by_match.setdefault(holder.match_id, []).append(holder)
    for match_id, mine in by_match.items():
        _rename(ctx, ctx.session.get_one(Match, match_id), mine)


def _rename(ctx: Context, match: Match, mine: Sequence[Holder]) -> None:
    """Call a player's seats at a match otherwise than anybody else there, and have their links hold no more."""
    own = {holder.id for holder in mine}
    others = select(Holder.name).where(Holder.match_id == match.id, Holder.id.not_in(own))
    taken = set(ctx.session.scalars(others))
    numbers = (f"{FORMER} {number}" for number in range(2, len(taken) + len(own) + 3))
    free = (one for one in (FORMER, *numbers) if one not in taken)
    named = {seat: next(free) for seat in sorted({holder.seat for holder in mine})}
    for holder in mine:
        holder.name, holder.email = named[holder.seat], ""
    ctx.session.flush()
