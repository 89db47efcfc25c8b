"""Plans at a table: by mail, alone or below a move, followed, dropped and taken back, and never told to others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry, Plan
from pbem.play import links, matches, mine, submissions
from pbem.play.history import lock
from tests.clockwork import tick
from tests.house import NAMES

if TYPE_CHECKING:
    from tests.house import House, Mail

    Whist = tuple[House, str, Mail, Mail]



def moves(house: House, match_id: str) -> list[tuple[int, str]]:
    """List what was played."""
    played = select(LogEntry.seat, LogEntry.move).where(LogEntry.match_id == match_id, LogEntry.move.is_not(None))
    return [(seat, move) for seat, move in house.rows(played.order_by(LogEntry.number))]


@pytest.fixture
def whist(house: House) -> Whist:
    """A match in whose draft Ann is to move, and Bob has been told so."""
    match_id = house.begin("martian-whist", 2, {"sets": 2})
    return house, match_id, house.last("Ann"), house.last("Bob")


def plan_of(house: House) -> list[Any]:
    """Give the lines of all plans that there are."""
    return [*house.all(select(Plan.lines["lines"]))]


def tell(house: House, text: str) -> str:
    """Have Bob answer his newest mail; gives what he is answered."""
    house.reply([mail for mail in house.every_mail if mail.name == "Bob"][-1], text)
    return house.only("Bob").flat


class TestFollowed:
    def test_a_plan_is_shown_back_and_followed_at_once(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 3: take 7")
        shown = house.only("Bob")
        assert "This is your plan, as it was understood." in shown.flat
        assert "1: if “take 3”, you play “take 7”." in shown.flat
        house.reply(ann, "take 3")
        assert moves(house, match_id) == [(1, "take 3"), (2, "take 7")]
        assert "it is your turn again" in house.only("Ann").flat
        assert house.mails("Bob") == []
        assert plan_of(house) == []

    def test_a_plan_below_a_move_is_shown_with_it_and_never_told(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        house.reply(ann, "take 3\nif take 7: take 5; then if take 8: take 6\n\nGood luck!\nwhen I can: swapp")
        kept = house.mails("Ann")
        assert [mail for mail in kept if "Nothing was planned by this mail" in mail.flat]
        assert plan_of(house) == []
        house.reply(kept[-1], "if take 7: take 5; then if take 8: take 6")
        house.mails("Ann")
        house.reply(house.last("Bob"), "take 7\nif take 5: take 8")
        assert [move for _, move in moves(house, match_id)] == ["take 3", "take 7", "take 5", "take 8", "take 6"]
        told = house.only("Bob").flat
        assert "take 5" not in told.partition("Your plan")[2]
        assert "swapp" not in "".join(mail.flat for mail in house.every_mail if mail.name == "Bob")
        assert "Good luck" not in told
        assert house.mails("Ann") == []

    def test_a_move_and_its_plan_are_one_mail(self, whist: Whist) -> None:
        house, _, ann, _ = whist
        house.reply(ann, "take 3\n- if take 7: take 5\n- if take 8: take 6")
        receipt = house.only("Ann").flat
        assert "Your move was played." in receipt
        assert "1: if “take 7”, you play “take 5”." in receipt
        assert "2: if “take 8”, you play “take 6”." in receipt

    def test_the_plan_may_stand_above_the_move(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        house.reply(ann, "if take 7: take 5\ntake 3")
        assert moves(house, match_id) == [(1, "take 3")]
        assert plan_of(house) == [[["take 7", "take 5", []]]]

    def test_lines_of_which_none_fits_are_dropped_with_a_note(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 4: take 7")
        house.mails("Bob")
        house.reply(ann, "take 3")
        turn = house.only("Bob").flat
        assert "Your plan did not fit. None of its lines was for what has happened." in turn
        assert moves(house, match_id) == [(1, "take 3")]
        assert plan_of(house) == []

    def test_a_line_that_cannot_be_played_is_dropped_with_the_reason(self, whist: Whist) -> None:
        house, _, ann, bob = whist
        house.reply(bob, "if anything: R3/G2/K1")
        house.mails("Bob")
        house.reply(ann, "take 3")
        assert "R3/G2/K1” could not be played." in house.only("Bob").flat

    def test_a_move_waits_until_it_can_be_played(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "when I can: swap")
        house.reply(ann, "take 3")
        assert moves(house, match_id) == [(1, "take 3"), (2, "swap")]

    def test_on_ones_turn_lines_are_about_the_next_one_and_orders_about_this_one(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        house.reply(ann, "if anything: take 7")
        assert moves(house, match_id) == []
        house.reply(house.last("Ann"), "when I can: take 3")
        tick(house, datetime.now(UTC))
        assert moves(house, match_id) == [(1, "take 3")]
        house.reply(house.last("Bob"), "take 9")
        assert moves(house, match_id) == [(1, "take 3"), (2, "take 9"), (1, "take 7")]

    def test_a_move_by_hand_follows_the_plan_or_ends_it(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 4: take 7; then if take 5: take 6")
        house.reply(house.last("Bob"), "if take 3: take 8; then if take 5: take 9")
        with house.table() as table:
            # As if its moment were yet to come.
            row = table.session.scalars(select(Plan)).one()
            row.stage += 1
        house.mails("Bob")
        house.reply(ann, "take 3")
        turn = house.last("Bob")
        with house.table() as table:
            row = table.session.scalars(select(Plan)).one()
            row.stage -= 1
        house.reply(turn, "take 8")
        house.reply(house.last("Ann"), "take 5")
        assert moves(house, match_id)[-1] == (2, "take 9")

    def test_what_is_planned_is_told_no_more_when_the_match_is_over(self, whist: Whist) -> None:
        house, _, ann, bob = whist
        house.reply(bob, "always duck")
        house.reply(ann, "resign yes")
        assert house.all(select(Plan)) == []
        assert "plan" not in house.last("Bob").flat
        assert "The match is over." in tell(house, "if take 3: take 7")


class TestTakenBack:
    def test_a_plan_is_told_and_forgotten(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        assert "You have planned nothing. You can write, for example:" in tell(house, "plan")
        tell(house, "if take 3: take 7\nif take 4: take 8\nalways duck")
        assert "2: if “take 4”, you play “take 8”." in tell(house, "plan")
        left = tell(house, "forget line 1")
        assert "This is what you have planned now." in left
        assert "1: if “take 4”, you play “take 8”." in left
        assert "Your plan has no line 9." in tell(house, "vergiss 9")
        assert "You have planned nothing." in tell(house, "Forget it all!")
        house.reply(ann, "take 3")
        assert moves(house, match_id) == [(1, "take 3")]
        assert "did not fit" not in house.only("Bob").flat

    def test_sentences_are_no_plans(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        for text in ("Forget it, I was joking", "If only I had known", "Always a pleasure to play with you"):
            house.reply(ann, text)
            assert "Nothing was played." in house.last("Ann").flat
        assert plan_of(house) == []
        assert moves(house, match_id) == []

    def test_what_is_not_understood_is_said_and_what_stood_stands(self, whist: Whist) -> None:
        house, *_ = whist
        tell(house, "if take 3: take 7")
        refused = tell(house, "if it rains: take 8")
        assert "what you had planned before stands" in refused
        assert "“it rains” is no condition of Martian Whist." in refused
        assert "There is no such standing order; there are:" in tell(house, "always folow low")
        assert "“dance” has the form of no move of Martian Whist." in tell(house, "if take 3: dance")
        assert plan_of(house) == [[["take 3", "take 7", []]]]

    def test_a_plan_with_words_for_the_table_goes_to_its_owner_alone(self, whist: Whist) -> None:
        house, _, ann, bob = whist
        house.reply(bob, "say Good luck!\nif take 3: take 7")
        assert plan_of(house) == [[["take 3", "take 7", []]]]
        told = house.last("Ann").flat
        assert "Good luck!" in told
        assert "take 7" not in told
        del ann


class TestHidden:
    """Where cards are hidden the moment may not tell that a move was decided in advance."""

    @pytest.fixture
    def montauk(self, house: House) -> Whist:
        match_id = house.begin("montauk", 2, {"rounds": 1})
        first = house.match(match_id).to_move[0]
        names = NAMES[first - 1], NAMES[2 - first]
        return house, match_id, house.last(names[0]), house.last(names[1])

    def test_it_waits_for_its_moment_and_nobody_is_mailed(self, montauk: Whist) -> None:
        house, match_id, leads, follows = montauk
        house.reply(follows, "always follow low")
        house.mails(follows.name)
        house.reply(leads, house.legal(match_id, house.match(match_id).to_move[0])[0])
        assert len(moves(house, match_id)) == 1
        assert house.mails(follows.name) == []
        (at,) = house.all(select(Deadline.play_at).where(Deadline.match_id == match_id))
        assert at
        tick(house, at - timedelta(seconds=1))
        assert len(moves(house, match_id)) == 1
        tick(house, at)
        assert len(moves(house, match_id)) == 2

    def test_until_then_it_can_be_taken_back_and_the_seat_is_asked(self, montauk: Whist) -> None:
        house, match_id, leads, follows = montauk
        house.reply(follows, "always follow low")
        house.reply(leads, house.legal(match_id, house.match(match_id).to_move[0])[0])
        shown = house.last(follows.name)
        house.reply(shown, "forget")
        mails = [mail.flat for mail in house.mails(follows.name)]
        assert [text for text in mails if "You have planned nothing." in text]
        assert [text for text in mails if "It is your turn" in text]
        assert house.all(select(Deadline.play_at).where(Deadline.match_id == match_id)) == [None]
        tick(house, datetime.now(UTC) + timedelta(days=2))
        assert len(moves(house, match_id)) == 1

    def test_until_then_a_move_by_hand_counts(self, montauk: Whist) -> None:
        house, match_id, leads, follows = montauk
        house.reply(follows, "if anything: 2S; then if anything: 3S\nalways follow low")
        house.reply(leads, house.legal(match_id, house.match(match_id).to_move[0])[0])
        seat = house.match(match_id).to_move[0]
        card = house.legal(match_id, seat)[0]
        with house.table() as table:
            match = lock(table, match_id)
            holder = next(one for one in matches.holders(table, match) if one.seat == seat)
            token = links.find(table, mine.own_link(table, match, holder), links.LINK)
            assert token
            submissions.send_move(table, token, submissions.API, match.ply, card)
        house.judge(match_id)
        assert moves(house, match_id)[1] == (seat, card)
