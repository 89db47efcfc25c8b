"""Words that a person may send instead of a move, and mails that are neither."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, OutboxMessage, Submission
from pbem.games import GAMES, GameError, Seat
from pbem.play.core import tokens
from pbem.play.inbox import commands
from pbem.play.submissions import queue
from pbem.states import MatchState
from tests.support.house import NAMES, reply

if TYPE_CHECKING:
    from tests.support.house import House


# -- what is a command ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("help", ("help", "", False)),
        ("  HELP. ", ("help", "", False)),
        ("Hilfe!", ("help", "", False)),
        ("board", ("board", "", False)),
        ("remis", ("draw", "", False)),
        ("resign", ("resign", "", False)),
        ("resign yes", ("resign", "", True)),
        ("Aufgeben: ja", ("resign", "", True)),
        ("accept", ("accept", "", False)),
        ("Accept, my own words", ("accept", "my own words", False)),
        ("accept  Héllo  wörld ", ("accept", "Héllo  wörld", False)),
        ("join  4x7kq  two  spaces", ("join", "4x7kq  two  spaces", False)),
        ("more  time\t4   days", ("more time", "4 days", False)),
        ("für  immer   ablehnen", ("decline for ever", "", False)),
        ("yes", ("yes", "", False)),
        ("Yes draw", ("yes", "draw", False)),
        ("nein: mehr Zeit", ("no", "mehr Zeit", False)),
        ("what c4?", ("what", "c4?", False)),
        ("My cards.", ("my cards", "", False)),
        ("my hand?", ("my cards", "", False)),
        ("Meine Karten", ("my cards", "", False)),
        ("say Good luck, all!", ("say", "Good luck, all!", False)),
        ("preview a1-c3 none", ("preview", "a1-c3 none", False)),
        ("stop all", ("stop", "all", False)),
        ("Stopp alle Mails", ("stop", "alle Mails", False)),
        ("Züge", ("moves", "", False)),
        ("decline", ("decline", "", False)),
    ],
)
def test_a_command_is_read_whatever_its_case_and_marks(line: str, said: tuple[str, str, bool]) -> None:
    read = commands.parse(["", line, "help"])
    assert read
    assert (read.command.name, read.text, read.confirmed) == said


@pytest.mark.parametrize(
    "line",
    [
        "resign now please",
        "draw a card",
        "help me",
        "3",
        "",
        "boards",
        "say",
        "what",
        "preview",
        "stop it now",
        "my move",
        "Ja, gern",
        "no thanks",
    ],
)
def test_a_command_with_other_words_is_none(line: str) -> None:
    assert commands.parse([line, "resign yes"]) is None or not line


def test_nothing_is_no_command() -> None:
    assert commands.parse([]) is None
    assert commands.parse(["", " "]) is None


# -- what comes of it ----------------------------------------------------------------------------------


def events(house: House) -> list[tuple[str, int | None, str]]:
    rows = select(LogEntry.event, LogEntry.seat, LogEntry.by).where(LogEntry.event.is_not(None))
    return [tuple(row) for row in house.rows(rows)]


def test_help_and_board_are_answered_with_the_match_as_it_stands(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    for name in ("Ann", "Bob"):
        mail = house.last(name)
        said = house.reply(mail, "help")
        answer = house.only(name)
        assert "How to play Middle Card by mail." in answer.text
        assert answer.message["In-Reply-To"] == said
        assert answer.message["Auto-Submitted"] == "auto-replied"
        house.reply(answer, "board")
        assert "This is your match of Middle Card" in house.only(name).text
    assert house.match(match_id).log_length == 0


def test_resign_asks_back_and_resigns_only_when_confirmed(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "resign")
    asked = house.only("Bob")
    assert "Do you want to resign? Nothing has happened yet." in asked.text
    assert house.match(match_id).state == MatchState.RUNNING
    said = house.reply(asked, "resign yes")
    match = house.match(match_id)
    assert match.state == MatchState.OVER
    assert match.result == {"scores": None, "winners": [1, 3], "ending": "resigned"}
    assert events(house) == [("resigned", 2, "seat 2")]
    final = house.only("Bob")
    assert "over by resignation" in final.text
    assert final.message["In-Reply-To"] == said
    house.mails("Ann")
    house.mails("Cyd")
    finals = select(OutboxMessage.recipient).where(OutboxMessage.kind == "final")
    assert sorted(house.all(finals)) == ["ann@example.org", "bob@example.org", "cyd@example.org"]


def test_a_draw_is_agreed_when_all_have_offered_it_since_the_last_move(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "draw")
    assert "You offered a draw." in house.only("Ann").text
    offered = house.last("Bob")
    assert "Ann offers a draw." in offered.text
    house.reply(offered, "draw")
    assert house.match(match_id).state == MatchState.RUNNING
    house.reply(house.last("Cyd"), "remis")
    match = house.match(match_id)
    assert match.result == {"scores": None, "winners": [1, 2, 3], "ending": "agreed"}
    assert events(house) == [("draw_agreed", None, "table")]
    assert "It is a draw between Ann, Bob and Cyd." in house.last("Ann").flat


def test_an_offer_falls_with_the_next_move(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "draw")
    house.reply(house.last("Cyd"), "draw")
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Ann"), "draw")
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_player_alone_has_nobody_to_offer_a_draw(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "draw")
    assert "is not possible now" in house.only("Ann").flat
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_mail_with_nothing_typed_is_told_so(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "")
    assert "Nothing was played: there is no text above the quoted mail." in house.only("Ann").flat
    assert house.match(match_id).log_length == 0


def test_a_rejected_move_is_answered_to_its_mover_alone_with_the_reason(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    for name in ("Bob", "Cyd"):
        house.mails(name)
    held = house.legal(match_id, 1)
    missing = next(card for card in "0123456789" if f"swap {card}" not in held)
    said = house.reply(house.last("Ann"), f"swap {missing}")
    answer = house.only("Ann")
    assert f"You wrote “swap {missing}”." in answer.flat
    assert "You cannot play" in answer.flat
    assert answer.message["In-Reply-To"] == said
    assert not house.mails("Bob")
    assert not house.mails("Cyd")
    assert house.match(match_id).log_length == 0
    house.reply(answer, "stay")
    assert house.match(match_id).log_length == 1


@pytest.mark.parametrize(
    ("game", "typed", "sentence"),
    [
        ("martian-whist", "take 23", "Did you mean “take 20” or “take 19” or “take 18”?"),
        ("amazonian-buffet", "a1-b1", "Did you mean “a1-b"),
        ("minimax", "sow a x1", "Did you mean “sow a "),
    ],
)
def test_a_rejected_move_is_answered_with_the_nearest_legal_ones(
    house: House, game: str, typed: str, sentence: str
) -> None:
    match_id = house.start_match(game, GAMES[game].seats[0])
    house.reply(house.last("Ann"), typed)
    answer = house.only("Ann")
    assert sentence in answer.flat
    with house.course(match_id) as (_, course):
        near = course.game.nearest(course.position, Seat(1), typed)
        assert near
        for line in answer.text.splitlines():
            with pytest.raises(GameError):
                course.game.read(course.position, Seat(1), line)
    # Each is a button with its page, and a mail that plays it.
    for move in near:
        assert f"?move={quote(move)}" in answer.html
        assert f"&amp;body={quote(move)}" in answer.html
    assert answer.text.count("Did you mean") == 1


def test_moves_that_were_meant_are_named_once_in_a_refusal(house: House) -> None:
    match_id, typed = house.start_match("montauk", 2), " ".join(["6-off"] * 7)
    name = NAMES[house.match(match_id).to_move[0] - 1]
    while "hyphen" not in (mail := house.last(name)).text:
        house.reply(mail, house.legal(match_id, NAMES.index(name) + 1)[0])
        name = NAMES[house.match(match_id).to_move[0] - 1]
    house.reply(mail, typed)
    with house.course(match_id) as (_, course):
        near = course.game.nearest(course.position, Seat(NAMES.index(name) + 1), typed)
    refused = house.last(name).flat
    assert near
    assert [refused.count(f"“{move}”") for move in near] == [1] * len(near)


def test_what_is_like_no_move_is_answered_without_a_guess(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "see you on Monday")
    assert "Did you mean" not in house.only("Ann").text


def test_what_is_no_move_is_answered_with_what_one_looks_like(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "I am thinking of a nice holiday")
    assert "Write “play” or “swap” and one of your cards" in house.only("Ann").flat


# -- who wrote it --------------------------------------------------------------------------------------


def test_a_mail_from_another_address_is_not_played_its_player_is_told_and_the_stranger_gets_nothing(
    house: House,
) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.reply(mail, "stay", sender="Mallory <mallory@example.net>")
    assert house.match(match_id).log_length == 0
    told = house.only("Ann")
    assert "from another address (mallory at example.net)" in told.flat
    assert "Nothing was played yet." in told.flat
    assert {row for (row,) in house.rows(select(OutboxMessage.recipient))} == {
        "ann@example.org", "bob@example.org", "cyd@example.org",
    }  # fmt: skip


def test_a_mail_from_another_player_is_not_played(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay", sender="bob@example.org")
    assert house.match(match_id).log_length == 0


def test_the_senders_name_and_case_do_not_matter(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay", sender="Ann A. <ANN@Example.Org>")
    assert house.match(match_id).log_length == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
    ],
)
def test_automatic_mail_is_never_a_move_and_never_answered(house: House, headers: dict[str, str]) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay", **headers)
    assert house.match(match_id).log_length == 0
    assert not house.mails("Ann")
    assert house.all(select(Submission.status)) == ["ignored"]


def test_mail_that_says_it_is_not_automatic_counts(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay", Auto_Submitted="no")
    assert house.match(match_id).log_length == 1


def test_mail_from_the_null_sender_is_never_a_move_and_never_answered(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    assert house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "").code == 250
    house.judge(match_id)
    assert house.match(match_id).log_length == 0
    assert not house.mails("Ann")


def test_bytes_that_are_no_mail_harm_nothing(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    to = house.last("Ann").reply_to
    for raw in (b"", b"\0", b"\xff\xfe" * 50, b"From: ann@example.org\nFrom: bob@example.org\n\nstay"):
        assert house.send(raw, to, "ann@example.org").code == 250
    assert house.judge(match_id)
    assert house.match(match_id).log_length == 0


# -- on a page or by the API ---------------------------------------------------------------------------


def test_the_api_plays_moves_only_and_mails_no_answer(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    with house.transaction() as ctx:
        found = tokens.find(ctx, token, tokens.LINK)
        assert found
        submission = queue.send_move(ctx, found, queue.API, 1, "resign yes")
    house.judge(match_id)
    with house.transaction() as ctx:
        status = queue.find_status(ctx, submission)
    assert status
    assert status.status == "rejected"
    assert house.match(match_id).state == MatchState.RUNNING
    assert not house.mails("Ann")


def test_a_page_may_send_commands(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    with house.transaction() as ctx:
        found = tokens.find(ctx, token, tokens.LINK)
        assert found
        queue.send_move(ctx, found, queue.LINK, 1, "resign yes")
    house.judge(match_id)
    assert house.match(match_id).state == MatchState.OVER
