"""How a match begins: who is invited, who accepts, and what they add to the deal."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Address, Match, OutboxMessage
from pbem.play.archive import records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.invitees import MAX_INVITATIONS_PER_DAY
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import House, address


def test_a_match_begins_when_all_have_accepted_and_not_before(house: House) -> None:
    match_id = house.make("middle-card", 3)
    for name in ("Ann", "Bob"):
        house.reply(house.only(name), "accept")
        assert house.match(match_id).state == MatchState.INVITING
        assert "the match begins when everybody has" in house.only(name).flat
    house.reply(house.only("Cyd"), "ok")
    assert house.match(match_id).state == MatchState.RUNNING
    assert "has begun. It is your turn." in house.only("Ann").flat
    assert "has begun" in house.only("Bob").text
    assert "has begun" in house.only("Cyd").text


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({}, "The match is public: anybody can watch it. Rated: the result changes the players’ ratings"),
        ({"rated": False}, "The match is public: anybody can watch it."),
        ({"public": False}, ""),
    ],
)
def test_an_invitation_says_who_may_watch_and_whether_it_counts(house: House, terms: dict[str, Any], said: str) -> None:
    house.make("martian-whist", 2, **terms)
    flat = house.last("Bob").flat
    assert said in flat
    assert ("is public" in flat) == bool(said)
    assert ("Rated:" in flat) == (not terms)


def test_the_first_acceptance_counts(house: House) -> None:
    match_id = house.make("middle-card", 3)
    mail = house.only("Ann")
    house.reply(mail, "accept one")
    house.reply(mail, "accept two")
    answers = [answer.flat for answer in house.mails("Ann")]
    one = hashlib.sha256(b"one").hexdigest()
    assert one in answers[0]
    entropies = [seat.entropy for seat in house.match_seats(match_id)]
    assert entropies == [one, None, None]


def test_an_own_text_is_stripped_and_hashed_as_utf8(house: House) -> None:
    match_id = house.make("minimax", 1)
    house.reply(house.only("Ann"), "accept   Grüße, 世界!  ")
    (seat,) = house.match_seats(match_id)
    assert seat.entropy == hashlib.sha256("Grüße, 世界!".encode()).hexdigest()
    begun = house.only("Ann")
    assert "“Grüße, 世界!”" in begun.flat
    assert seat.entropy in begun.flat


@pytest.mark.parametrize("typed", ["Héllo  wörld", "a\tb \u00a0 c", "e\u0301 \ufb01"])
def test_what_is_hashed_is_what_was_typed_with_every_space_of_it(house: House, typed: str) -> None:
    match_id = house.make("minimax", 1)
    house.reply(house.only("Ann"), f"  Accept \t {typed}  ")
    (seat,) = house.match_seats(match_id)
    assert seat.entropy == hashlib.sha256(typed.encode()).hexdigest()


def test_who_types_nothing_is_told_what_stands_for_them(house: House) -> None:
    match_id = house.make("minimax", 1)
    house.reply(house.only("Ann"), "accept")
    (seat,) = house.match_seats(match_id)
    assert re.fullmatch("[0-9a-f]{32}", seat.default_entropy)
    assert f"the text from your invitation is your part of it: {seat.default_entropy}" in house.only("Ann").flat


def test_whoever_is_shut_out_accepts_nothing(house: House) -> None:
    match_id = house.make("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        ann, bob = holders(ctx, match)
        ann.player.banned_at = ctx.now
        for holder in (ann, bob):
            acceptance.accept(ctx, match, holder, "")
        assert [seat.accepted_at is not None for seat in match.seats] == [False, True]
        assert match.state == MatchState.INVITING


def test_decline_calls_the_match_off_and_tells_those_who_had_accepted(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.only("Ann"), "accept")
    house.mails("Ann")
    mail = house.only("Bob")
    house.mails("Cyd")
    house.reply(mail, "decline")
    match = house.match(match_id)
    assert (match.state, match.result) == ("over", {"scores": None, "winners": [], "ending": "aborted"})
    assert "You have declined" in house.only("Bob").text
    assert "Bob has declined, so the match of Middle Card is called off." in house.only("Ann").flat
    assert not house.mails("Cyd")
    with house.transaction() as ctx, pytest.raises(records.NoRecordYetError, match="called off before it began"):
        records.build_record(ctx, ctx.session.get_one(Match, match_id))


def test_after_a_match_was_called_off_nobody_accepts_or_declines_it(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.only("Bob"), "decline")
    mail = house.only("Cyd")
    for word in ("accept", "decline"):
        house.reply(mail, word)
        assert "The match is over." in house.only("Cyd").flat
    assert house.match(match_id).state == MatchState.OVER
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        head = match.chain_head
        acceptance.decline(ctx, match, holders(ctx, match)[0])
        assert match.chain_head == head


def test_a_match_made_by_a_known_creator_is_accepted_by_them(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1)
    assert [seat.accepted_at is not None for seat in house.match_seats(match_id)] == [True, False, False]
    assert "You created a match of Middle Card with Bob and Cyd;" in house.only("Ann").flat
    assert "Ann invites you to a match of Middle Card" in house.only("Bob").flat


def test_a_match_made_by_an_unknown_creator_mails_them_alone_until_they_accept(house: House) -> None:
    house.make("middle-card", 3, creator=2, known=False)
    mail = house.only("Bob")
    assert not house.mails("Ann")
    assert not house.mails("Cyd")
    assert house.all(select(OutboxMessage.recipient)) == ["bob@example.org"]
    house.reply(mail, "accept")
    assert "Bob (bob@example.org) invites you" in house.only("Ann").flat
    assert "Bob (bob@example.org) invites you" in house.only("Cyd").flat


def test_a_confirmed_address_is_noted_as_verified(house: House) -> None:
    house.make("minimax", 1)
    assert house.all(select(Address.verified_at)) == [None]
    house.reply(house.only("Ann"), "accept")
    assert None not in house.all(select(Address.verified_at))


def test_the_same_address_is_the_same_player_in_all_matches(house: House) -> None:
    house.make("minimax", 1)
    house.make("middle-card", 3)
    assert len(house.all(select(Address.email))) == 3


@pytest.mark.parametrize(
    ("game", "options", "guests", "field", "sentence"),
    [
        ("chess", {}, [("Ann", "ann@example.org")], "game", "Unknown game “chess”"),
        ("minimax", {}, [("Ann", "a@x.org"), ("Bob", "b@x.org")], "seats", "Minimax is for one player"),
        ("minimax", {"size": "huge"}, [("Ann", "a@x.org")], "options", "cannot be “huge”"),
        ("minimax", {"colour": 1}, [("Ann", "a@x.org")], "options", "has no option “colour”"),
        ("minimax", {}, [("", "a@x.org")], "seats.0", "Enter a name for this player"),
        ("minimax", {}, [("x" * 41, "a@x.org")], "seats.0", "is too long: at most 40"),
        ("minimax", {}, [("see www.example.org", "a@x.org")], "seats.0", "cannot contain a link"),
        ("minimax", {}, [("\0\u202e\n", "a@x.org")], "seats.0", "Enter a name for this player"),
        ("minimax", {}, [("Ann", "nobody")], "seats.0", "Enter a mail address"),
        ("minimax", {}, [("Ann", f"{'x' * 64}@{'y' * 250}.org")], "seats.0", "Enter a mail address"),
        ("minimax", {}, [("Ann", "a@x.org\nBcc: b@x.org")], "seats.0", "Enter a mail address"),
        (
            "middle-card",
            {},
            [("Ann", "a@x.org"), ("Bob", "A@X.org "), ("Cyd", "c@x.org")],
            "seats",
            "the same mail address",
        ),
        ("middle-card", {}, [("Ann", "a@x.org"), (" ann", "b@x.org"), ("Cyd", "c@x.org")], "seats", "the same name"),
    ],
)
def test_what_cannot_be_played_is_refused_by_field_and_sentence(
    house: House, game: str, options: dict[str, object], guests: list[tuple[str, str]], field: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)) as refused, house.transaction() as ctx:
        create_match(ctx, game, options, [Invitee(*guest) for guest in guests])
    assert refused.value.field == field
    assert not house.all(select(Match.id))


def test_names_are_brought_to_one_clean_line(house: House) -> None:
    with house.transaction() as ctx:
        match = create_match(ctx, "minimax", {}, [Invitee("  Zo\u0065\u0308 \t\n Löwe ", " ZOE@Example.org")])
        (holder,) = holders(ctx, match)
        assert (holder.name, holder.email) == ("Zoë Löwe", "zoe@example.org")


def test_nobody_can_have_a_stranger_mailed_again_and_again(house: House) -> None:
    for _ in range(MAX_INVITATIONS_PER_DAY):
        house.make("minimax", 1, creator=1, known=False)
    with pytest.raises(Refused, match="several invitations today"):
        house.make("minimax", 1, creator=1, known=False)
    with house.transaction(datetime.now(UTC) + timedelta(days=2)) as ctx:
        guests = [Invitee("Ann", address("Ann"))]
        create_match(ctx, "minimax", {}, guests, creator=1, known=False)


def test_nobody_is_invited_again_and_again_by_others_either(house: House) -> None:
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    for _ in range(MAX_INVITATIONS_PER_DAY):
        house.make("martian-whist", 2, creator=1)
    with pytest.raises(Refused, match="several invitations today") as refused:
        house.make("martian-whist", 2, creator=1)
    assert refused.value.field == "seats.1"
    # Whoever makes a match invites nobody but the others.
    house.make("minimax", 1, creator=1)
