"""An analysis of a finished match that is asked for while faults happen: it is made, and always comes to the same."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from pbem import robots
from pbem.db.models import Analysis
from pbem.db.session import send_after_commit
from pbem.play.conditional_moves.robot_moves import THINK_TASK
from pbem.play.core.context import transaction
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.robots.analyses import LOOKING_BACK
from tests.faults.installation import patiently

if TYPE_CHECKING:
    from tests.faults.installation import Installation

PATIENCE = 180.0
"""Seconds after which an analysis is given up: a claim that was lost with its worker holds for sixty."""
MOMENT = 0.5


@dataclass(slots=True)
class Analysed:
    """A finished match, and what its analysis came to first."""

    here: Installation
    match: str
    result: dict[str, Any] | None = None

    def resign(self) -> None:
        """End the match."""
        with transaction(self.here.engine, self.here.config) as ctx:
            match = lock_match(ctx, self.match)
            endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])

    def ask(self) -> None:
        """Ask for the analysis anew."""

        def asked() -> None:
            with transaction(self.here.engine, self.here.config) as ctx:
                match = lock_match(ctx, self.match)
                ctx.session.execute(delete(Analysis).where(Analysis.match_id == self.match))
                edition = robots.edition(match.game)
                ctx.session.add(
                    Analysis(
                        match_id=match.id, kind=LOOKING_BACK, edition=edition, asked_at=ctx.now, due_at=ctx.now, work={}
                    )
                )
                send_after_commit(ctx.session, THINK_TASK)

        patiently(asked)

    def wrong(self) -> list[str]:
        """Wait for the analysis, and list what is wrong with it."""
        end = time.monotonic() + PATIENCE
        while (found := patiently(self._find)) is None:
            if time.monotonic() > end:
                return [f"match {self.match} was not analysed within {PATIENCE:.0f} s"]
            time.sleep(MOMENT)
        result = found[0]
        self.result = self.result or result
        if result is None:
            return [f"the analysis of match {self.match} has failed"]
        return [] if result == self.result else [f"the analysis of match {self.match} came to something else"]

    def _find(self) -> tuple[dict[str, Any] | None] | None:
        """Return what the analysis came to; None while it is not done."""
        done = select(Analysis.result).where(Analysis.match_id == self.match, Analysis.done_at.is_not(None))
        with self.here.engine.connect() as connection:
            row = connection.execute(done).one_or_none()
        return None if row is None else (row.result,)
