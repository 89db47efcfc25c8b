"""How many mails a day one address gets; what is more waits until the next day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.config import Config
    from pbem.play.core.context import Context

MAX_MAILS_PER_DAY = 100
"""Maximum mails per address and day; more mails wait."""


def daily_limits(config: Config, recipient: str, times: int = 1) -> list[Limit]:
    """Return the rate limits of an address, for sending several mails at once."""
    return [] if config.limits is None else [Limit("mailed", recipient, MAX_MAILS_PER_DAY - times + 1, SECONDS_PER_DAY)]


def is_within_limits(ctx: Context, recipients: Iterable[str]) -> bool:
    """Return whether each address may get as many more mails as it occurs."""
    counted = Counter(recipients).items()
    return not blocked_until(ctx, *(each for one, times in counted for each in daily_limits(ctx.config, one, times)))
