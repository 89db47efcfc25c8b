"""Beginning of fields: everybody is seated in all rounds at once, the deals are made, and all matches begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Event, EventMatch, Player
from pbem.events.field_rounds import field_rounds
from pbem.games import Stream
from pbem.play.clocks.timeout_policies import SUBSTITUTE
from pbem.play.deal_sets.dealing import deal
from pbem.play.events import entries, field_mails
from pbem.play.events.field_calendar import FIELD_GAMES, LONGEST, next_start
from pbem.play.events.field_sets import load_deals, sets_of
from pbem.play.lifecycle import arranged_matches
from pbem.play.lifecycle.match_requests import EventPlace, MatchRequest, Terms
from pbem.play.players import registry
from pbem.states import EventKind, EventState, MatchRole, Withheld

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import DealSet, Entrant, Match
    from pbem.events.field_rounds import Table
    from pbem.play.core.context import Context

_SEED_BYTES = 32


def begin_due(ctx: Context) -> bool:
    """Begin one field whose time has come, or postpone it with too few people; return whether one was due."""
    due = select(Event).where(Event.kind == EventKind.FIELD, Event.state == EventState.OPEN, Event.starts_at <= ctx.now)
    event = ctx.session.scalar(due.order_by(Event.id).limit(1).with_for_update(skip_locked=True))
    if event is None:
        return False
    present = [one for one in entries.entrants(ctx, event) if _can_be_seated(ctx, one)]
    needed = FIELD_GAMES[event.game].min_people
    if len(present) < needed:
        _postpone(ctx, event, present, needed)
    else:
        _begin(ctx, event, {one.player_id: one for one in present})
    return True


def _can_be_seated(ctx: Context, entrant: Entrant) -> bool:
    """Return whether an entrant is not banned, and has an address still."""
    is_banned = ctx.session.get_one(Player, entrant.player_id).banned_at is not None
    return not is_banned and registry.main_address(ctx, entrant.player_id) is not None


def _postpone(ctx: Context, event: Event, present: list[Entrant], needed: int) -> None:
    """Postpone a field by a month; those who have entered stay entered."""
    event.starts_at = next_start(ctx.now)
    for deal_set in sets_of(ctx, event):
        deal_set.starts_at = event.starts_at
    for entrant in present:
        field_mails.notify_postponed(ctx, event, entrant, needed)


def _begin(ctx: Context, event: Event, present: Mapping[int, Entrant]) -> None:
    event.state, event.ends_at = EventState.RUNNING, ctx.now + LONGEST
    order = Stream(ctx.draw(_SEED_BYTES), "field").shuffled([*present])
    deals = sets_of(ctx, event)
    rounds = field_rounds(order, FIELD_GAMES[event.game].seats, len(deals))
    begun: list[Match] = []
    for deal_set, tables in zip(deals, rounds, strict=True):
        matches = [_arrange(ctx, event, deal_set, place, table, present) for place, table in enumerate(tables, 1)]
        ctx.session.add_all(
            EventMatch(match_id=match.id, event_id=event.id, role=MatchRole.COUNTS) for match in matches
        )
        ctx.session.flush()
        deal(ctx, deal_set)
        begun += matches
    seated = load_deals(ctx, event)
    for entrant in present.values():
        field_mails.notify_begun(ctx, event, entrant, seated)
    for match in begun:
        arranged_matches.begin(ctx, match)


def _arrange(
    ctx: Context, event: Event, deal_set: DealSet, place: int, table: Table, present: Mapping[int, Entrant]
) -> Match:
    seated = [present.get(player) if player else None for player in table]
    request = MatchRequest(
        event.game,
        event.options,
        [entries.invitee(ctx, entrant) for entrant in seated],
        Terms(time_control=event.time_control, timeout_policy=SUBSTITUTE),
        event=EventPlace(event.id, deal_set, place, Withheld.TABLE),
    )
    match = arranged_matches.arrange(ctx, request, [entrant.entropy if entrant else None for entrant in seated])
    # The others wait for a table with one person, too.
    match.time_control = event.time_control
    return match
