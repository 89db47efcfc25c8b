"""The draw of a season: groups by last season's places, and the matches of each group, two days before they begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select

from pbem.db.models import Address, Entrant, Event, EventMatch, PlayerRating
from pbem.events.designs import tables
from pbem.events.groups import MIN_ENTRANTS, GroupEntrant, choose_design, draw_groups, seat_group
from pbem.events.league_table import next_group
from pbem.play.clocks import timeout_policies
from pbem.play.events import entries
from pbem.play.leagues import rules, season_mails, season_tables, seasons
from pbem.play.lifecycle import arranged_matches, invitees
from pbem.play.lifecycle.match_requests import EventPlace, MatchRequest, Terms
from pbem.ratings.rating import Rating
from pbem.states import EntrantState, EventKind, EventState, MatchRole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.events.designs import Design
    from pbem.play.core.context import Context


def draw_due(ctx: Context) -> bool:
    """Draw the groups of a season that is due, or put it off for a quarter; returns whether there may be more."""
    due = Event.kind == EventKind.LEAGUE, Event.state == EventState.OPEN, Event.draws_at <= ctx.now
    event = ctx.session.scalar(select(Event).where(*due).order_by(Event.id).limit(1).with_for_update(skip_locked=True))
    if event is None:
        return False
    if before := seasons.previous_season(ctx, event):
        seasons.carry_over(ctx, before, event)
    entered = entries.entrants(ctx, event)
    if len(entered) < MIN_ENTRANTS:
        _put_off(ctx, event, entered)
    else:
        _draw(ctx, event, before, entered)
    ctx.session.flush()
    return True


def arrange_due(ctx: Context) -> bool:
    """Arrange the matches of a group that was drawn, and mail its members; returns whether there may be more."""
    drawn = select(Entrant.event_id, Entrant.grp).join(Event, Event.id == Entrant.event_id)
    place = ctx.session.execute(drawn.where(*_IS_TO_ARRANGE).order_by(Entrant.event_id, Entrant.grp).limit(1)).first()
    if place is None:
        return False
    event = entries.lock_event(ctx, place.event_id)
    still = select(Entrant.grp).join(Event, Event.id == Entrant.event_id).where(*_IS_TO_ARRANGE)
    if ctx.session.scalar(still.where(Event.id == event.id, Entrant.grp == place.grp).limit(1)) is not None:
        _arrange(ctx, event, place.grp)
    return True


def is_arranged(ctx: Context, event: Event) -> bool:
    """Return whether each group of a drawn season has its matches."""
    drawn = select(Entrant.grp).join(Event, Event.id == Entrant.event_id).where(Event.id == event.id)
    return not ctx.session.scalar(select(exists(drawn.where(*_IS_TO_ARRANGE))))


_IS_TO_ARRANGE = (
    Event.kind == EventKind.LEAGUE,
    Event.state == EventState.DRAWN,
    Entrant.state == EntrantState.ENTERED,
    Entrant.grp.is_not(None),
    ~exists().where(EventMatch.event_id == Entrant.event_id, EventMatch.grp == Entrant.grp),
)


def _put_off(ctx: Context, event: Event, entered: Sequence[Entrant]) -> None:
    """Postpone a season that too few have entered; they stay entered, and are mailed when it is to begin instead."""
    put_off = event.starts_at
    for column, at in seasons.times(rules.next_begin(ctx.now)).items():
        setattr(event, column, at)
    for entrant in entered:
        season_mails.put_off(ctx, event, entrant, put_off)


def _draw(ctx: Context, event: Event, before: Event | None, entered: Sequence[Entrant]) -> None:
    known = _last_places(ctx, before) if before else {}
    players = [one.player_id for one in entered]
    ratings = _ratings(ctx, event, players)
    households = _households(ctx, entered)
    drawn = []
    for player in players:
        group, place = known.get(player, (None, None))
        rating = ratings.get(player, Rating().mu)
        drawn.append(GroupEntrant(player, group, place, rating, households[player]))
    groups = draw_groups(drawn, _design(event, len(entered)))
    numbers = {player: number for number, group in enumerate(groups, 1) for player in group}
    for one in entered:
        one.grp = numbers[one.player_id]
    event.state = EventState.DRAWN


def _design(event: Event, entrants: int) -> Design:
    return choose_design(rules.LEAGUES[event.game].seats, entrants)


def _last_places(ctx: Context, before: Event) -> dict[int, tuple[int, int]]:
    """Return the group that last season's place leads to, and the place, by player; as they stand now."""
    return {
        row.player: (next_group(table.number, table.movements[row.player]), row.place)
        for table in season_tables.load(ctx, before)
        for row in table.rows
        if row.place is not None
    }


def _ratings(ctx: Context, event: Event, players: Sequence[int]) -> dict[int, float]:
    theirs = PlayerRating.game == event.game, PlayerRating.player_id.in_(players)
    rows = ctx.session.execute(select(PlayerRating.player_id, PlayerRating.mu).where(*theirs))
    return {row.player_id: row.mu for row in rows}


def _households(ctx: Context, entered: Sequence[Entrant]) -> Mapping[int, frozenset[int]]:
    """Return with whom each entrant shares a household, whichever of the two has said so."""
    theirs = select(Address.email, Address.player_id).where(Address.player_id.in_([one.player_id for one in entered]))
    owners = {entries.household_hash(email): player for email, player in ctx.session.execute(theirs)}
    pairs = [(one.player_id, owners[named]) for one in entered for named in one.household if named in owners]
    both = [*pairs, *((other, one) for one, other in pairs)]
    return {
        one.player_id: frozenset(other for first, other in both if first == one.player_id != other) for one in entered
    }


def _arrange(ctx: Context, event: Event, group: int) -> None:
    drawn = select(Entrant).where(Entrant.event_id == event.id, Entrant.grp == group)
    members = ctx.session.scalars(drawn.order_by(Entrant.entered_at, Entrant.player_id)).all()
    all_drawn = select(func.count()).where(Entrant.event_id == event.id, Entrant.grp.is_not(None))
    design = _design(event, ctx.session.scalar(all_drawn) or 0)
    people = {one.player_id: one for one in members if one.state == EntrantState.ENTERED}
    # Who has left since the draw has a robot in their place.
    places = seat_group([one.player_id for one in members], design)
    for table in tables(design):
        seated = [people.get(places[member] or 0) for member in table]
        if any(seated):
            _arrange_match(ctx, event, group, seated)
    for entrant in people.values():
        season_mails.begins(ctx, event, entrant)


def _arrange_match(ctx: Context, event: Event, group: int, seated: Sequence[Entrant | None]) -> None:
    # The others of a larger table play on with a robot, and their meetings are decided.
    policy = timeout_policies.LOSS if len(seated) == rules.PAIR else timeout_policies.ROBOT
    request = MatchRequest(
        event.game,
        event.options,
        invitees.normalise([entries.invitee(ctx, one) for one in seated]),
        Terms(event.time_control, policy),
        event=EventPlace(event.id),
    )
    match = arranged_matches.arrange(ctx, request, [one.entropy if one else None for one in seated])
    role = MatchRole.COUNTS if all(seated) else MatchRole.FRIENDLY
    ctx.session.add(EventMatch(match_id=match.id, event_id=event.id, grp=group, role=role))
    ctx.session.flush()
