"""The two matches of a deal that is played there and back: which they are, and what came of both together."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from pbem.db.models import DealSet, Match
from pbem.i18n import _, several
from pbem.play.core import tokens
from pbem.play.core.draws import ID_BITS
from pbem.states import DealSetKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context

FIRST, SECOND = 1, 2
"""Places of the two matches."""
_ID_BYTES = -(-ID_BITS // 8)
_FIRST_OF = select(Match.id).where(Match.set_id == bindparam("set"), Match.set_place == FIRST)


@dataclass(frozen=True, slots=True)
class PairPlace:
    """Which match of a pair it is, and the ids of the other one and of the deal that they share."""

    deal_set: str
    place: int
    other: str
    is_open: bool

    def facts(self) -> dict[str, Any]:
        """Return the facts for mails and pages; `open` is whether anybody may watch."""
        return {"set": self.deal_set, "place": self.place, "other": self.other, "open": self.is_open}


@dataclass(frozen=True, slots=True)
class PairResult:
    """The points of the two players in each match, and the points that the first of them has more in both together.

    The first player has seat 1 in the first match, and seat 2 in the second.
    """

    points: tuple[tuple[int, int], ...]

    @property
    def totals(self) -> tuple[int, int]:
        """The points of each player in both matches together."""
        return sum(first for first, _second in self.points), sum(second for _first, second in self.points)

    @property
    def margin(self) -> int:
        """The points that the first player has more than the second, over both matches."""
        first, second = self.totals
        return first - second

    @property
    def winner(self) -> int | None:
        """The player who has won the pair, 1 or 2; None if it is drawn."""
        return None if self.margin == 0 else 1 if self.margin > 0 else 2


def return_id(secret: bytes) -> str:
    """Return the id of the second match, known before it is created, from the secret that both share."""
    digest = hmac.new(secret, b"pbem-return-match-v1", hashlib.sha256).digest()
    return tokens.base32(int.from_bytes(digest[:_ID_BYTES], "big"), ID_BITS // 5)


def find_place(ctx: Context, match: Match) -> PairPlace | None:
    """Return the place of a match that is played there and back; None, without a statement, if it shares no deal."""
    if match.set_id is None or ctx.session.get_one(DealSet, match.set_id).kind != DealSetKind.THERE_AND_BACK:
        return None
    if match.set_place == FIRST:
        return PairPlace(match.set_id, FIRST, return_id(match.secret), match.public)
    first = ctx.session.scalars(_FIRST_OF, {"set": match.set_id}).one()
    return PairPlace(match.set_id, SECOND, first, match.public)


def facts(ctx: Context, match: Match) -> dict[str, Any] | None:
    """Return the place of a match that is played there and back as facts; None for any other match."""
    place = find_place(ctx, match)
    return place.facts() if place else None


def compare(matches: Sequence[Match]) -> PairResult | None:
    """Return what came of both matches together, in their order; None unless both were played to their end."""
    scores = [match.result["scores"] for match in matches if match.result]
    if len(scores) < SECOND or not all(scores):
        return None
    there, back = scores
    return PairResult(((there["1"], there["2"]), (back["2"], back["1"])))


def own_margin(margin: int, place: int, seat: int) -> int:
    """Return the margin of a pair for the player at a seat of its match at a place."""
    return margin if (seat == FIRST) == (place == FIRST) else -margin


def margin_sentence(margin: int | None, other: str) -> str:
    """Return a player's margin over both matches of a pair as a sentence; None is that of one without comparison."""
    if margin is None:
        return _("They cannot be compared: a match that does not end by the rules has no score.")
    if margin == 0:
        return _("Together you have as many points as {name}: the pair is drawn.", name=other)
    won = margin > 0
    points = several("one point", "{number} points", abs(margin))
    if won:
        return _("Together you have {points} more than {name}: you won the pair.", points=points, name=other)
    return _("Together you have {points} fewer than {name}, who won the pair.", points=points, name=other)
