"""What is said of somebody who is away."""

from datetime import UTC, datetime

import pytest

from pbem.play.clocks import clock_pauses


@pytest.mark.parametrize(
    ("until", "zone"),
    [
        (datetime(2026, 12, 3, tzinfo=UTC), "UTC"),
        (datetime(2026, 12, 2, 23, tzinfo=UTC), "Europe/Berlin"),
    ],
)
def test_whoever_is_back_at_midnight_is_away_until_the_day_before(until: datetime, zone: str) -> None:
    said = clock_pauses.describe_absence("Ann", until, zone)
    assert said == "Ann is away until Wednesday, 2 December 2026. Their clock is stopped."
