"""Tables that stand open to others when an invitee declines, or does not answer in time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Ban, LogEntry, Match, OutboxMessage, Player, SeatHolder
from pbem.play.accounts import deletion
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, rematches
from pbem.play.lifecycle.match_requests import Invitee, Terms
from pbem.play.lobby import hosting, joining, open_tables, reopening, table_expiry
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import invitation_blocks
from pbem.play.players import registry
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.deal_sets.pairs import invite

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context
    from tests.support.house import House

NAMES = ("Ann", "Bob", "Cyd")


def invited(house: House, game: str = "middle-card", seats: int = 3, **more: Any) -> str:
    """Create a match that Ann hosts, whose seats open to others if Bob or Cyd declines; read its mails."""
    match_id = house.make(game, seats, creator=1, **{"open_if_declined": True, **more})
    for name in NAMES[:seats]:
        house.mails(name)
    return match_id


def seated(ctx: Context, match_id: str, name: str) -> tuple[Match, SeatHolder]:
    match = lock_match(ctx, match_id)
    return match, next(holder for holder in holders(ctx, match) if holder.name == name)


def accept(ctx: Context, match_id: str, name: str, text: str = "") -> None:
    match, holder = seated(ctx, match_id, name)
    acceptance.accept(ctx, match, holder, text)


def decline(ctx: Context, match_id: str, name: str) -> None:
    reopening.decline(ctx, *seated(ctx, match_id, name))


def act(house: House, what: Callable[..., None], *about: str) -> None:
    with house.transaction() as ctx:
        what(ctx, *about)


def next_match(house: House, match_id: str) -> Match:
    (drawn,) = house.all(select(Match).where(Match.previous_match_id == match_id))
    assert isinstance(drawn, Match)
    return drawn


def present(house: House, match_id: str) -> list[tuple[int, str]]:
    with house.transaction() as ctx:
        return [(one.seat, one.name) for one in holders(ctx, ctx.session.get_one(Match, match_id))]


# -- who declines -------------------------------------------------------------------------------------


def test_the_seat_of_an_invitee_who_declines_is_open_in_a_match_with_a_deal_of_its_own(house: House) -> None:
    match_id = invited(house, "martian-whist", 2)
    act(house, decline, match_id, "Bob")
    before, drawn = house.match(match_id), next_match(house, match_id)
    assert (before.state, before.open_seats, before.seed) == (MatchState.OVER, 0, None)
    (entry,) = house.all(select(LogEntry))
    assert (entry.event, entry.seat, entry.by) == ("aborted", 2, "seat 2")
    assert entry.detail == {"declined": True, "redrawn": True}
    assert (drawn.state, drawn.open_seats, present(house, drawn.id)) == (MatchState.INVITING, 1, [(1, "Ann")])
    # The one who declined knows the commitment and the entropies of the match before, and nothing of this one.
    assert (drawn.secret, drawn.commitment) != (before.secret, before.commitment)
    known = {seat.default_entropy for seat in house.match_seats(match_id)}
    assert not known & {seat.default_entropy for seat in house.match_seats(drawn.id)}
    assert Terms.of_match(drawn) == Terms.of_match(before)
    assert (drawn.game, drawn.options, drawn.host_id) == (before.game, before.options, before.host_id)


def test_one_who_declined_may_sit_down_like_anybody_else(house: House) -> None:
    match_id = invited(house, "martian-whist", 2)
    act(house, decline, match_id, "Bob")
    drawn = next_match(house, match_id).id
    with house.transaction() as ctx:
        bob = registry.get_or_create(ctx, {address("Bob"): "Bob"})[address("Bob")]
        registry.mark_verified(ctx, address("Bob"))
        joining.join(ctx, ctx.session.get_one(Match, drawn), bob)
    assert house.match(drawn).state == MatchState.RUNNING


def test_a_public_table_is_in_the_lobby_and_a_private_one_has_its_link_only(house: House) -> None:
    for is_public in (True, False):
        match_id = invited(house, "martian-whist", 2, public=is_public)
        act(house, decline, match_id, "Bob")
        drawn = next_match(house, match_id).id
        sent = house.only("Ann")
        assert f"http://127.0.0.1:8000/join/{drawn}-" in sent.text
        assert ("The table is also in the lobby" in sent.flat) is is_public
        with house.transaction() as ctx:
            page = open_tables.list_page(ctx, open_tables.TableFilter(), most=10)
            assert ([one.match for one in page.tables] == [drawn]) is is_public


def test_everybody_is_told_in_one_sentence(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee(name, address(name)) for name in (*NAMES, "Dee")]
        match_id = create_match(ctx, "martian-trickery", {}, guests, creator=1, open_if_declined=True).id
    act(house, accept, match_id, "Bob", "dice on my desk")
    mails = {name: house.mails(name)[0] for name in (*NAMES, "Dee")}
    house.reply(mails["Cyd"], "no")
    drawn = next_match(house, match_id)
    assert [bool(seat.accepted_at) for seat in house.match_seats(drawn.id)] == [True, True, False, False]
    assert house.match_seats(drawn.id)[1].entropy is None
    said = "Cyd has declined, so their seat at the table of Martian Trickery is open to others now."
    host, stays, asked = (house.only(name) for name in ("Ann", "Bob", "Dee"))
    assert host.headers["Subject"].startswith("A seat at your table is open")
    for sent in (host, stays, asked):
        assert said in sent.flat
        assert said in " ".join(sent.html.split())
        assert drawn.commitment.hex() in sent.flat
        assert "You created a match" not in sent.flat
    assert "You had accepted, so you keep your seat." in stays.flat
    assert "has replaced a player" not in stays.flat
    assert "This invitation replaces your earlier one." in asked.flat
    left = house.only("Cyd")
    assert "You have declined. Your seat is open to others, and you get no more mail about it." in left.flat
    # What the reader has in hand of the match before does nothing any more.
    house.reply(mails["Dee"], "yes")
    assert [bool(seat.accepted_at) for seat in house.match_seats(drawn.id)] == [True, True, False, False]
    house.reply(asked, "yes")
    assert [bool(seat.accepted_at) for seat in house.match_seats(drawn.id)] == [True, True, False, True]


def test_one_who_declines_after_accepting_leaves_the_seat_too(house: House) -> None:
    match_id = invited(house)
    act(house, accept, match_id, "Bob")
    act(house, decline, match_id, "Bob")
    drawn = next_match(house, match_id)
    assert (drawn.open_seats, present(house, drawn.id)) == (1, [(1, "Ann"), (3, "Cyd")])


def test_the_table_is_open_again_each_time_that_an_invitee_declines(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee(name, address(name)) for name in (*NAMES, "Dee")]
        first = create_match(ctx, "martian-trickery", {}, guests, creator=1, open_if_declined=True).id
    match_id = first
    for count, name in enumerate((*NAMES[1:], "Dee"), 1):
        act(house, decline, match_id, name)
        match_id = next_match(house, match_id).id
        assert house.match(match_id).open_seats == count
    with house.transaction() as ctx:
        found = joining.find_replacement(ctx, ctx.session.get_one(Match, first), None)
        assert found is not None
        assert found.id == match_id


def test_one_who_had_taken_an_open_seat_stays_and_may_still_leave_it(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Cyd", address("Cyd")), None]
        match_id = create_match(ctx, "middle-card", {}, guests, creator=1, open_if_declined=True).id
    with house.transaction() as ctx:
        bob = registry.get_or_create(ctx, {address("Bob"): "Bob"})[address("Bob")]
        acceptance.take_seat(ctx, ctx.session.get_one(Match, match_id), bob, address("Bob"), "Bob")
    act(house, decline, match_id, "Cyd")
    drawn = next_match(house, match_id).id
    assert present(house, drawn) == [(1, "Ann"), (3, "Bob")]
    act(house, decline, drawn, "Bob")
    assert (house.match(drawn).state, house.match(drawn).open_seats) == (MatchState.INVITING, 2)
    assert not house.all(select(Match).where(Match.previous_match_id == drawn))


def test_declining_for_ever_opens_the_seat_and_blocks_the_host(house: House) -> None:
    match_id = house.make("martian-whist", 2, creator=1, open_if_declined=True)
    house.reply(house.only("Bob"), "decline for ever")
    drawn = next_match(house, match_id)
    assert drawn.open_seats == 1
    answered = house.only("Bob").flat
    assert "You get no more invitations from Ann." in answered
    assert "Your seat is open to others" in answered
    assert "called off" not in answered
    with house.transaction() as ctx:
        assert invitation_blocks.is_refused(ctx, address("Bob"), drawn.host_id)


def test_a_guest_who_deletes_their_account_leaves_an_open_seat_and_no_name(house: House) -> None:
    match_id = house.make("martian-whist", 2, creator=1, open_if_declined=True)
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.scalars(select(Player).where(Player.name == "Bob")).one())
    assert next_match(house, match_id).open_seats == 1
    about = house.all(select(OutboxMessage.render_data).where(OutboxMessage.match_id == next_match(house, match_id).id))
    assert about
    assert "Bob" not in str(about)


# -- who is not asked, and what calls the match off all the same --------------------------------------


def test_without_the_wish_a_match_is_called_off(house: House) -> None:
    match_id = invited(house, open_if_declined=False)
    act(house, decline, match_id, "Bob")
    assert house.match_ids() == [match_id]
    assert house.match(match_id).state == MatchState.OVER


def test_a_host_who_declines_calls_the_match_off(house: House) -> None:
    match_id = invited(house)
    act(house, accept, match_id, "Bob")
    act(house, decline, match_id, "Ann")
    assert house.match_ids() == [match_id]
    assert "Ann has declined, so the match of Middle Card is called off." in house.only("Bob").flat


def test_the_host_may_still_call_the_open_table_off(house: House) -> None:
    match_id = invited(house)
    act(house, decline, match_id, "Bob")
    house.reply(house.only("Ann"), "decline")
    drawn = next_match(house, match_id)
    assert (drawn.state, drawn.open_seats) == (MatchState.OVER, 0)
    assert not house.all(select(Match).where(Match.previous_match_id == drawn.id))


def test_a_match_that_cannot_be_drawn_anew_is_called_off_and_its_host_told(house: House) -> None:
    match_id = invited(house)
    with house.transaction() as ctx:
        invitation_blocks.block(ctx, address("Cyd"), invitation_blocks.ANYBODY)
    act(house, decline, match_id, "Bob")
    assert house.match_ids() == [match_id]
    assert house.match(match_id).state == MatchState.OVER
    sent = house.only("Ann").flat
    assert "Bob has declined, so the match of Middle Card is called off. The table could not be opened" in sent
    assert not house.mails("Cyd")


def test_there_and_back_has_no_seat_to_open(house: House) -> None:
    with pytest.raises(Refused, match="a seat cannot be open to anybody"):
        invite(house, open_if_declined=True)
    assert house.match_ids() == []


def test_a_rematch_is_for_the_same_players_only(house: House) -> None:
    played = house.start_match("martian-whist", 2, open_if_declined=True)
    with house.transaction() as ctx:
        match = lock_match(ctx, played)
        match.state, match.seed, match.result = MatchState.OVER, b"seed", {"winners": [], "ending": "finished"}
        again = rematches.request(ctx, match, holders(ctx, match)[0].player)
        assert not again.open_if_declined


# -- who does not answer ------------------------------------------------------------------------------


def expire(house: House, match_id: str) -> None:
    with house.transaction() as ctx:
        ctx.session.get_one(Match, match_id).created_at -= table_expiry.EXPIRE_AFTER
        for holder in holders(ctx, ctx.session.get_one(Match, match_id)):
            holder.seated_at -= table_expiry.EXPIRE_AFTER
    with house.transaction() as ctx:
        assert table_expiry.process_next(ctx)


@pytest.mark.parametrize(
    ("answered", "said"),
    [
        ("Bob", "Cyd did not answer in three weeks, so their seat at the table of Middle Card is open"),
        ("", "Bob and Cyd did not answer in three weeks, so their seats at the table of Middle Card are open"),
    ],
)
def test_the_seats_of_invitees_who_do_not_answer_are_open_once(house: House, answered: str, said: str) -> None:
    match_id = invited(house)
    if answered:
        act(house, accept, match_id, answered)
    expire(house, match_id)
    drawn = next_match(house, match_id)
    assert drawn.open_seats == (1 if answered else 2)
    (entry,) = house.all(select(LogEntry))
    assert (entry.seat, entry.by, entry.detail) == (None, "clock", {"redrawn": True})
    assert said in house.only("Ann").flat
    assert len(house.mails("Bob")) == (1 if answered else 0)
    assert not house.mails("Cyd")
    # Nobody is left who could answer.
    expire(house, drawn.id)
    assert house.match(drawn.id).state == MatchState.OVER
    assert "expired before it began" in house.only("Ann").flat
    assert len(house.match_ids()) == 2


def test_a_table_whose_host_never_came_expires(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1, known=False, open_if_declined=True)
    expire(house, match_id)
    assert house.match_ids() == [match_id]
    assert house.match(match_id).state == MatchState.OVER


def test_a_table_that_cannot_be_opened_expires(house: House) -> None:
    match_id = invited(house)
    with house.transaction() as ctx:
        ann = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        ann.banned_at = ctx.now
        ctx.session.add(Ban(player_id=ann.id, message="Enough.", banned_at=ctx.now))
    expire(house, match_id)
    assert house.match_ids() == [match_id]
    assert house.match(match_id).state == MatchState.OVER


# -- what happens at once -----------------------------------------------------------------------------


def cancel(ctx: Context, match_id: str, name: str) -> None:
    with suppress(Refused):
        hosting.cancel(ctx, *seated(ctx, match_id, name))


def both(house: House, match_id: str, *acts: tuple[Callable[..., None], str]) -> None:
    """Run the acts of several people in the same moment."""
    ready = Barrier(len(acts))

    def run(one: tuple[Callable[..., None], str]) -> None:
        ready.wait()
        act(house, one[0], match_id, one[1])

    with ThreadPoolExecutor(len(acts)) as pool:
        [*pool.map(run, acts)]


def test_declining_twice_opens_one_table(house: House) -> None:
    match_id = invited(house, "martian-whist", 2)
    both(house, match_id, (decline, "Bob"), (decline, "Bob"))
    assert next_match(house, match_id).open_seats == 1
    assert len(house.all(select(LogEntry))) == 1
    assert len(house.mails("Ann")) == 1


def test_two_who_decline_at_once_leave_one_open_table(house: House) -> None:
    match_id = invited(house)
    both(house, match_id, (decline, "Bob"), (decline, "Cyd"))
    # The second one declines a match that is over by then, and is invited to the next.
    drawn = next_match(house, match_id)
    assert (drawn.state, drawn.open_seats, len(present(house, drawn.id))) == (MatchState.INVITING, 1, 2)


def test_declining_and_accepting_at_once_ends_in_one_of_both(house: House) -> None:
    match_id = invited(house, "martian-whist", 2)
    both(house, match_id, (decline, "Bob"), (accept, "Bob"))
    later = house.all(select(Match).where(Match.previous_match_id == match_id))
    if house.match(match_id).state == MatchState.RUNNING:
        assert later == []
    else:
        assert [(one.state, one.open_seats) for one in later] == [(MatchState.INVITING, 1)]


def test_declining_while_the_host_calls_off_ends_in_one_of_both(house: House) -> None:
    match_id = invited(house, "martian-whist", 2)
    both(house, match_id, (decline, "Bob"), (cancel, "Ann"))
    assert house.match(match_id).state == MatchState.OVER
    assert len(house.all(select(LogEntry).where(LogEntry.match_id == match_id))) == 1
    assert len(house.match_ids()) <= 2


def test_declining_while_somebody_takes_an_open_seat_keeps_who_came_first(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Cyd", address("Cyd")), None]
        match_id = create_match(ctx, "middle-card", {}, guests, creator=1, open_if_declined=True).id
        dee = registry.get_or_create(ctx, {address("Dee"): "Dee"})[address("Dee")].id
        registry.mark_verified(ctx, address("Dee"))

    def join(ctx: Context, match_id: str, _name: str) -> None:
        with suppress(Refused):
            joining.join(ctx, ctx.session.get_one(Match, match_id), ctx.session.get_one(Player, dee))

    both(house, match_id, (decline, "Cyd"), (join, "Dee"))
    drawn = next_match(house, match_id)
    assert (drawn.open_seats, present(house, drawn.id)) in [
        (2, [(1, "Ann")]),
        (1, [(1, "Ann"), (3, "Dee")]),
    ]
