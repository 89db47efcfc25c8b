"""Rows as plain data for lists in the shell, without anything hidden."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pbem.play.core.context import timestamp
from pbem.play.operators.search.inbound import SubmissionDetails, explain_service_mail

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, Operator, OutboxMessage, ServiceMail
    from pbem.play.operators.audit import AuditEntry
    from pbem.play.operators.search.matches import MatchDetails, MatchRow
    from pbem.play.operators.search.players import PlayerDetails, PlayerRow

    Row = dict[str, Any]


def person(known: PlayerRow) -> Row:
    """Return a row for a player in a list."""
    row = known.player
    return {
        "player": row.id,
        "name": row.name,
        "address": known.email,
        "since": timestamp(row.created_at),
        "banned": known.banned,
        "left": row.deleted_at is not None,
        "robot": row.is_robot,
        "guest": known.email is None and not row.is_robot and row.deleted_at is None,
    }


def person_details(found: PlayerDetails) -> Row:
    """Return everything that an operator may know of a player."""
    player = found.player
    return {
        "player": player.id,
        "name": player.name,
        "since": timestamp(player.created_at),
        "language": player.language,
        "zone": player.time_zone,
        "operator": found.operator.name if found.operator else None,
        "banned": _timestamp(found.ban.banned_at) if found.ban else None,
        "sentence": found.ban.message if found.ban else None,
        "left": _timestamp(player.deleted_at),
        "addresses": [
            {
                "address": one.address.email,
                "main": one.address.is_main,
                "verified": one.address.verified_at is not None,
                "failing": one.why,
                "suppressed": one.suppressed.reason if one.suppressed else None,
            }
            for one in found.addresses
        ],
        "browsers": found.login_sessions,
        "passkeys": found.passkeys,
        "keys": found.keys,
        "seats": found.seats,
        "reported": found.reported,
    }


def match(row: Match, names: tuple[str, ...] = (), since: datetime | None = None) -> Row:
    """Return a row for a match in a list."""
    return {
        "match": row.id,
        "game": row.game,
        "state": row.state,
        "players": list(names),
        "ply": row.ply,
        "to_move": row.to_move,
        "clock": row.time_control,
        "public": row.public,
        "since": _timestamp(since or row.created_at),
    }


def match_in_list(found: MatchRow) -> Row:
    """Return a row for a match in a list, with the list's own `since`."""
    return match(found.match, found.names, found.since)


def match_details(found: MatchDetails) -> Row:
    """Return everything public about a match, with what it waits for."""
    result = found.match.result
    return match(found.match, found.names) | {
        "ending": result["ending"] if result else None,
        "seats": [
            {
                "seat": one.number,
                "name": one.holder.name if one.holder else None,
                "player": one.holder.player_id if one.holder else None,
                "accepted": one.accepted,
                "to_move": one.to_move,
                "due": _timestamp(one.due),
                "unreachable_since": _timestamp(one.unreachable),
            }
            for one in found.seats
        ],
        "paused_until": _timestamp(found.paused),
        "opened": found.opened,
        "pending": found.pending,
        "text": found.text,
        "told": list(found.told),
    }


def submission(found: SubmissionDetails) -> Row:
    """Return a row for a submission, with the reason for its outcome."""
    row = found.submission
    return {
        "submission": found.name,
        "match": row.match_id,
        "seat": row.holder.seat,
        "via": row.via,
        "received": timestamp(row.received_at),
        "status": row.status,
        "why": found.why,
        "answer": found.answer,
        "bytes": found.size,
    }


def mail(row: OutboxMessage, why: tuple[str, ...] = ()) -> Row:
    """Return a row for an outgoing mail, without its content."""
    return {
        "mail": row.id,
        "kind": row.kind,
        "to": row.recipient,
        "match": row.match_id,
        "state": row.state,
        "attempts": row.attempts,
        "written": timestamp(row.created_at),
        "due": timestamp(row.due_at),
        "why": list(why) or row.error,
    }


def letter(row: ServiceMail) -> Row:
    """Return a row for a mail to the service, with the reason for its outcome."""
    return {
        "letter": row.id,
        "from": row.sender,
        "to": row.recipient,
        "received": timestamp(row.received_at),
        "status": row.status,
        "why": explain_service_mail(row),
        "bytes": len(row.raw),
    }


def act(line: AuditEntry) -> Row:
    """Return a row for an entry of the audit log."""
    return asdict(line) | {"at": timestamp(line.at), "detail": dict(line.detail)}


def operator(row: Operator) -> Row:
    """Return a row for an operator, with whether their codes are confirmed."""
    return {
        "player": row.player_id,
        "name": row.name,
        "since": timestamp(row.appointed_at),
        "by": row.appointed_by,
        "codes": row.totp_confirmed_at is not None,
        "dismissed": _timestamp(row.dismissed_at),
    }


def _timestamp(moment: datetime | None) -> str | None:
    return timestamp(moment) if moment else None
