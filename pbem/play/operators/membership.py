"""Appointment and dismissal of operators. The first operator is appointed in the shell of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from pbem.db.models import Operator
from pbem.play.core.actors import PLAYER, ActionError, ActionResult, Actor
from pbem.play.core.errors import Refused
from pbem.play.operators import lookup, totp
from pbem.play.operators.perform import act
from pbem.play.players import registry

if TYPE_CHECKING:
    from pbem.play.core.context import Context


@act("appoint", PLAYER, needs_reason=False)
def appoint(ctx: Context, actor: Actor, number: int, _reason: str, /, name: str = "") -> ActionResult:
    """Make a player an operator under `name`; they set up a second factor when they first enter these pages."""
    player = lookup.lock_player(ctx, number)
    if player.banned_at:
        raise ActionError("This player is banned: lift that first.")
    if registry.main_address(ctx, number) is None:
        raise ActionError("They have no verified address: ask them to sign in once.")
    try:
        name = registry.normalise_name(name or player.name)
    except Refused as refused:
        raise ActionError(str(refused)) from None
    known = _lock_operator(ctx, number)
    if known and known.dismissed_at is None:
        return ActionResult(f"Player {number} is already an operator, as {known.name}.", changed=False)
    by = actor.name if actor.kind == "operator" else f"shell:{actor.name}"
    row = known or Operator(player_id=number, name=name, appointed_at=ctx.now, appointed_by=by)
    row.name, row.appointed_at, row.appointed_by, row.dismissed_at = name, ctx.now, by, None
    ctx.session.add(row)
    ctx.session.flush()
    return ActionResult(f"Player {number} is an operator now, as {name}: they can sign in and go to /operators.")


@act("dismiss", PLAYER, needs_reason=False)
def dismiss(ctx: Context, actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Dismiss an operator, effective at once; what they did stands."""
    row = _lock_operator(ctx, number)
    if row is None or row.dismissed_at:
        return ActionResult(f"Player {number} is not an operator.", changed=False)
    if actor.player == number:
        raise ActionError("You cannot dismiss yourself: ask another operator, or use the shell.")
    row.dismissed_at = ctx.now
    totp.remove(row)
    ctx.session.flush()
    return ActionResult(f"Player {number} ({row.name}) is no longer an operator.")


@act("forget factor", PLAYER)
def reset_totp(ctx: Context, actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Delete an operator's TOTP secret after the loss of their phone; they set up a new one when they next enter."""
    row = _lock_operator(ctx, number)
    if row is None or row.dismissed_at:
        raise ActionError(f"Player {number} is not an operator.")
    if actor.player == number:
        raise ActionError("You cannot reset your own codes: ask another operator, or use the shell.")
    if row.totp_secret is None:
        return ActionResult(f"{row.name} has no codes.", changed=False)
    totp.remove(row)
    ctx.session.flush()
    return ActionResult(f"The codes of {row.name} are reset.")


def list_operators(ctx: Context, *, dismissed: bool = False) -> list[Operator]:
    """List the operators in order of appointment; with `dismissed`, also the dismissed ones."""
    wanted = select(Operator).options(joinedload(Operator.player)).order_by(Operator.appointed_at, Operator.id)
    return list(ctx.session.scalars(wanted if dismissed else wanted.where(Operator.dismissed_at.is_(None))))


def _lock_operator(ctx: Context, number: int) -> Operator | None:
    return ctx.session.scalar(select(Operator).where(Operator.player_id == number).with_for_update())
