"""Loading of what a match's page is made from: all else of it needs no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.db.models import Match, MatchSeat
from pbem.play.archive import comments
from pbem.play.archive.records import build_record
from pbem.play.archive.replays import seat_history
from pbem.play.matches.match_state import load_match, replay_log
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.record import Record
    from pbem.play.archive.comments import ExportedComment
    from pbem.play.archive.replays import SeatHistory
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch


@dataclass(frozen=True, slots=True)
class Source:
    """A finished match: its replayed state and record, who sat where, and the comments on its steps."""

    course: LoadedMatch
    record: Record
    sitters: SeatHistory = ()
    remarks: Mapping[int, Sequence[ExportedComment]] = field(default_factory=dict)


def load_source(ctx: Context, match: Match, reader: int | None = None) -> Source:
    """Load a finished match; raises NoRecordYetError with the reason if it has no record.

    Comments of players whom the reader has muted are left out.
    """
    record = build_record(ctx, match)
    return Source(
        load_match(ctx, match), record, seat_history(ctx, match), comments.exported_by_step(ctx, match, reader)
    )


def source_from_record(record: Record) -> Source:
    """Build a match from a verified record alone, without the database."""
    match = Match(
        id=record.match,
        game=record.game,
        edition=record.edition,
        options=dict(record.options),
        seed=record.seed,
        state=MatchState.OVER,
        result=record.result,
        seats=[MatchSeat(seat=seat) for seat, _ in enumerate(record.seats, 1)],
    )
    return Source(replay_log(match, record.log), record)
