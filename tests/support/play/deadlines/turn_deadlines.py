"""What tests of deadlines share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def begun(house: House, game: str, seats: int, clock: str, options: dict[str, object] | None = None) -> str:
    match_id = house.make(game, seats, options, clock=clock)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for name, holder in zip(NAMES, holders(ctx, match), strict=False):
            house.mails(name)
            acceptance.accept(ctx, match, holder, "")
    return match_id
