"""The relay: sends the notices of one shard of recipients, in order, over one kept connection."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import Engine, func, select, text
from sqlalchemy.orm import joinedload

from emails.compose import compose
from emails.digest import compose_digest
from emails.recomposed import sent_as
from emails.send import NotSentError, way_out
from emails.signing import signed
from pbem.db.models import Holder, Match, Notice
from pbem.db.session import once_committed
from pbem.play import digests, domains, failures, rates, returns
from pbem.play.allowances import DAY, Allowed, spend, used_up
from pbem.play.leaving import PARTED
from pbem.play.notices import not_to_send
from pbem.play.pauses import PAUSES
from pbem.play.table import Table, open_table
from pbem.telemetry import figures, logs, traces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.send import Way
    from pbem.config import Config

log = logging.getLogger(__name__)

BATCH = 20
SECONDS = 5
"""A relay ends after so long, so that its worker can do other things; the sweep starts it again."""

EARLY = 4
"""So many temporary refusals of a mail count for nothing: many machines refuse every new sender for some minutes."""

MAILS_A_DAY = 100
"""So many mails an address is sent in a day; what is more waits."""

_LOCK_CLASS = 8247


def relay(engine: Engine, config: Config, shard: int) -> int:
    """Send what is owed to a shard's recipients; returns how many mails went out.

    Only one relay at a time has a shard. One that finds it taken leaves at once; one that leaves looks
    once more, so that what was written meanwhile is not forgotten.
    """
    sent, until = 0, time.monotonic() + SECONDS
    while time.monotonic() < until and _owed(engine, config, shard):
        with _shard(engine, shard) as mine:
            if not mine:
                break
            way = way_out(config)
            try:
                sent += _send_all(engine, config, shard, way, until)
            finally:
                way.close()
    return sent


@contextmanager
def _shard(engine: Engine, shard: int) -> Iterator[bool]:
    with engine.connect() as connection:
        key = {"class": _LOCK_CLASS, "shard": shard}
        mine = bool(connection.scalar(text("SELECT pg_try_advisory_lock(:class, :shard)"), key))
        connection.commit()
        try:
            yield mine
        finally:
            if mine:
                connection.execute(text("SELECT pg_advisory_unlock(:class, :shard)"), key)
                connection.commit()


def _owed(engine: Engine, config: Config, shard: int) -> list[int]:
    with open_table(engine, config) as table:
        owed = (
            select(Notice.id)
            .where(Notice.shard == shard, Notice.state == "owed", Notice.due_at <= table.now)
            .order_by(Notice.due_at, Notice.id)
            .limit(BATCH)
        )
        return list(table.session.scalars(owed))


def _send_all(engine: Engine, config: Config, shard: int, way: Way, until: float) -> int:
    sent = 0
    while batch := _owed(engine, config, shard):
        for number in batch:
            if time.monotonic() >= until:
                return sent
            with logs.about(notice=number), traces.span("mail"):
                sent += _send(engine, config, number, way)
    return sent


def _send(engine: Engine, config: Config, number: int, way: Way) -> int:
    with open_table(engine, config) as table:
        notice, _match = _loaded(table, number)
        if notice.state != "owed":
            # It went with the digest before it.
            return 0
        together = [one for one in _together(table, notice) if not _dropped(table, one)]
        if not together:
            return 0
        allowed = _allowed(config, notice)
        before = returns.standing(table, notice.recipient)
        if waits := before.until or used_up(table, *allowed):
            for one in together:
                one.due_at = waits
            return 0
        try:
            mail = compose(table, together[0]) if len(together) == 1 else compose_digest(table, together)
            way.send(mail.sender, mail.recipient, signed(config, mail.raw))
        except NotSentError as refused:
            _not_sent(table, together, refused)
            return 0
        except Exception as fault:
            log.exception("could not write the mail of notice %s", number)
            _set_aside(table, together, fault)
            return 0
        spend(table, *allowed)
        returns.delivered(table, together[0], before)
        for one, kept in zip(together, sent_as(together), strict=True):
            one.sent_as = kept
            _settle(table, one, "sent", None)
        return 1


def _loaded(table: Table, number: int) -> tuple[Notice, Match | None]:
    """Load a notice and all that its mail is made of, in one question to the database."""
    # Losing the mark in a crash repeats one mail; waiting for the disk would cost more than the mail.
    hasty = func.set_config("synchronous_commit", "off", True)  # noqa: FBT003 -- PostgreSQL's own word for "here only"
    whole = select(Notice, Match, hasty).outerjoin(Match, Notice.match_id == Match.id).where(Notice.id == number)
    people = joinedload(Notice.holder).joinedload(Holder.player)
    return table.session.execute(whole.options(people)).one()[:2]


def _allowed(config: Config, notice: Notice) -> list[Allowed]:
    return [] if config.limits is None else [Allowed("mailed", notice.recipient, MAILS_A_DAY, DAY)]


def _together(table: Table, notice: Notice) -> list[Notice]:
    return digests.gathered(table, notice) if digests.waiting(notice) else [notice]


def _dropped(table: Table, notice: Notice) -> bool:
    reason = not_to_send(table, notice)
    if reason:
        _settle(table, notice, "dropped", reason)
    return reason is not None


def _set_aside(table: Table, together: list[Notice], fault: Exception) -> None:
    """Give up a mail that cannot be written; of a digest, each turn is then tried alone."""
    for one in together:
        if len(together) == 1:
            _settle(table, one, "failed", repr(fault))
        else:
            one.facts = {name: fact for name, fact in one.facts.items() if name != "digest"}


def _not_sent(table: Table, together: list[Notice], refused: NotSentError) -> None:
    """Keep what was not taken for later, or give it up; what is said of the address counts there."""
    lead, text = together[0], str(refused)
    log.warning("notice %s was not taken: %s", lead.id, refused)
    if refused.code and lead.kind != PARTED:
        status = failures.status_of(refused.code, text)
        kind = failures.kind_of(status, text)
        if kind == failures.POLICY:
            returns.failed(table, lead, kind, status, text)
            until = domains.refused(table, lead.recipient, text)
            for one in together:
                one.due_at, one.error = until, text
                rates.note(table, one.recipient, "put off")
            return
        if refused.permanent or lead.attempts >= EARLY:
            returns.failed(table, lead, kind, status, text)
    for one in together:
        _postpone(table, one, refused)


def _postpone(table: Table, notice: Notice, refused: NotSentError) -> None:
    if refused.permanent or notice.attempts >= len(PAUSES):
        _settle(table, notice, "failed", str(refused))
        return
    rates.note(table, notice.recipient, "put off")
    notice.due_at = table.now + PAUSES[notice.attempts]
    notice.attempts += 1
    notice.error = str(refused)


def _settle(table: Table, notice: Notice, state: str, error: str | None) -> None:
    notice.state, notice.error, notice.settled_at = state, error, table.now
    _note(table, notice)
    if notice.sent_as is None:
        # Nobody was told what this was made of: it need not be kept, hands least of all.
        notice.facts = {}
    if notice.kind == PARTED:
        # Its reader has left: this was the last thing that had to know their address.
        notice.recipient, notice.error, notice.return_path = "", None, None
    table.session.flush()


def _note(table: Table, notice: Notice) -> None:
    """Tell those who watch what became of a mail, once that is kept."""
    due, state, said = notice.due_at, notice.state, f"{notice.kind}, {notice.error}" if notice.error else notice.kind

    def tell() -> None:
        if state == "sent":
            figures.observe(figures.MAILED_AFTER, max((datetime.now(UTC) - due).total_seconds(), 0.0))
        log.info("%s: %s", state, said)

    rates.note(table, notice.recipient, state)
    with logs.about(notice=notice.id, match=notice.match_id):
        once_committed(table.session, tell)
