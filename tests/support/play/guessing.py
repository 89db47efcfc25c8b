"""What tests of guessing share."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import SeatHolder, Token
from pbem.play.core import tokens as core_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from tests.support.house import House

TURNS = range(1, 41)
A_FEW, MANY = 10**4, 10**6
BATCH = 10**4


def random_tokens(chosen: Random, count: int) -> Iterator[str]:
    return (core_tokens.base32(chosen.getrandbits(core_tokens.BITS), core_tokens.LENGTH) for _ in range(count))


def issued(house: House) -> list[str]:
    """Issue the link tokens of a seat's turns; gives them."""
    house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).limit(1)).one()
        return [
            core_tokens.rederive(ctx, holder, core_tokens.LINK, ply, core_tokens.issue(ctx, holder, ply))
            for ply in TURNS
        ]


def found_by_digest(house: House, tokens: Iterator[str]) -> tuple[int, int]:
    """Look tokens up by their digests as `links.find` does, many at once; gives how many there were and were found."""
    looked_up = found = 0
    while batch := list(islice(tokens, BATCH)):
        digests = [core_tokens.hash_token(core_tokens.normalise(token) or "") for token in batch]
        looked_up += len(batch)
        found += len(house.all(select(Token.hash).where(Token.hash.in_(digests))))
    return looked_up, found
