"""`#1` in an answer plays the first move that its mail suggested, and nothing else ever reads it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from emails.content.blocks import Choices
from emails.messages import MessageContext
from emails.messages.shared import your_turn
from pbem.games import GAMES, Chance, GameError, Seat
from pbem.play.core import tokens
from pbem.play.inbox import commands
from pbem.play.notifications import outbox
from pbem.play.submissions import queue
from tests.support.play.matches.mail_facts import turns

if TYPE_CHECKING:
    from tests.support.house import House

every_game = pytest.mark.parametrize("key", GAMES)

NUMBERS = ("#1", "#2", "#3", "# 1", "- #1", "#1.", "reply #1", "#1:", "#10", "1. #2")
LOOKED_AT = 60


@every_game
def test_no_game_reads_a_number_as_a_move(key: str) -> None:
    for _deal, _before, turn in islice(turns(key), LOOKED_AT):
        for number in NUMBERS:
            with pytest.raises(GameError):
                GAMES[key].read(turn.before, turn.seat, number)
            assert commands.parse([number]) is None


@every_game
def test_a_position_suggests_the_same_whenever_it_is_asked(key: str) -> None:
    game = GAMES[key]
    for deal, before, turn in islice(turns(key), LOOKED_AT):
        suggested = game.suggest(turn.before, turn.seat)
        assert suggested == game.suggest(turn.before, turn.seat)
        assert all(game.allows(turn.before, turn.seat, move) for move in suggested)
        assert 0 < len(suggested) == len(set(suggested)) < 10
        chance = Chance(deal.seed)
        replayed = game.setup(deal.seats, deal.options, chance)
        for earlier in before:
            replayed = game.apply(replayed, earlier.seat, earlier.move, chance)
        assert game.suggest(replayed, turn.seat) == suggested


def likely(house: House, match_id: str, seat: int = 1) -> tuple[str, ...]:
    with house.course(match_id) as (_, course):
        return tuple(course.game.suggest(course.position, Seat(seat)))


def played(house: House, match_id: str) -> list[str]:
    with house.course(match_id) as (_, course):
        log: Any = course.game.view(course.position, Seat(1)).log
    return [entry["move"] for entry in log]


@pytest.mark.parametrize(("typed", "number"), [("#1", 1), ("#2", 2), ("# 3", 3), ("Hi there\n#2\nGreetings", 2)])
def test_a_number_plays_the_move_that_stands_beside_it(house: House, typed: str, number: int) -> None:
    match_id = house.start_match("martian-whist", 2)
    mail, move = house.last("Ann"), likely(house, match_id)[number - 1]
    assert f"reply #{number} for {move}" in mail.text
    house.reply(mail, typed)
    assert played(house, match_id) == [move]


def test_a_number_of_an_earlier_mail_is_stale_and_offers_nothing(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    first = house.last("Ann")
    house.reply(first, "#1")
    house.reply(house.last("Bob"), "#1")
    assert len(played(house, match_id)) == 2
    house.mails("Ann")
    house.reply(first, "#1")
    assert len(played(house, match_id)) == 2
    answer = house.last("Ann")
    assert "That turn has already been played" in answer.flat
    assert "you can play that now" not in answer.flat


def test_a_number_that_no_move_has_is_refused(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "#7")
    assert played(house, match_id) == []
    assert "“#7” is not a suggested move. These are: #1, #2, #3." in house.last("Ann").flat


def test_a_number_below_a_move_is_no_next_move(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    for _turn in range(40):
        with house.course(match_id) as (_, course):
            (seat,) = course.game.to_move(course.position)
        name = ("Ann", "Bob")[seat - 1]
        before = house.match(match_id).log_length
        house.reply(house.last(name), "#1\n#1\n#2")
        assert house.match(match_id).log_length == before + 1


def test_a_number_may_stand_behind_a_command_and_below_what_is_said(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    house.reply(mail, "preview #2")
    assert played(house, match_id) == []
    assert f"You asked about “{likely(house, match_id)[1]}”." in house.last("Ann").flat
    house.reply(mail, "say Good luck!\n#2")
    assert len(played(house, match_id)) == 1


@pytest.mark.parametrize(("via", "plays"), [(queue.API, 0), (queue.LINK, 1)])
def test_the_page_reads_numbers_and_the_api_moves_alone(house: House, via: str, plays: int) -> None:
    match_id = house.start_match("martian-whist", 2)
    token = house.last("Ann").token
    with house.transaction() as ctx:
        found = tokens.find(ctx, token, tokens.LINK)
        assert found
        queue.send_move(ctx, found, via, 1, "#1")
    house.judge(match_id)
    assert len(played(house, match_id)) == plays


def test_a_mail_lists_the_rest_only_where_there_is_more(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    with house.course(match_id) as (_, course):
        facts = outbox.view_facts(course, Seat(1), ("Ann", "Bob"))
    facts |= {"seat": 1, "name": "Ann", "game": "martian-whist", "match": match_id}
    few = facts | {"view": facts["view"] | {"moves": facts["suggestions"]}}
    for told, lists in ((facts, 1), (few, 0)):
        parts = your_turn(MessageContext(told, house.config, "a-link", "a-reply"))
        assert sum(isinstance(part, Choices) and bool(part.listed) for part in parts) == lists
