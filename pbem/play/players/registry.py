"""Players, and the addresses that identify them."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain, count
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.orm import joinedload

from pbem.addresses import canonical
from pbem.db.models import Address, Player, SeatHolder
from pbem.i18n import _, current_locale
from pbem.play.core.errors import Code, Refused
from pbem.play.players import digest_schedule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_NAME_LENGTH = 40
_MAX_INSPECTED_CHARACTERS = 10 * MAX_NAME_LENGTH
"""Maximum characters of a name that are inspected: Unicode orders the marks on one letter in quadratic time."""
_MAX_EMAIL_LENGTH = 254
_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_ATOM = r"[!#-'*+/-9=?A-Z^-~-]+"
_EMAIL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)*{_LABEL}")
_ADDRESS_LIKE = re.compile(r"://|www\.|@|\w\.[^\W\d_]{2}", re.IGNORECASE)
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible letters and marks that Unicode does not classify as spaces."""
_VARIANTS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ROBOT_LIKE = re.compile(r"robot(er)?[ \d]*|.*\(.*(robot|\bbot\b).*")
"""Names that read as a robot's: the word alone, or in brackets as lists of players mark robots and bots."""
BOT_MARK = " (bot)"
"""End of the name of a bot at a table."""
_MAX_MARKS_PER_LETTER = 3
"""Maximum accents on one letter; more would run into the lines around it."""


def normalise_name(typed: str, field: str = "") -> str:
    """Normalise a display name to one line; raises Refused, about `field`, for links, addresses or nothing visible."""
    name = without_mark(" ".join("".join(_visible_characters(typed[:_MAX_INSPECTED_CHARACTERS])).split()))
    if not name:
        raise Refused(_("Enter a name for this player."), field)
    if len(name) > MAX_NAME_LENGTH:
        begun, most = name[:MAX_NAME_LENGTH], MAX_NAME_LENGTH
        raise Refused(_("The name “{name}…” is too long: at most {most} characters.", name=begun, most=most), field)
    # Mail programs and browsers normalise too: a full stop of another script makes the same link.
    if _ADDRESS_LIKE.search(unicodedata.normalize("NFKC", name).replace("。", ".")):
        raise Refused(_("A name cannot contain a link or a mail address."), field)
    if _ROBOT_LIKE.fullmatch(unicodedata.normalize("NFKC", name).casefold()):
        raise Refused(_("The name “{name}” is reserved for robots. Choose another name.", name=name), field)
    return name


def _visible_characters(typed: str) -> Iterator[str]:
    """Yield the visible characters of a name, with a space for each other one."""
    marks = 0
    for letter in _VARIANTS.sub("", unicodedata.normalize("NFC", typed)):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] in "CZ" or letter in _INVISIBLE:
            yield " "
        elif marks <= _MAX_MARKS_PER_LETTER:
            yield letter


def without_mark(name: str) -> str:
    """Return a name without the mark of a bot."""
    return name.removesuffix(BOT_MARK)


def seat_name(player: Player, name: str) -> str:
    """Return the name of a player at a table: that of a bot is marked."""
    if player.bot_since is None:
        return name
    return without_mark(name)[: MAX_NAME_LENGTH - len(BOT_MARK)].rstrip() + BOT_MARK


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return a name, with a number if needed to make it unique in the match, marks of bots aside."""
    folded = {without_mark(other).casefold() for other in taken}
    numbers = (f"{name[: MAX_NAME_LENGTH - 3]} {number}" for number in count(2))
    return next(one for one in chain([name], numbers) if one.casefold() not in folded)


def normalise_email(typed: str, field: str = "") -> str:
    """Normalise a mail address to the stored form, lower case; raises Refused, about `field`, if it is invalid."""
    email = canonical(typed)
    if len(email) > _MAX_EMAIL_LENGTH or not email.isprintable() or not _EMAIL.fullmatch(email):
        raise Refused(_("Enter a mail address such as ann@example.org."), field)
    return email


def get_or_create(ctx: Context, people: Mapping[str, str]) -> dict[str, Player]:
    """Find the players of some addresses (address to name), or create unverified ones."""
    lock_addresses(ctx, people)
    known = select(Address).where(Address.email.in_(people)).options(joinedload(Address.player))
    players = {address.email: address.player for address in ctx.session.scalars(known)}
    for email, name in people.items():
        if email not in players:
            # A new player gets the language of the request that created them.
            players[email] = Player(name=name, language=current_locale(), created_at=ctx.now)
            ctx.session.add(Address(email=email, player=players[email], created_at=ctx.now, is_main=True))
    ctx.session.flush()
    return players


def lock_addresses(ctx: Context, emails: Iterable[str]) -> None:
    """Lock addresses, known or not, always in the same order: nobody else makes one somebody's meanwhile."""
    for email in sorted(emails):
        ctx.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(email, 0))))


def find_player(ctx: Context, email: str) -> int | None:
    """Return the id of the player of an address, or None."""
    return ctx.session.scalar(select(Address.player_id).where(Address.email == email))


def adopt_zone(player: Player, zone: str) -> None:
    """Store the time zone of a new player's browser, if it is known, so that the nights of their clocks are theirs."""
    if zone in digest_schedule.time_zones():
        player.time_zone = zone


def add_holder(ctx: Context, match: Match, seat: int, player: Player, name: str, email: str) -> SeatHolder:
    """Seat a player at a seat of a match, under a name and with an address that are theirs there."""
    holder = SeatHolder(
        match_id=match.id,
        seat=seat,
        player=player,
        name=seat_name(player, name),
        email=email,
        generation=1,
        seated_at=ctx.now,
        rates_as_bot=player.rates_as_bot if player.bot_since else None,
    )
    ctx.session.add(holder)
    return holder


def main_address(ctx: Context, player: int) -> str | None:
    """Return a verified address of a player, preferably the main one; None if there is none."""
    own = Address.player_id == player, Address.verified_at.is_not(None)
    first = select(Address.email).where(*own).order_by(Address.is_main.desc(), Address.created_at, Address.email)
    return ctx.session.scalar(first.limit(1))


def verified_address(ctx: Context, player: Player) -> str:
    """Return a verified address of a player, preferably the main one; raises Refused if there is none."""
    found = main_address(ctx, player.id)
    if found is None:
        sentence = _("None of your addresses is confirmed. Sign in by mail first.")
        raise Refused(sentence, code=Code.ADDRESS_UNCONFIRMED)
    return found


def mark_verified(ctx: Context, email: str) -> None:
    """Mark an address as verified: its owner has acted on a mail sent to it."""
    unconfirmed = Address.email == email, Address.verified_at.is_(None)
    ctx.session.execute(update(Address).where(*unconfirmed).values(verified_at=ctx.now))
