"""Playing on from a finished match: what is taken over, whose luck it is, who sits there, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Match
from pbem.games import GAMES, Eye, Seat
from pbem.games.chain import Played, next_hash, opening_hash
from pbem.games.record import replay
from pbem.play.accounts import dashboard, data_export, deletion
from pbem.play.archive import records, replay_check, replays
from pbem.play.lifecycle import agreements, create, endings, forks, rematches
from pbem.play.lobby import hosting
from pbem.play.matches import access
from pbem.play.matches.match_state import course_of, lock, play_move, standing
from pbem.play.matches.views import TooEarlyError
from pbem.play.offers import takebacks
from pbem.play.offers.open_offers import OfferError
from pbem.play.players import reliability
from tests.support.house import address
from tests.support.play.lifecycle.forks import finished, played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Table
    from pbem.play.lifecycle.requests import Fork
    from pbem.play.matches.match_state import Course
    from tests.support.house import House

ANN = create.Guest("Ann", address("Ann"))


def practised(table: Table, fork: Fork) -> Match:
    return forks.make(table, fork, forks.alone(fork, ANN), creator=1)


def walked(course: Course) -> Iterator[Any]:
    """Give the position at each step."""
    yield course.deal
    yield from (step.position for step in replay(course.game, course.deal, course.log, course.chance))


def chained(table: Table, match: Match) -> bytes:
    """Follow a match's own chain from its beginning."""
    head = opening_hash(match.commitment, match.id, match.game, match.edition, match.options, len(match.seats))
    course = course_of(table, match)
    for entry in course.log[course.taken :]:
        head = next_hash(head, entry)
    return head


@pytest.mark.parametrize("key", GAMES)
def test_a_match_plays_on_from_any_step_to_its_end(house: House, key: str) -> None:
    origin = finished(house, key)
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        course = course_of(table, match)
        positions = list(walked(course))
        step = 2 * len(course.log) // 3
        fork = forks.at(table, match, step)
        made = practised(table, fork)
        begun = course_of(table, made)
        assert begun.position == positions[fork.step]
        assert begun.log == course.log[: fork.step]
        assert made.state == "running"
        assert not made.public
        assert not made.rated
        assert tuple(made.to_move) == fork.to_move
        assert made.ply == made.next_ply == fork.step + 1
        over = played(table, made.id, way=1)
        assert over.game.outcome(over.position) is not None
        assert made.state == "over"
        assert made.head == chained(table, made)
        plies = [entry.ply for entry in over.log if isinstance(entry, Played)]
        assert plies == list(range(1, len(plies) + 1))
        rows = table.session.scalars(select(LogEntry.ply).where(LogEntry.match_id == made.id)).all()
        assert sorted(filter(None, rows)) == plies[fork.step :]
        assert course_of(table, match).log == course.log


@pytest.mark.parametrize(("key", "deal"), [("martian-trickery", "hand_number"), ("montauk", "round")])
def test_what_was_drawn_stays_and_later_luck_is_new(house: House, key: str, deal: str) -> None:
    seats, options = {"martian-trickery": (3, {"hands": 2}), "montauk": (2, {"rounds": 2})}[key]
    origin = house.start_match(key, seats, options)
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        course = played(table, origin)

        def dealt(position: Any) -> int:
            number = course.game.view(position, Eye.PUBLIC).board[deal]
            assert isinstance(number, int)
            return number

        positions = list(walked(course))
        second = next(step for step, position in enumerate(positions) if dealt(position) == 2)

        def replayed_on(step: int) -> Any:
            """Play the same moves in a fork, up to the second deal and no further."""
            fork = forks.at(table, match, step)
            made = practised(table, fork)
            again = course_of(table, made)
            for entry in standing(course.log)[fork.step : second]:
                again = play_move(table, again, Seat(entry.seat), course.log[entry.ply - 1].move, table.now)  # type: ignore[arg-type, union-attr]
            return again.position

        before = replayed_on(second - 1), replayed_on(second - 1)
        assert [dealt(position) for position in before] == [2, 2]
        assert before[0] != before[1] != positions[second] != before[0]
        assert replayed_on(second) == positions[second]
        assert replayed_on(0) not in {positions[second], *before}


# -- who sits there ---------------------------------------------------------------------------------


def test_one_person_plays_all_seats_with_one_mail_for_each_move(house: House) -> None:
    origin = finished(house, "martian-whist")
    house.mails("Ann")
    house.mails("Bob")
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        made = practised(table, forks.at(table, match, len(course_of(table, match).log) - 3)).id
    told, asked = house.mails("Ann")
    assert "Ann 2" in told.text
    for _ in range(3):
        (seat,) = house.match(made).to_move
        house.reply(asked, house.legal(made, seat)[0])
        asked = house.only("Ann")
    assert house.match(made).state == "over"
    assert not house.match_seats(made)[1].entropy
    assert house.mails("Bob") == []
    with house.table() as table:
        player = next(one.player_id for one in create.holders(table, house.match(made)))
        assert [one.match for one in dashboard.finished(table, player)].count(made) == 1
        assert [one.match for one in dashboard.present(table, player)] == []


def test_of_several_seats_the_one_that_is_to_move_is_told_and_opened(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        for step in (0, 1):
            made = practised(table, forks.at(table, match, step))
            player = made.host_id or 0
            (own,) = (one for one in dashboard.present(table, player) if one.match == made.id)
            assert [own.seat] == made.to_move
            assert own.waits
            found = dashboard.holder_at(table, made.id, player)
            assert found
            assert found.seat == own.seat


def test_friends_are_invited_and_their_cards_are_theirs(house: House) -> None:
    origin = finished(house, "montauk")
    bob = create.Guest("Bob", address("Bob"))
    for name in ("Ann", "Bob"):
        house.mails(name)
    with house.table() as table:
        fork = forks.at(table, table.session.get_one(Match, origin), 4)
        made = forks.make(table, fork, [ANN, bob], creator=1).id
    house.reply(house.only("Bob"), "yes")
    assert house.match(made).state == "running"
    with house.course(made) as (table, course):
        secret = course.game.exchange(course.position, Seat(2), bytes(32))
        assert secret != course.position
        assert course.game.view(secret, Seat(2)) == course.game.view(course.position, Seat(2))
        assert not access.is_open(course.match, "")
        with pytest.raises(TooEarlyError):
            next(replays.steps(course, Eye.OPEN, ("Ann", "Bob")))
        assert len(list(replays.steps(course, Seat(2), ("Ann", "Bob")))) == fork.step + 1


def test_the_robot_plays_against_one(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        fork = forks.at(table, table.session.get_one(Match, origin), 2)
        made = forks.make(table, fork, forks.against_robots(fork, ANN, 2), creator=2)
        assert [holder.player.bot for holder in create.holders(table, made)] == [True, False]
        assert made.state == "running"


# -- what is refused --------------------------------------------------------------------------------


def refusal(house: House, match_id: str, step: int) -> str:
    with house.table() as table, pytest.raises(create.MatchError) as refused:
        forks.at(table, table.session.get_one(Match, match_id), step)
    return str(refused.value)


def test_there_is_nothing_to_play_on_where_there_is_no_such_step_or_it_is_over(house: House) -> None:
    running = house.start_match("minimax", 1)
    assert refusal(house, running, 0) == "You can play on from a match when it is over."
    with house.table() as table:
        last = len(played(table, running).log)
    assert refusal(house, running, last) == "The game is over at this step, so there is nothing to play on."
    assert refusal(house, running, last + 1) == f"This match has no step {last + 1}: the last one is {last}."
    assert refusal(house, running, -1).startswith("This match has no step -1")
    waiting = house.make("martian-whist", 2)
    with house.table() as table:
        create.call_off(table, lock(table, waiting), seat=None, by="table", detail={})
    assert refusal(house, waiting, 0) == "This match was called off before it began."


def test_all_seats_are_taken_and_nobody_but_its_maker_has_two(house: House) -> None:
    origin = finished(house, "martian-trickery")
    bob = create.Guest("Bob", address("Bob"))
    with house.table() as table:
        house.mails("Bob")
        fork = forks.at(table, table.session.get_one(Match, origin), 3)
        with pytest.raises(create.MatchError, match="This match is for 3 at the table"):
            forks.make(table, fork, [ANN], creator=1)
        again = create.Guest("Bob again", bob.email)
        with pytest.raises(create.MatchError, match="Two seats have the same mail address"):
            forks.make(table, fork, [ANN, bob, again], creator=1)
        made = forks.make(table, fork, [create.Guest("Ann 1", ANN.email), bob, ANN], creator=3)
        assert [bool(place.accepted_at) for place in made.seats] == [True, False, True]
    assert "invites you" in house.only("Bob").flat


def test_one_plays_on_from_where_somebody_resigned(house: House) -> None:
    origin = house.start_match("martian-whist", 2, {"sets": 2})
    with house.table() as table:
        course = played(table, origin, 3)
        endings.resign(table, course, create.holders(table, course.match)[0])
        fork = forks.at(table, course.match, 4)
        made = practised(table, fork)
        assert course_of(table, made).position == course.position
        assert [entry.data() for entry in course_of(table, made).log] == [entry.data() for entry in course.log]


def test_a_step_that_only_some_have_made_begins_anew(house: House) -> None:
    origin = finished(house, "amazonian-buffet")
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        course = course_of(table, match)
        positions = list(walked(course))
        half = next(at for at, one in enumerate(positions) if at and len(course.game.to_move(one)) == 1
                    and course.game.stage(one) == course.game.stage(positions[at - 1]))  # fmt: skip
        fork = forks.at(table, match, half)
        assert fork.step == half - 1
        assert fork.to_move == (1, 2)


def test_moves_that_were_taken_back_are_as_if_never_played_and_may_be_played_on_from(house: House) -> None:
    origin = house.start_match("minimax", 1)
    with house.table() as table:
        first = played(table, origin, 2)
        takebacks.take_back(table, first.match, 2, "seat 1")
        course = played(table, origin, way=1)
        match = course.match
        before, after = (practised(table, forks.at(table, match, step)) for step in (2, 3))
        assert course_of(table, before).position == first.position
        assert [entry.ply for entry in standing(course_of(table, before).log)] == [1, 2]
        assert [entry.ply for entry in standing(course_of(table, after).log)] == [1]
        assert (before.ply, after.ply) == (3, 2)
        with pytest.raises(OfferError, match="You have not moved yet"):
            takebacks.first_ply(table, course_of(table, after), 1)


def test_a_fork_is_played_on_from_again_but_not_for_ever(house: House) -> None:
    match_id = finished(house, "montauk")
    with house.table() as table:
        for depth in range(forks.DEEPEST):
            match = table.session.get_one(Match, match_id)
            whole = course_of(table, match)
            made = practised(table, forks.at(table, match, 6 + depth))
            assert course_of(table, made).position == list(walked(whole))[6 + depth]
            assert made.ply == 7 + depth
            match_id = played(table, made.id, way=depth).match.id
    assert refusal(house, match_id, 3).startswith("This match plays on from others often enough already.")
    with house.table() as table:
        assert replay_check.differences(table, house.match_ids()) == []


# -- that it is for practice -------------------------------------------------------------------------


def test_practice_has_no_record_no_rematch_and_counts_for_nobody(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        fork = forks.at(table, table.session.get_one(Match, origin), 2)
        made = forks.make(table, fork, [ANN, create.Guest("Bob", address("Bob"))], creator=1)
        ann, bob = create.holders(table, made)
        before = reliability.of(table, ann.player_id)
        create.accept(table, made, bob, "")
        over = played(table, made.id).match
        with pytest.raises(records.NoRecordYetError, match="was for practice"):
            records.record_of(table, over)
        assert not rematches.possible(table, over)
        with pytest.raises(create.MatchError, match="That was for practice"):
            rematches.ask(table, over, ann.player)
        assert reliability.of(table, ann.player_id) == before
        assert [name for name, _record in data_export.records_of(table, ann.player_id)] == [origin]


def test_a_draw_needs_nobody_where_one_person_plays_all(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        made = practised(table, forks.at(table, table.session.get_one(Match, origin), 2))
        holder = create.holders(table, made)[0]
        said = agreements.ask(agreements.Voice(table, made, holder), "draw")
        assert said == "Everybody agrees: the match ends in a draw."


def test_whoever_leaves_is_called_otherwise_at_each_seat(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        made = practised(table, forks.at(table, table.session.get_one(Match, origin), 2))
        deletion.leave(table, create.holders(table, made)[0].player)
        assert [one.name for one in create.holders(table, made)] == ["Former player", "Former player 2"]
        assert made.state == "over"


def test_whom_a_host_asks_instead_plays_on_from_there_too(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.table() as table:
        fork = forks.at(table, table.session.get_one(Match, origin), 2)
        made = forks.make(table, fork, [ANN, create.Guest("Bob", address("Bob"))], creator=1)
        host = create.holders(table, made)[0]
        drawn = hosting.replace(table, made, host, 2, create.Guest("Cyd", address("Cyd")))
        assert (drawn.forked_from, drawn.forked_step) == (origin, 2)
