"""Import of records from other servers, as finished and unrated matches without players."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from pbem.db.models import DealSet, LogEntry, Match, MatchSeat
from pbem.games import find
from pbem.games.chain import EventEntry, MoveEntry, canonical_json
from pbem.games.verify import VerifiedEntry, check
from pbem.play.archive.records import NoRecordYetError, build_record
from pbem.play.core.context import timestamp
from pbem.states import DealSetKind, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games.chain import Entry
    from pbem.games.record import Record
    from pbem.games.shared_deal import SharedDeal
    from pbem.play.core.context import Context

MAX_NAME_LENGTH = 100
_MAX_PLY = 2**31 - 2
_is_match_id = re.compile(r"[0-9a-z]{16,64}").fullmatch


class ImportRefusedError(Exception):
    """Refuses to import a valid record, with the reason."""


@dataclass(frozen=True, slots=True)
class VerifiedRecord:
    """A verified record, with the first ply of its match's last stage and its next ply."""

    record: Record
    ply: int
    next_ply: int


def verify(record: Record) -> VerifiedRecord:
    """Check a record completely; raises UnsoundError or ImportRefusedError with the first fault."""
    ply = next_ply = 1
    for found in check(record, find):
        if not isinstance(found, VerifiedEntry):
            continue
        if isinstance(found.entry, MoveEntry):
            next_ply = found.entry.ply + 1
            ply = ply if found.game.stage(found.before) == found.game.stage(found.after) else next_ply
        elif found.entry.event == "taken_back":
            ply = next_ply = max(next_ply, ply + 1)
    _check_ids(record)
    if any(len(name) > MAX_NAME_LENGTH for name in record.seats):
        raise ImportRefusedError(f"A name is longer than {MAX_NAME_LENGTH} characters.")
    if "\\u0000" in json.dumps(record.data()):
        raise ImportRefusedError("It contains a character that the database cannot store (U+0000).")
    for number, entry in enumerate(record.log, 1):
        if reason := _entry_fault(entry):
            raise ImportRefusedError(f"Entry {number} of the log cannot be stored: {reason}.")
    return VerifiedRecord(record, ply, next_ply)


def _check_ids(record: Record) -> None:
    if not _is_match_id(record.match):
        raise ImportRefusedError("The id of the match must have 16 to 64 lower-case letters and digits.")
    if record.shared and not (_is_match_id(record.shared.id) and record.shared.place <= _MAX_PLY):
        raise ImportRefusedError("The id of the shared deal, or the match's place in it, cannot be stored.")


def store(ctx: Context, one: VerifiedRecord, *, public: bool) -> tuple[Match, bool]:
    """Store a record's match unless it exists already; return it, and whether it is new.

    Raises ImportRefusedError if a different match has its id, or if the stored match does not reproduce the record; the
    caller must then roll back the transaction.
    """
    record = one.record
    here = ctx.session.get(Match, record.match)
    if here is not None:
        if not _has_record(ctx, here, record):
            raise ImportRefusedError(f"There is another match with the id {record.match}.")
        return here, False
    try:
        if record.shared:
            _share_deal(ctx, record, record.shared)
        ctx.session.add(_build_match(ctx, one, public=public))
        ctx.session.flush()
        ctx.session.add_all(_build_log_rows(record))
        ctx.session.flush()
    except DBAPIError:
        raise ImportRefusedError("The database cannot store it, or somebody else is importing it.") from None
    ctx.session.expire_all()
    kept = ctx.session.get_one(Match, record.match)
    if canonical_json(build_record(ctx, kept).data()) != canonical_json(record.data()):
        raise ImportRefusedError("The stored match would differ from the file.")
    return kept, True


def _has_record(ctx: Context, here: Match, record: Record) -> bool:
    """Return whether a match has this record, apart from the names of its players."""
    try:
        own = build_record(ctx, here).data()
    except NoRecordYetError:
        return False
    return canonical_json(own | {"seats": []}) == canonical_json(record.data() | {"seats": []})


def _share_deal(ctx: Context, record: Record, shared: SharedDeal) -> None:
    """Insert the deal that a record shares with others, unless one of them was imported before."""
    here = ctx.session.get(DealSet, shared.id)
    if here is None:
        ctx.session.add(
            DealSet(
                id=shared.id,
                kind=DealSetKind.IMPORTED,
                game=record.game,
                options=dict(record.options),
                secret=record.secret,
                commitment=record.commitment,
                entropies=[*shared.entropies],
                seed=record.seed,
                created_at=ctx.now,
                opened_at=ctx.now,
            )
        )
        # The match refers to it.
        ctx.session.flush()
        return
    if (here.secret, here.game, tuple(here.entropies or ())) != (record.secret, record.game, shared.entropies):
        raise ImportRefusedError(f"There is another shared deal with the id {shared.id}.")
    at_place = select(Match.id).where(Match.set_id == shared.id, Match.set_place == shared.place)
    if (other := ctx.session.scalar(at_place)) is not None:
        raise ImportRefusedError(f"Match {other} is table {shared.place} of the shared deal {shared.id} already.")


def _entry_fault(entry: Entry) -> str:
    """Return why an entry cannot be stored as a row, or "" if it can."""
    if isinstance(entry, MoveEntry) and not 1 <= entry.ply <= _MAX_PLY:
        return f"ply {entry.ply} is out of range"
    return "" if _parse_timestamp(entry.at) else "its time does not exist"


def _parse_timestamp(at: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return moment if moment.tzinfo and timestamp(moment) == at else None


def _build_match(ctx: Context, one: VerifiedRecord, *, public: bool) -> Match:
    record = one.record
    times = [moment for entry in record.log if (moment := _parse_timestamp(entry.at))] or [ctx.now]
    return Match(
        id=record.match,
        game=record.game,
        edition=record.edition,
        options=dict(record.options),
        public=public,
        rated=False,
        state=MatchState.OVER,
        created_at=min(times[0], ctx.now),
        started_at=min(times[0], ctx.now),
        ended_at=min(times[-1], ctx.now),
        imported_at=ctx.now,
        secret=record.secret,
        commitment=record.commitment,
        seed=record.seed,
        set_id=record.shared.id if record.shared else None,
        set_place=record.shared.place if record.shared else None,
        chain_head=record.head,
        log_length=len(record.log),
        ply=one.ply,
        next_ply=one.next_ply,
        to_move=[],
        result=record.result,
        seats=[
            MatchSeat(
                seat=seat, imported_name=name, default_entropy=entropy, entropy=entropy if by == "player" else None
            )
            for seat, (name, entropy, by) in enumerate(
                zip(record.seats, record.entropies, record.entropy_by, strict=True), 1
            )
        ],
    )


def _build_log_rows(record: Record) -> Iterator[LogEntry]:
    for number, entry in enumerate(record.log, 1):
        row = LogEntry(
            match_id=record.match,
            number=number,
            seat=entry.seat,
            logged_at=_parse_timestamp(entry.at),
            salt=bytes.fromhex(entry.salt),
        )
        if isinstance(entry, EventEntry):
            row.event, row.by, row.detail = entry.event, entry.by, entry.detail
        else:
            row.ply, row.move = entry.ply, entry.move
        yield row
