"""What mails say: from the facts of a notice to sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from emails.content.plain_text import render_text
from emails.messages import MessageContext, build_content
from emails.messages.shared import MAX_NEWS_MOVES
from pbem.db.models import Match
from pbem.games import Seat
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from tests.support.house import House


def written(house: House, match_id: str, seat: int, kind: str, **more: Any) -> str:
    """Write the letter of a kind to a seat, as one line."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        holder = holders(ctx, match)[seat - 1]
        facts = outbox.position_facts(ctx, load_match(ctx, match), holder)
    facts |= {"seat": seat, "name": holder.name, "game": match.game, "match": match.id, "public": match.public}
    facts |= {"head": "0" * 64, "commitment": "1" * 64}
    reader = MessageContext(facts | more, house.config, "a-link", "a-reply")
    return " ".join(render_text(build_content(kind, reader).parts).split())


def result(ending: str, winners: list[int], scores: dict[str, int] | None = None) -> dict[str, Any]:
    return {"ending": ending, "winners": winners, "scores": scores}


@pytest.mark.parametrize(
    ("seat", "ended", "sentence"),
    [
        (
            1,
            result("finished", [1], {"1": 2, "2": 1, "3": 0}),
            "is over. You have won. The score: Ann 2, Bob 1, Cyd 0.",
        ),
        (2, result("finished", [1], {"1": 2, "2": 1, "3": 0}), "is over. Ann has won. The score: Ann 2, Bob 1, Cyd 0."),
        (2, result("resigned", [1, 3]), "is over by resignation."),
        (2, result("timed_out", [3]), "is over on time. Cyd has won."),
        (2, result("agreed", [1, 2, 3]), "is over by agreement. It is a draw between Ann, Bob and Cyd."),
        (2, result("abandoned", []), "is over, abandoned by all. Nobody has won."),
        (2, result("aborted", []), "is over, called off."),
    ],
)
def test_the_end_is_told_in_a_sentence(house: House, seat: int, ended: dict[str, Any], sentence: str) -> None:
    assert sentence in written(house, house.start_match("middle-card", 3), seat, "final", result=ended)


@pytest.mark.parametrize(("winners", "sentence"), [([1], "You have won it."), ([], "It is not won this time.")])
def test_a_game_for_one_is_won_or_not(house: House, winners: list[int], sentence: str) -> None:
    match_id = house.start_match("minimax", 1)
    assert sentence in written(house, match_id, 1, "final", result=result("finished", winners, {"1": 3}))


def test_more_news_than_fit_are_left_to_the_page(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    news = [{"seat": 2, "move": "play 7"}] * (MAX_NEWS_MOVES + 3)
    said = written(house, match_id, 1, "turn", news=news)
    assert "(3 earlier moves are on the page.)" in said
    assert said.count("* Bob: play 7") == MAX_NEWS_MOVES


@pytest.mark.parametrize("kind", ["begun", "receipt"])
def test_a_player_who_waits_is_led_to_the_page_of_their_own_seat(house: House, kind: str) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = written(house, match_id, 2, kind, played="stay")
    assert "Look at the match: http://127.0.0.1:8000/seat/" in mail
    assert f"/matches/{match_id}" not in mail


def test_more_moves_than_fit_are_not_listed(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.course(match_id) as (_, course):
        moves = list(course.game.view(course.position, Seat(1)).moves)
    assert f"You may play: {moves[0]} | " in written(house, match_id, 1, "turn")
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        view = outbox.position_facts(ctx, load_match(ctx, match), holders(ctx, match)[0])["view"]
    for few in (view | {"moves": moves * 9}, view | {"moves_are_all": False}):
        assert "You may play" not in written(house, match_id, 1, "turn", view=few)
