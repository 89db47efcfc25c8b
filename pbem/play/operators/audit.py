"""The audit log: a row for each act of an operator, written in its transaction and never changed."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import AuditLogEntry, Operator
from pbem.db.session import call_after_commit
from pbem.play.core.actors import OPERATOR, SUBMISSION, ActionError, Actor
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act as it is listed: `by` is the operator's name among operators, or `shell:` and a name."""

    number: int
    at: datetime
    by: str
    act: str
    subject: str
    about: str
    reason: str
    detail: Mapping[str, Any]
    request: str | None


def write(
    ctx: Context, actor: Actor, act: str, subject: tuple[str, str], reason: str, detail: Mapping[str, Any]
) -> None:
    """Record an act; raises ActionError if the actor is not an operator, or no longer one."""
    operator = None if actor.kind == "shell" else _operator_id(ctx, actor)
    by = f"{OPERATOR} {operator}" if operator else f"shell:{actor.name}"
    kind, about = subject
    row = AuditLogEntry(
        acted_at=ctx.now, actor=by, operator_id=operator, action=act, target_kind=kind, target_id=about, reason=reason,
        detail=dict(detail), request_id=actor.request,
    )  # fmt: skip
    ctx.session.add(row)
    ctx.session.flush()
    with logs.bound_fields(audit=row.id, request=actor.request):
        call_after_commit(ctx.session, log.info, "%s: %s (%s)", by, act, kind)


def newest(
    ctx: Context,
    most: int = 50,
    *,
    before: int | None = None,
    subject: tuple[str, str] | None = None,
    act: str | None = None,
) -> list[AuditEntry]:
    """List acts, newest first, optionally those before a number, about one subject, or of one kind."""
    wanted = select(AuditLogEntry, Operator.name).outerjoin(Operator, Operator.id == AuditLogEntry.operator_id)
    if before is not None:
        wanted = wanted.where(AuditLogEntry.id < before)
    if subject is not None:
        wanted = wanted.where(AuditLogEntry.target_kind == subject[0], _is_about(*subject))
    if act is not None:
        wanted = wanted.where(AuditLogEntry.action == act)
    rows = ctx.session.execute(wanted.order_by(AuditLogEntry.id.desc()).limit(most))
    return [_to_entry(row, name or row.actor) for row, name in rows]


def _to_entry(row: AuditLogEntry, by: str) -> AuditEntry:
    about = logs.shorten_id(row.target_id) if row.target_kind == SUBMISSION else row.target_id
    return AuditEntry(
        row.id, row.acted_at, by, row.action, row.target_kind, about, row.reason, row.detail, row.request_id
    )


def _is_about(subject: str, about: str) -> ColumnElement[bool]:
    """Return the filter for rows about a subject; early rows contain the whole id of a submission."""
    if subject != SUBMISSION:
        return AuditLogEntry.target_id == about
    return AuditLogEntry.target_id.startswith(logs.shorten_id(about), autoescape=True)


def _operator_id(ctx: Context, actor: Actor) -> int:
    here = Operator.player_id == actor.player, Operator.dismissed_at.is_(None)
    found = ctx.session.scalar(select(Operator.id).where(*here))
    if found is None:
        raise ActionError("Only operators may do that.")
    return found
