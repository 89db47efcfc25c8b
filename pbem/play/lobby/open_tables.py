"""The lobby: public tables with open seats, which anybody may join.

In mails, the code of a table is the first letters of its match's id. Each table also has an invitation link that its
host may share, which works for private tables too.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Integer, bindparam, case, func, literal_column, or_, select, tuple_

from pbem.db import conditions
from pbem.db.models import Match, MatchSeat, Player, SeatHolder
from pbem.play.core import tokens
from pbem.play.matches import descriptions
from pbem.play.matches.seats import IS_CURRENT
from pbem.play.moderation import avoidance
from pbem.play.players import reliability
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.config import Config
    from pbem.play.core.context import Context

MAX_TABLES_PER_MAIL = 10
"""Maximum tables listed in a mail."""
MIN_CODE_LENGTH = 5
"""Minimum letters of a table's code."""
MAX_CODE_LENGTH = 20
"""Maximum letters of a table's code: all of its match's id."""
_JOIN, _PROOF = "join", "join from"
_LAST_LETTER = "z"


@dataclass(frozen=True, slots=True)
class TableFilter:
    """Filter for tables; an empty field or None matches anything."""

    game: str = ""
    seats: int | None = None
    clock: str = ""


class Cursor(NamedTuple):
    """Cursor of the lobby: the creation time and the id of the last table on the page before."""

    at: datetime
    match: str


_BEGINNING = Cursor(datetime.max.replace(tzinfo=UTC), "")
"""Cursor before the first page."""


def _is_wanted(column: Any, name: str) -> Any:
    """Build the condition of a filter: None matches anything."""
    value = bindparam(name, type_=column.type)
    return or_(value.is_(None), column == value)


_TABLES = (
    select(
        Match.id,
        Match.game,
        Match.options,
        Match.time_control,
        Match.timeout_policy,
        Match.min_reliability,
        Match.bots,
        Match.rated,
        Match.created_at,
    )
    # The conditions of the lobby's partial index.
    .where(Match.state == conditions.member(MatchState.INVITING), Match.public, Match.open_seats > literal_column("0"))
    .where(_is_wanted(Match.game, "game"), _is_wanted(Match.time_control, "clock"))
    .where(_is_wanted(select(func.count()).where(MatchSeat.match_id == Match.id).scalar_subquery(), "seats"))
    .where(
        tuple_(Match.created_at, Match.id) < tuple_(bindparam("at", type_=Match.created_at.type), bindparam("match"))
    )
    .order_by(Match.created_at.desc(), Match.id.desc())
    .limit(bindparam("most", type_=Integer))
)
_TABLES_FOR_READER = _TABLES.where(~avoidance.forbids())
"""The same without the tables that are hidden from a reader."""
_OWN_SEAT = select(SeatHolder.id).where(
    SeatHolder.match_id == Match.id, SeatHolder.player_id == bindparam("reader"), SeatHolder.left_at.is_(None)
)
_VISIBLE = select(Match.id).where(
    conditions.is_any_of(Match.id, "matches"),
    Match.state == conditions.member(MatchState.INVITING),
    Match.public,
    Match.open_seats > literal_column("0"),
    ~avoidance.forbids(),
    ~_OWN_SEAT.exists(),
)
_LEVEL = select(func.coalesce(Player.robot_level, "fair")).where(Player.id == SeatHolder.player_id).scalar_subquery()
_SEATS = (
    select(
        MatchSeat.match_id,
        SeatHolder.name,
        SeatHolder.player_id,
        # Few players are robots: a join would look up, or read, all the others.
        case((SeatHolder.player_id.in_(select(Player.id).where(Player.is_robot)), _LEVEL)).label("robot_level"),
    )
    .outerjoin(SeatHolder, IS_CURRENT)
    .where(conditions.is_any_of(MatchSeat.match_id, "matches"))
    .order_by(MatchSeat.match_id, MatchSeat.seat)
)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table, as anybody may see it; `names` has an empty name for an open seat, `robots` the levels by seat."""

    match: str
    game: str
    options: Mapping[str, Any]
    clock: str
    on_time: str
    reliable: int | None
    bots: str
    rated: bool
    since: datetime
    names: tuple[str, ...]
    robots: Mapping[int, str]
    players: frozenset[int]
    standings: tuple[tuple[str, reliability.Reliability], ...]

    @property
    def seated(self) -> list[str]:
        """Names of the players who are seated; robots are marked."""
        return [name for name in descriptions.mark_robots(self.names, self.robots) if name]

    @property
    def place(self) -> Cursor:
        """Cursor for the tables after this one."""
        return Cursor(self.since, self.match)


class _Seat(NamedTuple):
    """Who sits at a seat; None for an open one."""

    name: str | None
    player: int | None
    robot_level: str | None


class Page(NamedTuple):
    """Some tables, newest first, and the cursor of the next page, if there is one."""

    tables: tuple[OpenTable, ...]
    after: Cursor | None


def list_page(
    ctx: Context, wanted: TableFilter, after: Cursor | None = None, *, most: int, reader: int | None = None
) -> Page:
    """Return a page of the open tables that match a filter, in three queries however many there are.

    Tables are left out at which the `reader` must not sit since they avoid somebody there, or are avoided.
    """
    at, match = after or _BEGINNING
    values: dict[str, Any] = {
        "game": wanted.game or None,
        "clock": wanted.clock or None,
        "seats": wanted.seats or None,
        "at": at,
        "match": match,
        "most": most + 1,
    }
    if reader is not None:
        values["reader"] = reader
    rows: Sequence[Any] = ctx.session.execute(_TABLES if reader is None else _TABLES_FOR_READER, values).all()
    seats = _load_seats(ctx, [row.id for row in rows[:most]])
    known = reliability.for_players(ctx, {one.player for each in seats.values() for one in each if one.player})
    tables = tuple(_table([*row], seats[row.id], known) for row in rows[:most])
    return Page(tables, tables[-1].place if len(rows) > most else None)


def select_visible(ctx: Context, matches: Sequence[str], reader: int) -> frozenset[str]:
    """Return which of some matches are open tables that are shown to a reader, who sits at none of them."""
    found = ctx.session.scalars(_VISIBLE, {"matches": [*matches], "reader": reader}) if matches else ()
    return frozenset(found)


def table_codes(tables: Sequence[OpenTable]) -> list[str]:
    """Return the shortest unambiguous code of each table, of at least five letters."""
    ids = [one.match for one in tables]
    lengths = range(MIN_CODE_LENGTH, MAX_CODE_LENGTH + 1)
    return [next(id_[:end] for end in lengths if sum(one.startswith(id_[:end]) for one in ids) == 1) for id_ in ids]


def find_by_code(ctx: Context, typed: str) -> list[Match]:
    """Find public matches by the first letters of their ids: open ones first, then running ones; at most two."""
    letters = typed.strip().lower().translate(tokens.CONFUSABLES)
    if not MIN_CODE_LENGTH <= len(letters) <= MAX_CODE_LENGTH or set(letters) - set(tokens.ALPHABET):
        return []
    # A range, unlike LIKE, uses the primary key with any collation of the database.
    alike = Match.id.between(letters, letters.ljust(MAX_CODE_LENGTH, _LAST_LETTER)), Match.public
    states = case({MatchState.INVITING: 0, MatchState.RUNNING: 1}, value=Match.state, else_=2)
    found = select(Match).where(*alike).order_by(states, Match.open_seats.desc(), Match.id)
    return list(ctx.session.scalars(found.limit(2)))


def invitation_code(config: Config, match: str) -> str:
    """Return the invitation code of a table, public or private, which its host may share."""
    return f"{match}-{tokens.derive(config.secret_keys[-1], _JOIN, match)}"


def invitation_link(config: Config, match: str) -> str:
    """Return the URL by which anybody who has it may join a table while it has an open seat."""
    return f"{config.base_url}/join/{invitation_code(config, match)}"


def find_by_invitation(ctx: Context, typed: str) -> Match | None:
    """Find the match of an invitation code, in any state; None if the code is not valid."""
    if not typed.isascii():
        return None
    match_id, _dash, signed = typed.strip().lower().translate(tokens.CONFUSABLES).partition("-")
    ours = [tokens.derive(key, _JOIN, match_id) for key in ctx.config.secret_keys]
    return ctx.session.get(Match, match_id) if any(hmac.compare_digest(one, signed) for one in ours) else None


def confirmation_code(config: Config, match: str, email: str) -> str:
    """Return the code by which an unverified address may join a table; it is sent only in a mail to that address."""
    return f"{match}-{tokens.derive(config.secret_keys[-1], _PROOF, match, email)}"


def is_confirmation_code(config: Config, typed: str, match: str, email: str) -> bool:
    """Return whether a typed code proves that the sender received the confirmation mail to their address."""
    signed = typed.lower().translate(tokens.CONFUSABLES).rpartition("-")[2]
    ours = [tokens.derive(key, _PROOF, match, email) for key in config.secret_keys]
    return signed.isascii() and any(hmac.compare_digest(one, signed) for one in ours)


def find_for_join_page(ctx: Context, typed: str, reader: int | None) -> Match | None:
    """Find the match of a join page, by its id if it is public or by its invitation code, unless it is hidden."""
    if "-" in typed:
        match = find_by_invitation(ctx, typed)
    else:
        match = ctx.session.get(Match, typed.lower().translate(tokens.CONFUSABLES)[:MAX_CODE_LENGTH])
        match = match if match and match.public else None
    return None if match and is_hidden(ctx, match, reader) else match


def is_hidden(ctx: Context, match: Match, reader: int | None) -> bool:
    """Return whether a table is hidden from a reader: an open seat waits there which is not for them."""
    waits = match.state == MatchState.INVITING and match.open_seats > 0
    return waits and not avoidance.may_sit_together(ctx, match, reader)


def _table(columns: list[Any], seated: Sequence[_Seat], known: dict[int, reliability.Reliability]) -> OpenTable:
    fields = [
        *columns,
        tuple(one.name or "" for one in seated),
        {seat: one.robot_level for seat, one in enumerate(seated, 1) if one.robot_level},
        frozenset(one.player for one in seated if one.player is not None),
        tuple((one.name, known[one.player]) for one in seated if one.name and one.player in known),
    ]
    return OpenTable(*fields)


def _load_seats(ctx: Context, ids: Sequence[str]) -> dict[str, list[_Seat]]:
    """Return the seats of some matches, in seat order."""
    seats: dict[str, list[_Seat]] = {match: [] for match in ids}
    for match, *seat in ctx.session.execute(_SEATS, {"matches": [*ids]}) if ids else ():
        seats[match].append(_Seat(*seat))
    return seats
