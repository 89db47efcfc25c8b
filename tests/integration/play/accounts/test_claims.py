"""Claims to an address, while others invite it, or confirm it a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Address, Match, Player, SeatHolder
from pbem.play.accounts import guests, profile
from pbem.play.accounts.email_confirmation import Claim
from pbem.play.accounts.guests import GuestClaim
from pbem.play.accounts.profile import ClaimResult
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.players import registry
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.events.entering import person
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House

NEW = address("Zoe")


def invite(ctx: Context) -> None:
    registry.get_or_create(ctx, {NEW: "Zoe"})


def nothing(_ctx: Context) -> None:
    pass


def owners(house: House) -> list[int]:
    return house.all(select(Address.player_id).where(Address.email == NEW))


def test_an_address_that_is_invited_while_it_is_claimed_has_one_owner(house: House) -> None:
    with house.transaction() as ctx:
        ann = person(ctx, "Ann").id

    def claim(ctx: Context) -> None:
        found = Claim(ctx.session.get_one(Player, ann), NEW, signed_in=True)
        assert profile.claim_address(ctx, found) is ClaimResult.CLAIMED

    meanwhile(house, claim, invite, nothing)
    assert owners(house) == [ann]


def test_an_address_that_a_guest_confirms_twice_at_once_is_theirs(house: House) -> None:
    with house.transaction() as ctx:
        guest = guests.create_guest(ctx, "UTC").id
    results: list[GuestClaim] = []

    def claim(ctx: Context) -> None:
        found = ctx.session.get_one(Player, guest)
        results.append(guests.claim_address(ctx, found, NEW, same_browser=True))

    meanwhile(house, claim, claim, nothing)
    assert owners(house) == [guest]
    assert results == [GuestClaim.KEPT, GuestClaim.KEPT]


def test_nobody_holds_two_hands_by_a_claim_while_both_addresses_are_seated(house: House) -> None:
    with house.transaction() as ctx:
        ann = person(ctx, "Ann").id
        invite(ctx)
    results: list[ClaimResult] = []

    def claim(ctx: Context) -> None:
        found = Claim(ctx.session.get_one(Player, ann), NEW, signed_in=True)
        results.append(profile.claim_address(ctx, found))

    def seat_both(ctx: Context) -> None:
        create_match(ctx, "martian-whist", {}, [Invitee("Ann", address("Ann")), Invitee("Zoe", NEW)], creator=1)

    meanwhile(house, seat_both, claim, nothing)
    assert results == [ClaimResult.SHARED_MATCH]
    assert len({*house.all(select(SeatHolder.player_id).join(Match))}) == 2
