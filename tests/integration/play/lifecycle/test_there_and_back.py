"""There and back: one invitation, two matches of one deal with the seats exchanged, and one result of both."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import DealSet, Match, OutboxMessage
from pbem.games import GAMES, find
from pbem.games.verify import verify
from pbem.play.accounts import guests
from pbem.play.archive.records import NoRecordYetError, build_record
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import there_and_back
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import hosting
from pbem.play.matches import pairs
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState, Withheld
from tests.support.creating import create_match
from tests.support.db.statements import statements
from tests.support.house import address
from tests.support.play.deal_sets.pairs import ANN, BOB, ROBOT, WHIST, begin, finish, invite, open_due, pair, resign

if TYPE_CHECKING:
    from tests.support.house import House


def seated(house: House, match_id: str) -> list[str]:
    with house.transaction() as ctx:
        return [holder.name for holder in holders(ctx, ctx.session.get_one(Match, match_id))]


def deal_set(house: House) -> DealSet:
    (only,) = house.all(select(DealSet))
    assert isinstance(only, DealSet)
    return only


def see_mails(house: House) -> None:
    for name in ("Ann", "Bob"):
        house.mails(name)


# -- the invitation -----------------------------------------------------------------------------------


def test_one_invitation_names_both_matches_and_their_deal(house: House) -> None:
    first = invite(house)
    back = pairs.return_id(deal_set(house).secret)
    said = f"these are two matches of the same deal, {first} and {back}, with the seats exchanged."
    for name in ("Ann", "Bob"):
        mail = house.only(name)
        assert said in mail.flat
        assert said in " ".join(mail.html.split())
        assert f"Shared deal: {deal_set(house).id}" in mail.flat
        assert deal_set(house).commitment.hex() in mail.text
    assert house.match_ids() == [first]


def test_accepting_it_begins_both_with_the_seats_exchanged_on_one_board(house: House) -> None:
    first = invite(house, clock="relaxed", public=False)
    back = pairs.return_id(deal_set(house).secret)
    house.mails("Ann")
    house.reply(house.last("Bob"), "accept")
    assert pair(house, first) == [first, back]
    assert seated(house, first) == ["Ann", "Bob"]
    assert seated(house, back) == ["Bob", "Ann"]
    there, again = house.match(first), house.match(back)
    assert [one.state for one in (there, again)] == [MatchState.RUNNING] * 2
    terms = "time_control", "timeout_policy", "public", "rated", "options", "host_id", "withheld", "seed", "commitment"
    assert [getattr(there, term) for term in terms] == [getattr(again, term) for term in terms]
    assert there.withheld == Withheld.RECORD
    assert (there.creator_seat, again.creator_seat) == (1, 2)
    assert there.chain_head != again.chain_head
    positions = []
    for match_id in (first, back):
        with house.course(match_id) as (_, course):
            positions.append(course.position)
    assert positions[0] == positions[1]


def test_each_player_gets_one_mail_and_that_is_a_turn(house: House) -> None:
    first, back = begin(house)
    ann, bob = house.only("Ann"), house.only("Bob")
    assert "There and back, match 1 of 2." in ann.flat
    assert f"/matches/{back}" in ann.text
    assert "There and back, match 2 of 2." in bob.flat
    assert f"/matches/{first}" in bob.text
    for mail in (ann, bob):
        assert "has begun. It is your turn." in mail.flat
        assert f"/sets/{deal_set(house).id}" in mail.text
    assert bob.headers["In-Reply-To"]


def test_mails_of_a_private_pair_link_to_no_page_that_nobody_may_see(house: House) -> None:
    _first, back = begin(house, public=False)
    mail = house.only("Ann")
    assert "There and back, match 1 of 2." in mail.flat
    assert back not in mail.text


def test_what_a_player_adds_counts_for_their_seats_in_both_matches(house: House) -> None:
    first = invite(house)
    house.mails("Ann")
    house.reply(house.last("Bob"), "accept a text of mine")
    typed = hashlib.sha256(b"a text of mine").hexdigest()
    ann = house.match_seats(first)[0].default_entropy
    dealt = deal_set(house)
    assert dealt.entropies == [ann, typed, typed, ann]
    message = b"\0".join(part.encode() for part in ("pbem-seed-v1", dealt.id, ann, typed, typed, ann))
    assert dealt.seed == hmac.new(dealt.secret, message, hashlib.sha256).digest()
    assert f"its SHA-256 is your part of it: {typed}" in house.only("Bob").flat


def test_declining_it_calls_both_off_and_nothing_is_left(house: House) -> None:
    first = invite(house)
    house.mails("Ann")
    house.reply(house.last("Bob"), "decline")
    assert house.match(first).state == MatchState.OVER
    assert "has declined" in house.only("Ann").flat
    assert open_due(house) == 1
    assert house.match_ids() == [first]
    assert house.mails("Ann") == []
    (declined,) = house.mails("Bob")
    assert "You have declined." in declined.flat


def test_a_robot_plays_both_seats_in_turn_and_both_begin_at_once(house: House) -> None:
    first, back = pair(house, invite(house, opponent=ROBOT))
    robot = seated(house, first)[1]
    assert seated(house, back) == [robot, "Ann"]
    assert [house.match(one).state for one in (first, back)] == [MatchState.RUNNING] * 2
    assert any("There and back, match 1 of 2." in mail.flat for mail in house.mails("Ann"))


def test_buffet_can_be_played_there_and_back_too(house: House) -> None:
    first, back = begin(house, "amazonian-buffet")
    assert house.match(first).seed == house.match(back).seed


def test_an_invitee_who_is_replaced_is_replaced_in_both(house: House) -> None:
    first = invite(house)
    with house.transaction() as ctx:
        match = lock_match(ctx, first)
        drawn = hosting.replace(ctx, match, holders(ctx, match)[0], 2, Invitee("Cyd", address("Cyd"))).id
    assert house.match(drawn).set_id not in (None, house.match(first).set_id)
    house.reply(house.last("Cyd"), "accept")
    assert seated(house, pair(house, drawn)[1]) == ["Cyd", "Ann"]
    assert open_due(house) == 1


def test_accepting_twice_begins_it_once(house: House) -> None:
    first = invite(house)
    mail = house.last("Bob")
    house.reply(mail, "accept")
    house.reply(mail, "accept again")
    assert len(pair(house, first)) == 2


# -- what cannot be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "guests"), [("montauk", [ANN, BOB]), ("martian-trickery", [ANN, BOB, ROBOT]), ("minimax", [ANN])]
)
def test_a_game_that_hides_its_deal_or_has_other_seats_cannot_be_played_so(
    house: House, game: str, guests: list[Invitee]
) -> None:
    name = GAMES[game].name
    sentence = f"{name} cannot be played there and back. These games can: Amazonian Buffet, Martian Whist."
    with pytest.raises(Refused, match=sentence):
        create(house, game, guests)
    assert house.match_ids() == []
    assert house.all(select(DealSet)) == []


def create(house: House, game: str, guests: list[Invitee | None] | list[Invitee], **more: Any) -> None:
    with house.transaction() as ctx:
        create_match(ctx, game, {}, guests, creator=1, there_and_back=True, **more)


def test_no_seat_of_a_pair_is_open_to_anybody(house: House) -> None:
    for invited, more in (([ANN, None], {}), ([ANN], {"open_seats": 1})):
        with pytest.raises(Refused, match="a seat cannot be open to anybody"):
            create(house, WHIST, invited, **more)


def test_only_games_whose_deal_is_open_can_be_played_so() -> None:
    assert {key for key, game in GAMES.items() if there_and_back.is_possible(game)} == {WHIST, "amazonian-buffet"}


# -- the result ---------------------------------------------------------------------------------------


def test_both_results_are_mailed_when_the_second_match_is_over(house: House) -> None:
    first, back = begin(house)
    see_mails(house)
    there = finish(house, first, way=1)
    assert open_due(house) == 0
    again = finish(house, back, way=2)
    see_mails(house)
    assert open_due(house) == 1
    margin = there["1"] - there["2"] + again["2"] - again["1"]
    ann, bob = house.only("Ann"), house.only("Bob")
    assert ann.headers["Subject"].startswith("There and back, both results")
    assert pairs.margin_sentence(margin, "Bob") in ann.flat
    assert pairs.margin_sentence(-margin, "Ann") in bob.flat
    for mail in (ann, bob):
        assert "Match 1 of 2: " in mail.flat
        for match_id in (first, back):
            assert f"/api/matches/{match_id}/record" in mail.text
    assert open_due(house) == 0
    assert house.mails("Ann") == []


def test_records_of_both_hold_once_the_pair_is_open(house: House) -> None:
    ids = begin(house)
    for way, match_id in enumerate(ids):
        finish(house, match_id, way=way)
    open_due(house)
    for place, match_id in enumerate(ids, 1):
        with house.transaction() as ctx:
            record = build_record(ctx, ctx.session.get_one(Match, match_id))
        assert f"one deal for 2 tables; this is table {place}" in list(verify(record, find))[2]


def test_a_pair_with_a_match_that_was_resigned_has_no_comparison(house: House) -> None:
    first, back = begin(house)
    resign(house, first)
    finish(house, back)
    house.mails("Ann")
    open_due(house)
    assert "They cannot be compared: a match that does not end by the rules has no score." in house.only("Ann").flat


def test_results_of_a_private_pair_are_mailed_with_their_keys(house: House) -> None:
    for match_id in begin(house, public=False):
        finish(house, match_id)
    house.mails("Ann")
    open_due(house)
    mail = house.only("Ann")
    assert mail.text.count("?key=") == 5


def test_margins_are_of_the_same_player_in_both_matches() -> None:
    def over(place: int, one: int, two: int) -> Match:
        return Match(set_place=place, result={"scores": {"1": one, "2": two}})

    compared = pairs.compare([over(1, 10, 4), over(2, 3, 5)])
    assert compared is not None
    assert (compared.points, compared.margin, compared.winner) == (((10, 4), (5, 3)), 8, 1)
    drawn = pairs.compare([over(1, 10, 4), over(2, 9, 3)])
    assert drawn is not None
    assert (drawn.margin, drawn.winner) == (0, None)
    lost = pairs.compare([over(1, 1, 4), over(2, 9, 3)])
    assert lost is not None
    assert lost.winner == 2
    assert pairs.compare([over(1, 1, 4)]) is None
    assert [pairs.own_margin(8, place, seat) for place in (1, 2) for seat in (1, 2)] == [8, -8, -8, 8]


@pytest.mark.parametrize(
    ("margin", "said"),
    [
        (None, "They cannot be compared: a match that does not end by the rules has no score."),
        (0, "Together you have as many points as Bob: the pair is drawn."),
        (1, "Together you have one point more than Bob: you won the pair."),
        (-7, "Together you have seven points fewer than Bob, who won the pair."),
    ],
)
def test_a_margin_is_said_in_one_sentence(margin: int | None, said: str) -> None:
    assert pairs.margin_sentence(margin, "Bob") == said


def test_nothing_is_asked_for_a_match_that_shares_no_deal(house: House) -> None:
    plain = house.start_match(WHIST, 2)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, plain)
        with statements(house.engine) as asked:
            assert pairs.find_place(ctx, match) is None
        assert asked == []


def test_the_record_of_the_first_to_end_is_withheld_and_its_last_mail_says_so(house: House) -> None:
    first, back = begin(house)
    see_mails(house)
    finish(house, first)
    with house.transaction() as ctx, pytest.raises(NoRecordYetError, match="once the other match of this deal is over"):
        build_record(ctx, ctx.session.get_one(Match, first))
    mail = house.only("Ann")
    assert "The record is there once the other match of this deal is over, too." in mail.flat
    assert f"/api/matches/{first}/record" not in mail.text
    assert f"/matches/{back}" in mail.text


def test_a_guest_plays_there_and_back_against_a_robot_without_mail(house: House) -> None:
    with house.transaction() as ctx:
        guest = guests.create_guest(ctx, "UTC")
        more: dict[str, Any] = {"creator": 1, "there_and_back": True, "host": guest, "public": False}
        seated_at = [guests.invitee(guest), ROBOT]
        first = create_match(ctx, WHIST, {"sets": 2}, seated_at, **more).id
    ids = pair(house, first)
    assert [guest.name in seated(house, one) for one in ids] == [True, True]
    assert house.all(select(OutboxMessage.id)) == []
    for match_id in ids:
        resign(house, match_id)
    assert open_due(house) == 1
    assert house.all(select(OutboxMessage.id)) == []
