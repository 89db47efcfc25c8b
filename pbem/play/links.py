"""Links and reply addresses: the tokens that let a seat act at one stage without signing in.

A token is derived from a secret key, so that a notice sent again is the same bytes, and is found by its
SHA-256, so that no row holds one in clear. Ply 0 stands for the invitation.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Holder, Match, Token

if TYPE_CHECKING:
    from pbem.play.table import Table

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32, lower case: no i, l, o or u."""
LENGTH = 26
BITS = 130

LINK = "link"
REPLY = "reply"

LIFE_AFTER_END = timedelta(days=90)
"""How long after a match's end its tokens still answer."""

_CONFUSED = str.maketrans("ilo", "110")


def base32(bits: int, length: int) -> str:
    """Write a number in Crockford's base32 with that many digits."""
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(length)))


def derive(key: str, kind: str, holder: int, ply: int, generation: int) -> str:
    """Make the token of a holder for one stage; the same four give the same token, always."""
    message = "\0".join([kind, str(holder), str(ply), str(generation)])
    digest = hmac.digest(key.encode(), message.encode(), "sha256")
    return base32(int.from_bytes(digest, "big") >> 256 - BITS, LENGTH)


def tidy(typed: str) -> str | None:
    """Undo what mail programs and people do to a token: case, i, l and o; None for what can be none."""
    token = typed.strip().lower().translate(_CONFUSED)
    return token if len(token) == LENGTH and not set(token) - set(ALPHABET) else None


def hashed(token: str) -> bytes:
    """Give what a token is found by."""
    return hashlib.sha256(token.encode()).digest()


def key_name(key: str) -> str:
    """Name a secret key without telling it, so that a notice remembers which one made its tokens."""
    return hashlib.sha256(b"name of " + key.encode()).hexdigest()[:8]


def issue(table: Table, holder: Holder, ply: int) -> str:
    """Make a stage's link and reply address known for a holder; returns the name of the key that made them."""
    key = table.config.secret_keys[-1]
    rows = [
        {
            "hash": hashed(derive(key, kind, holder.id, ply, holder.generation)),
            "kind": kind,
            "holder_id": holder.id,
            "ply": ply,
            "generation": holder.generation,
            "issued_at": table.now,
        }
        for kind in (LINK, REPLY)
    ]
    table.session.execute(insert(Token).on_conflict_do_nothing(), rows)
    return key_name(key)


def token_of(table: Table, holder: Holder, kind: str, ply: int, key: str) -> str:
    """Derive again a token that was issued under the key of that name, or issue it anew if the key is gone."""
    known = {key_name(secret): secret for secret in table.config.secret_keys}
    if key not in known:
        key = issue(table, holder, ply)
    return derive(known[key], kind, holder.id, ply, holder.generation)


def find(table: Table, typed: str, kind: str) -> Token | None:
    """Find what a token stands for; None alike for never issued, renewed, a former holder's, and too old."""
    token = tidy(typed)
    row = table.session.execute(
        select(Token, Holder, Match.ended_at)
        .join(Holder, Token.holder_id == Holder.id)
        .join(Match, Holder.match_id == Match.id)
        .where(Token.hash == hashed(token or ""), Token.kind == kind)
    ).first()
    if row is None:
        return None
    found, holder, ended_at = row
    renewed = found.generation != holder.generation or holder.until is not None
    too_old = ended_at is not None and table.now - ended_at > LIFE_AFTER_END
    return None if renewed or too_old else found


def is_current(token: Token, match: Match) -> bool:
    """Tell whether a token is of the stage that its match is at; one of an earlier stage shows less."""
    if token.ply == 0:
        return match.state == "inviting"
    return token.ply == match.ply and (match.state == "over" or token.holder.seat in match.to_move)
