"""Transactions that lock the same rows lock them in the same order: neither is ended as a deadlock.

The order is: events, matches, addresses, players; those of one kind by their ids.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Entrant, Event, EventMatch, LadderChallenge, Match, Player, SeatHolder
from pbem.play.accounts import deletion, guests, merge
from pbem.play.events import entries
from pbem.play.ladders import due
from pbem.play.leagues import leaving, running
from pbem.play.lifecycle import endings
from pbem.play.lobby import reopening
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.operators import event_actions, player_actions
from pbem.play.players import registry
from pbem.robots import Level
from pbem.states import ChallengeState, MatchState
from tests.support.house import address
from tests.support.play.events.entering import BEGUN, entrant
from tests.support.play.ladders.climbing import DAY, OPENED, challenge, climb, ladder_of, order
from tests.support.play.leagues.drawn import FIVE, SEVEN, begun, drawn, matches_of
from tests.support.play.operators.office import SHELL, WHY, player_of
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context
    from tests.support.house import House

OTHER_GAME = "montauk"


def of(ctx: Context, number: int) -> Player:
    return ctx.session.get_one(Player, number)


def delete(ctx: Context, number: int) -> None:
    deletion.delete(ctx, of(ctx, number))


def ban(ctx: Context, number: int) -> None:
    player_actions.ban(ctx, SHELL, number, WHY, sentence="No more.")


def erase(ctx: Context, number: int) -> None:
    player_actions.erase(ctx, SHELL, number, WHY)


def remove(ctx: Context, number: int, event: int) -> None:
    event_actions.remove(ctx, SHELL, number, WHY, event=event)


def lock_event(ctx: Context, event: int) -> None:
    entries.lock_event(ctx, event)


@pytest.mark.parametrize("act", [delete, ban, erase])
def test_a_host_whose_account_ends_while_an_invitee_declines(house: House, act: Callable[[Context, int], None]) -> None:
    match_id = house.make("middle-card", 3, creator=1, open_if_declined=True)
    ann = player_of(house, "Ann")

    def decline(ctx: Context) -> None:
        match = lock_match(ctx, match_id)
        reopening.decline(ctx, match, next(one for one in holders(ctx, match) if one.name == "Bob"))

    meanwhile(house, partial(lock_match, match=match_id), lambda ctx: act(ctx, ann), decline)
    assert {*house.all(select(Match.state))} == {MatchState.OVER}


@pytest.mark.parametrize("act", [ban, erase])
def test_an_operator_ends_an_account_while_its_address_is_invited(
    house: House, act: Callable[[Context, int], None]
) -> None:
    house.make("minimax", 1)
    ann, email = player_of(house, "Ann"), address("Ann")

    def invite(ctx: Context) -> None:
        player = registry.get_or_create(ctx, {email: "Ann"})[email]
        match = ctx.session.scalars(select(Match)).one()
        registry.add_holder(ctx, match, 1, player, "Ann", email).left_at = ctx.now
        ctx.session.flush()

    def lock_address(ctx: Context) -> None:
        registry.get_or_create(ctx, {email: "Ann"})

    meanwhile(house, lock_address, lambda ctx: act(ctx, ann), invite)


@pytest.mark.parametrize("act", [delete, ban])
def test_an_account_ends_while_its_season_begins(house: House, act: Callable[[Context, int], None]) -> None:
    event, ann = drawn(house, *FIVE), player_of(house, "Ann")

    def begin(ctx: Context) -> None:
        assert running.begin_due(ctx)

    meanwhile(house, partial(lock_event, event=event), lambda ctx: act(ctx, ann), begin, BEGUN)
    assert house.all(select(Entrant.left_at).where(Entrant.player_id == ann)) == [BEGUN]


def test_an_operator_removes_an_entrant_whose_season_begins(house: House) -> None:
    event, ann = drawn(house, *FIVE), player_of(house, "Ann")
    match_id = matches_of(house, "Ann")[0]

    def reseat(ctx: Context) -> None:
        match = lock_match(ctx, match_id)
        registry.add_holder(ctx, match, 1, of(ctx, ann), "Ann", "").left_at = ctx.now
        ctx.session.flush()

    meanwhile(house, partial(lock_event, event=event), partial(remove, number=ann, event=event), reseat, BEGUN)
    assert entrant(house, event, "Ann").left_reason == entries.REMOVED


def test_a_player_leaves_while_their_losses_on_time_are_counted(house: House) -> None:
    event, ann = begun(house, *SEVEN), player_of(house, "Ann")
    at = BEGUN + DAY
    first, second = matches_of(house, "Ann")[:2]
    for match_id in (first, second):
        lose(house, match_id, "Ann")

    def leave(ctx: Context) -> None:
        leaving.leave(ctx, ctx.session.get_one(Event, event), ann)

    meanwhile(house, partial(lock_event, event=event), running.settle_due, leave, at)
    assert entrant(house, event, "Ann").left_reason == entries.ASKED
    assert entrant(house, event, "Ann").losses_on_time == 2


def lose(house: House, match_id: str, name: str) -> None:
    with house.transaction(BEGUN + DAY) as ctx:
        match = lock_match(ctx, match_id)
        endings.lose_on_time(ctx, match, [one for one in holders(ctx, match) if one.name == name])


def test_an_operator_annuls_a_result_while_losses_on_time_are_counted(house: House) -> None:
    event = begun(house, *SEVEN)
    first, second = matches_of(house, "Ann")[:2]
    for match_id in (first, second):
        lose(house, match_id, "Ann")

    def annul(ctx: Context) -> None:
        event_actions.annul_result(ctx, SHELL, first, WHY)

    meanwhile(house, partial(lock_event, event=event), running.settle_due, annul, BEGUN + DAY)
    assert entrant(house, event, "Ann").losses_on_time == 1
    assert len(house.all(select(EventMatch).where(EventMatch.annulled_at.is_not(None)))) == 1


def two_ladders(house: House) -> list[int]:
    """Enter Ann and Bob into two ladders; return these in the order of their ids."""
    climb(house, ("Ann", "Bob"))
    climb(house, ("Ann", "Bob"), OTHER_GAME)
    with house.transaction() as ctx:
        return sorted(ladder_of(ctx, game).id for game in ("martian-whist", OTHER_GAME))


def in_order(ctx: Context, events: list[int]) -> None:
    for event in events:
        entries.lock_event(ctx, event)


def test_challenges_of_several_ladders_lapse_in_the_order_of_the_ladders(house: House) -> None:
    events = two_ladders(house)
    games = dict(house.rows(select(Event.id, Event.game)))
    # The challenge of the later ladder is the older one.
    for event in reversed(events):
        challenge(house, "Bob", "Ann", OPENED, games[event])
    meanwhile(
        house, partial(in_order, events=events[:1]), due.lapse, partial(in_order, events=events), OPENED + 6 * DAY
    )
    assert {*house.all(select(LadderChallenge.state))} == {ChallengeState.LAPSED}


@pytest.mark.parametrize("step", [due.end_absences, due.remove_departed])
def test_players_of_several_ladders_are_taken_off_in_the_order_of_the_ladders(
    house: House, step: Callable[[Context], bool]
) -> None:
    events = two_ladders(house)
    at = OPENED + 50 * DAY
    with house.transaction(at) as ctx:
        if step is due.remove_departed:
            ctx.session.execute(update(Player).values(banned_at=ctx.now))
        # So that the entrants of the earlier ladder are found last.
        ctx.session.execute(update(Entrant).where(Entrant.event_id == events[0]).values(asked_at=None))
    for _ladder in events:
        meanwhile(house, partial(in_order, events=events[:1]), step, partial(in_order, events=events), at)
    assert order(house) == order(house, OTHER_GAME) == []


def test_accounts_are_merged_while_an_invitee_declines(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1, open_if_declined=True)
    with house.transaction() as ctx:
        into = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")].id
    ann = player_of(house, "Ann")

    def decline(ctx: Context) -> None:
        match = lock_match(ctx, match_id)
        reopening.decline(ctx, match, next(one for one in holders(ctx, match) if one.name == "Bob"))

    def join(ctx: Context) -> None:
        merge.merge(ctx, of(ctx, ann), of(ctx, into))

    meanwhile(house, partial(lock_match, match=match_id), join, decline)
    assert {*house.all(select(Match.host_id))} == {into}


def test_a_guest_becomes_somebody_else_while_they_move(house: House) -> None:
    with house.transaction() as ctx:
        guest = guests.create_guest(ctx, "UTC")
        match_id = guests.create_match(ctx, guest, "martian-whist", [Level.EASY], {}).id
        into = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")].id

    def move(ctx: Context) -> None:
        ctx.session.execute(update(SeatHolder).where(SeatHolder.match_id == match_id).values(premove=None))

    def confirm(ctx: Context) -> None:
        guests.move_matches(ctx, of(ctx, guest.id), of(ctx, into), address("Zoe"))

    meanwhile(house, partial(lock_match, match=match_id), confirm, move)
    assert house.all(select(Match.host_id)) == [into]
