"""Operators' acts on players: to ban, unban, rename, merge and delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from pbem.db.models import (
    Animation,
    ApiKey,
    Ban,
    Feed,
    LoginSession,
    Match,
    Operator,
    Passkey,
    Player,
    PushSubscription,
    SeatHolder,
)
from pbem.play.accounts import account_locks, deletion, event_merges
from pbem.play.accounts import merge as accounts_merge
from pbem.play.archive import statistics
from pbem.play.core.actors import OPERATOR, PLAYER, ActionError, ActionResult, Actor
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving
from pbem.play.leagues import leaving
from pbem.play.lifecycle import acceptance, seat_changes
from pbem.play.matches import seats as matches_seats
from pbem.play.matches.match_state import lock_match
from pbem.play.moderation import bans
from pbem.play.notifications import push_subscriptions
from pbem.play.operators import audit, lookup
from pbem.play.operators.notify import MERGED, RENAMED, notify_player
from pbem.play.operators.perform import act, clean_sentence
from pbem.play.players import registry
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context


@act("ban", PLAYER)
def ban(ctx: Context, _actor: Actor, number: int, _reason: str, /, sentence: str) -> ActionResult:
    """Ban a player: they cannot sign in, move or start matches in any way, and their seats are played for them.

    `sentence` is what they are told; the reason is for the audit log only.
    """
    player = lookup.lock_account(ctx, number)
    _check_no_operator(ctx, player)
    if player.banned_at:
        return ActionResult(f"Player {number} is already banned.", changed=False)
    sentence = clean_sentence(sentence)
    row = Ban(player_id=player.id, message=sentence, banned_at=ctx.now)
    player.banned_at = ctx.now
    ctx.session.add(row)
    ctx.session.flush()
    _revoke_access(ctx, player)
    leaving.leave_all(ctx, player.id, entries.BANNED)
    field_leaving.leave_all(ctx, player.id, entries.BANNED)
    unfinished = account_locks.unfinished(ctx, player.id)
    for match in unfinished:
        _vacate_seats(ctx, lock_match(ctx, match.id), player)
    address = registry.main_address(ctx, player.id)
    if address:
        bans.notify(ctx, row, player, address)
    notified = "they are notified" if address else "they have no verified address, and are not notified"
    count = len(unfinished)
    message = f"Player {number} is banned; {notified}. Matches that continue without them or are cancelled: {count}."
    return ActionResult(message, detail={"matches": count, "ban": row.id})


@act("unban", PLAYER)
def unban(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Lift a player's ban; they can reclaim seats that the robot plays for them."""
    player = lookup.lock_player(ctx, number)
    row = bans.active_ban(ctx, player.id)
    if row is None:
        return ActionResult(f"Player {number} is not banned.", changed=False)
    row.lifted_at, player.banned_at = ctx.now, None
    ctx.session.flush()
    notify_player(ctx, player, bans.LIFTED_MAIL, once=f"{bans.LIFTED_MAIL} {row.id}")
    return ActionResult(f"Player {number} can sign in and play again, and is notified.", detail={"ban": row.id})


@act("rename", PLAYER)
def rename(ctx: Context, _actor: Actor, number: int, reason: str, /, name: str) -> ActionResult:
    """Rename a player, also in all their past and present matches: names are not part of the hash chains."""
    player = lookup.lock_player(ctx, number)
    try:
        name = registry.normalise_name(name)
    except Refused as refused:
        raise ActionError(str(refused)) from None
    held = select(SeatHolder).where(SeatHolder.player_id == player.id).order_by(SeatHolder.id)
    seats = list(ctx.session.scalars(held))
    unique = {seat.id: registry.unique_name(name, _other_names(ctx, seat, seats)) for seat in seats}
    wanted = {
        seat.id: unique[seat.id] if seat.rates_as_bot is None else registry.seat_name(player, unique[seat.id])
        for seat in seats
    }
    changed = [seat for seat in seats if seat.name != wanted[seat.id]]
    if player.name == name and not changed:
        return ActionResult(f"Player {number} is already called {name}.", changed=False)
    player.name = name
    for seat in changed:
        seat.name = wanted[seat.id]
    tables = {seat.match_id for seat in changed}
    ctx.session.execute(delete(Animation).where(Animation.match_id.in_(tables)))
    statistics.mark_player_stale(ctx, player.id)
    ctx.session.flush()
    notify_player(ctx, player, RENAMED, f"{RENAMED} {player.id} {ctx.now.isoformat()}", reason)
    message = f"Player {number} is called {name} now, and is notified. Changed matches: {len(tables)}."
    return ActionResult(message, detail={"tables": len(tables)})


@act("merge", PLAYER)
def merge(ctx: Context, _actor: Actor, number: int, reason: str, /, into: int) -> ActionResult:
    """Merge a player's account into another one of theirs, with its addresses, seats and everything they played."""
    if number == into:
        raise ActionError("An account cannot be merged into itself.")
    if _is_merged(ctx, number, into):
        return ActionResult(f"Player {number} is already merged into player {into}.", changed=False)
    both = [lookup.get_player(ctx, each).id for each in (number, into)]
    accounts_merge.lock(ctx, *both)
    player, other = (lookup.get_player(ctx, each) for each in both)
    if ctx.session.scalar(select(Operator.id).where(Operator.player_id == number)) is not None:
        raise ActionError(f"Player {number} is or was an operator: their actions are recorded under this account.")
    if player.banned_at or other.banned_at:
        raise ActionError("One of the two is banned: lift that first.")
    if accounts_merge.share_match(ctx, player, other):
        raise ActionError("Both play in a match that is not over, in which one person must not see both hands.")
    if event_merges.share_field(ctx, player, other):
        raise ActionError("Both play in the same field, with the same cards. Merge them when that field is over.")
    _revoke_access(ctx, player)
    for model in (LoginSession, ApiKey, Passkey):
        ctx.session.execute(delete(model).where(model.player_id == player.id))
    accounts_merge.merge(ctx, player, other)
    notify_player(ctx, other, MERGED, f"{MERGED} {number} {into}", reason)
    message = (
        f"Player {number} is merged into player {into}, who is notified. Passkeys and keys of {number} are deleted."
    )
    return ActionResult(message, detail={"into": into})


@act("forget", PLAYER)
def erase(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Delete a player's account, as they could themselves: everything that identifies them is erased."""
    player = ctx.session.get(Player, number)
    if player is not None and player.deleted_at is not None:
        return ActionResult(f"The account of player {number} is already deleted.", changed=False)
    player = lookup.lock_account(ctx, number)
    _check_no_operator(ctx, player)
    deletion.delete(ctx, player)
    return ActionResult(f"The account of player {number} is deleted.")


def _check_no_operator(ctx: Context, player: Player) -> None:
    """Raise ActionError if the player is an operator: they must be dismissed first."""
    here = Operator.player_id == player.id, Operator.dismissed_at.is_(None)
    if ctx.session.scalar(select(Operator.id).where(*here)) is not None:
        raise ActionError("This player is an operator: dismiss them first.")


def _revoke_access(ctx: Context, player: Player) -> None:
    """End a player's login sessions, API keys, feeds and notified devices."""
    push_subscriptions.forget(ctx, PushSubscription.player_id == player.id)
    sessions = update(LoginSession).where(LoginSession.player_id == player.id, LoginSession.ended_at.is_(None))
    ctx.session.execute(sessions.values(ended_at=ctx.now))
    keys = update(ApiKey).where(ApiKey.player_id == player.id, ApiKey.revoked_at.is_(None))
    ctx.session.execute(keys.values(revoked_at=ctx.now))
    ctx.session.execute(delete(Feed).where(Feed.player_id == player.id))


def _vacate_seats(ctx: Context, match: Match, player: Player) -> None:
    """Continue a match without a player: the robot plays for them, or it ends if they were the only person.

    A match that has not started is called off, unless they had only taken an open seat.
    """
    present = matches_seats.holders(ctx, match)
    own = [one for one in present if one.player_id == player.id]
    if match.state == MatchState.RUNNING:
        alone = all(one.player.is_robot or one.player_id == player.id for one in present)
        for holder in own[:1] if alone else own:
            seat_changes.seat_robot(ctx, match, holder, by=OPERATOR)
    elif own and match.host_id != player.id and acceptance.took_open_seat(match, own[0]):
        acceptance.decline(ctx, match, own[0])
    else:
        acceptance.cancel(ctx, match, seat=None, by=OPERATOR, detail={})
        others = [one for one in present if one.player_id != player.id]
        acceptance.notify_cancelled(ctx, match, others, by=own[0].name if own else player.name)


def _other_names(ctx: Context, seat: SeatHolder, own: list[SeatHolder]) -> list[str]:
    """List the names of the other players, past and present, in a seat's match."""
    ids = [one.id for one in own]
    others = SeatHolder.match_id == seat.match_id, SeatHolder.id.not_in(ids)
    return list(ctx.session.scalars(select(SeatHolder.name).where(*others)))


def _is_merged(ctx: Context, number: int, into: int) -> bool:
    merges = audit.newest(ctx, subject=(PLAYER, str(number)), act="merge")
    return any(line.detail.get("into") == into for line in merges)
