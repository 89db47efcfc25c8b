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
from typing import TYPE_CHECKING, Any

from sqlalchemy import LargeBinary, bindparam, func, make_url, select
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on, insert
from sqlalchemy.orm import contains_eager
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db.models import Base, Holder, LogEntry, Match, Token
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from pbem.db.models import Submission
    from pbem.play.core.context import Context

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32 alphabet, lower case: no i, l, o or u."""
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

LIFE_AFTER_END = timedelta(days=90)
"""How long a match's tokens stay valid after its end."""

_AT_ONCE = 10_000
CONFUSED = str.maketrans("ilo", "110")

_ROWS = Base.metadata.tables[Token.__tablename__]
_MOVED = (
    select(LogEntry.ply)
    .where(LogEntry.match_id == bindparam("match"), LogEntry.seat == bindparam("seat"))
    .where(LogEntry.ply >= bindparam("since"))
    .limit(1)
)
_ISSUED = insert(_ROWS).on_conflict_do_nothing().returning(_ROWS.c.hash)
"""Insert of tokens; `returning` makes all rows go in one statement."""


def base32(bits: int, length: int) -> str:
    """Format a number in Crockford's base32 with `length` digits."""
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(length)))


def derive(key: str, kind: str, *of: object) -> str:
    """Derive a token, for example from a holder, ply and generation; the same input always gives the same token."""
    message = "\0".join([kind, *map(str, of)])
    digest = hmac.digest(key.encode(), message.encode(), "sha256")
    return base32(int.from_bytes(digest, "big") >> 256 - BITS, LENGTH)


def tidy(typed: str) -> str | None:
    """Normalise a typed token (case, and i, l and o as digits), or return None if it cannot be one."""
    token = typed.strip().lower().translate(CONFUSED)
    return token if len(token) == LENGTH and not token.strip(ALPHABET) else None


def hashed(token: str) -> bytes:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).digest()


def key_name(key: str) -> str:
    """Return the ID of a secret key, which an outbox message stores to derive its tokens again."""
    return hashlib.sha256(b"name of " + key.encode()).hexdigest()[:8]


def issue(ctx: Context, holder: Holder, ply: int) -> str:
    """Insert a stage's link and reply address for a holder; return the ID of the key that made them."""
    return issue_all(ctx, [(holder, ply)])


def issue_all(ctx: Context, stages: Iterable[tuple[Holder, int]]) -> str:
    """Insert the links and reply addresses of several holders and stages at once."""
    key = ctx.config.secret_keys[-1]
    tokens = [
        _token(ctx, holder, key, *of)
        for holder, ply in stages
        for of in ((LINK, ply, holder.generation), (REPLY, ply, holder.generation), (UNSUB, 0, 0))
    ]
    if tokens:
        _know(ctx, tokens)
    return key_name(key)


def _token(ctx: Context, holder: Holder, key: str, kind: str, ply: int, generation: int) -> dict[str, Any]:
    return {
        "hash": hashed(derive(key, kind, holder.id, ply, generation)),
        "kind": kind,
        "holder_id": holder.id,
        "ply": ply,
        "generation": generation,
        "issued_at": ctx.now,
    }


def _know(ctx: Context, tokens: Sequence[Mapping[str, Any]]) -> None:
    # Write the rows that the tokens refer to first.
    ctx.session.flush()
    ctx.session.execute(_ISSUED, tokens)


def token_of(ctx: Context, holder: Holder, kind: str, ply: int, key: str) -> str:
    """Derive a token again that was issued under a key, or issue it anew if that key is gone."""
    if key not in _keys(ctx):
        key = issue(ctx, holder, ply)
    return derive(_keys(ctx)[key], kind, holder.id, ply, holder.generation)


def unsubscribing(ctx: Context, holder: Holder, kind: str, key: str) -> str:
    """Derive an unsubscribe token, and insert it."""
    secret = _keys(ctx).get(key, ctx.config.secret_keys[-1])
    if kind != UNSUB or key not in _keys(ctx):
        _know(ctx, [_token(ctx, holder, secret, kind, 0, 0)])
    return derive(secret, kind, holder.id, 0, 0)


def find_unsubscribing(ctx: Context, typed: str) -> Token | None:
    """Find an unsubscribe token. It never expires, because old mails are unsubscribed from too."""
    same = Token.hash == hashed(tidy(typed) or "")
    return ctx.session.scalar(select(Token).where(same, Token.kind.in_((UNSUB, UNSUB_ALL))))


def return_path(ctx: Context, message_id: str, key: str = "") -> str:
    """Derive the token of the address to which bounces of one mail are sent."""
    return derive(_keys(ctx).get(key, ctx.config.secret_keys[-1]), BOUNCE, message_id)


def key_names(ctx: Context) -> list[str]:
    """List the IDs of the secret keys, oldest first."""
    return list(_keys(ctx))


def _keys(ctx: Context) -> dict[str, str]:
    return {key_name(secret): secret for secret in ctx.config.secret_keys}


def find(ctx: Context, typed: str, kind: str) -> Token | None:
    """Find a valid token; None if it was never issued, was renewed, is a former holder's, or is too old."""
    row = ctx.session.execute(_FOUND, {"hash": hashed(tidy(typed) or ""), "kind": kind}).first()
    return row[0] if row and _holds(ctx, typed, kind, *row[1:]) else None


def known(ctx: Context, typed: Collection[str], kind: str) -> set[str]:
    """Return which of some tokens are valid, at less cost than finding each."""
    hashes = {one: hashed(tidy(one) or "") for one in typed}
    rows = ctx.session.connection().exec_driver_sql(_KNOWN, {"hashes": [*hashes.values()], "kind": kind})
    found: dict[bytes, Any] = {row[0]: row[1:] for row in rows}
    return {one for one, each in hashes.items() if each in found and _holds(ctx, one, kind, *found[each])}


def _issued(what: Any) -> Select[Any]:
    """Build a query for issued tokens, with the columns that decide whether they are still valid."""
    return (
        select(what, Token.holder_id, Token.ply, Token.generation, Holder.generation, Holder.until, Match.ended_at)
        .select_from(Token)
        .join(Token.holder)
        .join(Match, Holder.match_id == Match.id)
        .where(Token.kind == bindparam("kind"))
    )


# Compiled to SQL once: it runs for every incoming mail, and SQLAlchemy's overhead would cost more.
_KNOWN = str(
    _issued(Token.hash)
    .where(Token.hash == func.any(bindparam("hashes", type_=ARRAY(LargeBinary))))
    .compile(dialect=make_url("postgresql+psycopg://").get_dialect()())
)
# Loads the holder in the same query: nothing else references it, so it would be queried again.
_FOUND = _issued(Token).where(Token.hash == bindparam("hash")).options(contains_eager(Token.holder))


def _holds(
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
    too_old = ended_at is not None and ctx.now - ended_at > LIFE_AFTER_END
    return not renewed and not too_old and was_issued(ctx, typed, kind, holder, ply, issued)


def was_issued(ctx: Context, typed: str, kind: str, holder: int, ply: int, generation: int) -> bool:
    """Return whether a seat's token was derived from a key that is still configured."""
    # After a restore from backup, an invitation stays valid in the next generation.
    since = 1 if ply == 0 else generation
    return any(is_made_here(ctx, typed, kind, holder, ply, one) for one in range(generation, since - 1, -1))


def is_made_here(ctx: Context, typed: str, kind: str, *of: object) -> bool:
    """Return whether a token was derived from these values with a key that is still configured."""
    token = tidy(typed) or ""
    return any(hmac.compare_digest(derive(key, kind, *of), token) for key in ctx.config.secret_keys)


def newest_by_key(session: Session, keys: Sequence[str]) -> Counter[str]:
    """Count the seats of unfinished matches by the key that made their newest link; "" for none of these keys."""
    alive = Match.state != MatchState.OVER, Holder.until.is_(None), Token.generation == Holder.generation
    newest = (
        select(Token.hash, Token.holder_id, Token.ply, Token.generation)
        .join(Token.holder)
        .join(Match, Holder.match_id == Match.id)
        .where(Token.kind == LINK, *alive)
        .ext(distinct_on(Token.holder_id))
        .order_by(Token.holder_id, Token.ply.desc(), Token.issued_at.desc())
    )
    return Counter(
        next((key for key in keys if hashed(derive(key, LINK, *of)) == known), "")
        for known, *of in session.execute(newest.execution_options(yield_per=_AT_ONCE))
    )


def present_ply(ctx: Context, match: Match, holder: Holder) -> int:
    """Return the current ply of a seat's links and reply addresses.

    That is the current stage's. A seat that has moved in a stage which others have yet to complete gets tokens of the
    next unused number, so that those by which it moved stay spent.
    """
    if match.seed is None:
        return 0
    return match.next_ply if _has_moved(ctx, match, holder, match.ply) else match.ply


def present_token(ctx: Context, match: Match, holder: Holder) -> Token:
    """Return a seat's current link token without issuing one, for a player authenticated in another way."""
    ply, generation = present_ply(ctx, match, holder), holder.generation
    known = hashed(derive(ctx.config.secret_keys[-1], LINK, holder.id, ply, generation))
    token = Token(hash=known, kind=LINK, holder_id=holder.id, ply=ply, generation=generation, issued_at=ctx.now)
    set_committed_value(token, "holder", holder)
    return token


def shows_seat(token: Token | Submission, match: Match) -> bool:
    """Return whether a token is of the current stage of its match; one of an earlier stage shows what is public.

    Where several act at once, a seat that has sealed its move still sees its own side until the stage is over.
    """
    return token.ply >= match.ply if token.ply else match.seed is None


def is_current(ctx: Context, token: Token | Submission, match: Match) -> bool:
    """Return whether a token, or a submission made with it, may act for its seat.

    It may from when it is issued until its seat has moved or the stage is over; an invitation's until the match
    begins. The pages, the API and the judge all use this check.
    """
    return shows_seat(token, match) and not (token.ply and _has_moved(ctx, match, token.holder, token.ply))


def _has_moved(ctx: Context, match: Match, holder: Holder, since: int) -> bool:
    """Return whether a seat has made a move with this number or a later one."""
    if match.next_ply <= since:
        return False
    moved = {"match": match.id, "seat": holder.seat, "since": since}
    return ctx.session.scalar(_MOVED, moved) is not None
