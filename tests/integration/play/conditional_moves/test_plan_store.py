"""Plans at a table: by mail, alone or below a move, followed, dropped and taken back, and never told to others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry, Plan
from pbem.games import Seat
from pbem.play.accounts import dashboard
from pbem.play.conditional_moves import plan_store, plans
from pbem.play.core import tokens
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.submissions import queue
from tests.support.clockwork import tick
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House, Mail

    Whist = tuple[House, str, Mail, Mail]


def moves(house: House, match_id: str) -> list[tuple[int, str]]:
    """List what was played."""
    played = select(LogEntry.seat, LogEntry.move).where(LogEntry.match_id == match_id, LogEntry.move.is_not(None))
    return [(seat, move) for seat, move in house.rows(played.order_by(LogEntry.number))]


@pytest.fixture
def whist(house: House) -> Whist:
    """A match in whose draft Ann is to move, and Bob has been told so."""
    match_id = house.start_match("martian-whist", 2, {"sets": 2})
    return house, match_id, house.last("Ann"), house.last("Bob")


def plan_of(house: House) -> list[Any]:
    """Return the lines of all plans."""
    return [*house.all(select(Plan.lines["lines"]))]


def tell(house: House, text: str) -> str:
    """Answer Bob's newest mail; return what he is answered."""
    house.reply([mail for mail in house.every_mail if mail.name == "Bob"][-1], text)
    return house.only("Bob").flat


class TestFollowed:
    def test_a_plan_is_shown_back_and_followed_at_once(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 3: take 7")
        shown = house.only("Bob")
        assert "This is your plan, as we read it." in shown.flat
        assert "1: if “take 3”, you play “take 7”." in shown.flat
        house.reply(ann, "take 3")
        assert moves(house, match_id) == [(1, "take 3"), (2, "take 7")]
        assert "Bob has replied to your move. It is your turn." in house.only("Ann").flat
        assert house.mails("Bob") == []
        assert plan_of(house) == []

    def test_a_plan_below_a_move_is_shown_with_it_and_never_told(self, whist: Whist) -> None:
        house, match_id, ann, _ = whist
        house.reply(ann, "take 3\nif take 7: take 5; then if take 8: take 6\n\nGood luck!\nwhen I can: swapp")
        kept = house.mails("Ann")
        assert [mail for mail in kept if "Your plan was not changed." in mail.flat]
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
        assert "Your plan could not be played. None of its lines fits what happened." in turn
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
        house.reply(ann, "if anything: take 7\nif swap: swap\nwhen I can: R3/G2/K1")
        assert "2: if “swap”, you play “swap”." in house.last("Ann").flat
        assert moves(house, match_id) == []
        house.reply(ann, "when I can: take 3")
        tick(house, datetime.now(UTC))
        assert moves(house, match_id) == [(1, "take 3")]
        house.reply(house.last("Bob"), "take 9")
        assert moves(house, match_id) == [(1, "take 3"), (2, "take 9"), (1, "take 7")]

    def test_a_take_back_ends_it_all(self, whist: Whist) -> None:
        house, _, ann, bob = whist
        house.reply(bob, "when I can: R3/G2/K1\nalways duck")
        house.reply(ann, "take 3")
        assert "2: always “duck”" in house.last("Bob").flat
        house.reply(house.last("Ann"), "takeback")
        house.reply(house.last("Bob"), "takeback")
        house.reply(house.last("Ann"), "take 4")
        turn = house.last("Bob").flat
        assert "Your plan could not be played. A move was taken back." in turn
        assert "duck" not in turn
        assert plan_of(house) == []

    def test_lines_wait_where_nobody_has_answered_yet(self, house: House) -> None:
        match_id = house.start_match("minimax", 1)
        first = house.legal(match_id, 1)[0]
        house.reply(house.last("Ann"), f"if not anything: {first}")
        house.reply(house.last("Ann"), first)
        assert len(moves(house, match_id)) == 1
        assert "1: if “not anything”, you play" in house.last("Ann").flat

    def test_it_is_understood_and_told_in_german(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        with house.transaction() as ctx:
            for holder in holders(ctx, lock_match(ctx, match_id)):
                holder.player.language = "de"
        house.reply(bob, "wenn take 3: take 7; dann wenn take 5: take 6\nsobald ich kann: swap")
        shown = house.only("Bob").flat
        assert "Das ist dein Plan, so wie er verstanden wurde." in shown
        assert "1.1: dann, wenn „take 5“, spielst du „take 6“." in shown
        assert "2: sobald du kannst, spielst du „swap“." in shown
        house.reply(bob, "vergiss alles")
        assert "Dein Plan ist leer." in house.only("Bob").flat
        del ann

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
        assert "Your plan is empty. You can write, for example:" in tell(house, "plan")
        tell(house, "if take 3: take 7\nif take 4: take 8\nalways duck")
        assert "2: if “take 4”, you play “take 8”." in tell(house, "plan")
        left = tell(house, "forget line 1")
        assert "This is your plan now." in left
        assert "1: if “take 4”, you play “take 8”." in left
        assert "Your plan has no line 9." in tell(house, "vergiss 9")
        assert "Your plan is empty." in tell(house, "Forget it all!")
        assert "Your plan is empty." in tell(house, "forget")
        house.reply(ann, "take 3")
        assert moves(house, match_id) == [(1, "take 3")]
        assert "could not be played" not in house.only("Bob").flat

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
        assert "Your plan was not changed." in refused
        assert "“it rains” is not a condition in Martian Whist." in refused
        assert "There is no such standing order. There are:" in tell(house, "always folow low")
        assert "“dance” does not look like a move of Martian Whist." in tell(house, "if take 3: dance")
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
        match_id = house.start_match("montauk", 2, {"rounds": 1})
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
        (at,) = house.all(select(Deadline.robot_moves_at).where(Deadline.match_id == match_id))
        assert at
        tick(house, at - timedelta(seconds=1))
        assert len(moves(house, match_id)) == 1
        tick(house, at)
        assert len(moves(house, match_id)) == 2

    def test_until_then_it_can_be_taken_back_and_the_seat_is_asked(self, montauk: Whist) -> None:
        house, match_id, leads, follows = montauk
        house.reply(follows, "always follow low")
        house.reply(leads, house.legal(match_id, house.match(match_id).to_move[0])[0])
        # The mail of before the lead was of an earlier turn, and others may have it.
        house.reply(house.last(follows.name), "forget")
        house.reply(house.last(follows.name), "forget")
        mails = [mail.flat for mail in house.mails(follows.name)]
        assert [text for text in mails if "Your plan is empty." in text]
        assert [text for text in mails if "It is your turn" in text]
        assert house.all(select(Deadline.robot_moves_at).where(Deadline.match_id == match_id)) == [None]
        tick(house, datetime.now(UTC) + timedelta(days=2))
        assert len(moves(house, match_id)) == 1

    def test_until_then_a_move_by_hand_counts_and_the_plan_goes_on(self, montauk: Whist) -> None:
        house, match_id, first, second, *_ = self.waiting(montauk)
        seat = self.by_hand(house, match_id, first)
        assert moves(house, match_id)[1] == (seat, first)
        with house.course(match_id) as (table, course):
            holder = next(one for one in holders(table, course.match) if one.seat == seat)
            assert plan_store.current(table, course, holder) == plans.Plan((plans.Line("I follow", second),))

    def test_another_move_by_hand_ends_its_lines(self, montauk: Whist) -> None:
        house, match_id, first, second, name = self.waiting(montauk)
        seat = self.by_hand(house, match_id, next(card for card in self.hand(house, match_id) if card != first))
        while "could not be played" not in (told := "".join(mail.flat for mail in house.mails(name))):
            self.go_on(house, match_id, seat)
        assert "Your plan could not be played. You played something else." in told
        assert second not in told.partition("Your plan")[2].partition("What happened")[0]
        assert plan_of(house) == []

    def waiting(self, montauk: Whist) -> tuple[House, str, str, str, str]:
        """Plan two cards for whoever follows, and lead as the other; return the cards and who follows."""
        house, match_id, leads, follows = montauk
        seat = NAMES.index(follows.name) + 1
        with house.course(match_id) as (_, course):
            board: Any = course.game.view(course.position, Seat(seat)).board
        first, second = board["hand"][:2]
        house.reply(follows, f"if anything: {first}; then if I follow: {second}")
        house.mails(follows.name)
        house.reply(leads, house.legal(match_id, house.match(match_id).to_move[0])[0])
        return house, match_id, first, second, follows.name

    def hand(self, house: House, match_id: str) -> tuple[str, ...]:
        return house.legal(match_id, house.match(match_id).to_move[0])

    def by_hand(self, house: House, match_id: str, move: str) -> int:
        """Play a move by the API for whoever is to move; gives their seat."""
        with house.transaction() as ctx:
            match = lock_match(ctx, match_id)
            (seat,) = match.to_move
            holder = next(one for one in holders(ctx, match) if one.seat == seat)
            token = tokens.find(ctx, dashboard.link_token(ctx, match, holder), tokens.LINK)
            assert token
            queue.send_move(ctx, token, queue.API, match.ply, move)
        house.judge(match_id)
        return seat

    def go_on(self, house: House, match_id: str, planner: int) -> None:
        """Play on: by the plan where its move waits, else the first legal move."""
        moments = house.all(select(Deadline.robot_moves_at).where(Deadline.match_id == match_id))
        if planner in house.match(match_id).to_move and any(moments):
            tick(house, max(filter(None, moments)) + timedelta(seconds=1))
        else:
            self.by_hand(house, match_id, self.hand(house, match_id)[0])


class TestResigned:
    def test_a_plan_resigns_as_its_player_would_and_only_they_learn_that_it_did(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 3: resign")
        shown = house.only("Bob").flat
        assert "1: if “take 3”, you resign." in shown
        assert "With this plan you would resign, and nobody asks you again." in shown
        house.reply(ann, "take 3")
        result = house.match(match_id).result
        assert result
        assert (result["ending"], result["winners"]) == ("resigned", [1])
        events = select(LogEntry.event, LogEntry.seat, LogEntry.by).where(
            LogEntry.match_id == match_id, LogEntry.event == "resigned"
        )
        assert house.rows(events) == [("resigned", 2, "seat 2")]
        assert "Your plan resigned for you: its condition was met." in house.last("Bob").flat
        assert "plan" not in house.last("Ann").flat.lower()
        assert plan_of(house) == []

    def test_where_the_condition_is_not_met_nothing_is_resigned(self, whist: Whist) -> None:
        house, match_id, ann, bob = whist
        house.reply(bob, "if take 3: resign")
        house.reply(ann, "take 4")
        assert house.match(match_id).state == "running"
        assert "Your plan could not be played. None of its lines fits what happened." in house.last("Bob").flat

    def test_always_resigns_never(self, whist: Whist) -> None:
        house, match_id, _, bob = whist
        house.reply(bob, "always resign")
        assert "A plan resigns only by a line with a condition" in house.only("Bob").flat
        house.reply(bob, "if not take 3 or always: resign")
        assert "A plan resigns only by a line with a condition" in house.only("Bob").flat
        assert (house.match(match_id).state, plan_of(house)) == ("running", [])
