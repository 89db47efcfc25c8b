"""Insert mails to seats in bulk: mails that arrive at the same time are stored by one statement.

The same statement checks whether the reply address is still valid, and returns what rate limits need: whether From is
an address of the seat's player, and whether the mail came before with other bytes, as it does through several relays.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.db.session import driver_transaction, send_task
from pbem.play.core import tokens
from pbem.play.core.context import without_session
from pbem.play.submissions.queue import JUDGE_TASK, MAIL, log_accepted, random_id

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.db.session import DriverConnection
    from pbem.play.core.context import Context

_VALID_TOKENS = """
  JOIN tokens ON tokens.hash = sent.hash AND tokens.kind = 'reply'
  JOIN seat_holders ON seat_holders.id = tokens.holder_id
    AND seat_holders.generation = tokens.generation AND seat_holders.left_at IS NULL
  JOIN matches ON matches.id = seat_holders.match_id
    AND (matches.ended_at IS NULL OR matches.ended_at >= %(oldest)s)
"""
# The planner does not see how long a selected array is, so it finds that one plan fits all, and plans only once.
_FIND = f"""
SELECT sent.place, tokens.holder_id, tokens.ply, tokens.generation
FROM unnest((SELECT %(place)s::int[]), (SELECT %(hash)b::bytea[])) AS sent (place, hash)
{_VALID_TOKENS}
"""  # noqa: S608 -- a constant
# Inserted in a fixed order, so that transactions that store the same mails at once cannot deadlock.
_INSERT = f"""
WITH sent AS (
  SELECT * FROM unnest(
    (SELECT %(place)s::int[]), (SELECT %(hash)b::bytea[]), (SELECT %(author)s::text[]),
    (SELECT %(message_id)s::text[]), (SELECT %(id)s::text[]), (SELECT %(once)b::bytea[]),
    (SELECT %(raw)b::bytea[]), (SELECT %(status)s::text[])
  ) AS sent (place, hash, author, message_id, id, once, raw, status)
), known AS (
  SELECT sent.*, tokens.ply, tokens.holder_id, tokens.generation,
    seat_holders.match_id, seat_holders.player_id, seat_holders.email
  FROM sent
  {_VALID_TOKENS}
), kept AS (
  INSERT INTO submissions (id, match_id, holder_id, ply, via, raw, message_id, idempotency_key, received_at, status)
  SELECT id, match_id, holder_id, ply, 'mail', raw, message_id, once, %(now)s, status FROM known ORDER BY once, place
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT known.place, known.holder_id, known.ply, known.generation,
  known.id, known.match_id, known.email, kept.id IS NOT NULL,
  known.email = known.author OR EXISTS (
    SELECT FROM addresses
    WHERE email = known.author AND addresses.player_id = known.player_id AND verified_at IS NOT NULL
  ),
  EXISTS (
    SELECT FROM submissions AS before
    WHERE before.holder_id = known.holder_id AND before.message_id = known.message_id AND before.ply = known.ply
  )
FROM known LEFT JOIN kept USING (id)
"""  # noqa: S608 -- a constant
_DISCARD = "DELETE FROM submissions WHERE id = ANY(%(ids)s)"


@dataclass(frozen=True, slots=True)
class SeatMail:
    """A mail to a possible token of a seat; an `ignored` one is stored for the operator only."""

    token: str
    raw: bytes
    fingerprint: bytes
    author: str
    message_id: str
    ignored: bool = False

    @property
    def hash(self) -> bytes:
        """Hash to find the token of the seat by."""
        return _hash(self.token)

    @property
    def idempotency_key(self) -> bytes:
        """Idempotency key: the same for a mail that is sent again to the same seat."""
        return hashlib.sha256(b"\0".join([b"mail", self.hash, self.fingerprint])).digest()


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A stored mail to an existing seat.

    `new`: it was not stored before; `own`: From is an address of the seat's player; `is_duplicate`: a mail with the
    same Message-ID was stored before, and only that one is judged.
    """

    submission_id: str
    match_id: str
    email: str
    new: bool
    own: bool
    is_duplicate: bool


def find_valid(engine: Engine, config: Config, typed: Collection[str]) -> set[str]:
    """Return which of some tokens are those of seats to which mails can be stored now."""
    ctx, places = without_session(config), [*typed]
    columns = {"place": [*range(len(places))], "hash": [_hash(one) for one in places]}
    with driver_transaction(engine, autocommit=True) as connection:
        rows = connection.execute(_FIND, columns | _limits(ctx)).fetchall()
    return {places[place] for place, *of in rows if tokens.is_derived_for_seat(ctx, places[place], tokens.REPLY, *of)}


def store(connection: DriverConnection, ctx: Context, mails: Sequence[SeatMail]) -> list[StoredMail | None]:
    """Insert mails to seats, and return one result for each, in order; None where the seat is unknown."""
    rows = connection.execute(
        _INSERT,
        {
            "place": list(range(len(mails))),
            "hash": [mail.hash for mail in mails],
            "author": [mail.author for mail in mails],
            "message_id": [mail.message_id or None for mail in mails],
            "id": [random_id(ctx) for _ in mails],
            "once": [mail.idempotency_key for mail in mails],
            "raw": [mail.raw for mail in mails],
            "status": ["ignored" if mail.ignored else "pending" for mail in mails],
            "now": ctx.now,
            **_limits(ctx),
        },
    ).fetchall()
    found: dict[int, StoredMail] = {}
    forged = []
    for place, holder, ply, generation, *fields in rows:
        stored = StoredMail(*fields)
        if tokens.is_derived_for_seat(ctx, mails[place].token, tokens.REPLY, holder, ply, generation):
            found[place] = stored
        elif stored.new:
            forged.append(stored)
    discard(connection, forged)
    return [found.get(place) for place in range(len(mails))]


def discard(connection: DriverConnection, stored: Collection[StoredMail]) -> None:
    """Delete the mails that were inserted by this transaction."""
    if stored:
        connection.execute(_DISCARD, {"ids": [mail.submission_id for mail in stored]})


def enqueue_judging(stored: StoredMail) -> None:
    """Enqueue the judging of a committed mail, and count and log a new one."""
    if stored.new:
        log_accepted(stored.submission_id, stored.match_id, MAIL)
    send_task(JUDGE_TASK, stored.match_id)


def _hash(typed: str) -> bytes:
    return tokens.hash_token(tokens.normalise(typed) or "")


def _limits(ctx: Context) -> dict[str, datetime]:
    return {"oldest": ctx.now - tokens.VALID_AFTER_END}
