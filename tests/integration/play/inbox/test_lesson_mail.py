"""Lessons by mail: each step is answered by a reply with a move, by its reader and by nobody else."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from itertools import count

import pytest
from sqlalchemy import func, select

from emails.parsing.reader import parse_mail
from pbem.boards.lessons import lessons, playing
from pbem.db.models import Address, Match, OutboxMessage, Player, ServiceMail
from pbem.games import GAMES, Move
from pbem.play.inbox import service_mail
from pbem.play.lobby import lesson_mail
from pbem.play.players import registry
from pbem.states import ServiceMailStatus
from tests.support.clockwork import at
from tests.support.house import House, Mail, address, reply
from tests.support.play.weekly.weeks import MONDAY

SERVICE = "games@games.localhost"
NUMBERS = count(1)
OURS = ["amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk"]


def process(house: House) -> None:
    pending = select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)
    for number in house.all(pending):
        with house.transaction() as ctx:
            service_mail.process(ctx, number, parse_mail)


def write(house: House, name: str, text: str, **headers: str) -> None:
    """Write a mail to the service, and have it answered."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address(name), SERVICE, "A lesson"
    mail["Message-ID"] = f"<lesson.{next(NUMBERS)}@example.org>"
    for header, value in headers.items():
        mail[header.replace("_", "-")] = value
    mail.set_content(f"{text}\n")
    assert house.send(mail.as_bytes(), SERVICE, address(name)).code == 250
    process(house)


def answer(house: House, mail: Mail, text: str, sender: str = "", **headers: str) -> None:
    """Reply to a step, and have the reply judged."""
    written = reply(mail, text, sender or None, **headers)
    assert house.send(written.as_bytes(), mail.reply_to, sender or address(mail.name)).code == 250
    process(house)


def begin(house: House, game: str = "montauk", name: str = "Ann") -> Mail:
    write(house, name, f"learn {game}")
    return house.only(name)


def moves(game: str, number: int) -> tuple[Move, Move]:
    """Return a right and a wrong move of a step."""
    step = lessons()[game].steps[number - 1]
    at_step = playing.stand(GAMES[game], step)
    judged = [playing.judge(at_step, step, move) for move in at_step.game.moves(at_step.position, at_step.seat)]
    right, wrong = (next(one.attempt.move for one in judged if one.is_right is wanted) for wanted in (True, False))
    return right, wrong


def known_player(house: House, name: str, language: str = "en") -> None:
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        player.language = language
        ctx.session.get_one(Address, address(name)).verified_at = ctx.now


# -- the course of a lesson ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", OURS)
def test_a_lesson_is_played_to_its_end_by_replies(game: str, house: House) -> None:
    steps = lessons()[game].steps
    mail = begin(house, game)
    assert f"This is a lesson in {GAMES[game].name}." in mail.flat
    for number, step in enumerate(steps, 1):
        assert f"Step {number} of {len(steps)}: {step.heading}." in mail.flat
        assert step.question in mail.flat
        right, wrong = moves(game, number)
        answer(house, mail, wrong)
        again = house.only("Ann")
        assert "Not yet." in again.flat
        assert f"Step {number} of {len(steps)}" in again.flat
        answer(house, again, right)
        mail = house.only("Ann")
        assert mail.flat.count("Right.") == 1
    assert "You know enough for a first match." in mail.flat
    assert f"new {game}" in mail.text
    assert house.all(select(func.count()).select_from(Match)) == [0]


def test_a_step_shows_its_board_as_text_and_as_a_picture_and_each_move_as_a_button(house: House) -> None:
    mail = begin(house)
    assert "Your hand: 4S (worth 4)" in mail.flat
    assert "image/png" in {part.get_content_type() for part in mail.message.walk()}
    assert f"mailto:{mail.reply_to}?subject=My%20move&amp;body=2H" in mail.html
    assert "http://127.0.0.1:8000/learn/montauk/1?chosen=2H" in mail.html
    assert "AD" not in mail.text


def test_a_step_with_many_moves_shows_by_an_example_how_one_is_written(house: House) -> None:
    mail = begin(house, "minimax")
    assert "For example" in mail.flat
    assert "http://127.0.0.1:8000/learn/minimax/1" in mail.text


def test_the_answer_of_a_step_is_in_its_thread(house: House) -> None:
    mail = begin(house)
    assert mail.message["Auto-Submitted"] == "auto-replied"
    answer(house, mail, "4S")
    assert house.only("Ann").message["In-Reply-To"]


def test_an_illegal_move_is_refused_with_the_reason(house: House) -> None:
    mail = begin(house)
    answer(house, mail, "AD")
    again = house.only("Ann")
    assert "Nothing was played in your lesson. You do not hold AD." in again.flat
    answer(house, again, "4S")
    assert "Right." in house.only("Ann").flat


def test_what_is_no_move_is_answered_with_what_is_asked(house: House) -> None:
    answer(house, begin(house), "I do not know")
    assert "Nothing was played in your lesson. That is not a card." in house.only("Ann").flat


def test_a_quoted_step_is_no_move(house: House) -> None:
    known_player(house, "Ann")
    for game in OURS:
        mail = begin(house, game)
        answer(house, mail, "")
        assert "Nothing was played in your lesson." in house.only("Ann").flat


def test_the_same_answer_twice_is_answered_once(house: House) -> None:
    mail = begin(house)
    written = reply(mail, "4S").as_bytes()
    # The last one came by another relay, which has changed it.
    for copy in (written, written, written + b"\n-- \nSent by way of a relay\n"):
        assert house.send(copy, mail.reply_to, address("Ann")).code == 250
        process(house)
    assert len(house.mails("Ann")) == 1


# -- the command -------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["learn", "Lernen", "learn chess"])
def test_the_lessons_are_listed(line: str, house: House) -> None:
    known_player(house, "Ann")
    write(house, "Ann", line)
    mail = house.only("Ann")
    assert "“learn montauk”" in mail.flat
    assert ("There is no lesson of the game that you named." in mail.flat) is ("chess" in line)


@pytest.mark.parametrize("line", ["learn Martian Whist", "learn martian-whist", "LEARN MARTIAN WHIST"])
def test_a_game_is_named_as_people_write_it(line: str, house: House) -> None:
    write(house, "Ann", line)
    assert "This is a lesson in Martian Whist." in house.only("Ann").flat


def test_it_works_in_a_reply_to_a_match_too(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    turn = next(mail for mail in house.mails("Ann") + house.mails("Bob"))
    house.reply(turn, "learn minimax")
    lesson = house.only(turn.name)
    assert "This is a lesson in Minimax." in lesson.flat
    answer(house, lesson, moves("minimax", 1)[0])
    assert "Right." in house.only(turn.name).flat
    assert house.match(match_id).log_length == 0


def test_a_lesson_speaks_the_language_of_its_reader(house: House) -> None:
    write(house, "Ann", "lernen montauk")
    mail = house.only("Ann")
    assert "Schritt 1 von 4" in mail.flat
    answer(house, mail, "4S")
    assert "Schritt 2 von 4" in house.only("Ann").flat
    known_player(house, "Bob", "de")
    write(house, "Bob", "learn montauk")
    assert "Schritt 1 von 4" in house.only("Bob").flat


def test_a_reply_with_a_command_is_a_command(house: House) -> None:
    mail = begin(house)
    answer(house, mail, "learn minimax")
    assert "This is a lesson in Minimax." in house.only("Ann").flat


# -- who may answer ----------------------------------------------------------------------------------


def test_a_stranger_gets_few_lessons_a_day(house: House) -> None:
    for _time in range(5):
        write(house, "Ann", "learn montauk")
    assert len(house.mails("Ann")) == service_mail.UNVERIFIED_ANSWERS_PER_DAY["learn"]
    assert house.all(select(func.count()).select_from(Player)) == [0]


def test_replies_are_answered_only_so_often_a_day(house: House) -> None:
    mail = begin(house)
    for _time in range(service_mail.MAX_ANSWERS_PER_DAY + 2):
        answer(house, mail, "5D")
    assert len(house.mails("Ann")) == service_mail.MAX_ANSWERS_PER_DAY


def test_nobody_else_may_answer_a_step(house: House) -> None:
    mail = begin(house)
    for _time in range(3):
        answer(house, mail, "4S", address("Bob"))
    refused = house.only("Bob")
    assert "This step of a lesson cannot be answered any more" in refused.flat
    assert not house.mails("Ann")


def test_a_step_may_be_answered_for_some_weeks(house: House) -> None:
    with at(MONDAY):
        mail = begin(house)
    with at(MONDAY + timedelta(days=lesson_mail.VALID_DAYS)):
        answer(house, mail, "4S")
        assert "Right." in house.only("Ann").flat
    with at(MONDAY + timedelta(days=lesson_mail.VALID_DAYS + 1)):
        answer(house, mail, "2H")
        assert "This step of a lesson cannot be answered any more" in house.only("Ann").flat


def test_a_removed_key_opens_no_lesson(house: House) -> None:
    mail = begin(house)
    answer(house.with_keys("another key of at least 32 characters"), mail, "4S")
    assert "This step of a lesson cannot be answered any more" in house.only("Ann").flat


def test_an_address_of_no_step_does_not_exist(house: House) -> None:
    mail = begin(house)
    forged = mail.reply_to.replace("montauk-1", "montauk-9")
    assert house.send(reply(mail, "4S").as_bytes(), forged, address("Ann")).code == 550
    assert house.send(reply(mail, "4S").as_bytes(), f"learn+x@{house.config.mail_domain}", address("Ann")).code == 550


def test_an_answer_that_no_person_wrote_is_not_answered(house: House) -> None:
    mail = begin(house)
    answer(house, mail, "I am away. 4S", Auto_Submitted="auto-replied")
    assert not house.mails("Ann")


def test_a_banned_player_gets_no_step(house: House) -> None:
    mail = begin(house)
    known_player(house, "Ann")
    with house.transaction() as ctx:
        ctx.session.get_one(Address, address("Ann")).player.banned_at = ctx.now
    answer(house, mail, "4S")
    kinds = house.all(select(OutboxMessage.kind))
    assert kinds.count("lesson step") == 1
