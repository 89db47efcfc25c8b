"""Merging of accounts, such as one that only invitations created into that of the owner of its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.orm import aliased

from pbem.db.models import (
    Address,
    Analysis,
    Avoidance,
    Ban,
    ClockPause,
    Entrant,
    InvitationBlock,
    LadderChallenge,
    LoginSession,
    Match,
    Mute,
    Operator,
    Player,
    SeatHolder,
)
from pbem.play.accounts import account_locks, event_merges
from pbem.play.archive import statistics
from pbem.play.matches import kept_lines
from pbem.play.players import bots, private_notes
from pbem.play.ratings import updates
from pbem.states import MatchState

if TYPE_CHECKING:
    from sqlalchemy.orm import InstrumentedAttribute

    from pbem.play.core.context import Context


def is_bare(ctx: Context, player: Player) -> bool:
    """Return whether nobody has ever signed in to an account, and it has only one address.

    Accounts of banned players, and of present or former operators, are never bare.
    """
    operates = select(exists().where(Operator.player_id == player.id))
    if player.banned_at or ctx.session.scalar(operates):
        return False
    signed_in = select(exists().where(LoginSession.player_id == player.id))
    known_by = select(func.count()).where(Address.player_id == player.id)
    return not ctx.session.scalar(signed_in) and ctx.session.scalar(known_by) == 1


def share_match(ctx: Context, one: Player, other: Player) -> bool:
    """Return whether two players sit in the same unfinished match, where one person must not hold both hands."""
    here, there = aliased(SeatHolder), aliased(SeatHolder)
    together = (
        select(Match.id)
        .join(here, here.match_id == Match.id)
        .join(there, there.match_id == Match.id)
        .where(here.player_id == one.id, there.player_id == other.id, Match.state != MatchState.OVER)
        .where(here.left_at.is_(None), there.left_at.is_(None))
    )
    return ctx.session.scalar(together.limit(1)) is not None


def lock(ctx: Context, *players: int) -> None:
    """Lock players that are to be merged, before the questions above are asked."""
    # Before the players: what rates locks both in this order.
    updates.lock(ctx)
    account_locks.lock(ctx, *players)


def merge(ctx: Context, bare: Player, into: Player) -> None:
    """Move everything of a bare account to another one, and delete it; its rated matches are rated anew."""
    lock(ctx, bare.id, into.id)
    updates.rewind_player(ctx, bare.id)
    event_merges.leave_one_entry(ctx, bare.id, into.id)
    for column in (
        SeatHolder.player_id,
        Match.host_id,
        ClockPause.player_id,
        Ban.player_id,
        Analysis.asked_by,
        LadderChallenge.challenger_id,
        LadderChallenge.challenged_id,
    ):
        ctx.session.execute(update(column.class_).where(column == bare.id).values({column: into.id}))
    if into.bot_since is not None:
        bots.mark_seats(ctx, into)
    moved = {Address.player_id: into.id, Address.is_main: False}
    ctx.session.execute(update(Address).where(Address.player_id == bare.id).values(moved))
    for column, key in (
        (InvitationBlock.player_id, InvitationBlock.hash),
        (Avoidance.player_id, Avoidance.avoided_id),
        (Avoidance.avoided_id, Avoidance.player_id),
        (Mute.player_id, Mute.muted_id),
        (Mute.muted_id, Mute.player_id),
        (Entrant.player_id, Entrant.event_id),
    ):
        _move_rows(ctx, column, key, bare.id, into.id)
    private_notes.merge(ctx, bare.id, into.id)
    kept_lines.merge(ctx, bare.id, into.id)
    ctx.session.execute(delete(Avoidance).where(Avoidance.player_id == Avoidance.avoided_id))
    ctx.session.execute(delete(Mute).where(Mute.player_id == Mute.muted_id))
    with_themselves = LadderChallenge.challenger_id == LadderChallenge.challenged_id
    ctx.session.execute(delete(LadderChallenge).where(with_themselves, LadderChallenge.match_id.is_(None)))
    statistics.delete_player(ctx, bare.id)
    statistics.mark_player_stale(ctx, into.id)
    ctx.session.expire_all()
    ctx.session.execute(delete(Player).where(Player.id == bare.id))


def _move_rows(
    ctx: Context, column: InstrumentedAttribute[int], key: InstrumentedAttribute[object], bare: int, into: int
) -> None:
    """Move rows of one player to another, and delete those that the other has as well."""
    row = column.class_
    has = select(key).where(column == into)
    ctx.session.execute(delete(row).where(column == bare, key.in_(has)))
    ctx.session.execute(update(row).where(column == bare).values({column: into}))
