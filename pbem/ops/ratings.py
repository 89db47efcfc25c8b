"""The command `pbem ratings`: recompute ratings, or check them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.db.session import connect
from pbem.play.core.context import transaction
from pbem.play.ratings import recompute

if TYPE_CHECKING:
    from pbem.config import Config


def recompute_ratings(config: Config, *, check: bool) -> int:
    """Recompute all ratings, or only compare them; return the exit status."""
    engine = connect(config.database_url)
    differing: list[str] = []
    with transaction(engine, config) as ctx:
        if check:
            differing = [*recompute.find_differences(ctx)]
        else:
            recompute.recompute(ctx)
    engine.dispose()
    for match in differing:
        click.echo(f"Match {match} is rated otherwise than stored.")
    click.echo(f"Matches that differ: {len(differing)}." if check else "All ratings are recomputed.")
    return 1 if differing else 0
