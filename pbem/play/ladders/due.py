"""What becomes due on ladders: reminders, challenges that lapse, and players who do not play or have gone."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import aliased

from pbem.db.models import Entrant, Event, LadderChallenge, Player
from pbem.events import ladder
from pbem.events.ladder import Absence
from pbem.play.events import entries
from pbem.play.ladders import challenges, entering, ladder_mails, places
from pbem.states import ChallengeState, EntrantState, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

BATCH_SIZE = 50
"""Maximum rows for which something is done in one transaction."""
_WAITING = select(LadderChallenge).where(
    LadderChallenge.state == ChallengeState.OFFERED, LadderChallenge.ended_at.is_(None)
)
_OF_LADDERS = (
    select(Entrant)
    .join(Event, Event.id == Entrant.event_id)
    .where(Event.kind == EventKind.LADDER, Entrant.state == EntrantState.ENTERED)
)


def remind(ctx: Context) -> bool:
    """Remind players of challenges that lapse soon; return whether there may be more."""
    since = ctx.now - ladder.ANSWER_TIME + ladder.REMIND_BEFORE
    asked = _WAITING.where(LadderChallenge.offered_at <= since, LadderChallenge.reminded_at.is_(None))
    found = ctx.session.scalars(asked.order_by(LadderChallenge.id).with_for_update(skip_locked=True)).all()
    times = challenges.lapse_times(ctx, found)
    due = [(one, times[one.id]) for one in found if times[one.id] - ladder.REMIND_BEFORE <= ctx.now]
    for one, until in due[:BATCH_SIZE]:
        one.reminded_at = ctx.now
        event = ctx.session.get_one(Event, one.event_id)
        ladder_mails.enqueue_about(ctx, ladder_mails.REMINDER, event, one.challenged_id, one, until=until)
    return len(due) > BATCH_SIZE


def lapse(ctx: Context) -> bool:
    """End challenges that nobody has answered in time: each counts as lost; return whether there may be more."""
    old = _WAITING.where(LadderChallenge.offered_at <= ctx.now - ladder.ANSWER_TIME).order_by(LadderChallenge.id)
    found = ctx.session.scalars(old).all()
    times = challenges.lapse_times(ctx, found)
    due = [one for one in found if times[one.id] <= ctx.now]
    for one in sorted(due[:BATCH_SIZE], key=lambda one: (one.event_id, one.id)):
        event = entries.lock_event(ctx, one.event_id)
        ctx.session.refresh(one)
        if one.state == ChallengeState.OFFERED:
            one.state, one.ended_at = ChallengeState.LAPSED, ctx.now
            challenges.forfeit(ctx, event, one)
            for player in (one.challenger_id, one.challenged_id):
                ladder_mails.enqueue_about(ctx, ladder_mails.LAPSED, event, player, one)
    return len(due) > BATCH_SIZE


def end_absences(ctx: Context) -> bool:
    """Ask players who have not played for long, and take them off if that goes on; return whether there may be more."""
    first = next(_absences(ctx), None)
    if first is None:
        return False
    event = entries.lock_event(ctx, first[0].event_id)
    # Until the lock was free, some may have challenged somebody, or another worker may have asked them.
    for entrant, since, absence in [*islice(_absences(ctx, event), BATCH_SIZE)]:
        if absence is Absence.OFF:
            entering.take_off(ctx, event, ctx.session.get_one(Player, entrant.player_id), entering.IDLE)
        else:
            _ask(ctx, event, entrant, since)
    return True


def remove_departed(ctx: Context) -> bool:
    """Withdraw players who are banned or deleted, and close gaps that merged accounts leave; return False when done."""
    gone = _OF_LADDERS.join(Player, Player.id == Entrant.player_id).add_columns(Player.deleted_at.is_not(None))
    gone = gone.where(or_(Player.banned_at.is_not(None), Player.deleted_at.is_not(None)))
    departed = ctx.session.execute(gone.order_by(Entrant.event_id, Entrant.player_id)).all()
    for entrant, is_deleted in departed:
        event, player = ctx.session.get_one(Event, entrant.event_id), ctx.session.get_one(Player, entrant.player_id)
        entering.remove(ctx, event, player, entries.DELETED if is_deleted else entries.BANNED)
    if departed:
        return True
    listed = select(Entrant.event_id).join(Event, Event.id == Entrant.event_id)
    listed = listed.where(Event.kind == EventKind.LADDER, Entrant.state == EntrantState.ENTERED)
    uneven = listed.group_by(Entrant.event_id).having(func.count() != func.coalesce(func.max(Entrant.place), 0))
    for number in ctx.session.scalars(uneven.order_by(Entrant.event_id)).all():
        event = entries.lock_event(ctx, number)
        places.store(ctx, event, places.order(ctx, event))
    return False


def _absences(ctx: Context, event: Event | None = None) -> Iterator[tuple[Entrant, datetime, Absence]]:
    """Yield the players of a ladder, or of all, who are to be asked or taken off, with since when they do not play."""
    asked_before = Entrant.asked_at.is_not(None) & (Entrant.asked_at > ctx.now - ladder.OFF_AFTER)
    idle = _OF_LADDERS.where(
        Entrant.entered_at <= ctx.now - ladder.ASKED_AFTER,
        ~_plays_or_played_since(ctx.now - ladder.ASKED_AFTER),
    )
    if event is not None:
        idle = idle.where(Entrant.event_id == event.id)
    idle = idle.add_columns(_last_match(), _has_offer(), asked_before).order_by(Entrant.event_id, Entrant.player_id)
    found: Any = ctx.session.execute(idle.execution_options(populate_existing=True)).all()
    for entrant, last, has_offer, was_asked in found:
        since = max(entrant.entered_at, last or entrant.entered_at)
        absence = ladder.absence(since, ctx.now, has_offer=has_offer)
        if absence is Absence.OFF or (absence is Absence.ASK and not (was_asked and entrant.asked_at >= since)):
            yield entrant, since, absence


def _ask(ctx: Context, event: Event, entrant: Entrant, since: datetime) -> None:
    entrant.asked_at = ctx.now
    facts = {"until": (since + ladder.OFF_AFTER).isoformat(), "place": entrant.place}
    ladder_mails.enqueue(
        ctx, ladder_mails.WARNING, event, entrant.player_id, facts, once=f"{event.id} {ctx.now.isoformat()}"
    )


def _is_theirs(challenge: type[LadderChallenge]) -> ColumnElement[bool]:
    """Build the condition that a challenge on a ladder is of an entrant, or to them."""
    of_them = or_(challenge.challenger_id == Entrant.player_id, challenge.challenged_id == Entrant.player_id)
    return (challenge.event_id == Entrant.event_id) & of_them


def _plays_or_played_since(at: datetime) -> ColumnElement[bool]:
    """Build the condition that an entrant plays a match of a challenge, or that one has ended since a time."""
    one = aliased(LadderChallenge)
    is_played = or_(one.state == ChallengeState.ACCEPTED, one.match_id.is_not(None) & (one.ended_at > at))
    return exists().where(_is_theirs(one), is_played)


def _last_match() -> ColumnElement[datetime | None]:
    """Build the time when the last match of an entrant ended."""
    one = aliased(LadderChallenge)
    last = select(func.max(one.ended_at)).where(_is_theirs(one), one.match_id.is_not(None))
    return last.scalar_subquery()


def _has_offer() -> ColumnElement[bool]:
    """Build the condition that a challenge of an entrant, or to them, waits for an answer."""
    one = aliased(LadderChallenge)
    return exists().where(_is_theirs(one), one.state == ChallengeState.OFFERED)
