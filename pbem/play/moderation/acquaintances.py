"""Acquaintances: the people whom a player has met at a table, found by their name there.

Nobody is found by an address: the answer would tell who is behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import aliased

from pbem.boards.prose import series
from pbem.db.models import Match, Player, SeatHolder
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.players import registry
from pbem.time_format import format_day

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.play.core.context import Context

MAX_SEATS_SEARCHED = 500
"""Maximum seats of a player, the newest, at whose tables people are looked for."""
MAX_NAMED = 5
"""Maximum people in a question which one is meant."""

_OWN = (
    select(SeatHolder.match_id)
    .where(SeatHolder.player_id == bindparam("player"))
    .order_by(SeatHolder.id.desc())
    .limit(bindparam("seats", type_=Integer))
    .subquery()
)
_OTHER = aliased(Player)
_MET = (
    select(
        SeatHolder.id.label("holder"),
        SeatHolder.player_id.label("player"),
        SeatHolder.name,
        _OTHER.is_robot,
        Match.id.label("match"),
        Match.game,
        Match.created_at.label("since"),
    )
    .join(Match, Match.id == SeatHolder.match_id)
    .join(_OTHER, _OTHER.id == SeatHolder.player_id)
    .where(SeatHolder.match_id.in_(select(_OWN.c.match_id)), _OTHER.deleted_at.is_(None))
    .order_by(Match.created_at.desc(), SeatHolder.id.desc())
)


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Somebody at a table of a player; `holder` is the id of their tenure there."""

    holder: int
    player: int
    name: str
    is_robot: bool
    match: str
    game: str
    since: datetime


def list_newest(ctx: Context, player: int) -> list[Acquaintance]:
    """List the people whom a player has met, each once, by the newest match."""
    met = _distinct(one for one in _load(ctx, player) if one.player != player and not one.is_robot)
    return list(met.values())


def get(ctx: Context, player: Player, holder: int) -> Acquaintance:
    """Return the one whom a player met at a seat; raises Refused if they did not."""
    found = next((one for one in _load(ctx, player.id) if one.holder == holder), None)
    if found is None:
        raise Refused(_("You have met nobody at this seat."), "name")
    return found


def find(ctx: Context, player: Player, typed: str, match: str = "") -> Acquaintance:
    """Find the one whom a player means, first at the table of a match; raises Refused with a sentence.

    The player is found too, and a robot where no person was called so: the newest, as they are alike.
    """
    wanted, seats = typed.strip().strip("“”„\"'").casefold(), _load(ctx, player.id)
    called = [one for one in seats if one.name.casefold() == wanted]
    people = [one for one in called if not one.is_robot]
    found = _distinct(one for one in called if one.match == match) or _distinct(people or called[:1])
    if not found:
        unknown = _("You have met nobody called “{name}”. Write the name that they have in one of your matches.",
                    name=typed.strip()[: registry.MAX_NAME_LENGTH])  # fmt: skip
        raise Refused(unknown, "name")
    if len(found) > 1:
        which = [
            _("in {game} on {day}", game=GAMES[one.game].name, day=format_day(one.since, player.time_zone))
            for one in [*found.values()][:MAX_NAMED]
        ]
        ambiguous = _("You have met several people called “{name}”: {which}. Choose one on the page, or reply to a "
                      "mail of that match.", name=called[0].name, which=series(which))  # fmt: skip
        raise Refused(ambiguous, "name")
    return next(iter(found.values()))


def _load(ctx: Context, player: int) -> list[Acquaintance]:
    rows = ctx.session.execute(_MET, {"player": player, "seats": MAX_SEATS_SEARCHED})
    return [Acquaintance(*row) for row in rows]


def _distinct(seats: Iterable[Acquaintance]) -> dict[int, Acquaintance]:
    """Return some seats by their players, the first of each."""
    found: dict[int, Acquaintance] = {}
    for one in seats:
        found.setdefault(one.player, one)
    return found
