"""Replays: a match step by step, with the words of its log, and nothing that was hidden from whoever looks."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Match as Row
from pbem.db.models import MatchSeat
from pbem.games import GAMES, Eye, Seat
from pbem.games.chain import Entry, EventEntry, MoveEntry
from pbem.play.archive import replays
from pbem.play.matches.match_state import LoadedMatch, replay_log
from pbem.play.matches.views import MatchNotOverError
from pbem.states import MatchState
from tests.support.games.random_play import Match, walk
from tests.support.play.archive.replays import AT

if TYPE_CHECKING:
    from pbem.games import Viewer

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve")
SMALL: dict[str, dict[str, object]] = {"montauk": {"rounds": 1}, "martian-whist": {"sets": 2}, "minimax": {}}
MOVES = 60


def course(key: str, *, over: bool = True, most: int = MOVES) -> tuple[LoadedMatch, tuple[str, ...]]:
    """Play a match of a game at random, without a database."""
    game = GAMES[key]
    chosen = {name: value for name, value in SMALL.get(key, {}).items() if value in game.options[name]}
    match = Match(game, game.seats[0], dict(chosen), bytes(range(32)))
    turns = islice(walk(match), most)
    log: list[Entry] = [
        MoveEntry(ply, int(turn.seat), turn.move, AT, f"{ply:032x}") for ply, turn in enumerate(turns, 1)
    ]
    return course_over(match, log, over=over), NAMES[: match.seats]


def course_over(match: Match, log: list[Entry], *, over: bool) -> LoadedMatch:
    row = Row(
        id="abcdefghjk0123456789",
        game=match.game.key,
        edition=match.game.edition,
        options=dict(match.game.settle(match.seats, match.options)),
        seed=match.seed,
        state=MatchState.OVER if over else MatchState.RUNNING,
        seats=[MatchSeat(seat=seat) for seat in range(1, match.seats + 1)],
    )
    return replay_log(row, log)


def viewers(course: LoadedMatch) -> list[Viewer]:
    open_eye = [Eye.OPEN] if course.match.state == MatchState.OVER else []
    return [Eye.PUBLIC, *open_eye, *map(Seat, range(1, len(course.match.seats) + 1))]


@pytest.mark.parametrize("key", GAMES)
def test_each_step_is_the_view_of_its_time_and_the_same_alone_as_in_the_walk(key: str) -> None:
    played, names = course(key)
    for viewer in viewers(played):
        every = list(replays.steps(played, viewer, names))
        assert [step.number for step in every] == list(range(len(played.log) + 1))
        for number in (0, 1, len(every) // 2, len(every) - 1):
            assert replays.get_step(played, viewer, names, number) == every[number]
        assert every[-1].board == played.game.board(played.position, viewer)
        assert every[-1].outcome == played.game.outcome(played.position)
        assert all(step.told for step in every[1:])
        assert [step.who for step in every[1:]] == [names[entry.seat - 1] for entry in played.log if entry.seat]


@pytest.mark.parametrize("key", GAMES)
def test_the_open_eye_sees_every_move_and_all_that_was_legal(key: str) -> None:
    played, names = course(key, most=12)
    every = list(replays.steps(played, Eye.OPEN, names))
    assert [step.entry for step in every[1:]] == list(played.log)
    for step, after in pairwise(every):
        entry = after.entry
        assert isinstance(entry, MoveEntry)
        legal = {one.seat: one for one in step.moves}
        assert tuple(legal) == step.to_move
        mine = legal[Seat(entry.seat)]
        assert entry.move in mine.moves or not mine.is_complete


@pytest.mark.parametrize("key", GAMES)
def test_nothing_in_a_replay_of_a_running_match_depends_on_what_is_hidden(key: str) -> None:
    played, names = course(key, over=False, most=28)
    exchanges = 0
    for viewer in viewers(played):
        others = []
        for number, position in enumerate(played.positions):
            seeds = (bytes([number, again] * 16) for again in range(8))
            drawn = (played.game.exchange(position, viewer, seed) for seed in seeds)
            others.append(next((other for other in drawn if other != position), position))
        exchanges += sum(other != position for other, position in zip(others, played.positions, strict=True))
        exchanged = replace(played, positions=tuple(others))
        seen, listed = list(replays.steps(played, viewer, names)), replays.move_list(played, viewer, names)
        again = list(replays.steps(exchanged, viewer, names))
        assert again == seen
        assert [step.moves for step in again] == [step.moves for step in seen]
        assert replays.move_list(exchanged, viewer, names) == listed
    secrets = {"martian-trickery", "montauk", "amazonian-buffet", "middle-card"}
    assert bool(exchanges) == (key in secrets)


def test_a_face_down_card_is_in_no_step_for_others_while_it_lies_there() -> None:
    played, names = course("montauk", over=False, most=30)
    mine = played.log[0]
    assert isinstance(mine, MoveEntry)
    for viewer, known in ((Eye.PUBLIC, False), (Seat(3 - mine.seat), False), (Seat(mine.seat), True)):
        entry = replays.get_step(played, viewer, names, 1).entry
        assert isinstance(entry, MoveEntry)
        assert (entry.move == mine.move, entry.salt) == (known, "")


def test_the_open_eye_waits_until_a_match_is_over() -> None:
    played, names = course("minimax", over=False, most=2)
    with pytest.raises(MatchNotOverError):
        replays.move_list(played, Eye.OPEN, names)
    with pytest.raises(MatchNotOverError):
        replays.get_step(played, Eye.OPEN, names, 0)


@pytest.mark.parametrize("key", GAMES)
def test_a_loaded_match_is_not_replayed_again(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played, names = course(key, most=12)
    monkeypatch.setattr(type(played.game), "apply", None)
    monkeypatch.setattr(type(played.game), "setup", None)
    assert len(list(replays.steps(played, Eye.OPEN, names))) == 1 + len(replays.move_list(played, Eye.OPEN, names))
    assert replays.get_step(played, Eye.OPEN, names, len(played.log)).number == len(played.log)


@pytest.mark.parametrize("number", [-1, 3])
def test_there_are_as_many_steps_as_entries(number: int) -> None:
    played, names = course("minimax", most=2)
    with pytest.raises(IndexError):
        replays.get_step(played, Eye.OPEN, names, number)


def test_a_sealed_stage_is_told_when_it_opens_whoever_was_first() -> None:
    match = Match(GAMES["middle-card"], 3, {"swap": False}, bytes(range(32)))
    dealt = course_over(match, [], over=False)
    cards = [dealt.game.view(dealt.position, Seat(seat)).moves[0] for seat in (1, 2, 3)]
    log: list[Entry] = [MoveEntry(ply, seat, cards[seat - 1], AT, "") for ply, seat in enumerate((3, 1, 2), 1)]
    played = course_over(match, log, over=True)
    told = [step.told for step in replays.steps(played, Eye.PUBLIC, NAMES[:3])]
    assert told[1:3] == [("Cyd has sealed a card.",), ("Ann has sealed a card.",)]
    shown = [f"{name}: {card}." for name, card in zip(NAMES, cards, strict=False)]
    assert list(told[3]) == shown
    lines = replays.move_list(played, Eye.PUBLIC, NAMES[:3])
    assert [line.told for line in lines] == [shown[2], shown[0], shown[1]]


def test_what_was_taken_back_stays_in_the_replay_and_is_marked() -> None:
    played, names = course("martian-whist", most=3)
    one, two, three = played.log
    assert isinstance(two, MoveEntry)
    log = [one, two, three, EventEntry("taken_back", None, "table", {"from": 2}, AT, "")]
    back = replay_log(played.match, [*log, replace(two, ply=4)])
    every = list(replays.steps(back, Eye.OPEN, names))
    assert every[4].board == every[1].board != every[3].board
    assert (every[4].who, every[4].told) == ("", ("All moves from move 2 on are taken back.",))
    lines = replays.move_list(back, Eye.OPEN, names)
    assert [line.void for line in lines] == [False, True, True, False, False]
    assert [line.ply for line in lines] == [1, 2, 3, None, 4]
    assert all(line.told for line in lines)
    assert lines[1].told == lines[4].told
    assert [replays.step_number(back, ply) for ply in (1, 3, 4, 9)] == [1, 3, 5, None]


ACTS = [
    (EventEntry("resigned", 2, "seat 2", {}, AT, ""), "Bob resigns."),
    (EventEntry("timed_out", 1, "clock", {}, AT, ""), "Ann runs out of time."),
    (EventEntry("timed_out", None, "clock", {}, AT, ""), "Somebody runs out of time."),
    (EventEntry("extended", 2, "seat 1", {"seat": 2, "hours": 48}, AT, ""), "Bob gets 2 more days."),
    (EventEntry("extended", 2, "seat 1", {"hours": "x"}, AT, ""), "Bob gets 0 more days."),
    (EventEntry("paused", None, "table", {}, AT, ""), "The match is paused."),
    (EventEntry("substituted", 2, "clock", {}, AT, ""), "A substitute takes the seat of Bob."),
    (EventEntry("substituted", 9, "clock", {}, AT, ""), "A substitute takes a seat."),
    (EventEntry("aborted", 1, "seat 1", {}, AT, ""), "Ann calls the match off."),
    (EventEntry("aborted", None, "operator", {}, AT, ""), "The operator calls the match off."),
]


@pytest.mark.parametrize(("entry", "said"), ACTS)
def test_acts_are_told_in_sentences(entry: EventEntry, said: str) -> None:
    played, names = course("martian-whist", most=1)
    acted = replay_log(played.match, [*played.log, entry])
    last = replays.get_step(acted, Eye.OPEN, names, 2)
    assert (last.told, last.to_move, last.moves) == ((said,), (), ())
    assert replays.move_list(acted, Eye.OPEN, names)[-1].told == said


def test_a_match_that_ended_before_any_move_has_the_deal() -> None:
    match = Match(GAMES["martian-whist"], 2, {}, bytes(range(32)))
    (dealt,) = replays.steps(course_over(match, [], over=True), Eye.OPEN, NAMES[:2])
    assert (dealt.to_move, dealt.entry, dealt.told) == ((), None, ())
    assert replays.steps(course_over(match, [], over=False), Seat(1), NAMES[:2]).__next__().to_move
