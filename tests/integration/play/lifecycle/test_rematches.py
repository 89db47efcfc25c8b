"""The same once more: who may ask, what becomes of it when two ask, and what the others are told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Match, MatchSeat, Player
from pbem.play.accounts import deletion
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, rematches
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import NAMES, address
from tests.support.play.operators.office import player_of
from tests.support.rematching import finals, left, seated, the_rematch
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def accepted(house: House, match: Match) -> list[str]:
    seats = select(MatchSeat.seat).where(MatchSeat.match_id == match.id, MatchSeat.accepted_at.is_not(None))
    return [seated(house, match)[seat - 1] for seat in house.all(seats.order_by(MatchSeat.seat))]


def test_it_is_offered_when_the_match_is_over_and_asked_for_by_a_reply(house: House) -> None:
    mails = finals(house, "martian-whist", 2, options={"sets": 2})
    assert "Play again? Reply “rematch”" in mails["Ann"].flat
    said = house.reply(mails["Ann"], "rematch")
    match = the_rematch(house)
    assert match.options["sets"] == 2
    assert seated(house, match) == ["Bob", "Ann"]
    assert accepted(house, match) == ["Ann"]
    made = house.only("Ann")
    assert "You created a match of Martian Whist with Bob" in made.flat
    assert made.message["In-Reply-To"] == said
    invitation = house.only("Bob")
    assert "would like a rematch of Martian Whist, which you won." in invitation.flat
    house.reply(invitation, "accept")
    assert house.match(match.id).state == MatchState.RUNNING


def test_those_who_did_not_win_are_told_who_did(house: House) -> None:
    mails = finals(house, "martian-whist", 2)
    house.reply(mails["Bob"], "Revanche!")
    assert "Bob (bob@example.org) would like a rematch of Martian Whist, which Bob won." in house.only("Ann").flat


def test_after_a_draw_nobody_has_won(house: House) -> None:
    house.start_match("middle-card", 3)
    for name in NAMES[:3]:
        house.reply(house.last(name), "draw")
    house.reply(house.last("Ann"), "rematch")
    assert "would like a rematch of Middle Card." in house.last("Bob").flat


def test_who_asks_second_accepts(house: House) -> None:
    mails = finals(house, "martian-whist", 2)
    house.reply(mails["Ann"], "rematch")
    house.mails("Ann")
    said = house.reply(mails["Bob"], "rematch")
    match = the_rematch(house)
    assert match.state == MatchState.RUNNING
    assert "It is your turn" in house.mails("Bob")[-1].flat
    assert house.every_mail[-1].message["In-Reply-To"] == said


def test_who_asks_again_is_told_how_it_stands(house: House) -> None:
    mails = finals(house, "middle-card", 3)
    house.reply(mails["Ann"], "rematch")
    house.mails("Ann")
    house.reply(mails["Ann"], "rematch")
    assert "You joined the rematch of Middle Card" in house.only("Ann").flat
    for name in ("Bob", "Cyd"):
        house.reply(mails[name], "again")
    house.mails("Ann")
    house.reply(mails["Ann"], "rematch")
    assert "has already begun" in house.only("Ann").flat
    match = the_rematch(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match.id).values(state=MatchState.OVER, ended_at=ctx.now))
    house.reply(mails["Ann"], "rematch")
    assert "There was already a rematch of Middle Card." in house.only("Ann").flat


def test_two_who_ask_at_once_make_one_match(house: House) -> None:
    finals(house, "martian-whist", 2)
    (old,) = house.match_ids()

    def ask(name: str) -> str:
        with house.transaction() as ctx:
            match = ctx.session.get_one(Match, old)
            player = next(one.player for one in holders(ctx, match) if one.name == name)
            return rematches.request(ctx, match, player).id

    with ThreadPoolExecutor(2) as both:
        made = set(both.map(ask, ("Ann", "Bob")))
    assert made == {the_rematch(house).id}
    assert the_rematch(house).state == MatchState.RUNNING


def test_who_deletes_their_account_as_others_ask_is_not_invited_anew(house: House) -> None:
    finals(house, "martian-whist", 2)
    (old,) = house.match_ids()
    ann, bob = (player_of(house, name) for name in ("Ann", "Bob"))

    def ask(ctx: Context) -> None:
        with pytest.raises(Refused, match="Too few players are left"):
            rematches.request(ctx, ctx.session.get_one(Match, old), ctx.session.get_one(Player, ann))

    def delete(ctx: Context) -> None:
        deletion.delete(ctx, ctx.session.get_one(Player, bob))

    meanwhile(house, delete, ask, lambda _ctx: None)
    assert house.all(select(Address.email).where(Address.email == address("Bob"))) == []


def test_only_those_who_are_still_there_play_again(house: House) -> None:
    mails = finals(house, "martian-trickery", 4)
    left(house, "Bob")
    house.reply(mails["Ann"], "rematch")
    assert seated(house, the_rematch(house)) == ["Cyd", "Dee", "Ann"]


def test_there_is_none_where_too_few_are_left(house: House) -> None:
    mails = finals(house, "martian-whist", 2)
    left(house, "Bob")
    house.reply(mails["Ann"], "rematch")
    assert "Too few players are left for a rematch." in house.only("Ann").flat
    assert len(house.match_ids()) == 1


def test_a_match_that_runs_has_none(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "rematch")
    assert "is not possible now" in house.only("Ann").flat
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        player = holders(ctx, match)[0].player
        with pytest.raises(Refused, match="when the match is over"):
            rematches.request(ctx, match, player)


def test_a_rematch_whose_deal_was_drawn_anew_is_the_new_one(house: House) -> None:
    mails = finals(house, "martian-whist", 2)
    house.reply(mails["Ann"], "rematch")
    first = the_rematch(house)
    with house.transaction() as ctx:
        match = lock_match(ctx, first.id)
        acceptance.cancel(ctx, match, seat=2, by="seat 2", detail={"redrawn": True})
        old = ctx.session.get_one(Match, str(first.previous_match_id))
        assert rematches.find_latest(ctx, old) is match
        people = [Invitee(one.name, one.email) for one in holders(ctx, match)]
        new = create_match(ctx, "martian-whist", {}, people, follows=first.id)
        ctx.session.flush()
        assert rematches.find_latest(ctx, old) is new
        # Somebody else was put in the place of whoever asks: they are led there, and no further.
        stranger = Player(name="Zoe", language="en", created_at=ctx.now)
        ctx.session.add(stranger)
        ctx.session.flush()
        assert rematches.request(ctx, old, stranger) is new
