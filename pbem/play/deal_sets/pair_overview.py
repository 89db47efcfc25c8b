"""A pair that is played there and back, as those may see it who may see one of its matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.i18n import _, several
from pbem.play.deal_sets.members import members
from pbem.play.matches import pairs, seats, share_keys
from pbem.play.matches.views import player_names
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import DealSet, Match
    from pbem.play.core.context import Context
    from pbem.play.matches.pairs import PairResult


@dataclass(frozen=True, slots=True)
class PairMatch:
    """A match of a pair: `names` and `points` are in the order of the first match's seats; None without scores."""

    match: Match
    names: tuple[str, ...]
    points: tuple[int, int] | None

    @property
    def key(self) -> str | None:
        """The key that opens it, once it is over, if it is private."""
        is_keyed = not self.match.public and self.match.state == MatchState.OVER and self.match.seed is not None
        return share_keys.shared_key(self.match) if is_keyed else None


@dataclass(frozen=True, slots=True)
class PairOverview:
    """Both matches of a pair, or the first one before it begins; `result` is there once both are over by the rules."""

    matches: tuple[PairMatch, ...]
    result: PairResult | None

    @property
    def names(self) -> tuple[str, ...]:
        """The players who sit in the first match, in seat order."""
        return self.matches[0].names

    @property
    def is_over(self) -> bool:
        """Whether no match of the pair will be played any more."""
        return all(one.match.state == MatchState.OVER for one in self.matches)

    @property
    def winner(self) -> str | None:
        """The name of the winner; None if the pair is drawn or cannot be compared."""
        return self.names[self.result.winner - 1] if self.result and self.result.winner else None


def load(ctx: Context, deal_set: DealSet) -> PairOverview:
    """Load the matches of a pair and what came of them."""
    both = members(ctx, deal_set)
    return PairOverview(tuple(_load_match(ctx, match) for match in both), pairs.compare(both))


def describe(found: PairOverview) -> str:
    """Return what came of a pair until now, in one sentence."""
    if found.result is None:
        return _describe_undecided(found)
    if found.winner is None:
        return _("Both have as many points in both matches together: the pair is drawn.")
    points = several("one point", "{number} points", abs(found.result.margin))
    return _("{name} won the pair: {points} more in both matches together.", name=found.winner, points=points)


def _describe_undecided(found: PairOverview) -> str:
    if not found.is_over:
        has_begun = len(found.matches) == pairs.SECOND
        began = _("The pair is decided when both matches are over.")
        return began if has_begun else _("Both matches begin when both players have accepted.")
    if len(found.matches) < pairs.SECOND:
        return _("This pair was called off before it began.")
    return _("The matches cannot be compared: one that does not end by the rules has no score.")


def may_see(ctx: Context, found: PairOverview, reader: int | None, key: str) -> bool:
    """Return whether a reader may see a pair: one of its matches is open to them, or they sit there."""
    if any(share_keys.is_open(one.match, key) for one in found.matches):
        return True
    present = (holder for one in found.matches for holder in seats.holders(ctx, one.match))
    return reader is not None and any(holder.player_id == reader for holder in present)


def _load_match(ctx: Context, match: Match) -> PairMatch:
    names, scores = player_names(ctx, match), match.result["scores"] if match.result else None
    points = (scores["1"], scores["2"]) if scores else None
    if match.set_place == pairs.SECOND:
        return PairMatch(match, names[::-1], points and points[::-1])
    return PairMatch(match, names, points)
