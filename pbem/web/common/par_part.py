"""What pages of a finished match say of its par: the sentence about the reader's seat, or how to get it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.play.analysis import comparison, par_words, requests
from pbem.robots.analyses import PAR

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class ParPart:
    """Par of a match for a reader; `page` is where it stands, and what asks for it."""

    page: str
    may_ask: bool = False
    sentence: str = ""


def load(ctx: Context, match: Match, holder: SeatHolder | None, page: str) -> ParPart | None:
    """Load the par of a match that is over for a reader who has or had a seat; None for others, or if there is none."""
    if holder is None or requests.objection(match, PAR) is not None:
        return None
    par = requests.find(ctx, match, PAR)
    if par is None:
        return ParPart(page, may_ask=True)
    own = []
    if par.result is not None and holder.left_at is None:
        own = [one for one in comparison.of_match(ctx, match, par) if one.seat == holder.seat]
    return ParPart(page, sentence=par_words.sentence(own[0]) if own else "")
