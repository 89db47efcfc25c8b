"""The lessons' pages: a visitor plays each step through, and nothing is stored of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.boards.lessons import lessons, playing
from pbem.db.models import Match, Player, Submission
from pbem.games import GAMES, Move

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

OURS = ["amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk"]


def moves(game: str, number: int) -> tuple[Move, Move]:
    """Return a right and a wrong move of a step."""
    step = lessons()[game].steps[number - 1]
    at = playing.stand(GAMES[game], step)
    judged = [playing.judge(at, step, move) for move in at.game.moves(at.position, at.seat)]
    right, wrong = (next(one.attempt.move for one in judged if one.is_right is wanted) for wanted in (True, False))
    return right, wrong


def play(page: Page, move: str) -> Page:
    form = next(form for form in reversed(page.forms) if form.button == "Play this move")
    return page.visitor.send(form, {**form.fields, "move": move})


def test_the_lessons_are_listed_and_each_lists_its_steps(site: Visitor) -> None:
    page = site.open("/learn")
    assert "You need no account." in page.words
    lesson = page.follow("Montauk")
    assert lesson.url == "/learn/montauk"
    assert "Do not win for nothing" in lesson.words
    assert lesson.follow("Begin the lesson").url == "/learn/montauk/1"


@pytest.mark.parametrize("game", OURS)
def test_a_lesson_is_played_to_its_end_and_leads_to_a_first_match(game: str, site: Visitor, local: House) -> None:
    count = len(lessons()[game].steps)
    page = site.open(f"/learn/{game}/1")
    for number in range(1, count + 1):
        right, wrong = moves(game, number)
        assert f"Step {number} of {count}" in page.words
        refused = play(page, wrong)
        assert "Not yet." in refused.words
        assert "Below is the same position again." in refused.words
        page = play(refused, right)
        assert "Right." in page.words
        if number < count:
            page = page.follow("Next step")
    assert "You know enough for a first match." in page.words
    form = page.follow("Play Minimax" if game == "minimax" else "Play the robot (easy)")
    assert form.url.startswith(f"/new/{game}")
    if game != "minimax":
        assert page.links["Find a table"] == "/lobby"
        assert form.form("Start the match").fields["level-2"] == "easy"
    for table in (Match, Player, Submission):
        assert local.all(select(func.count()).select_from(table)) == [0]


def test_a_move_is_chosen_part_by_part(site: Visitor) -> None:
    page = site.open("/learn/martian-trickery/4?chosen=R3")
    assert "Your move so far" in page.words
    page = site.open("/learn/martian-trickery/4?chosen=R3&chosen=AC")
    chosen = next(form for form in page.forms if form.button == "Play this move")
    assert chosen.fields["move"] == "R3 AC"
    done = site.send(chosen, chosen.fields)
    assert "completes your red set: seven points" in done.words
    assert "You led the ace of clubs" in done.words


def test_what_is_no_part_of_a_move_is_not_chosen(site: Visitor) -> None:
    assert "Your move so far" not in site.open("/learn/martian-trickery/4?chosen=R9").words


def test_an_illegal_move_is_refused_with_the_reason(site: Visitor) -> None:
    page = play(site.open("/learn/martian-trickery/1"), "AS")
    assert page.status == 200
    assert "Nothing was played. You must follow suit if you can" in page.words
    assert 'id="verdict" role="status" tabindex="-1"' in page.html


def test_an_empty_move_shows_the_step_again(site: Visitor) -> None:
    page = play(site.open("/learn/montauk/1"), " ")
    assert "Play a card that wins the trick." in page.words
    assert 'id="verdict"' not in page.html


def test_a_form_from_elsewhere_is_shown_again(site: Visitor) -> None:
    page = site.open("/learn/montauk/1")
    form = next(form for form in page.forms if form.button == "Play this move")
    again = site.send(form, {"move": "4S", "nonce": "forged"})
    assert again.status == 400
    assert "This form was open for too long" in again.words
    assert 'value="4S"' in again.html


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/learn/chess", "There is no such game"),
        ("/learn/montauk/0", "This lesson has no such step."),
        ("/learn/montauk/5", "This lesson has no such step."),
    ],
)
def test_what_there_is_not_is_said_to_be_missing(url: str, reason: str, site: Visitor) -> None:
    page = site.open(url)
    assert page.status == 404
    assert reason in page.words


def test_a_hand_of_others_is_on_no_page(site: Visitor) -> None:
    at = playing.stand(GAMES["martian-trickery"], lessons()["martian-trickery"].steps[0])
    page = site.open("/learn/martian-trickery/1")
    for card in at.position.hands[0].value:
        assert f"{card}," not in page.words


def test_games_and_rules_lead_to_the_lesson(site: Visitor) -> None:
    assert "/learn" in site.open("/").links.values()
    assert site.open("/rules/montauk").links["Learn it in 4 steps"] == "/learn/montauk"
