"""What the file of a match is made from, read from the database; everything else is reckoned without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.db.models import Match, MatchSeat
from pbem.play.archive import comments
from pbem.play.archive.records import record_of
from pbem.play.archive.replays import sitters_of
from pbem.play.matches.match_state import course_of, replayed
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.record import Record
    from pbem.play.archive.comments import Remark
    from pbem.play.archive.replays import Sitters
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import Course


@dataclass(frozen=True, slots=True)
class Source:
    """A finished match: its course and record, who sat where, and what was said of its steps."""

    course: Course
    record: Record
    sitters: Sitters = ()
    remarks: Mapping[int, Sequence[Remark]] = field(default_factory=dict)


def source_of(ctx: Context, match: Match, reader: int | None = None) -> Source:
    """Read a finished match; raises NoRecordYetError with the reason where it has no record.

    Whom the reader has muted is not quoted.
    """
    record = record_of(ctx, match)
    return Source(course_of(ctx, match), record, sitters_of(ctx, match), comments.remarks(ctx, match, reader))


def source_from(record: Record) -> Source:
    """Take a match from its record alone, which holds: no database knows of it."""
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
    return Source(replayed(match, record.log), record)
