"""Seasons: opened for entries while the one before is played, with those who stay entered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Entrant, Event, Player
from pbem.play.events import entries
from pbem.play.leagues import rules
from pbem.play.players import registry
from pbem.states import EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context
    from pbem.play.leagues.rules import League

_LOCK_ID = 0x5EA507


def open_due(ctx: Context) -> bool:
    """Open the next season of each league that has none open; all are done at once."""
    if ctx.session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK_ID))):
        opened = select(Event.game).where(Event.kind == EventKind.LEAGUE, Event.state == EventState.OPEN)
        known = {*ctx.session.scalars(opened)}
        for league in rules.LEAGUES.values():
            if league.game not in known:
                _open(ctx, league)
    return False


def next_season(ctx: Context, event: Event) -> Event | None:
    """Return the season of a league that takes entries, if it is a later one."""
    later = select(Event).where(Event.kind == EventKind.LEAGUE, Event.game == event.game, Event.season > event.season)
    return ctx.session.scalar(later.where(Event.state == EventState.OPEN).order_by(Event.season).limit(1))


def previous_season(ctx: Context, event: Event) -> Event | None:
    """Return the season of a league before one, if there is any."""
    before = Event.kind == event.kind, Event.game == event.game, Event.season == event.season - 1
    return ctx.session.scalar(select(Event).where(*before))


def times(begin: datetime) -> dict[str, datetime]:
    """Return the times of a season that begins at a moment, by the columns of its row."""
    return {"draws_at": begin - rules.DRAW_BEFORE, "starts_at": begin, "ends_at": begin + rules.MAX_LENGTH}


def carry_over(ctx: Context, event: Event, following: Event) -> None:
    """Enter those who stay in a league into its next season; who has entered it, or left it, is left alone."""
    following = entries.lock_event(ctx, following.id)
    here = entries.entrants(ctx, following, withdrawn=True)
    known, names = {one.player_id for one in here}, [one.name for one in here]
    present = Player.banned_at.is_(None), Player.deleted_at.is_(None)
    staying = select(Entrant).join(Player, Player.id == Entrant.player_id).where(Entrant.event_id == event.id, *present)
    staying = staying.where(Entrant.state == EntrantState.ENTERED, Entrant.stays, Entrant.player_id.not_in(known))
    for one in ctx.session.scalars(staying.order_by(Entrant.entered_at, Entrant.player_id)).all():
        if registry.main_address(ctx, one.player_id):
            names.append(registry.unique_name(one.name, names))
            again = {"name": names[-1], "household": one.household, "entered_at": ctx.now, "stays": True}
            ctx.session.add(Entrant(event_id=following.id, player_id=one.player_id, **again))
    ctx.session.flush()


def release_waiting(ctx: Context) -> bool:
    """Enter those into the next season for whom no place has become free in time; returns whether there may be more."""
    waiting = select(Event).join(Entrant, Entrant.event_id == Event.id).where(*_waits_in_vain(ctx)).limit(1)
    event = ctx.session.scalar(waiting)
    following = next_season(ctx, event) if event else None
    if event is None or following is None:
        return False
    event = entries.lock_event(ctx, event.id)
    waited = [one for one in entries.entrants(ctx, event) if one.grp is None]
    _move(ctx, waited, following)
    return True


def _waits_in_vain(ctx: Context) -> tuple[ColumnElement[bool], ...]:
    return (
        Event.kind == EventKind.LEAGUE,
        Event.state == EventState.RUNNING,
        Event.starts_at <= ctx.now - entries.SUBSTITUTES_FOR,
        Entrant.state == EntrantState.ENTERED,
        Entrant.grp.is_(None),
    )


def _move(ctx: Context, waited: Iterable[Entrant], following: Event) -> None:
    here = entries.entrants(ctx, entries.lock_event(ctx, following.id), withdrawn=True)
    known, names = {one.player_id for one in here}, [one.name for one in here]
    for one in waited:
        key = Entrant.event_id == one.event_id, Entrant.player_id == one.player_id
        if one.player_id in known:
            ctx.session.execute(delete(Entrant).where(*key))
        else:
            one.name = registry.unique_name(one.name, names)
            one.event_id = following.id
            names.append(one.name)
    ctx.session.flush()


def _open(ctx: Context, league: League) -> None:
    last = select(Event.season).where(Event.kind == EventKind.LEAGUE, Event.game == league.game)
    season = ctx.session.scalar(last.order_by(Event.season.desc()).limit(1)) or 0
    row = {
        "kind": EventKind.LEAGUE,
        "game": league.game,
        "options": dict(league.options),
        "time_control": league.time_control,
        "season": season + 1,
        "rules": rules.RULES,
        "opens_at": ctx.now,
        **times(rules.next_begin(ctx.now)),
    }
    # A worker of an earlier release may have opened it meanwhile.
    ctx.session.execute(insert(Event).values(row).on_conflict_do_nothing())
