"""The deal that several matches share: one seed, from one secret and the entropies of all seats of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.chain import derive_seed
from pbem.play.deal_sets.members import members
from pbem.play.matches.seats import entropy_with_source

if TYPE_CHECKING:
    from pbem.db.models import DealSet
    from pbem.play.core.context import Context


def deal(ctx: Context, deal_set: DealSet) -> None:
    """Derive the seed of a shared deal, once, from what the seats of its matches have added until now.

    A match that joins later adds nothing to it. Raises ValueError if the places of its matches are not 1, 2, 3 …
    """
    ctx.session.refresh(deal_set, with_for_update=True)
    if deal_set.seed is not None:
        return
    dealt = members(ctx, deal_set)
    places = [match.set_place for match in dealt]
    if not dealt or places != [*range(1, len(dealt) + 1)]:
        raise ValueError(f"the matches of the shared deal {deal_set.id} have the places {places}")
    deal_set.entropies = [entropy_with_source(seat)[0] for match in dealt for seat in match.seats]
    deal_set.seed = derive_seed(deal_set.secret, deal_set.id, deal_set.entropies)
