"""Mails of seasons: that one begins, with its matches; that it is put off or over; and that somebody has left it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Entrant, Event, EventMatch, Match, Player, SeatHolder
from pbem.play.events import entries
from pbem.play.notifications import outbox
from pbem.play.players import registry
from pbem.states import EntrantState, EventKind, EventState, MatchRole

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context
    from pbem.play.leagues.season_tables import GroupTable

BEGINS, PUT_OFF, OVER, LEFT, RESTORED = "season", "season put off", "season over", "season left", "season restored"
"""Kinds of the mails."""


def begins(ctx: Context, event: Event, entrant: Entrant, *, instead_of: str = "", said: str = "") -> None:
    """Enqueue the mail with all matches of an entrant; `instead_of` is whose place they take.

    `said` is why an operator exchanged the two.
    """
    facts = season_facts(ctx, event, entrant) | {"instead_of": instead_of}
    once = f"{BEGINS} {event.id} {entrant.player_id}"
    if said:
        facts, once = facts | {"operated": said}, f"{once} {ctx.now.isoformat()}"
    _enqueue(ctx, BEGINS, event, entrant, facts, once)


def put_off(ctx: Context, event: Event, entrant: Entrant, begin: datetime | None) -> None:
    """Enqueue the mail that too few have entered a season, which was to begin at a time."""
    once = f"{PUT_OFF} {event.id} {entrant.player_id} {begin and begin.date().isoformat()}"
    _enqueue(ctx, PUT_OFF, event, entrant, {"begin": _moment(event.starts_at)}, once)


def over(ctx: Context, event: Event, table: GroupTable, following: Event | None) -> None:
    """Enqueue the mails to the members of a group that the season is over, with its table."""
    names = {player: one.name for player, one in table.entrants.items()}
    rows = [[row.place, names[row.player], row.points, row.meetings] for row in table.rows]
    is_next = following is not None and following.season == event.season + 1
    for row in table.rows:
        entrant = table.entrants[row.player]
        if entrant.state == EntrantState.ENTERED:
            facts: dict[str, Any] = {"place": row.place, "rows": rows, "group": table.number}
            facts["movement"] = table.movements.get(row.player) if is_next else None
            facts["begin"] = _moment(following.starts_at) if following and entrant.stays else None
            _enqueue(ctx, OVER, event, entrant, facts, f"{OVER} {event.id} {entrant.player_id}")


def left(ctx: Context, event: Event, entrant: Entrant, said: str = "") -> None:
    """Enqueue the mail to somebody who has left; those who are banned or whose account is deleted get none.

    `said` is why an operator removed them.
    """
    if entrant.left_reason in {entries.ASKED, entries.ON_TIME, entries.REMOVED}:
        facts: dict[str, Any] = {
            "reason": entrant.left_reason,
            "operated": said,
            "begun": event.state == EventState.RUNNING,
        }
        at = entrant.left_at.isoformat() if entrant.left_at else ""
        _enqueue(ctx, LEFT, event, entrant, facts, f"{LEFT} {event.id} {entrant.player_id} {at}")


def restored_all(ctx: Context, number: int) -> None:
    """Enqueue the mails that unfinished seasons go on after the service was restored; `number` is that restore's.

    Nothing is drawn again: what was drawn and arranged is in the backup, and the rest is due as it was then.
    """
    entered = select(Event, Entrant).join(Entrant, Entrant.event_id == Event.id)
    entered = entered.where(Event.kind == EventKind.LEAGUE, Event.state != EventState.OVER)
    present = entered.where(Entrant.state == EntrantState.ENTERED).order_by(Event.id, Entrant.player_id)
    for event, entrant in ctx.session.execute(present).all():
        facts = season_facts(ctx, event, entrant)
        _enqueue(ctx, RESTORED, event, entrant, facts, f"{RESTORED} {number} {event.id} {entrant.player_id}")


def season_facts(ctx: Context, event: Event, entrant: Entrant) -> dict[str, Any]:
    """Return the facts of a season for an entrant: their group, and their matches, with each commitment."""
    return {
        "group": entrant.grp,
        "begin": _moment(event.starts_at),
        "options": event.options,
        "clock": event.time_control,
        "matches": _matches(ctx, event, entrant),
        "typed": entrant.entropy is not None,
        "begun": event.state == EventState.RUNNING,
    }


def _matches(ctx: Context, event: Event, entrant: Entrant) -> list[dict[str, Any]]:
    theirs = SeatHolder.player_id == entrant.player_id, SeatHolder.left_at.is_(None)
    own = select(SeatHolder.match_id).join(EventMatch, EventMatch.match_id == SeatHolder.match_id)
    own = own.where(EventMatch.event_id == event.id, *theirs)
    held = select(Match.id, Match.commitment, EventMatch.role, SeatHolder.seat, SeatHolder.name)
    held = held.add_columns(SeatHolder.player_id, Player.robot_level)
    held = held.join(EventMatch, EventMatch.match_id == Match.id).join(SeatHolder, SeatHolder.match_id == Match.id)
    held = held.join(Player, Player.id == SeatHolder.player_id).where(Match.id.in_(own), SeatHolder.left_at.is_(None))
    found: dict[str, dict[str, Any]] = {}
    for row in ctx.session.execute(held.order_by(Match.created_at, Match.id, SeatHolder.seat)):
        is_friendly = row.role == MatchRole.FRIENDLY
        one = found.setdefault(
            row.id,
            {"match": row.id, "commitment": row.commitment.hex(), "friendly": is_friendly, "names": [], "robots": []},
        )
        one["names"].append(row.name)
        if row.player_id == entrant.player_id:
            one["seat"] = row.seat
        if row.robot_level:
            one["robots"].append([row.seat, row.robot_level])
    return [*found.values()]


def _enqueue(ctx: Context, kind: str, event: Event, entrant: Entrant, facts: dict[str, Any], once: str) -> None:
    player = ctx.session.get_one(Player, entrant.player_id)
    reader = {"name": entrant.name, "language": player.language, "zone": player.time_zone}
    about = {"event": event.id, "game": event.game, "season": event.season, "entered": entrant.grp is None}
    address = registry.main_address(ctx, player.id)
    if address:
        outbox.enqueue_mail(ctx, kind, address, reader | about | facts, once=once)


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
