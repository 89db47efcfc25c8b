"""Playing on from a finished match: what is taken over, whose luck it is, who sits there, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Match
from pbem.games import GAMES, Eye, Seat
from pbem.games.chain import MoveEntry, next_hash, opening_hash
from pbem.games.record import effective_moves, replay
from pbem.play.accounts import dashboard, data_export, deletion
from pbem.play.archive import records, replay_check, replays
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, agreements, endings, forks, rematches
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import hosting
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.play.matches.views import MatchNotOverError
from pbem.play.offers import takebacks
from pbem.play.players import reliability
from pbem.robots import Level
from pbem.states import MatchState
from tests.support.house import address
from tests.support.play.lifecycle.forks import finished, played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import ForkStart
    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House

ANN = Invitee("Ann", address("Ann"))


def practised(ctx: Context, fork: ForkStart) -> Match:
    return forks.create_match(ctx, fork, forks.seat_alone(fork, ANN), creator_seat=1)


def walked(course: LoadedMatch) -> Iterator[Any]:
    """Yield the position at each step."""
    yield course.first_position
    yield from (step.position for step in replay(course.game, course.first_position, course.log, course.chance))


def chained(ctx: Context, match: Match) -> bytes:
    """Follow a match's own chain from its beginning."""
    head = opening_hash(match.commitment, match.id, match.game, match.edition, match.options, len(match.seats))
    course = load_match(ctx, match)
    for entry in course.log[course.inherited :]:
        head = next_hash(head, entry)
    return head


@pytest.mark.parametrize("key", GAMES)
def test_a_match_plays_on_from_any_step_to_its_end(house: House, key: str) -> None:
    origin = finished(house, key)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, origin)
        course = load_match(ctx, match)
        positions = list(walked(course))
        step = 2 * len(course.log) // 3
        fork = forks.find_start(ctx, match, step)
        made = practised(ctx, fork)
        begun = load_match(ctx, made)
        assert begun.position == positions[fork.step]
        assert begun.log == course.log[: fork.step]
        assert made.state == MatchState.RUNNING
        assert not made.public
        assert not made.rated
        assert tuple(made.to_move) == fork.to_move
        assert made.ply == made.next_ply == fork.step + 1
        over = played(ctx, made.id, way=1)
        assert over.game.outcome(over.position) is not None
        assert over.match.state == MatchState.OVER
        assert made.chain_head == chained(ctx, made)
        plies = [entry.ply for entry in over.log if isinstance(entry, MoveEntry)]
        assert plies == list(range(1, len(plies) + 1))
        rows = ctx.session.scalars(select(LogEntry.ply).where(LogEntry.match_id == made.id)).all()
        assert sorted(filter(None, rows)) == plies[fork.step :]
        assert load_match(ctx, match).log == course.log


@pytest.mark.parametrize(("key", "deal"), [("martian-trickery", "hand_number"), ("montauk", "round")])
def test_what_was_drawn_stays_and_later_luck_is_new(house: House, key: str, deal: str) -> None:
    seats, options = {"martian-trickery": (3, {"hands": 2}), "montauk": (2, {"rounds": 2})}[key]
    origin = house.start_match(key, seats, options)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, origin)
        course = played(ctx, origin)

        def dealt(position: Any) -> int:
            number = course.game.view(position, Eye.PUBLIC).board[deal]
            assert isinstance(number, int)
            return number

        positions = list(walked(course))
        second = next(step for step, position in enumerate(positions) if dealt(position) == 2)

        def replayed_on(step: int) -> Any:
            """Play the same moves in a fork, up to the second deal and no further."""
            fork = forks.find_start(ctx, match, step)
            made = practised(ctx, fork)
            again = load_match(ctx, made)
            for entry in effective_moves(course.log)[fork.step : second]:
                again = play_move(ctx, again, Seat(entry.seat), course.log[entry.ply - 1].move, ctx.now)  # type: ignore[arg-type, union-attr]
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
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, origin)
        made = practised(ctx, forks.find_start(ctx, match, len(load_match(ctx, match).log) - 3)).id
    asked = house.only("Ann")
    assert "Ann 2" in asked.text
    for _ in range(3):
        (seat,) = house.match(made).to_move
        house.reply(asked, house.legal(made, seat)[0])
        asked = house.only("Ann")
    assert house.match(made).state == MatchState.OVER
    assert not house.match_seats(made)[1].entropy
    assert house.mails("Bob") == []
    with house.transaction() as ctx:
        player = next(one.player_id for one in holders(ctx, house.match(made)))
        assert [one.match for one in dashboard.finished(ctx, player)].count(made) == 1
        assert [one.match for one in dashboard.unfinished(ctx, player)] == []


def test_of_several_seats_the_one_that_is_to_move_is_told_and_opened(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, origin)
        for step in (0, 1):
            made = practised(ctx, forks.find_start(ctx, match, step))
            player = made.host_id or 0
            (own,) = (one for one in dashboard.unfinished(ctx, player) if one.match == made.id)
            assert [own.seat] == made.to_move
            assert own.waits
            found = dashboard.find_holder(ctx, made.id, player)
            assert found
            assert found.seat == own.seat


def test_friends_are_invited_and_their_cards_are_theirs(house: House) -> None:
    origin = finished(house, "montauk")
    bob = Invitee("Bob", address("Bob"))
    for name in ("Ann", "Bob"):
        house.mails(name)
    with house.transaction() as table:
        fork = forks.find_start(table, table.session.get_one(Match, origin), 4)
        made = forks.create_match(table, fork, [ANN, bob], creator_seat=1).id
    house.reply(house.only("Bob"), "yes")
    assert house.match(made).state == MatchState.RUNNING
    with house.course(made) as (table, course):
        secret = course.game.exchange(course.position, Seat(2), bytes(32))
        assert secret != course.position
        assert course.game.view(secret, Seat(2)) == course.game.view(course.position, Seat(2))
        assert not share_keys.is_open(course.match, "")
        with pytest.raises(MatchNotOverError):
            next(replays.steps(course, Eye.OPEN, ("Ann", "Bob")))
        assert len(list(replays.steps(course, Seat(2), ("Ann", "Bob")))) == fork.step + 1


def test_the_robot_plays_against_one(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        fork = forks.find_start(ctx, ctx.session.get_one(Match, origin), 2)
        made = forks.create_match(ctx, fork, forks.seat_against_robots(fork, ANN, 2, Level.EASY), creator_seat=2)
        assert [holder.player.is_robot for holder in holders(ctx, made)] == [True, False]
        assert made.state == MatchState.RUNNING


# -- what is refused --------------------------------------------------------------------------------


def refusal(house: House, match_id: str, step: int) -> str:
    with house.transaction() as ctx, pytest.raises(Refused) as refused:
        forks.find_start(ctx, ctx.session.get_one(Match, match_id), step)
    return str(refused.value)


def test_there_is_nothing_to_play_on_where_there_is_no_such_step_or_it_is_over(house: House) -> None:
    running = house.start_match("minimax", 1)
    assert refusal(house, running, 0) == "You can play on from a match when it is over."
    with house.transaction() as ctx:
        last = len(played(ctx, running).log)
    assert refusal(house, running, last) == "The game is over at this step. Choose an earlier one."
    assert refusal(house, running, last + 1) == f"This match has no step {last + 1}: the last one is {last}."
    assert refusal(house, running, -1).startswith("This match has no step -1")
    waiting = house.make("martian-whist", 2)
    with house.transaction() as ctx:
        acceptance.cancel(ctx, lock_match(ctx, waiting), seat=None, by="table", detail={})
    assert refusal(house, waiting, 0) == "This match was called off before it began."


def test_all_seats_are_taken_and_nobody_but_its_maker_has_two(house: House) -> None:
    origin = finished(house, "martian-trickery")
    bob = Invitee("Bob", address("Bob"))
    with house.transaction() as ctx:
        house.mails("Bob")
        fork = forks.find_start(ctx, ctx.session.get_one(Match, origin), 3)
        with pytest.raises(Refused, match="This match has 3 seats"):
            forks.create_match(ctx, fork, [ANN], creator_seat=1)
        again = Invitee("Bob again", bob.email)
        with pytest.raises(Refused, match="Two seats have the same mail address"):
            forks.create_match(ctx, fork, [ANN, bob, again], creator_seat=1)
        made = forks.create_match(ctx, fork, [Invitee("Ann 1", ANN.email), bob, ANN], creator_seat=3)
        assert [bool(place.accepted_at) for place in made.seats] == [True, False, True]
    assert "invites you" in house.only("Bob").flat


def test_one_plays_on_from_where_somebody_resigned(house: House) -> None:
    origin = house.start_match("martian-whist", 2, {"sets": 2})
    with house.transaction() as ctx:
        course = played(ctx, origin, 3)
        endings.resign(ctx, course, holders(ctx, course.match)[0])
        fork = forks.find_start(ctx, course.match, 4)
        made = practised(ctx, fork)
        assert load_match(ctx, made).position == course.position
        assert [entry.data() for entry in load_match(ctx, made).log] == [entry.data() for entry in course.log]


def test_a_step_that_only_some_have_made_begins_anew(house: House) -> None:
    origin = finished(house, "amazonian-buffet")
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, origin)
        course = load_match(ctx, match)
        positions = list(walked(course))
        half = next(at for at, one in enumerate(positions) if at and len(course.game.to_move(one)) == 1
                    and course.game.stage(one) == course.game.stage(positions[at - 1]))  # fmt: skip
        fork = forks.find_start(ctx, match, half)
        assert fork.step == half - 1
        assert fork.to_move == (1, 2)


def test_moves_that_were_taken_back_are_as_if_never_played_and_may_be_played_on_from(house: House) -> None:
    origin = house.start_match("minimax", 1)
    with house.transaction() as ctx:
        first = played(ctx, origin, 2)
        takebacks.apply(ctx, first.match, 2, "seat 1")
        course = played(ctx, origin, way=1)
        match = course.match
        before, after = (practised(ctx, forks.find_start(ctx, match, step)) for step in (2, 3))
        assert load_match(ctx, before).position == first.position
        assert [entry.ply for entry in effective_moves(load_match(ctx, before).log)] == [1, 2]
        assert [entry.ply for entry in effective_moves(load_match(ctx, after).log)] == [1]
        assert (before.ply, after.ply) == (3, 2)
        with pytest.raises(Refused, match="You have not moved yet"):
            takebacks.first_ply(ctx, load_match(ctx, after), 1)


def test_a_fork_is_played_on_from_again_but_not_for_ever(house: House) -> None:
    match_id = finished(house, "montauk")
    with house.transaction() as ctx:
        for depth in range(forks.MAX_DEPTH):
            match = ctx.session.get_one(Match, match_id)
            whole = load_match(ctx, match)
            made = practised(ctx, forks.find_start(ctx, match, 6 + depth))
            assert load_match(ctx, made).position == list(walked(whole))[6 + depth]
            assert made.ply == 7 + depth
            match_id = played(ctx, made.id, way=depth).match.id
    assert refusal(house, match_id, 3).startswith("This match already continues a chain of others.")
    with house.transaction() as ctx:
        assert replay_check.find_differences(ctx, house.match_ids()) == []


# -- that it is for practice -------------------------------------------------------------------------


def test_practice_has_no_record_no_rematch_and_counts_for_nobody(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        fork = forks.find_start(ctx, ctx.session.get_one(Match, origin), 2)
        made = forks.create_match(ctx, fork, [ANN, Invitee("Bob", address("Bob"))], creator_seat=1)
        ann, bob = holders(ctx, made)
        before = reliability.for_player(ctx, ann.player_id)
        acceptance.accept(ctx, made, bob, "")
        over = played(ctx, made.id).match
        with pytest.raises(records.NoRecordYetError, match="practice match"):
            records.build_record(ctx, over)
        assert not rematches.is_possible(ctx, over)
        with pytest.raises(Refused, match="This was a practice match"):
            rematches.request(ctx, over, ann.player)
        assert reliability.for_player(ctx, ann.player_id) == before
        assert [name for name, _record in data_export.match_records(ctx, ann.player_id)] == [origin]


def test_a_draw_needs_nobody_where_one_person_plays_all(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        made = practised(ctx, forks.find_start(ctx, ctx.session.get_one(Match, origin), 2))
        holder = holders(ctx, made)[0]
        said = agreements.propose(agreements.Participant(ctx, made, holder), "draw")
        assert said == "Everybody agrees: the match ends in a draw."


def test_whoever_leaves_is_called_otherwise_at_each_seat(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        made = practised(ctx, forks.find_start(ctx, ctx.session.get_one(Match, origin), 2))
        deletion.delete(ctx, holders(ctx, made)[0].player)
        assert [one.name for one in holders(ctx, made)] == ["Former player", "Former player 2"]
        assert made.state == MatchState.OVER


def test_whom_a_host_asks_instead_plays_on_from_there_too(house: House) -> None:
    origin = finished(house, "martian-whist")
    with house.transaction() as ctx:
        fork = forks.find_start(ctx, ctx.session.get_one(Match, origin), 2)
        made = forks.create_match(ctx, fork, [ANN, Invitee("Bob", address("Bob"))], creator_seat=1)
        host = holders(ctx, made)[0]
        drawn = hosting.replace(ctx, made, host, 2, Invitee("Cyd", address("Cyd")))
        assert (drawn.forked_from_id, drawn.forked_step) == (origin, 2)
