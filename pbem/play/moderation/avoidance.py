"""People to avoid: two players sit at no table together if one of them avoids the other, who learns nothing of it.

Whatever shows or seats people at a table that is not theirs yet asks here. A match that they share already goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import SmallInteger, and_, bindparam, delete, exists, func, or_, select, union
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from pbem.db.models import Address, Avoidance, Match, SeatHolder
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.players import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.db.models import Player
    from pbem.play.core.context import Context

MAX_AVOIDED = 100
"""Maximum people that one player avoids."""

_KEPT_APART = union(
    select(Avoidance.avoided_id).where(Avoidance.player_id == bindparam("reader")),
    select(Avoidance.player_id).where(Avoidance.avoided_id == bindparam("reader")),
)
"""Those with whom a reader sits at no new table: whom they avoid, and who avoids them."""


def add(ctx: Context, player: Player, other: Player, name: str) -> None:
    """Keep a player apart from another one, known to them by this name; raises Refused with a sentence."""
    if other.id == player.id:
        raise Refused(_("You cannot avoid yourself."), "name")
    if other.is_robot:
        raise Refused(_("{name} is a robot. You can avoid only people.", name=name), "name")
    others = select(func.count()).where(Avoidance.player_id == player.id, Avoidance.avoided_id != other.id)
    if (ctx.session.scalar(others) or 0) >= MAX_AVOIDED:
        raise Refused(_("You avoid {count} people already. Remove one of them first.", count=MAX_AVOIDED), "name")
    row = {"player_id": player.id, "avoided_id": other.id, "name": name, "created_at": ctx.now}
    ctx.session.execute(insert(Avoidance).values(row).on_conflict_do_nothing())


def remove_entry(ctx: Context, player: int, entry: int) -> None:
    """Remove an entry of a player's own list; idempotent."""
    ctx.session.execute(delete(Avoidance).where(Avoidance.player_id == player, Avoidance.id == entry))


def remove(ctx: Context, player: int, other: int) -> None:
    """Avoid somebody no more; idempotent."""
    ctx.session.execute(delete(Avoidance).where(Avoidance.player_id == player, Avoidance.avoided_id == other))


def list_avoided(ctx: Context, player: int) -> Sequence[Avoidance]:
    """List whom a player avoids, by name."""
    theirs = select(Avoidance).where(Avoidance.player_id == player)
    return ctx.session.scalars(theirs.order_by(func.lower(Avoidance.name), Avoidance.id)).all()


def find_by_name(ctx: Context, player: int, typed: str) -> Avoidance:
    """Find one whom a player avoids by a typed name; raises Refused if that is nobody, or several."""
    found = [one for one in list_avoided(ctx, player) if one.name.casefold() == typed.strip().casefold()]
    name = found[0].name if found else typed.strip()[: registry.MAX_NAME_LENGTH]
    if not found:
        raise Refused(_("You avoid nobody called “{name}”.", name=name), "name")
    if len(found) > 1:
        raise Refused(_("You avoid several people called “{name}”. Choose one on the page.", name=name), "name")
    return found[0]


def refuses_invitation(ctx: Context, email: str, inviter: int) -> bool:
    """Return whether the player of an address avoids somebody who wants to invite them."""
    avoids = select(Avoidance.id).join(Address, Address.player_id == Avoidance.player_id)
    return ctx.session.scalar(avoids.where(Address.email == email, Avoidance.avoided_id == inviter)) is not None


def kept_apart(ctx: Context, player: int) -> set[int]:
    """Return the players with whom one sits at no new table, because one of the two avoids the other."""
    return {row[0] for row in ctx.session.execute(_KEPT_APART, {"reader": player})}


def may_sit_together(ctx: Context, match: Match, player: int | None, seat: int | None = None) -> bool:
    """Return whether a player may sit with the people of a waiting table, or take over a seat of a running match."""
    if player is None:
        return True
    known = {"match": match.id, "reader": player, "seat": seat}
    return not ctx.session.scalar(_AT_TABLE if seat is None else _AT_SEAT, known)


def forbids(seat: Any = None) -> ColumnElement[bool]:
    """Build the condition on matches that the parameter `reader` must not sit there, because of those to keep apart.

    Those who sit there count, and the host. At a `seat` of a running match, everybody counts who has had another one,
    since they may come back to it. Where the reader sits already, nothing changes.
    """
    other, own = aliased(SeatHolder), aliased(SeatHolder)
    they = other.match_id == Match.id, other.player_id.in_(_KEPT_APART)
    reader_sits = own.match_id == Match.id, own.player_id == bindparam("reader")
    if seat is not None:
        return and_(exists().where(*they, other.seat != seat), ~exists().where(*reader_sits))
    hosted = and_(Match.host_id.is_not(None), Match.host_id.in_(_KEPT_APART))
    seated = exists().where(*they, other.left_at.is_(None))
    return and_(or_(hosted, seated), ~exists().where(*reader_sits, own.left_at.is_(None)))


_AT_TABLE = select(forbids()).where(Match.id == bindparam("match"))
_AT_SEAT = select(forbids(bindparam("seat", type_=SmallInteger))).where(Match.id == bindparam("match"))
