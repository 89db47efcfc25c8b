"""Search of players by name, address or number: who they are, and whether mail reaches them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Select, Text, func, or_, select

from pbem.db.models import (
    AbuseReport,
    Address,
    ApiKey,
    Ban,
    LoginSession,
    Operator,
    Passkey,
    Player,
    SeatHolder,
    Suppression,
)
from pbem.play.notifications import smtp_status
from pbem.play.operators.search.pagination import Cursor, Order, Page, load_page
from pbem.play.players import reachability, unsubscribes

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.play.core.context import Context
    from pbem.play.players.reachability import DeliveryFailure

_MAX_QUERY_LENGTH = 254
_HEX_HASH = func.encode(Suppression.hash, "hex", type_=Text)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in a list, with their main address, if any, and whether they are banned."""

    player: Player
    email: str | None
    banned: bool


@dataclass(frozen=True, slots=True)
class AddressDetails:
    """An address of a player, with the reasons why mail to it fails or is suppressed, if so."""

    address: Address
    failing: DeliveryFailure | None
    suppressed: Suppression | None

    @property
    def why(self) -> str:
        """Reason why mail does not arrive; empty if it does."""
        return smtp_status.reason_text(self.failing.reason) if self.failing else ""


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    """A player, with everything that an operator may know about them."""

    player: Player
    addresses: tuple[AddressDetails, ...]
    operator: Operator | None
    ban: Ban | None
    login_sessions: int
    passkeys: int
    keys: int
    seats: int
    reported: int


def search(ctx: Context, wanted: str = "", after: Cursor | None = None) -> Page[PlayerRow]:
    """List players, newest first: all, or those whose name, address or mail domain matches a text."""
    found = _select_rows()
    if wanted:
        found = found.where(_search_filter(wanted.strip()[:_MAX_QUERY_LENGTH]))
    return load_page(ctx, found, Order(Player.created_at, Player.id, numbered=True), after, PlayerRow)


def load_row(ctx: Context, player: Player) -> PlayerRow:
    """Return a player as lists show them."""
    return PlayerRow(*ctx.session.execute(_select_rows().where(Player.id == player.id)).one())


def _select_rows() -> Select[Player, str, bool]:
    main = select(func.min(Address.email)).where(Address.player_id == Player.id, Address.is_main).scalar_subquery()
    banned = select(Ban.id).where(Ban.player_id == Player.id, Ban.lifted_at.is_(None)).exists()
    return select(Player, main, banned)


def find_owner(ctx: Context, email: str) -> int | None:
    """Return the number of the player who has an address, if any."""
    return ctx.session.scalar(select(Address.player_id).where(Address.email == email.strip().lower()))


def load_details(ctx: Context, number: int) -> PlayerDetails | None:
    """Return a player's details by their number."""
    player = ctx.session.get(Player, number)
    if player is None:
        return None
    theirs = select(Address).where(Address.player_id == number).order_by(Address.is_main.desc(), Address.email)
    active = Ban.player_id == number, Ban.lifted_at.is_(None)
    appointed = Operator.player_id == number, Operator.dismissed_at.is_(None)
    about = SeatHolder.player_id == number, AbuseReport.reported_holder_id == SeatHolder.id
    return PlayerDetails(
        player=player,
        addresses=tuple(address_details(ctx, address) for address in ctx.session.scalars(theirs)),
        operator=ctx.session.scalar(select(Operator).where(*appointed)),
        ban=ctx.session.scalar(select(Ban).where(*active)),
        login_sessions=_count(ctx, LoginSession.player_id == number, LoginSession.ended_at.is_(None)),
        passkeys=_count(ctx, Passkey.player_id == number),
        keys=_count(ctx, ApiKey.player_id == number, ApiKey.revoked_at.is_(None)),
        seats=_count(ctx, SeatHolder.player_id == number),
        reported=_count(ctx, *about),
    )


def address_details(ctx: Context, address: Address) -> AddressDetails:
    """Return whether mail reaches an address, and if not, why."""
    return AddressDetails(
        address, reachability.delivery_failure(ctx, address.email), active_suppression(ctx, address.email)
    )


def active_suppression(ctx: Context, email: str) -> Suppression | None:
    """Return the active suppression of an address, if any."""
    found = ctx.session.get(Suppression, unsubscribes.address_hash(email))
    return None if found is None or (found.expires_at is not None and found.expires_at <= ctx.now) else found


@dataclass(frozen=True, slots=True)
class SuppressedAddress:
    """A suppressed address, with its owner as far as known."""

    suppression: Suppression
    email: str | None
    player: int | None

    @property
    def since(self) -> datetime:
        """When the suppression began."""
        return self.suppression.suppressed_at


def suppressed_addresses(ctx: Context, after: Cursor | None = None) -> Page[SuppressedAddress]:
    """List the suppressed addresses, newest first; only hashes are stored, by which their owners are looked up."""
    stands = or_(Suppression.expires_at.is_(None), Suppression.expires_at > ctx.now)
    rows = load_page(
        ctx, select(Suppression).where(stands), Order(Suppression.suppressed_at, _HEX_HASH), after, lambda row: row
    )
    hashed = func.sha256(func.convert_to(Address.email, "UTF8"))
    wanted = select(hashed, Address.email, Address.player_id).where(hashed.in_([row.hash for row in rows.rows]))
    known = {bytes(hash_): (email, player) for hash_, email, player in ctx.session.execute(wanted)}
    found = tuple(SuppressedAddress(row, *known.get(row.hash, (None, None))) for row in rows.rows)
    return Page(found, rows.after)


def unreachable_addresses(ctx: Context, after: Cursor | None = None) -> Page[AddressDetails]:
    """List the addresses that mail is known not to reach, newest first."""
    failing = select(Address).where(Address.failing_since.is_not(None))
    rows = load_page(ctx, failing, Order(Address.failing_since, Address.email), after, lambda row: row)
    return Page(tuple(address_details(ctx, address) for address in rows.rows), rows.after)


def _search_filter(wanted: str) -> ColumnElement[bool]:
    """Return the filter for players by part of their name, a whole address, or the domain of one."""
    text = wanted.lower()
    if text.startswith("@"):
        theirs = Address.email.endswith(text, autoescape=True)
    elif "@" in text:
        theirs = Address.email == text
    else:
        return Player.name.icontains(wanted, autoescape=True)
    return Player.id.in_(select(Address.player_id).where(theirs))


def _count(ctx: Context, *which: ColumnElement[bool]) -> int:
    return ctx.session.scalar(select(func.count()).where(*which)) or 0
