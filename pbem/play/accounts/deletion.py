"""Account deletion: requested on a page, confirmed by a mailed link, done in one transaction.

Running matches are resigned, matches that have not started are declined, and everything that identifies the player is
erased. Their moves stay, so that finished matches remain complete for the others.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Entrant, Match, Player, SeatHolder
from pbem.play.accounts import account_locks, personal_data_erasure
from pbem.play.events import entries, field_leaving
from pbem.play.leagues import leaving
from pbem.play.lifecycle import acceptance, endings
from pbem.play.lobby import reopening
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox, signed_links
from pbem.play.players import registry
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.config import Config
    from pbem.play.core.context import Context

CONFIRMATION_KIND, GOODBYE_KIND = "leaving", "left"
"""Mail kinds: the request to confirm, and the goodbye mail after the deletion."""
FORMER_NAME = "Former player"
"""Name of deleted players in their matches, with a number where two would be the same."""
LINK_HOURS = 24
"""Hours for which the mailed link is valid."""

_SALT = "pbem leaving"


def send_link(ctx: Context, player: Player) -> None:
    """Mail a confirmation link to a player's main address, at most once an hour."""
    address = registry.main_address(ctx, player.id)
    if address is None:
        return
    requested = int(ctx.now.timestamp())
    facts = {"name": player.name, "language": player.language, "player": player.id, "asked": requested}
    outbox.enqueue_mail(
        ctx, CONFIRMATION_KIND, address, facts, once=f"{CONFIRMATION_KIND} {player.id} {requested // 3600}"
    )


def link_token(config: Config, player: int, requested: int, key: str) -> str:
    """Return the secret part of the link, signed with the key of that ID."""
    return signed_links.sign(config, _SALT, [player, requested], key)


def player_from_link(ctx: Context, typed: str) -> Player | None:
    """Return the player whom a link deletes; None if it is invalid or too old, or the player is already deleted."""
    signed = signed_links.load(ctx.config, _SALT, typed)
    if signed is None or ctx.now - datetime.fromtimestamp(signed[1], UTC) > timedelta(hours=LINK_HOURS):
        return None
    player = ctx.session.get(Player, signed[0])
    return player if player and player.deleted_at is None else None


def delete(ctx: Context, player: Player) -> None:
    """Delete a player's account; nothing that identifies them is left."""
    emails = account_locks.lock(ctx, player.id)
    if player.deleted_at is not None:
        return
    parting, name, language = registry.main_address(ctx, player.id), player.name, player.language
    own = select(SeatHolder).where(SeatHolder.player_id == player.id).order_by(SeatHolder.match_id)
    seats = list(ctx.session.scalars(own))
    # Rename first, so that the mails to the others already have the new name.
    names = {name} | {holder.name for holder in seats}
    emails |= {holder.email for holder in seats if holder.email}
    played = account_locks.unfinished(ctx, player.id)
    for match in played:
        _rename(ctx, lock_match(ctx, match.id), [holder for holder in seats if holder.match_id == match.id])
    leaving.leave_all(ctx, player.id, entries.DELETED)
    field_leaving.leave_all(ctx, player.id, entries.DELETED)
    for match in played:
        _leave_match(ctx, match, player)
    entered = update(Entrant).where(Entrant.player_id == player.id)
    ctx.session.execute(entered.values(name=FORMER_NAME, household=[], entropy=None))
    for match_id, mine in groupby(seats, lambda holder: holder.match_id):
        _rename(ctx, ctx.session.get_one(Match, match_id), list(mine))
    personal_data_erasure.erase(ctx, player, seats, names, emails)
    player.name, player.deleted_at = FORMER_NAME, ctx.now
    if parting:
        facts = {"name": "", "language": language}
        outbox.enqueue_mail(ctx, GOODBYE_KIND, parting, facts, once=f"{GOODBYE_KIND} {player.id}")


def _leave_match(ctx: Context, match: Match, player: Player) -> None:
    """End a player's part in an unfinished match."""
    present = holders(ctx, match)
    own = [holder for holder in present if holder.player_id == player.id]
    if match.state == MatchState.RUNNING:
        for holder in own[:1]:
            endings.resign(ctx, load_match(ctx, match), holder)
    elif own:
        reopening.decline(ctx, match, own[0])
    if match.state == MatchState.INVITING and match.host_id == player.id:
        acceptance.cancel(ctx, match, seat=None, by="table", detail={})
        acceptance.notify_cancelled(ctx, match, present, by=FORMER_NAME)


def _rename(ctx: Context, match: Match, mine: Sequence[SeatHolder]) -> None:
    """Set a neutral name for a player's seats in a match, which nobody else there has, and clear their addresses."""
    own = {holder.id for holder in mine}
    others = select(SeatHolder.name).where(SeatHolder.match_id == match.id, SeatHolder.id.not_in(own))
    taken = set(ctx.session.scalars(others))
    numbers = (f"{FORMER_NAME} {number}" for number in range(2, len(taken) + len(own) + 3))
    free = (one for one in (FORMER_NAME, *numbers) if one not in taken)
    named = {seat: next(free) for seat in sorted({holder.seat for holder in mine})}
    for holder in mine:
        holder.name, holder.email = named[holder.seat], ""
    ctx.session.flush()
