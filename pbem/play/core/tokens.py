"""Links and reply addresses: the tokens that let a seat act at one stage without signing in.

A token is derived from a secret key, so that a notice sent again is the same bytes, and is found by its
SHA-256, so that no row holds one in clear. It holds as long as the key that made it is one of the settings': neither
a key that was dropped nor a row that somebody slipped in opens anything. Ply 0 stands for the invitation.
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
"""Crockford's base32, lower case: no i, l, o or u."""
LENGTH = 26
BITS = 130

LINK = "link"
REPLY = "reply"
UNSUB = "unsub"
"""A token of this kind stops the mail about one match; it holds whatever becomes of the seat's links."""
UNSUB_ALL = "unsub all"
"""A token of this kind stops the mail about all matches of its holder's player."""
BOUNCE = "bounce"
"""A token of this kind is of one notice: reports of its failed delivery come to it."""

LIFE_AFTER_END = timedelta(days=90)
"""How long after a match's end its tokens still answer."""

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
"""With something to return, all rows go in one statement."""


def base32(bits: int, length: int) -> str:
    """Write a number in Crockford's base32 with that many digits."""
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(length)))


def derive(key: str, kind: str, *of: object) -> str:
    """Make a token, such as that of a holder, ply and generation; the same again gives the same token, always."""
    message = "\0".join([kind, *map(str, of)])
    digest = hmac.digest(key.encode(), message.encode(), "sha256")
    return base32(int.from_bytes(digest, "big") >> 256 - BITS, LENGTH)


def tidy(typed: str) -> str | None:
    """Undo what mail programs and people do to a token: case, i, l and o; None for what can be none."""
    token = typed.strip().lower().translate(CONFUSED)
    return token if len(token) == LENGTH and not token.strip(ALPHABET) else None


def hashed(token: str) -> bytes:
    """Give what a token is found by."""
    return hashlib.sha256(token.encode()).digest()


def key_name(key: str) -> str:
    """Name a secret key without telling it, so that a notice remembers which one made its tokens."""
    return hashlib.sha256(b"name of " + key.encode()).hexdigest()[:8]


def issue(ctx: Context, holder: Holder, ply: int) -> str:
    """Make a stage's link and reply address known for a holder; returns the name of the key that made them."""
    return issue_all(ctx, [(holder, ply)])


def issue_all(ctx: Context, stages: Iterable[tuple[Holder, int]]) -> str:
    """Do the same for several holders and their stages at once."""
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
    # What they refer to is written first.
    ctx.session.flush()
    ctx.session.execute(_ISSUED, tokens)


def token_of(ctx: Context, holder: Holder, kind: str, ply: int, key: str) -> str:
    """Derive again a token that was issued under the key of that name, or issue it anew if the key is gone."""
    if key not in _keys(ctx):
        key = issue(ctx, holder, ply)
    return derive(_keys(ctx)[key], kind, holder.id, ply, holder.generation)


def unsubscribing(ctx: Context, holder: Holder, kind: str, key: str) -> str:
    """Derive a token that stops mail, and make it known."""
    secret = _keys(ctx).get(key, ctx.config.secret_keys[-1])
    if kind != UNSUB or key not in _keys(ctx):
        _know(ctx, [_token(ctx, holder, secret, kind, 0, 0)])
    return derive(secret, kind, holder.id, 0, 0)


def find_unsubscribing(ctx: Context, typed: str) -> Token | None:
    """Find what a token that stops mail stands for; it holds for ever, since old mails are unsubscribed from too."""
    same = Token.hash == hashed(tidy(typed) or "")
    return ctx.session.scalar(select(Token).where(same, Token.kind.in_((UNSUB, UNSUB_ALL))))


def return_path(ctx: Context, message_id: str, key: str = "") -> str:
    """Derive the token that reports about one mail come back to."""
    return derive(_keys(ctx).get(key, ctx.config.secret_keys[-1]), BOUNCE, message_id)


def key_names(ctx: Context) -> list[str]:
    """Name the secret keys, oldest first."""
    return list(_keys(ctx))


def _keys(ctx: Context) -> dict[str, str]:
    return {key_name(secret): secret for secret in ctx.config.secret_keys}


def find(ctx: Context, typed: str, kind: str) -> Token | None:
    """Find what a token stands for; None alike for never issued, renewed, a former holder's, and too old."""
    row = ctx.session.execute(_FOUND, {"hash": hashed(tidy(typed) or ""), "kind": kind}).first()
    return row[0] if row and _holds(ctx, typed, kind, *row[1:]) else None


def known(ctx: Context, typed: Collection[str], kind: str) -> set[str]:
    """Tell which of some tokens would be found, at less expense."""
    hashes = {one: hashed(tidy(one) or "") for one in typed}
    rows = ctx.session.connection().exec_driver_sql(_KNOWN, {"hashes": [*hashes.values()], "kind": kind})
    found: dict[bytes, Any] = {row[0]: row[1:] for row in rows}
    return {one for one, each in hashes.items() if each in found and _holds(ctx, one, kind, *found[each])}


def _issued(what: Any) -> Select[Any]:
    """Look for tokens that were issued, with what tells whether they still hold."""
    return (
        select(what, Token.holder_id, Token.ply, Token.generation, Holder.generation, Holder.until, Match.ended_at)
        .select_from(Token)
        .join(Token.holder)
        .join(Match, Holder.match_id == Match.id)
        .where(Token.kind == bindparam("kind"))
    )


# One statement whatever is asked for, in the words that go to the database: asked for each mail that is offered, it
# costs less so than what SQLAlchemy would make of it each time.
_KNOWN = str(
    _issued(Token.hash)
    .where(Token.hash == func.any(bindparam("hashes", type_=ARRAY(LargeBinary))))
    .compile(dialect=make_url("postgresql+psycopg://").get_dialect()())
)
# Loaded with its holder, which nothing else keeps: else that would be looked up once more.
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
    """Tell whether a token of a seat was derived from a key that is still one of ours."""
    # After a return to an older state an invitation holds on in the next generation.
    since = 1 if ply == 0 else generation
    return any(is_made_here(ctx, typed, kind, holder, ply, one) for one in range(generation, since - 1, -1))


def is_made_here(ctx: Context, typed: str, kind: str, *of: object) -> bool:
    """Tell whether a token was derived, of just this, from a key that is still one of ours."""
    token = tidy(typed) or ""
    return any(hmac.compare_digest(derive(key, kind, *of), token) for key in ctx.config.secret_keys)


def newest_by_key(session: Session, keys: Sequence[str]) -> Counter[str]:
    """Count the seats of matches that are not over by which of these keys made their newest link; "" for none."""
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
    """Return the ply that the links and reply addresses of a seat have now.

    That is the present stage's. A seat that has moved in a stage which others have yet to complete gets tokens of the
    next unused number, so that those by which it moved stay spent.
    """
    if match.seed is None:
        return 0
    return match.next_ply if _has_moved(ctx, match, holder, match.ply) else match.ply


def present_token(ctx: Context, match: Match, holder: Holder) -> Token:
    """Return what a seat's link of now stands for, without issuing one: for a player who is known otherwise."""
    ply, generation = present_ply(ctx, match, holder), holder.generation
    known = hashed(derive(ctx.config.secret_keys[-1], LINK, holder.id, ply, generation))
    token = Token(hash=known, kind=LINK, holder_id=holder.id, ply=ply, generation=generation, issued_at=ctx.now)
    set_committed_value(token, "holder", holder)
    return token


def shows_seat(token: Token | Submission, match: Match) -> bool:
    """Return whether a token is of the stage that its match is at; one of an earlier stage shows what is public.

    Where several act at once, a seat that has sealed its move goes on seeing its own side until the stage is over.
    """
    return token.ply >= match.ply if token.ply else match.seed is None


def is_current(ctx: Context, token: Token | Submission, match: Match) -> bool:
    """Return whether a token, or what came by it, may act for its seat.

    It may from when it is issued until its seat has moved or the stage is over; an invitation's until the match
    begins. Pages, the API and the judge all ask here.
    """
    return shows_seat(token, match) and not (token.ply and _has_moved(ctx, match, token.holder, token.ply))


def _has_moved(ctx: Context, match: Match, holder: Holder, since: int) -> bool:
    """Return whether a seat has made a move with this number or a later one."""
    if match.next_ply <= since:
        return False
    moved = {"match": match.id, "seat": holder.seat, "since": since}
    return ctx.session.scalar(_MOVED, moved) is not None
