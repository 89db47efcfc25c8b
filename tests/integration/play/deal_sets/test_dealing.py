"""Deals that several matches share: one seed from all seats of all of them, opened when the last of them is over."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import DealSet, Match
from pbem.play.deal_sets import creation, dealing, opening
from pbem.play.deal_sets.members import members
from pbem.play.lifecycle import arranged_matches
from pbem.play.lifecycle.match_requests import EventPlace, Invitee, MatchRequest, Terms
from pbem.states import DealSetKind, MatchState, Withheld
from tests.support.house import House, address

if TYPE_CHECKING:
    from pbem.play.core.context import Context

GUESTS = {name: Invitee(name, address(name)) for name in ("Ann", "Bob", "Cyd", "Dee")}


def arrange(ctx: Context, deal_set: DealSet, place: int, *names: str, typed: tuple[str | None, ...] = ()) -> Match:
    event = EventPlace(deal_set=deal_set, set_place=place, withheld=Withheld.RECORD)
    guests = [GUESTS[name] for name in names]
    request = MatchRequest(deal_set.game, deal_set.options, guests, Terms(public=True), event=event)
    return arranged_matches.arrange(ctx, request, typed)


def new_set(ctx: Context, kind: DealSetKind = DealSetKind.FIELD, **more: Any) -> DealSet:
    return creation.create_set(ctx, kind, "martian-whist", {"sets": 2}, **more)


def test_a_shared_seed_comes_from_every_seat_of_every_match_in_order(house: House) -> None:
    typed = hashlib.sha256(b"a text").hexdigest()
    with house.transaction() as ctx:
        deal_set = new_set(ctx)
        second = arrange(ctx, deal_set, 2, "Cyd", "Dee", typed=(None, typed))
        first = arrange(ctx, deal_set, 1, "Ann", "Bob")
        dealing.deal(ctx, deal_set)
        added = [first.seats[0].default_entropy, first.seats[1].default_entropy, second.seats[0].default_entropy, typed]
        message = b"pbem-seed-v1\0" + deal_set.id.encode() + b"".join(b"\0" + text.encode() for text in added)
        assert deal_set.entropies == added
        assert deal_set.seed == hmac.new(deal_set.secret, message, hashlib.sha256).digest()
        assert deal_set.commitment == hashlib.sha256(deal_set.secret).digest()
        assert [match.commitment for match in members(ctx, deal_set)] == [deal_set.commitment] * 2


def test_all_matches_of_a_set_have_the_same_board_and_chains_of_their_own(house: House) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx)
        ids = [arrange(ctx, deal_set, 1, "Ann", "Bob").id, arrange(ctx, deal_set, 2, "Cyd", "Dee").id]
        dealing.deal(ctx, deal_set)
        for match in members(ctx, deal_set):
            arranged_matches.begin(ctx, match)
    boards = []
    for match_id in ids:
        with house.course(match_id) as (_, course):
            boards.append(course.position)
    assert boards[0] == boards[1]
    assert len(set(house.all(select(Match.chain_head)))) == 2


def test_a_deal_is_made_once_and_who_joins_later_adds_nothing_to_it(house: House) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx)
        arrange(ctx, deal_set, 1, "Ann", "Bob")
        dealing.deal(ctx, deal_set)
        before = deal_set.seed, deal_set.entropies
        late = arrange(ctx, deal_set, 2, "Cyd", "Dee", typed=("f" * 64, None))
        dealing.deal(ctx, deal_set)
        arranged_matches.begin(ctx, late)
        assert (deal_set.seed, deal_set.entropies) == before
        assert late.seed == deal_set.seed


@pytest.mark.parametrize("places", [(), (2,), (1, 1), (1, 3)])
def test_no_deal_is_made_for_matches_whose_places_are_not_counted_from_one(
    house: House, places: tuple[int, ...]
) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx)
        for place in places:
            arrange(ctx, deal_set, place, "Ann", "Bob")
        with pytest.raises(ValueError, match=f"have the places \\[{', '.join(map(str, places))}\\]"):
            dealing.deal(ctx, deal_set)
        assert deal_set.seed is None


def finish(house: House, *ids: str) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id.in_(ids)).values(state=MatchState.OVER, ended_at=ctx.now))


def open_all(house: House, after: timedelta = timedelta()) -> int:
    """Open what is due some time from now; return how many sets were."""
    with house.transaction() as ctx:
        now = ctx.now + after
    opened = 0
    while True:
        with house.transaction(now) as ctx:
            if opening.open_next(ctx) is None:
                return opened
            opened += 1


def test_a_set_is_opened_when_its_last_match_is_over(house: House) -> None:
    with house.transaction() as ctx:
        new_set(ctx)
        deal_set = new_set(ctx)
        ids = [arrange(ctx, deal_set, 1, "Ann", "Bob").id, arrange(ctx, deal_set, 2, "Cyd", "Dee").id]
    assert open_all(house, timedelta(days=900)) == 0
    finish(house, ids[0])
    assert open_all(house) == 0
    assert set(house.all(select(Match.withheld))) == {Withheld.RECORD}
    finish(house, ids[1])
    assert open_all(house) == 1
    assert set(house.all(select(Match.withheld))) == {None}
    assert house.all(select(DealSet.id).where(DealSet.opened_at.is_not(None))) == [deal_set.id]
    assert open_all(house) == 0


@pytest.mark.parametrize(("kind", "early"), [(DealSetKind.FIELD, 1), (DealSetKind.WEEK, 0)])
def test_a_set_with_a_last_day_is_opened_then_and_a_week_not_before(
    house: House, kind: DealSetKind, early: int
) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx, kind, closes_at=ctx.now + timedelta(days=7), week=1 if kind == "week" else None)
        match_id = arrange(ctx, deal_set, 1, "Ann", "Bob").id
    finish(house, match_id)
    assert open_all(house) == early
    assert open_all(house, timedelta(days=7)) == 1 - early
    with house.transaction() as ctx:
        assert opening.open_next(ctx) is None


def test_a_set_whose_last_day_has_passed_is_opened_while_a_match_still_runs(house: House) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx, closes_at=ctx.now + timedelta(days=7))
        arrange(ctx, deal_set, 1, "Ann", "Bob")
    assert open_all(house, timedelta(days=6)) == 0
    assert open_all(house, timedelta(days=7)) == 1


def test_a_set_that_one_worker_opens_is_skipped_by_another(house: House) -> None:
    with house.transaction() as ctx:
        deal_set = new_set(ctx)
        match_id = arrange(ctx, deal_set, 1, "Ann", "Bob").id
    finish(house, match_id)
    with house.transaction() as first:
        assert opening.open_next(first) is not None
        with house.transaction() as second:
            assert opening.open_next(second) is None
