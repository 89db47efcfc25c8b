"""Beginning a match by mail: who may, what comes of it, and what they hear."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail as read_mail
from pbem.db.models import Match, Player, SeatHolder, ServiceMail
from pbem.play.inbox import service_mail
from pbem.play.lobby import request_parser
from pbem.play.submissions.sender_policy import Alignment
from pbem.states import MatchState
from tests.support.play.lobby.request_parser import TO, made, statuses, verified, write

if TYPE_CHECKING:
    from tests.support.house import House


def test_a_letter_invites_there_and_back(house: House) -> None:
    verified(house, "Ann")
    write(house, "new whist there and back bob@example.org")
    assert "these are two matches of the same deal" in house.only("Ann").flat
    house.reply(house.only("Bob"), "yes")
    first, back = made(house, "martian-whist")
    assert first.set_id == back.set_id


def test_a_game_that_cannot_be_played_there_and_back_is_told(house: House) -> None:
    verified(house, "Ann")
    write(house, "new montauk there and back bob@example.org")
    assert "Montauk cannot be played there and back." in house.only("Ann").flat
    assert made(house, "montauk") == []


def test_a_letter_makes_a_match_and_is_its_writers_acceptance(house: House) -> None:
    verified(house, "Ann")
    said = write(house, "new martian-whist with bob@example.org sets 2\n\nBest, Ann")
    (match,) = made(house, "martian-whist")
    assert match.options["sets"] == 2
    own = house.only("Ann")
    assert "You created a match of Martian Whist with Bob; it begins when everybody has accepted." in own.flat
    assert own.message["In-Reply-To"] == said
    assert match.commitment.hex() in own.flat
    assert "Your part of the shuffle:" in own.flat
    invited = house.only("Bob")
    assert "Ann (ann@example.org) invites you to a match of Martian Whist" in invited.flat
    house.reply(invited, "yes")
    assert house.match(match.id).state == MatchState.RUNNING
    assert statuses(house) == ["done"]


def test_a_letter_begins_a_match_with_a_robot(house: House) -> None:
    verified(house, "Ann")
    write(house, "new martian-whist with robot")
    (match,) = made(house, "martian-whist")
    assert (match.state, match.rated) == ("running", False)
    first = house.only("Ann")
    assert "Your match of Martian Whist with Ada (fair robot) has begun. It is your turn." in first.flat


def test_a_match_against_a_robot_of_a_level_names_the_level(house: House) -> None:
    verified(house, "Ann")
    write(house, "new martian-whist with easy robot")
    assert "Your match of Martian Whist with Ada (easy robot) has begun." in house.only("Ann").flat


def test_a_level_that_the_game_does_not_have_is_answered_with_those_it_has(house: House) -> None:
    verified(house, "Ann")
    before = len(made(house, "middle-card"))
    write(house, "new middle-card with strong robot")
    assert len(made(house, "middle-card")) == before
    assert "Middle Card has no robot “strong”. Choose one of: easy and fair." in house.only("Ann").flat


def test_a_game_for_one_has_no_seat_for_a_robot(house: House) -> None:
    verified(house, "Ann")
    write(house, "new minimax with robot")
    assert made(house, "minimax") == []
    assert "No match was created. Minimax is for one player." in house.only("Ann").flat


def test_a_stranger_who_writes_begins_theirs_by_accepting(house: House) -> None:
    write(house, "new martian-trickery with robot", "new@example.org")
    (match,) = made(house, "martian-trickery")
    assert match.state == MatchState.INVITING
    invitation = house.only("new")
    assert "Ada (fair robot) and Basil (fair robot)" in invitation.flat
    house.reply(invitation, "yes")
    assert house.match(match.id).state == MatchState.RUNNING
    assert "your turn" in house.only("new").text


def test_a_letter_opens_a_table_for_anybody(house: House) -> None:
    verified(house, "Ann")
    write(house, "new martian-whist with anybody, 3 days")
    (match,) = made(house, "martian-whist")
    assert (match.open_seats, match.time_control, match.rated) == (1, "3 days", True)
    assert "You created a match of Martian Whist with an open seat;" in house.only("Ann").flat


def test_whoever_did_not_ask_for_a_match_calls_it_off(house: House) -> None:
    verified(house, "Ann")
    write(house, "new whist with bob@example.org")
    house.reply(house.only("Ann"), "decline")
    assert house.match(made(house, "martian-whist")[0].id).state == MatchState.OVER


def test_a_match_for_one_begins_at_once_in_german_too(house: House) -> None:
    verified(house, "Ann")
    write(house, "neu minimax long")
    (match,) = made(house, "minimax")
    assert (match.state, match.options) == ("running", {"size": "long"})
    first = house.only("Ann")
    assert "Your match of Minimax has begun. It is your turn." in first.flat
    assert first.message["In-Reply-To"].endswith("@example.org>")


def test_the_same_letter_makes_one_match(house: House) -> None:
    verified(house, "Ann")
    raw = b"From: ann@example.org\nMessage-ID: <x@example.org>\n\nnew minimax\n"
    for _ in range(3):
        house.send(raw, TO, "ann@example.org")
    for number in house.all(select(ServiceMail.id)):
        for _ in range(2):
            with house.transaction() as ctx:
                service_mail.process(ctx, number, read_mail)
    assert len(made(house, "minimax")) == 1


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("new chess with bob@example.org", "No match was created. Unknown game “chess”."),
        ("new minimax size huge", "No match was created. Write one of these after “size”: small and long."),
        ("new martian-whist", "No match was created. Martian Whist is for 2 players."),
        ("new whist with bob@", "No match was created. Enter a mail address"),
        ("new whist with ann@example.org", "Two seats have the same mail address"),
    ],
)
def test_what_makes_no_match_is_told_in_one_sentence(house: House, typed: str, reason: str) -> None:
    verified(house, "Ann")
    said = write(house, typed)
    told = house.only("Ann")
    assert reason in told.flat
    assert "Write it like this, alone on the first line: “new minimax”" in told.flat
    assert told.message["In-Reply-To"] == said
    assert told.message["Auto-Submitted"] == "auto-replied"
    assert len(house.match_ids()) == 1
    assert statuses(house) == ["done"]


def test_a_writer_is_told_so_often_and_no_more(house: House) -> None:
    verified(house, "Ann")
    for _ in range(service_mail.MAX_REFUSALS_PER_DAY + 2):
        write(house, "new chess")
    assert len(house.mails("Ann")) == service_mail.MAX_REFUSALS_PER_DAY


def test_so_many_matches_a_day_are_made_by_mail(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_parser, "MAX_MATCHES_PER_DAY", 2)
    verified(house, "Ann")
    for _ in range(3):
        write(house, "new minimax")
    assert len(made(house, "minimax")) == 2
    assert "You created 2 matches today. Try again tomorrow." in house.last("Ann").flat


def test_in_the_name_of_an_unknown_address_one_mail_a_day_goes_to_it_alone(house: House) -> None:
    verified(house, "Ann")
    for _ in range(3):
        write(house, "new whist with bob@example.org", "dee@example.org")
    invited = house.only("Dee")
    assert "You are starting a match of Martian Whist with Bob. Accept to begin it." in invited.flat
    assert not house.mails("Bob")
    house.reply(invited, "yes")
    assert "Dee (dee@example.org) invites you to a match of Martian Whist" in house.only("Bob").flat


def test_an_unverified_address_is_unknown(house: House) -> None:
    verified(house, "Ann")
    write(house, "new whist with ann@example.org", "bob@example.org")
    assert "Accept to begin it." in house.only("Bob").flat
    assert not house.mails("Ann")


def test_a_stranger_hears_nothing_of_what_is_wrong(house: House) -> None:
    write(house, "new chess", "dee@example.org")
    assert not house.mails("Dee")
    assert statuses(house) == ["stored"]


def test_who_wants_proof_of_each_mail_is_asked_before_others_are_invited(house: House) -> None:
    verified(house, "Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy="token+from+aligned"))
    write(house, "new whist with bob@example.org")
    assert "Accept to begin it." in house.only("Ann").flat
    assert not house.mails("Bob")


@pytest.mark.parametrize(("sender", "mailed"), [("ann@example.org", ["Ann"]), ("dee@example.org", [])])
def test_a_from_that_our_mail_server_denies_invites_nobody_else(house: House, sender: str, mailed: list[str]) -> None:
    verified(house, "Ann")
    house.send(f"From: {sender}\n\nnew whist with bob@example.org\n".encode(), TO, sender)
    (number,) = house.all(select(ServiceMail.id))
    with house.transaction() as ctx:
        service_mail.process(ctx, number, lambda raw: replace(read_mail(raw), alignment=Alignment.FAIL))
    assert [name for name in ("Ann", "Bob", "Dee") if house.mails(name)] == mailed
    assert all("Accept to begin it." in mail.flat for mail in house.every_mail[3:])


def test_all_other_letters_are_forwarded(house: House) -> None:
    operated = replace(house, config=replace(house.config, operator_email="operator@example.org"))
    verified(operated, "Ann")
    write(operated, "Hello, who runs this?")
    write(operated, "new chess", "dee@example.org")
    write(operated, "new minimax", to="postmaster@games.localhost")
    write(operated, "new minimax", Auto_Submitted="auto-replied")
    assert len(operated.mails("Operator")) == 3
    assert statuses(operated) == ["stored", "stored", "stored", "stored"]
    assert not made(operated, "minimax")


def test_a_letter_that_cannot_be_read_is_forwarded_and_no_other_is_held_up(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    verified(house, "Ann")
    house.send(b"From: ann@example.org\n\nnew minimax\n", TO, "ann@example.org")

    def broken(raw: bytes) -> object:
        raise RuntimeError(raw)

    (number,) = house.all(select(ServiceMail.id))
    with house.transaction() as ctx:
        service_mail.process(ctx, number, broken)  # type: ignore[arg-type]
    assert statuses(house) == ["failed"]
    assert "could not process service mail" in caplog.text


# -- from the table ------------------------------------------------------------------------------------


def test_a_match_may_be_asked_for_in_reply_to_any_mail(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "new minimax small")
    assert "Your match of Minimax has begun." in house.only("Ann").flat
    house.reply(house.every_mail[-1], "new chess")
    assert "No match was created. Unknown game “chess”." in house.only("Ann").flat
    (holder,) = house.all(
        select(SeatHolder).join(Match, SeatHolder.match_id == Match.id).where(Match.game == "minimax")
    )
    assert holder.name == "Ann"
