"""The lessons: each step is a position that the rules know, and what is said of a move is what it does."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pbem.boards.lessons import lessons, playing
from pbem.boards.lessons.parts import MAX_STEPS, Answer, Attempt, Lesson, PreparedChance, Stand, Step
from pbem.games import GAMES, IllegalMove, Move
from pbem.i18n import LANGUAGES, _, use_locale

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = ["amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk"]
STEPS = [(key, number) for key in OURS for number in range(len(lessons()[key].steps))]
MAX_TRIED = 600
"""More moves than any step allows."""


def prepared(key: str, number: int) -> tuple[Stand, Step]:
    step = lessons()[key].steps[number]
    return playing.stand(GAMES[key], step), step


def attempts(at: Stand, step: Step) -> Iterator[playing.Judgement]:
    for move in islice(at.game.moves(at.position, at.seat), MAX_TRIED):
        yield playing.judge(at, step, move)


def sentences(lesson: Lesson) -> Iterator[str]:
    yield from (lesson.lead, lesson.ending)
    for step in lesson.steps:
        yield from (step.heading, step.text, step.question, step.otherwise)
        yield from (answer.why for answer in step.answers)


def test_each_of_our_games_has_a_lesson_of_few_steps() -> None:
    assert [key for key in lessons() if key in OURS] == OURS
    for key in OURS:
        assert lessons()[key].game == key
        assert 3 <= len(lessons()[key].steps) <= MAX_STEPS


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_the_learner_is_to_move(key: str, number: int) -> None:
    at, _step = prepared(key, number)
    assert at.seat in at.game.to_move(at.position)
    assert len(list(islice(at.game.moves(at.position, at.seat), MAX_TRIED))) < MAX_TRIED


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_some_moves_are_right_and_some_are_not_and_each_sentence_is_said_of_one(key: str, number: int) -> None:
    at, step = prepared(key, number)
    judged = list(attempts(at, step))
    assert {one.is_right for one in judged} == {True, False}
    said = {one.why for one in judged}
    assert said == {*(answer.why for answer in step.answers), step.otherwise}


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_the_others_answer_until_the_learner_is_to_move_again(key: str, number: int) -> None:
    at, step = prepared(key, number)
    for one in attempts(at, step):
        movers = at.game.to_move(one.attempt.answered)
        assert not movers or at.seat in movers
        assert one.attempt.news[0]["seat"] == at.seat or len(at.game.to_move(at.position)) > 1


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_an_illegal_move_is_refused_with_the_reason_of_the_rules(key: str, number: int) -> None:
    at, step = prepared(key, number)
    legal = set(at.game.moves(at.position, at.seat))
    tried = {"montauk": "AD", "minimax": "sow b R1", "martian-trickery": "2S", "martian-whist": "take 20"}
    typed = tried.get(key, "a1-a9 f3")
    assert typed not in legal
    with pytest.raises(Exception, match=r"\w"):
        playing.judge(at, step, typed)


def test_a_trick_must_be_followed_in_a_lesson_too() -> None:
    at, step = prepared("martian-trickery", 0)
    with pytest.raises(IllegalMove, match="follow suit"):
        playing.judge(at, step, "AS")


@pytest.mark.parametrize(
    ("key", "number", "move", "right", "why"),
    [
        ("montauk", 0, "2H", True, "In one suit the card that followed wins"),
        ("montauk", 0, "KD", False, "Hearts beat diamonds and clubs"),
        ("montauk", 1, "3-off 4-off", True, "Two pyramids are off"),
        ("montauk", 2, "3S", False, "you may use 3 four times"),
        ("montauk", 3, "6-4 1-off", True, "so you take no null"),
        ("minimax", 0, "sow b B1, G3, Y1", True, "you are free to choose"),
        ("minimax", 2, "sow c B3/G2/R1, R2, Y2", True, "three pieces"),
        ("minimax", 3, "sow a B2, B3, G2, R1", False, "beside the stack"),
        ("martian-trickery", 1, "7S", False, "lower than Cyd’s ten"),
        ("martian-trickery", 2, "6C", True, "she has to take the black pyramid"),
        ("martian-trickery", 3, "Y3 AC", False, "worth five"),
        ("martian-trickery", 3, "AC R3", True, "seven points"),
        ("martian-whist", 0, "1", True, "large red one"),
        ("martian-whist", 2, "B3/K2/Y1", False, "then the leader wins the trick"),
        ("martian-whist", 3, "K3/K2/Y1", True, "in two of three pairs"),
        ("amazonian-buffet", 0, "a1-c3 AS", True, "the ace is yours"),
        ("amazonian-buffet", 1, "c3-d3 d1", True, "that works as well"),
        ("amazonian-buffet", 2, "QS QD | AS | KD", True, "You win all three"),
        ("amazonian-buffet", 3, "keep", False, "You do not win more hands"),
    ],
)
def test_a_move_is_judged_by_what_it_does(key: str, number: int, move: str, *, right: bool, why: str) -> None:
    at, step = prepared(key, number)
    judged = playing.judge(at, step, move)
    assert judged.is_right is right
    assert why in judged.why


def test_what_is_said_of_the_cards_of_others_is_so() -> None:
    at, _step = prepared("montauk", 0)
    assert at.position.trick.lead.value == "9H"
    at, _step = prepared("montauk", 2)
    assert at.position.trick.lead.value == "3H"
    at, _step = prepared("martian-trickery", 1)
    hands = [[card[1] for card in hand.value] for hand in at.position.hands]
    assert "D" not in hands[1]
    assert "D" not in hands[2]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("key", OURS)
def test_each_sentence_is_translated_and_keeps_what_is_typed(key: str, language: str) -> None:
    for sentence in sentences(lessons()[key]):
        with use_locale(language):
            translated = _(sentence)
        assert translated != sentence
        assert re.findall(r"\b[a-f][1-8]\b", translated) == re.findall(r"\b[a-f][1-8]\b", sentence)


def test_the_learner_is_ann_wherever_they_sit() -> None:
    (step,) = lessons()["middle-card"].steps
    assert playing.names(step) == ("Ann", "Bob", "Cyd")
    assert playing.names(lessons()["martian-trickery"].steps[0]) == ("Bob", "Cyd", "Ann")


def test_what_is_prepared_is_dealt_first_and_the_rest_by_the_seed() -> None:
    chance = PreparedChance(1, {"deck": "c a", "dice": "6 5"})
    assert chance.shuffle("deck", "abcd")[:2] == ("c", "a")
    assert sorted(chance.shuffle("other", "abcd")) == ["a", "b", "c", "d"]
    assert chance.rolls("dice", 2) == (6, 5)
    assert chance.rolls("others", 3) == PreparedChance(1, {}).rolls("others", 3)


def test_a_game_from_outside_brings_its_lesson_by_one_more_entry() -> None:
    lesson = lessons()["middle-card"]
    assert lesson is import_module("middle_card").LESSON
    (step,) = lesson.steps
    at = playing.stand(GAMES["middle-card"], step)
    judged = {str(one.attempt.move): one.is_right for one in attempts(at, step)}
    assert judged == {"stay": True, "swap 4": False, "swap 5": False, "swap 6": False}


def test_an_attempt_knows_what_the_others_have_answered() -> None:
    at, _step = prepared("martian-whist", 3)
    seen: list[Any] = []

    def see(attempt: Attempt) -> bool:
        seen.append((attempt.own["move"], [entry["seat"] for entry in attempt.news]))
        return True

    step = Step("", "", "", (Answer(see, "", is_right=True),), "")
    assert playing.judge(at, step, Move("Y3/Y2/Y1")).is_right
    assert seen == [("Y3/Y2/Y1", [1, 2])]
