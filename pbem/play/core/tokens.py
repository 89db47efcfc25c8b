"""Links and reply addresses: the tokens that let a seat act at one stage without signing in.

A token is derived from a secret key, so that a message sent again is the same bytes, and is found by its SHA-256, so
that no row holds one in clear. It is valid as long as the key that made it is configured: neither a key that was
removed nor a row that an attacker inserted opens anything. Ply 0 stands for the invitation.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import contains_eager, joinedload
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db import conditions, pending_rows
from pbem.db.models import LogEntry, Match, SeatHolder, Token
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from pbem.db.models import Submission
    from pbem.play.core.context import Context

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32 alphabet, lower case: no i, l, o or u."""
_PAIRS = [first + second for first in ALPHABET for second in ALPHABET]
LENGTH = 26
BITS = 130

LINK = "link"
REPLY = "reply"
UNSUB = "unsub"
"""Kind of token that stops the mail about one match; it stays valid whatever becomes of the seat's links."""
UNSUB_ALL = "unsub all"
"""Kind of token that stops the mail about all matches of a player."""
BOUNCE = "bounce"
"""Kind of token of one outbox message, in the address to which its bounces are sent."""

VALID_AFTER_END = timedelta(days=90)
"""How long a match's tokens stay valid after its end."""

_BATCH_ROWS = 10_000
CONFUSABLES = str.maketrans("ilo", "110")

_INSERT_TOKENS = pending_rows.insert_into(Token, key="hash")
_MOVE_SINCE = (
    select(LogEntry.ply)
    .where(LogEntry.match_id == bindparam("match"), LogEntry.seat == bindparam("seat"))
    .where(LogEntry.ply >= bindparam("since"))
    .limit(1)
)


def base32(bits: int, length: int) -> str:
    """Format a number in Crockford's base32 with `length` digits."""
    # In pairs of digits, which takes half as many steps; an odd length has one digit too many in front.
    digits = "".join([_PAIRS[bits >> at & 1023] for at in range((length - 1) // 2 * 10, -1, -10)])
    return digits[-length:]


@lru_cache(maxsize=8192, typed=True)
def derive(key: str, kind: str, *of: object) -> str:
    """Derive a token, for example from a holder, ply and generation; the same input always gives the same token.

    More than half of the tokens that a move needs were derived before.
    """
    message = "\0".join([kind, *map(str, of)])
    digest = hmac.digest(key.encode(), message.encode(), "sha256")
    return base32(int.from_bytes(digest, "big") >> 256 - BITS, LENGTH)


def normalise(typed: str) -> str | None:
    """Normalise a typed token (case, and i, l and o as digits), or return None if it cannot be one."""
    token = typed.strip().lower().translate(CONFUSABLES)
    return token if len(token) == LENGTH and not token.strip(ALPHABET) else None


def hash_token(token: str) -> bytes:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).digest()


@lru_cache(maxsize=64)
def key_id(key: str) -> str:
    """Return the ID of a secret key, which an outbox message stores to derive its tokens again."""
    return hashlib.sha256(b"name of " + key.encode()).hexdigest()[:8]


def issue(ctx: Context, holder: SeatHolder, ply: int) -> str:
    """Issue a stage's link and reply address for a holder; return the ID of the key that made them."""
    key = ctx.config.secret_keys[-1]
    for of in ((LINK, ply, holder.generation), (REPLY, ply, holder.generation), (UNSUB, 0, 0)):
        _add(ctx, holder, key, *of)
    return key_id(key)


def _add(ctx: Context, holder: SeatHolder, key: str, kind: str, ply: int, generation: int) -> None:
    token = {
        "hash": hash_token(derive(key, kind, holder.id, ply, generation)),
        "kind": kind,
        "holder_id": holder.id,
        "ply": ply,
        "generation": generation,
        "issued_at": ctx.now,
    }
    pending_rows.add(ctx.session, _INSERT_TOKENS, token)


def rederive(ctx: Context, holder: SeatHolder, kind: str, ply: int, key: str) -> str:
    """Derive a token again that was issued under a key, or issue it anew if that key is gone."""
    if key not in _keys(ctx):
        key = issue(ctx, holder, ply)
    return derive(_keys(ctx)[key], kind, holder.id, ply, holder.generation)


def issue_unsubscribe(ctx: Context, holder: SeatHolder, kind: str, key: str) -> str:
    """Derive an unsubscribe token, and issue it."""
    secret = _keys(ctx).get(key, ctx.config.secret_keys[-1])
    if kind != UNSUB or key not in _keys(ctx):
        _add(ctx, holder, secret, kind, 0, 0)
    return derive(secret, kind, holder.id, 0, 0)


def find_unsubscribe(ctx: Context, typed: str) -> Token | None:
    """Find an unsubscribe token. It never expires, because old mails are unsubscribed from too."""
    same = Token.hash == hash_token(normalise(typed) or "")
    return ctx.session.scalar(select(Token).where(same, Token.kind.in_((UNSUB, UNSUB_ALL))))


def bounce_token(ctx: Context, message_id: str, key: str = "") -> str:
    """Derive the token of the address to which bounces of one mail are sent."""
    return derive(_keys(ctx).get(key, ctx.config.secret_keys[-1]), BOUNCE, message_id)


def key_ids(ctx: Context) -> list[str]:
    """List the IDs of the secret keys, oldest first."""
    return list(_keys(ctx))


def _keys(ctx: Context) -> dict[str, str]:
    return {key_id(secret): secret for secret in ctx.config.secret_keys}


def find(ctx: Context, typed: str, kind: str) -> Token | None:
    """Find a valid token; None if it was never issued, was renewed, is a former holder's, or is too old."""
    row = ctx.session.execute(_FIND_QUERY, {"hash": hash_token(normalise(typed) or ""), "kind": kind}).first()
    return row[0] if row and _is_valid(ctx, typed, kind, *row[1:]) else None


def find_valid(ctx: Context, typed: Collection[str], kind: str) -> set[str]:
    """Return which of some tokens are valid, at less cost than finding each."""
    hashes = {one: hash_token(normalise(one) or "") for one in typed}
    rows = ctx.session.connection().execute(_VALID_QUERY, {"hashes": [*hashes.values()], "kind": kind})
    found: dict[bytes, Any] = {row[0]: row[1:] for row in rows}
    return {one for one, each in hashes.items() if each in found and _is_valid(ctx, one, kind, *found[each])}


def _select_issued(what: Any) -> Select[Any]:
    """Build a query for issued tokens, with the columns that decide whether they are still valid."""
    return (
        select(
            what,
            Token.holder_id,
            Token.ply,
            Token.generation,
            SeatHolder.generation,
            SeatHolder.left_at,
            Match.ended_at,
        )
        .select_from(Token)
        .join(Token.holder)
        .join(Match, SeatHolder.match_id == Match.id)
        .where(Token.kind == bindparam("kind"))
    )


_VALID_QUERY = _select_issued(Token.hash).where(conditions.is_any_of(Token.hash, "hashes"))
# Loads what nothing else references in the same query: it would be queried again, one by one.
_FIND_QUERY = (
    _select_issued(Token)
    .where(Token.hash == bindparam("hash"))
    .options(contains_eager(Token.holder).options(joinedload(SeatHolder.player), contains_eager(SeatHolder.match)))
)


def _is_valid(
    ctx: Context,
    typed: str,
    kind: str,
    holder: int,
    ply: int,
    issued: int,
    present: int,
    until: datetime | None,
    ended_at: datetime | None,
) -> bool:
    renewed = issued != present or until is not None
    if renewed or have_expired(ctx, ended_at):
        return False
    return is_derived_for_seat(ctx, typed, kind, holder, ply, issued)


def have_expired(ctx: Context, ended_at: datetime | None) -> bool:
    """Return whether the tokens of a match that ended at a moment are no longer valid."""
    return ended_at is not None and ctx.now - ended_at > VALID_AFTER_END


def is_derived_for_seat(ctx: Context, typed: str, kind: str, holder: int, ply: int, generation: int) -> bool:
    """Return whether a seat's token was derived from a key that is still configured."""
    # After a restore from backup, an invitation stays valid in the next generation.
    since = 1 if ply == 0 else generation
    return any(is_genuine(ctx, typed, kind, holder, ply, one) for one in range(generation, since - 1, -1))


def is_genuine(ctx: Context, typed: str, kind: str, *of: object) -> bool:
    """Return whether a token was derived from these values with a key that is still configured."""
    token = normalise(typed) or ""
    return any(hmac.compare_digest(derive(key, kind, *of), token) for key in ctx.config.secret_keys)


def count_seats_by_key(session: Session, keys: Sequence[str]) -> Counter[str]:
    """Count the seats of unfinished matches by the key that made their newest link; "" for none of these keys."""
    alive = Match.state != MatchState.OVER, SeatHolder.left_at.is_(None), Token.generation == SeatHolder.generation
    newest = (
        select(Token.hash, Token.holder_id, Token.ply, Token.generation)
        .join(Token.holder)
        .join(Match, SeatHolder.match_id == Match.id)
        .where(Token.kind == LINK, *alive)
        .ext(distinct_on(Token.holder_id))
        .order_by(Token.holder_id, Token.ply.desc(), Token.issued_at.desc())
    )
    return Counter(
        next((key for key in keys if hash_token(derive(key, LINK, *of)) == known), "")
        for known, *of in session.execute(newest.execution_options(yield_per=_BATCH_ROWS))
    )


def current_ply(ctx: Context, match: Match, holder: SeatHolder) -> int:
    """Return the current ply of a seat's links and reply addresses.

    That is the current stage's. A seat that has moved in a stage which others have yet to complete gets tokens of the
    next unused number, so that those by which it moved stay spent.
    """
    if match.seed is None:
        return 0
    return match.next_ply if _has_moved(ctx, match, holder, match.ply) else match.ply


def current_token(ctx: Context, match: Match, holder: SeatHolder) -> Token:
    """Return a seat's current link token without issuing one, for a player authenticated in another way."""
    ply, generation = current_ply(ctx, match, holder), holder.generation
    known = hash_token(derive(ctx.config.secret_keys[-1], LINK, holder.id, ply, generation))
    token = Token(hash=known, kind=LINK, holder_id=holder.id, ply=ply, generation=generation, issued_at=ctx.now)
    set_committed_value(token, "holder", holder)
    return token


def is_of_current_stage(token: Token | Submission, match: Match) -> bool:
    """Return whether a token is of the current stage of its match; one of an earlier stage shows what is public.

    Where several act at once, a seat that has sealed its move still sees its own side until the stage is over.
    """
    return token.ply >= match.ply if token.ply else match.seed is None


def is_current(ctx: Context, token: Token | Submission, match: Match) -> bool:
    """Return whether a token, or a submission made with it, may act for its seat.

    It may from when it is issued until its seat has moved or the stage is over; an invitation's until the match
    begins. The pages, the API and the judge all use this check.
    """
    return is_of_current_stage(token, match) and not (token.ply and _has_moved(ctx, match, token.holder, token.ply))


def _has_moved(ctx: Context, match: Match, holder: SeatHolder, since: int) -> bool:
    """Return whether a seat has made a move with this number or a later one."""
    if match.next_ply <= since:
        return False
    moved = {"match": match.id, "seat": holder.seat, "since": since}
    return ctx.session.scalar(_MOVE_SINCE, moved) is not None
