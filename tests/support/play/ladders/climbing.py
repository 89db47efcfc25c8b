"""Ladders with players for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import ClockPause, Entrant, Event, LadderChallenge, Match, OutboxMessage
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.ladders import challenges, entering, names, open_ladders, places
from pbem.play.lifecycle import endings
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.timeouts import absences
from pbem.play.upkeep import event_steps, outages
from pbem.states import PauseReason
from tests.support.house import address
from tests.support.play.events.entering import person

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context
    from tests.support.house import House

OPENED = datetime(2026, 2, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
GAME = "martian-whist"
SIX = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fred")


def ladder_of(ctx: Context, game: str = GAME) -> Event:
    """Return the ladder of a game, opened if it is not yet."""
    found = open_ladders.find(ctx, game)
    if found is None:
        open_ladders.open_missing(ctx)
        found = open_ladders.find(ctx, game)
    assert found is not None
    return found


def climb(house: House, people: Sequence[str] = SIX, game: str = GAME, at: datetime = OPENED) -> None:
    """Enter people into a ladder, in the order of their places."""
    for name in people:
        with house.transaction(at) as ctx:
            entering.enter(ctx, ladder_of(ctx, game), person(ctx, name), name)


def order(house: House, game: str = GAME) -> list[str]:
    """List the names on a ladder from the first place down."""
    with house.transaction() as ctx:
        return [one.name for one in places.entrants(ctx, ladder_of(ctx, game))]


def stored_places(house: House, game: str = GAME) -> list[int | None]:
    """List the stored places of a ladder."""
    with house.transaction() as ctx:
        return [one.place for one in places.entrants(ctx, ladder_of(ctx, game))]


def challenge(house: House, challenger: str, challenged: str, at: datetime, game: str = GAME) -> int:
    """Challenge somebody, and return the number of the challenge."""
    with house.transaction(at) as ctx:
        event = ladder_of(ctx, game)
        return challenges.challenge(ctx, event, person(ctx, challenger), names.find(ctx, event, challenged)).id


def accept(house: House, number: int, name: str, at: datetime) -> str:
    """Accept a challenge, and return the id of its match."""
    with house.transaction(at) as ctx:
        return challenges.accept(ctx, number, person(ctx, name)).id


def decline(house: House, number: int, name: str, at: datetime) -> None:
    """Decline a challenge."""
    with house.transaction(at) as ctx:
        challenges.decline(ctx, number, person(ctx, name))


def take_back(house: House, number: int, name: str, at: datetime) -> None:
    """Take back a challenge."""
    with house.transaction(at) as ctx:
        challenges.take_back(ctx, number, person(ctx, name))


def end_match(house: House, match_id: str, at: datetime, *, loser: str = "", late: str = "") -> None:
    """End a match: somebody resigns, or loses on time; else it is a draw that both have agreed on."""
    with house.transaction(at) as ctx:
        match = lock_match(ctx, match_id)
        by_name = {one.name: one for one in seats.holders(ctx, match)}
        if loser:
            endings.resign(ctx, load_match(ctx, match), by_name[loser])
        elif late:
            endings.lose_on_time(ctx, match, [by_name[late]])
        else:
            endings.agree_on_draw(ctx, match)


def play(house: House, challenger: str, challenged: str, at: datetime, **end: Any) -> None:
    """Play a match of a challenge from its offer to what it does to the places."""
    match = accept(house, challenge(house, challenger, challenged, at), challenged, at)
    end_match(house, match, at + DAY, **end)
    run_steps(house, at + DAY)


def run_steps(house: House, at: datetime) -> None:
    """Do what is due for events at a time, as the task does."""
    for step in event_steps.STEPS:
        while True:
            with house.transaction(at) as ctx:
                if not step(ctx):
                    break


def go_away(house: House, name: str, days: int, at: datetime) -> None:
    """Begin a vacation of some days."""
    with house.transaction(at) as ctx:
        absences.start(ctx, person(ctx, name), DateRange(None, None, days))


def beat(house: House, at: datetime) -> None:
    """Record a heartbeat of the clock, which notices an outage since the one before."""
    with house.transaction(at) as ctx:
        outages.record_clock_heartbeat(ctx)


def go_down(house: House, begin: datetime, end: datetime) -> None:
    """Record an outage, as the clock does that beats again."""
    with house.transaction(end) as ctx:
        ctx.session.add(ClockPause(reason=PauseReason.OUTAGE.value, started_at=begin, ended_at=end))


def found_challenge(house: House, number: int) -> LadderChallenge:
    """Return the row of a challenge."""
    with house.transaction() as ctx:
        found: LadderChallenge = ctx.session.get_one(LadderChallenge, number)
        return found


def found_entrant(house: House, name: str, game: str = GAME) -> Entrant:
    """Return the row of somebody who is or was on a ladder."""
    with house.transaction() as ctx:
        found: Entrant = ctx.session.get_one(Entrant, (ladder_of(ctx, game).id, person(ctx, name).id))
        return found


def ladder_matches(house: House) -> list[Match]:
    """List the matches of events, the oldest first."""
    return house.all(select(Match).where(Match.event_id.is_not(None)).order_by(Match.created_at))


def mail_kinds(house: House, name: str) -> list[str]:
    """List the kinds of the mails about ladders that were enqueued for somebody, in order."""
    theirs = OutboxMessage.recipient == address(name), OutboxMessage.kind.startswith("ladder")
    return house.all(select(OutboxMessage.kind).where(*theirs).order_by(OutboxMessage.id))
