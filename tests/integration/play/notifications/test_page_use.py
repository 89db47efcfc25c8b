"""Turn mails to a seat whose page is in use wait some minutes, and are not sent if the turn is played meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from emails.parsing.reader import parse_mail
from pbem.db.models import Match, OutboxMessage, Token
from pbem.db.session import set_task_sender
from pbem.games import Seat
from pbem.play.chat import messages
from pbem.play.core import tokens
from pbem.play.inbox import judge
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox, page_use
from pbem.play.submissions import queue
from pbem.play.upkeep import sweeper
from pbem.states import MatchState, OutboxState
from tests.support.clockwork import at
from tests.support.creating import create_match
from tests.support.house import NAMES, address

if TYPE_CHECKING:
    from tests.support.house import House

MINUTE = timedelta(minutes=1)
EVENING: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("minimax", 1, {}),
    ("martian-whist", 2, {}),
    ("amazonian-buffet", 2, {}),
    ("montauk", 2, {"rounds": 1}),
    ("martian-trickery", 3, {"hands": 1}),
)
MOST_MAILS = 15
"""Maximum mails of an evening at the pages; without holding them there were 97."""


@pytest.fixture
def noon() -> datetime:
    """A moment that is later than everything so far."""
    return datetime.now(UTC) + timedelta(hours=1)


def begin(house: House, game: str, seats: int) -> str:
    """Start a match whose first mails have been read."""
    match_id = house.start_match(game, seats)
    for name in NAMES[:seats]:
        house.mails(name)
    return match_id


def move(house: House, match_id: str, seat: int, moment: datetime, via: str = queue.LINK) -> None:
    """Send and judge a seat's first suggested move, by its page unless it comes another way."""
    with house.transaction(moment) as ctx:
        match = house.match(match_id)
        theirs = Token.kind == tokens.LINK, Token.ply == match.ply, Token.holder.has(match_id=match_id, seat=seat)
        link = ctx.session.scalars(select(Token).where(*theirs)).one()
        with house.course(match_id) as (_, course):
            chosen = course.game.suggest(course.position, Seat(seat))[0]
        queue.send_move(ctx, link, via, match.ply, chosen)
    with house.transaction(moment) as ctx:
        assert judge.judge(ctx, match_id, parse_mail) == 1


def turns(house: House, name: str) -> list[datetime]:
    """List when the turn mails that wait for a player are due."""
    theirs = OutboxMessage.recipient == address(name), OutboxMessage.kind == "turn"
    pending = OutboxMessage.state == OutboxState.PENDING
    return house.all(select(OutboxMessage.due_at).where(*theirs, pending).order_by(OutboxMessage.id))


def mails_at(house: House, name: str, moment: datetime) -> list[str]:
    """Return the mails that a player is sent at a moment."""
    with at(moment):
        return [mail.flat for mail in house.mails(name)]


def test_the_next_turn_after_a_move_by_page_is_mailed_ten_minutes_later(house: House, noon: datetime) -> None:
    match_id = begin(house, "minimax", 1)
    move(house, match_id, 1, noon)
    assert page_use.HOLD == 10 * MINUTE
    assert mails_at(house, "Ann", noon + 9 * MINUTE) == []
    (turn,) = mails_at(house, "Ann", noon + 10 * MINUTE)
    assert "It is your turn" in turn


def test_a_held_mail_is_found_again_after_a_restart(house: House, noon: datetime) -> None:
    match_id = begin(house, "minimax", 1)
    move(house, match_id, 1, noon)
    found: list[str] = []
    set_task_sender(lambda task, _arguments: found.append(task))
    for minutes in (9, 11):
        with house.transaction(noon + minutes * MINUTE) as ctx:
            sweeper.sweep(ctx)
        assert (outbox.RELAY_TASK in found) == (minutes > 10)
    set_task_sender(lambda _task, _arguments: None)


def test_a_turn_that_is_played_meanwhile_is_not_mailed(house: House, noon: datetime) -> None:
    match_id = begin(house, "minimax", 1)
    for number in range(3):
        move(house, match_id, 1, noon + number * MINUTE)
    assert len(mails_at(house, "Ann", noon + 20 * MINUTE)) == 1
    states = select(OutboxMessage.state).where(OutboxMessage.kind == "turn").order_by(OutboxMessage.id)
    assert house.all(states) == ["sent", "dropped", "dropped", "sent"]


def test_an_opponent_is_mailed_at_once_unless_their_page_is_in_use_too(house: House, noon: datetime) -> None:
    match_id = begin(house, "martian-whist", 2)
    move(house, match_id, 1, noon)
    assert turns(house, "Bob") == [noon]
    move(house, match_id, 2, noon + MINUTE)
    assert turns(house, "Ann") == [noon + 11 * MINUTE]


def test_a_page_is_in_use_for_ten_minutes_after_a_move(house: House, noon: datetime) -> None:
    match_id = begin(house, "martian-whist", 2)
    move(house, match_id, 1, noon)
    move(house, match_id, 2, noon + page_use.IN_USE)
    assert turns(house, "Ann") == [noon + page_use.IN_USE]


@pytest.mark.parametrize("before", [queue.API, queue.LINK])
def test_a_program_that_moves_by_api_is_mailed_at_once(house: House, noon: datetime, before: str) -> None:
    match_id = begin(house, "minimax", 1)
    move(house, match_id, 1, noon, before)
    move(house, match_id, 1, noon + MINUTE, queue.API)
    assert turns(house, "Ann")[1:] == [noon + MINUTE]


def test_a_move_by_mail_is_answered_at_once_and_so_is_the_next_turn(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    first = house.last("Ann")
    move(house, match_id, 1, datetime.now(UTC))
    assert house.mails("Ann") == []
    house.reply(first, "board")
    board = house.only("Ann")
    house.reply(board, house.legal(match_id, 1)[0])
    assert "Your move was played" in house.only("Ann").flat


def test_words_in_a_mail_that_is_held_and_not_sent_come_with_the_next_one(house: House, noon: datetime) -> None:
    match_id = begin(house, "martian-whist", 2)
    move(house, match_id, 1, noon)
    with house.transaction(noon + MINUTE) as ctx:
        match = ctx.session.get_one(Match, match_id)
        messages.store(ctx, match, holders(ctx, match)[1], "What a start!")
    move(house, match_id, 2, noon + 2 * MINUTE, queue.API)
    assert turns(house, "Ann") == [noon + 12 * MINUTE]
    move(house, match_id, 1, noon + 3 * MINUTE, queue.API)
    move(house, match_id, 2, noon + 4 * MINUTE, queue.API)
    (turn,) = mails_at(house, "Ann", noon + 4 * MINUTE)
    assert "What a start!" in turn


def test_a_thread_names_no_mail_that_is_held_or_was_dropped(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    first = house.last("Ann")
    for _ in range(2):
        move(house, match_id, 1, datetime.now(UTC))
    house.reply(first, "board")
    named = str(house.only("Ann").headers["References"]).split()
    states = select(OutboxMessage.state).where(OutboxMessage.message_id.in_(named))
    assert {*house.all(states)} == {"sent"}


def test_five_games_by_page_in_an_evening_are_few_mails(house: House, noon: datetime) -> None:
    begin(house, "middle-card", 3)
    told: list[str] = []
    for game, seats, options in EVENING:
        with house.transaction() as ctx:
            guests = [Invitee("Ann", address("Ann")), *[ROBOT] * (seats - 1)]
            match_id = create_match(ctx, game, options, guests, creator=1, known=True).id
        while house.match(match_id).state == MatchState.RUNNING:
            noon += MINUTE / 4
            move(house, match_id, 1, noon)
            told += mails_at(house, "Ann", noon)
    told += mails_at(house, "Ann", noon + 60 * MINUTE)
    assert sum("has begun. It is your turn." in mail and "Commitment to the deal:" in mail for mail in told) == len(
        EVENING
    )
    assert sum("Thank you for playing." in mail for mail in told) == len(EVENING)
    assert len(told) <= MOST_MAILS
    assert house.rows(select(func.count()).where(OutboxMessage.state == OutboxState.PENDING)) == [(0,)]
