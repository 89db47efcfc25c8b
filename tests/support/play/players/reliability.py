"""What tests of standing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from tests.support.house import House


def ended(house: House, name: str | None = None, seats: int = 2) -> str:
    """Play a match to its end; by the time of somebody, or by agreement."""
    match_id = house.start_match({1: "minimax", 2: "martian-whist", 3: "middle-card"}[seats], seats)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        present = {holder.name: holder for holder in holders(ctx, match)}
        if name:
            present[name].late_moves += 1
            endings.lose_on_time(ctx, match, [present[name]])
        else:
            endings.resign(ctx, load_match(ctx, match), present["Ann"])
    return match_id
