"""What the file of a match is made from, read from the database; everything else is reckoned without it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Comment, Holder
from pbem.play import mutes
from pbem.play.history import course_of
from pbem.play.records import record_of
from pbem.play.replays import sitters_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Match
    from pbem.games.record import Record
    from pbem.play.history import Course
    from pbem.play.replays import Sitters
    from pbem.play.table import Table

REMARKS_AT_MOST = 300
"""So many comments go into a file, the first ones."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a player said of a step."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A finished match: its course and record, who sat where, and what was said of its steps."""

    course: Course
    record: Record
    sitters: Sitters = ()
    remarks: Mapping[int, Sequence[Remark]] = field(default_factory=dict)


def source_of(table: Table, match: Match, reader: int | None = None) -> Source:
    """Read a finished match; raises NoRecordYetError with the reason where it has no record.

    Whom the reader has muted is not quoted.
    """
    record = record_of(table, match)
    return Source(course_of(table, match), record, sitters_of(table, match), _remarks(table, match, reader))


def _remarks(table: Table, match: Match, reader: int | None) -> Mapping[int, Sequence[Remark]]:
    wanted = select(Comment.step, Holder.name, Comment.text).join(Holder, Holder.id == Comment.holder_id)
    wanted = wanted.where(Comment.match_id == match.id).order_by(Comment.id).limit(REMARKS_AT_MOST)
    if reader is not None:
        wanted = wanted.where(Holder.player_id.not_in(mutes.of(reader)))
    found: dict[int, list[Remark]] = defaultdict(list)
    for step, name, text in table.session.execute(wanted):
        found[step].append(Remark(name, text))
    return found
