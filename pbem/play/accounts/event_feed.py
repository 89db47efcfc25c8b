"""The events of a player's matches, read by their programs: what waits now, then what is new behind a cursor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import BigInteger, bindparam, literal_column, or_, select, tuple_

from pbem.db.models import PlayerEvent, Restore
from pbem.db.session import driver_transaction
from pbem.i18n import _
from pbem.play.accounts import dashboard
from pbem.play.core import player_events
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.lobby import open_tables
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Engine

    from pbem.play.accounts.dashboard import MatchSummary
    from pbem.play.core.context import Context

RESET = "reset"
"""Kind of the event that a program has been away for too long: what waits follows, as for one that begins."""
MAX_CURSOR_AGE = player_events.KEPT - timedelta(days=1)
"""Age up to which a cursor is good; events are kept for a day more."""
BATCH_SIZE = 100
"""Maximum events that are read at once."""
MAX_TABLES = 30
"""Maximum open tables that a program reads first."""

_CURSOR = re.compile(r"(\d{1,12})-(\d{1,19})-(\d{1,19})")
_MAX_BIGINT = 2**63 - 1

# A transaction before this one may still insert events with a lower id; one that is open hides later ones until then.
_HORIZON: Any = literal_column("pg_snapshot_xmin(pg_current_snapshot())::text::bigint", BigInteger)
_END: Any = literal_column("pg_snapshot_xmax(pg_current_snapshot())::text::bigint", BigInteger)
_IS_LOST = select(Restore.id).where(Restore.restored_at >= bindparam("issued")).exists()
_STATE = select(_HORIZON, _END, _IS_LOST)
_IS_OWN = PlayerEvent.player_id == bindparam("player")
_ALL_BEHIND = (
    select(PlayerEvent)
    .where(
        PlayerEvent.xid < _HORIZON,
        tuple_(PlayerEvent.xid, PlayerEvent.id)
        > tuple_(bindparam("xid", type_=BigInteger), bindparam("id", type_=BigInteger)),
    )
    .order_by(PlayerEvent.xid, PlayerEvent.id)
    .limit(BATCH_SIZE)
)
_BEHIND = _ALL_BEHIND.where(_IS_OWN)
_BEHIND_WITH_TABLES = _ALL_BEHIND.where(or_(_IS_OWN, PlayerEvent.player_id.is_(None)))
_HAVE_NEWS = (
    "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, ARRAY(SELECT DISTINCT player_id FROM player_events "
    "WHERE (player_id = ANY(%s) OR player_id IS NULL) AND xid >= %s "
    "AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)"
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a player's events: behind one event, and when it was issued."""

    issued_at: datetime
    xid: int
    id: int

    def __str__(self) -> str:
        return f"{int(self.issued_at.timestamp())}-{self.xid}-{self.id}"


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event as programs read it; one that says what waits now has no cursor."""

    kind: str
    at: datetime
    data: dict[str, Any]
    cursor: Cursor | None = None

    def fields(self) -> dict[str, Any]:
        """Return the event as JSON."""
        return {"kind": self.kind, "at": timestamp(self.at)} | self.data


class Batch(NamedTuple):
    """Events that were read, the cursor behind them, and whether there may be more."""

    events: list[FeedEvent]
    cursor: Cursor
    has_more: bool


def parse(typed: str) -> Cursor:
    """Parse a cursor; raises Refused if it is none that was issued here."""
    found = _CURSOR.fullmatch(typed.strip()) if typed.isascii() else None
    seconds, xid, number = map(int, found.groups()) if found else (0, _MAX_BIGINT, 0)
    try:
        issued_at = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError):
        issued_at = None
    if issued_at is None or max(xid, number) >= _MAX_BIGINT:
        raise Refused(_("This is not the id of an event. Begin without one."))
    return Cursor(issued_at, xid, number)


def begin(ctx: Context, player: int, after: Cursor | None, *, tables: bool = False) -> tuple[list[FeedEvent], Cursor]:
    """Return what a program reads first, and from where it goes on.

    That is nothing where it was before; what waits for the player if it begins, or was away for too long, and the
    newest open tables if it looks for `tables`.
    """
    issued = after.issued_at if after else ctx.now
    horizon, end, lost = ctx.session.execute(_STATE, {"issued": issued}).one()
    if after and not lost and after.xid < end and ctx.now - issued <= MAX_CURSOR_AGE:
        return [], after
    # Everything that becomes visible from now on was inserted by this transaction or a later one.
    start = Cursor(ctx.now, horizon - 1, _MAX_BIGINT - 1)
    waiting = [_waiting_event(ctx, one) for one in dashboard.unfinished(ctx, player) if one.waits]
    found = _open_tables(ctx, player) if tables else []
    return [*([FeedEvent(RESET, ctx.now, {})] if after else []), *waiting, *found], start


def read(ctx: Context, player: int, after: Cursor, *, tables: bool = False) -> Batch:
    """Read the events behind a cursor in their order; with `tables`, those of tables that the player sees now."""
    place = {"player": player, "xid": after.xid, "id": after.id}
    rows = ctx.session.scalars(_BEHIND_WITH_TABLES if tables else _BEHIND, place).all()
    opened = [row.data["match"] for row in rows if row.player_id is None]
    visible = open_tables.select_visible(ctx, opened, player)
    read_ = [
        FeedEvent(row.kind, row.created_at, row.data, Cursor(row.created_at, row.xid, row.id))
        for row in rows
        if row.player_id is not None or row.data["match"] in visible
    ]
    behind = Cursor(rows[-1].created_at, rows[-1].xid, rows[-1].id) if rows else renewed(ctx, after)
    return Batch(read_, behind, len(rows) == BATCH_SIZE)


def renewed(ctx: Context, cursor: Cursor) -> Cursor:
    """Return the cursor of a program that has read everything up to now."""
    return Cursor(ctx.now, cursor.xid, cursor.id)


def have_news(engine: Engine, players: Collection[int], since: int) -> tuple[int, frozenset[int | None]]:
    """Return which of some players have events since a horizon, and the horizon of now; the first one is 0.

    None stands for all who look for tables. A process asks this often, for all that wait in it.
    """
    with driver_transaction(engine, autocommit=True) as connection:
        horizon, found = connection.execute(_HAVE_NEWS, ([*players], since)).fetchall()[0]
    return horizon, frozenset(found)


def _open_tables(ctx: Context, player: int) -> list[FeedEvent]:
    """Return the newest open tables at which a player does not sit, the oldest of them first."""
    page = open_tables.list_page(ctx, open_tables.TableFilter(), most=MAX_TABLES, reader=player)
    return [
        FeedEvent(player_events.TABLE, one.since, player_events.table_data(ctx, one.match, one.game))
        for one in reversed(page.tables)
        if player not in one.players
    ]


def _waiting_event(ctx: Context, one: MatchSummary) -> FeedEvent:
    data = player_events.data(ctx, one.match, one.game, one.seat)
    if one.state == MatchState.INVITING:
        return FeedEvent(player_events.INVITATION, one.since, data)
    deadline = timestamp(one.due_at) if one.due_at else None
    return FeedEvent(player_events.TURN, one.since, data | {"ply": one.ply, "deadline": deadline})
