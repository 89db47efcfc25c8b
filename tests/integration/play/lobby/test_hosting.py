"""What a host may do while a match waits: remind, ask somebody else, call it off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Match, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import hosting, replacement_parser
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import invitation_blocks
from pbem.play.players import registry, unsubscribes
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House, Mail

NAMES = ("Ann", "Bob", "Cyd")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2 with bob@x.org", (2, Invitee("Bob", "bob@x.org"))),
        ("seat 3 with Dee Dorn <dee@x.org>", (3, Invitee("Dee Dorn", "dee@x.org"))),
        ("Cyd with ANN@x.org", (3, Invitee("Ann 2", "ann@x.org"))),
        ("2 with anybody", (2, None)),
        ("bob durch irgendwen", (2, None)),
        ("nobody with anybody", (0, None)),
        ("99999 by a@x.org", (999, Invitee("A", "a@x.org"))),
    ],
)
def test_whom_a_host_wants_at_whose_seat_is_read_leniently(text: str, meant: tuple[int, Invitee | None]) -> None:
    assert replacement_parser.parse(text, NAMES) == meant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2", "Write it like this: “replace 2 with bob@example.org”"),
        ("2 with bob", "Enter a mail address"),
        ("2 with bob@", "Enter a mail address"),
    ],
)
def test_what_is_no_wish_for_somebody_else_is_said(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=re.escape(reason)):
        replacement_parser.parse(text, NAMES)


def invited(house: House) -> tuple[str, Mail]:
    """Create a match for three that Ann hosts, Bob accepts, and Cyd does not answer."""
    match_id = house.make("middle-card", 3, creator=1)
    own = house.last("Ann")
    house.reply(house.last("Bob"), "accept dice on my desk")
    for name in NAMES:
        house.mails(name)
    return match_id, own


def present(house: House, match_id: str) -> list[str]:
    seated = SeatHolder.match_id == match_id, SeatHolder.left_at.is_(None)
    return house.all(select(SeatHolder.name).where(*seated).order_by(SeatHolder.seat))


def test_a_reminder_goes_once_to_whoever_has_not_answered(house: House) -> None:
    _match_id, own = invited(house)
    house.reply(own, "remind")
    assert "A reminder goes to Cyd. It is the only one." in house.only("Ann").flat
    reminded = house.only("Cyd")
    assert "Ann still waits for your answer: will you play a match of Middle Card?" in reminded.flat
    house.reply(own, "erinnern")
    assert "Nobody was reminded: everybody gets one reminder at most" in house.only("Ann").flat
    assert not house.mails("Cyd")
    assert not house.mails("Bob")
    house.reply(reminded, "yes")
    assert "begun" in house.last("Cyd").flat


def test_nobody_is_reminded_who_wants_no_mail(house: House) -> None:
    _match_id, own = invited(house)
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Cyd"))
    house.reply(own, "remind")
    assert not house.mails("Cyd")
    with house.transaction() as ctx:
        unsubscribes.resubscribe(ctx, address("Cyd"))
        invitation_blocks.block(ctx, address("Cyd"), invitation_blocks.ANYBODY)
    house.reply(own, "remind")
    assert not house.mails("Cyd")


def test_whoever_is_not_the_host_changes_nothing(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1)
    for words in ("remind", "replace 3 with anybody"):
        house.reply(house.last("Bob"), words)
        told = house.last("Bob")
        assert "Nothing was changed. Only the host can do that" in told.flat
        house.every_mail.clear()
        house.read_already.clear()
    assert house.match(match_id).state == MatchState.INVITING


def test_replacing_draws_a_new_match_in_which_those_who_had_accepted_stay(house: House) -> None:
    match_id, own = invited(house)
    said = house.reply(own, "replace 3 with Dee <dee@example.org>")
    before = house.match(match_id)
    assert (before.state, before.seed) == ("over", None)
    (entry,) = house.all(select(LogEntry))
    assert (entry.event, entry.seat, entry.by, entry.detail) == ("aborted", 1, "seat 1", {"redrawn": True})
    (drawn,) = house.all(select(Match).where(Match.previous_match_id == match_id))
    assert present(house, drawn.id) == ["Ann", "Bob", "Dee"]
    assert drawn.commitment != before.commitment
    assert (drawn.host_id, drawn.options, drawn.game) == (before.host_id, before.options, before.game)
    old, new = house.match_seats(match_id), house.match_seats(drawn.id)
    assert [place.accepted_at is not None for place in new] == [True, True, False]
    # What was known before the new secret was drawn has no part in it.
    assert not {place.default_entropy for place in old} & {place.default_entropy for place in new}
    assert new[1].entropy is None
    made = house.only("Ann")
    assert "You created a match of Middle Card with Bob and Dee" in made.flat
    assert made.message["In-Reply-To"] == said
    stays = house.only("Bob")
    assert "Ann has replaced a player at your table of Middle Card; you play with Ann and Dee now." in stays.flat
    assert drawn.commitment.hex() in stays.flat
    assert new[1].default_entropy in stays.flat
    assert not house.mails("Cyd")
    house.reply(stays, "accept my second text")
    assert house.match_seats(drawn.id)[1].entropy == typed_entropy("my second text")
    assert "my second text" in house.only("Bob").flat
    house.reply(stays, "accept my third text")
    assert house.match_seats(drawn.id)[1].entropy == typed_entropy("my second text")
    house.reply(house.only("Dee"), "yes")
    assert house.match(drawn.id).state == MatchState.RUNNING


def test_whoever_stays_may_object(house: House) -> None:
    match_id, own = invited(house)
    house.reply(own, "replace 3 with anybody")
    (drawn,) = house.all(select(Match).where(Match.previous_match_id == match_id))
    assert (present(house, drawn.id), drawn.open_seats) == (["Ann", "Bob"], 1)
    house.reply(house.only("Bob"), "decline")
    assert house.match(drawn.id).state == MatchState.OVER


def test_whoever_had_taken_an_open_seat_may_leave_without_calling_the_match_off(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Cyd", address("Cyd")), None]
        match_id = create_match(ctx, "middle-card", {}, guests, creator=1).id
    with house.transaction() as ctx:
        bob = registry.get_or_create(ctx, {address("Bob"): "Bob"})[address("Bob")]
        match = ctx.session.get_one(Match, match_id)
        acceptance.take_seat(ctx, match, bob, address("Bob"), "Bob", "words")
    house.mails("Bob")
    house.reply(house.mails("Ann")[0], "replace Cyd with anybody")
    (drawn,) = house.all(select(Match).where(Match.previous_match_id == match_id))
    house.reply(house.only("Bob"), "decline")
    match = house.match(drawn.id)
    assert (match.state, match.open_seats, present(house, drawn.id)) == ("inviting", 2, ["Ann"])


def replaced(house: House, match_id: str, seat: int, guest: Invitee | None, by: int = 1) -> str:
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        host = next(holder for holder in holders(ctx, match) if holder.seat == by)
        return hosting.replace(ctx, match, host, seat, guest).id


@pytest.mark.parametrize(
    ("seat", "guest", "reason"),
    [
        (1, None, "There is nobody to replace at this seat."),
        (0, None, "There is nobody to replace at this seat."),
        (4, None, "There is nobody to replace at this seat."),
        (2, None, "Bob has accepted and cannot be replaced."),
        (3, Invitee("Bob", "x@example.org"), "Two players have the same name"),
        (3, Invitee("Ann 2", "ann@example.org"), "Two seats have the same mail address"),
    ],
)
def test_a_seat_that_cannot_be_given_to_somebody_else_is_left(
    seat: int, guest: Invitee | None, reason: str, house: House
) -> None:
    match_id, _own = invited(house)
    with pytest.raises(Refused, match=re.escape(reason)):
        replaced(house, match_id, seat, guest)
    assert house.match(match_id).state == MatchState.INVITING
    assert house.match_ids() == [match_id]


def test_a_seat_that_is_open_is_open_already_but_may_be_given_to_somebody(house: House) -> None:
    match_id = opened(house)
    with pytest.raises(Refused, match="This seat is already open"):
        replaced(house, match_id, 2, None)
    drawn = replaced(house, match_id, 2, Invitee("Bob", address("Bob")))
    assert present(house, drawn) == ["Ann", "Bob"]


def test_somebody_is_replaced_three_times_at_the_most(house: House) -> None:
    match_id, _own = invited(house)
    for number in range(hosting.MAX_REPLACEMENTS):
        match_id = replaced(house, match_id, 3, Invitee(f"P{number}", f"p{number}@example.org"))
    with pytest.raises(Refused, match="You already replaced 3 players"):
        replaced(house, match_id, 3, None)


def test_a_rematch_begins_to_count_anew(house: House) -> None:
    played = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        guests = [Invitee(name, address(name)) for name in NAMES]
        again = create_match(ctx, "middle-card", {}, guests, creator=1, follows=played).id
    drawn = replaced(house, again, 3, None)
    assert house.match(drawn).previous_match_id == again


def test_nothing_is_replaced_once_a_match_has_begun_or_is_over(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ctx.session.get_one(Match, match_id).creator_seat = 1
    with pytest.raises(Refused, match="already begun"):
        replaced(house, match_id, 2, None)
    off, _own = invited(house)
    with house.transaction() as ctx:
        match = lock_match(ctx, off)
        hosting.cancel(ctx, match, holders(ctx, match)[0])
    assert "is called off" in house.last("Bob").flat
    with pytest.raises(Refused, match="was called off"):
        replaced(house, off, 3, None)


def test_words_that_replace_nobody_are_answered_with_the_reason(house: House) -> None:
    _match_id, own = invited(house)
    house.reply(own, "replace 3")
    assert "Nothing was changed. Write it like this:" in house.only("Ann").flat
    house.reply(own, "ersetze 2 durch irgendwen")
    assert "Nothing was changed. Bob has accepted and cannot be replaced." in house.only("Ann").flat
