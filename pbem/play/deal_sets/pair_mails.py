"""Mails about a pair that was played there and back, once both of its matches are over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.deal_sets.members import members
from pbem.play.matches import pairs, seats, share_keys
from pbem.play.matches.views import player_names
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import DealSet, Match
    from pbem.play.core.context import Context


def announce(ctx: Context, deal_set: DealSet) -> None:
    """Enqueue a mail with both results to each player of a pair; none if its matches never began."""
    both = members(ctx, deal_set)
    if len(both) < pairs.SECOND:
        return
    compared = pairs.compare(both)
    about = {"results": [_result(ctx, one) for one in both], "margin": compared and compared.margin}
    mailed: set[int] = set()
    # The one that ended last comes first: its mails are the newest.
    for match in reversed(both):
        for holder in seats.holders(ctx, match):
            if holder.player_id not in mailed:
                mailed.add(holder.player_id)
                facts = outbox.match_facts(ctx, match, holder) | about | _share(match)
                once = f"pair over {deal_set.id} {holder.player_id}"
                outbox.enqueue(ctx, "pair over", holder, match, facts, once=once)


def _result(ctx: Context, match: Match) -> dict[str, Any]:
    return {"match": match.id, "names": [*player_names(ctx, match)], "result": match.result} | _share(match)


def _share(match: Match) -> dict[str, Any]:
    """Return the key that opens a private match to its players and those they share it with."""
    return {} if match.public else {"shared": share_keys.shared_key(match)}
