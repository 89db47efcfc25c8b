"""Beginning a match by mail: what is understood, who may, and what they hear."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail as read_mail
from pbem.db.models import Match, Player, SeatHolder, ServiceMail
from pbem.i18n import use_locale
from pbem.play.core.errors import Refused
from pbem.play.inbox import service_mail
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.lobby import request_parser
from pbem.play.submissions.sender_policy import Alignment
from pbem.states import MatchState
from tests.support.play.lobby.request_parser import TO, made, statuses, verified, write

if TYPE_CHECKING:
    from tests.support.house import House

ANN = Invitee("Ann", "ann@example.org")


# -- what is understood --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "game", "guests", "options", "public"),
    [
        ("minimax", "minimax", [], {}, True),
        ("Minimax long", "minimax", [], {"size": "long"}, True),
        ("minimax, size: long", "minimax", [], {"size": "long"}, True),
        ("minimx size=long private", "minimax", [], {"size": "long"}, False),
        ("martian-whist with bob@x.org", "martian-whist", [("Bob", "bob@x.org")], {}, True),
        ("Martian Whist with bob@x.org, sets 2", "martian-whist", [("Bob", "bob@x.org")], {"sets": 2}, True),
        ("whist sets 4 with Bob Brown <bob@x.org>", "martian-whist", [("Bob Brown", "bob@x.org")], {"sets": 4}, True),
        ("whist gegen bob@x.org privat", "martian-whist", [("Bob", "bob@x.org")], {}, False),
        ("Martian Whist with bob@x.org.", "martian-whist", [("Bob", "bob@x.org")], {}, True),
        ("Whist with bob@x.org, sets 2!", "martian-whist", [("Bob", "bob@x.org")], {"sets": 2}, True),
        ("amazonian bufet with bob@x.org", "amazonian-buffet", [("Bob", "bob@x.org")], {}, True),
        ("martian-whist Martin bob@x.org", "martian-whist", [("Martin", "bob@x.org")], {}, True),
        ("buffet bob@x.org compare poker", "amazonian-buffet", [("Bob", "bob@x.org")], {"compare": "poker"}, True),
        (
            "middle card with bob@x.org and cyd@x.org swap no",
            "middle-card",
            [("Bob", "bob@x.org"), ("Cyd", "cyd@x.org")],
            {"swap": False},
            True,
        ),
        (
            "middle-card mit ann@x.org und ann@y.org, swap ja",
            "middle-card",
            [("Ann 2", "ann@x.org"), ("Ann 3", "ann@y.org")],
            {"swap": True},
            True,
        ),
        ("montauk rounds 3 with bob.b+games@x.org", "montauk", [("Bob", "bob.b+games@x.org")], {"rounds": 3}, True),
    ],
)
def test_a_wish_for_a_match_is_read_leniently(
    text: str,
    game: str,
    guests: list[tuple[str, str]],
    options: dict[str, object],
    public: bool,  # noqa: FBT001
) -> None:
    wanted = request_parser.parse(text, ANN)
    seated = (ANN, *(Invitee(*guest) for guest in guests))
    assert wanted == MatchRequest(game, options, seated, Terms("3 days", rated=public, public=public), creator_seat=1)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("whist with anybody", {"open_seats": 1}),
        ("whist mit irgendwem 3 Tage", {"open_seats": 1, "time_control": "3 days"}),
        ("whist with bob@x.org 1 day", {"time_control": "1 day"}),
        ("whist with bob@x.org a week unrated", {"time_control": "7 days", "rated": False}),
        ("whist gegen bob@x.org eine Woche ungewertet", {"time_control": "7 days", "rated": False}),
        ("whist with bob@x.org 7 days without deadlines", {"time_control": "none"}),
        ("whist with bob@x.org relaxed loss on time", {"time_control": "relaxed", "timeout_policy": "loss"}),
        ("whist with bob@x.org, weekends free, vote", {"time_control": "weekend", "timeout_policy": "vote"}),
        ("whist with bob@x.org 3 days weekends free", {"time_control": "weekend"}),
        ("whist with bob@x.org weekend 3 days substitute", {"time_control": "weekend", "timeout_policy": "substitute"}),
        ("whist gegen bob@x.org gemütlich Verlust auf Zeit", {"time_control": "relaxed", "timeout_policy": "loss"}),
        ("whist with anybody reliable", {"open_seats": 1, "min_reliability": 90}),
        ("whist with anybody reliable 75 loss", {"open_seats": 1, "min_reliability": 75, "timeout_policy": "loss"}),
        ("middle-card with 2 others", {"open_seats": 2}),
        ("middle-card with anybody", {"open_seats": 2}),
        ("middle-card with bob@x.org and anybody", {"open_seats": 1}),
        ("middle-card anybody anybody", {"open_seats": 2}),
        ("middle-card with bob@x.org players 3", {"open_seats": 1}),
        ("middle-card with bob@x.org, cyd@x.org players 3", {}),
        ("trickery players 4 hands 1", {"open_seats": 3}),
        ("whist with 999999 others", {"open_seats": request_parser.MAX_SEATS}),
        ("whist with bob@x.org open if declined", {"open_if_declined": True}),
        ("whist open if declined with bob@x.org 3 days", {"open_if_declined": True}),
        ("whist gegen bob@x.org, offen, wenn abgelehnt", {"open_if_declined": True}),
        ("whist gegen bob@x.org offen bei Absage", {"open_if_declined": True}),
        ("middle-card with bob@x.org and anybody, open if declined", {"open_seats": 1, "open_if_declined": True}),
        ("whist with anybody bots rated", {"open_seats": 1, "bots": "rated"}),
        ("whist with anybody, bots: unrated", {"open_seats": 1, "bots": "unrated"}),
        ("whist with anybody, bots=none", {"open_seats": 1}),
        ("whist mit irgendwem, Bots gewertet", {"open_seats": 1, "bots": "rated"}),
        ("whist mit irgendwem, Bots ungewertet", {"open_seats": 1, "bots": "unrated"}),
        ("whist bots unrated with anybody unrated", {"open_seats": 1, "bots": "unrated", "rated": False}),
    ],
)
def test_seats_for_anybody_the_clock_and_the_rating_are_read(text: str, more: dict[str, object]) -> None:
    wanted = request_parser.parse(text, ANN)
    usual = {"open_seats": 0, "time_control": "3 days", "timeout_policy": None, "min_reliability": None, "rated": True}
    usual |= {"public": True, "bots": "none", "open_if_declined": False}
    assert {"open_seats": wanted.open_seats} | asdict(wanted.terms) == usual | more


@pytest.mark.parametrize(
    ("text", "seated", "open_seats"),
    [
        ("whist with robot", ["Ann", "fair"], 0),
        ("whist with the robot", ["Ann", "fair"], 0),
        ("whist gegen einen Roboter", ["Ann", "fair"], 0),
        ("trickery with robot", ["Ann", "fair", "fair"], 0),
        ("trickery with 3 robots", ["Ann", "fair", "fair", "fair"], 0),
        ("trickery with bob@x.org and a robot", ["Ann", "Bob", "fair"], 0),
        ("trickery with a robot and anybody", ["Ann", "fair"], 1),
        ("trickery with 1 robot players 4", ["Ann", "fair"], 2),
        ("trickery with 2 others and a robot", ["Ann", "fair"], 2),
        ("montauk with strong robot", ["Ann", "strong"], 0),
        ("montauk with the best robot", ["Ann", "best"], 0),
        ("trickery with easy robot", ["Ann", "easy", "easy"], 0),
        ("trickery with 2 easy robots", ["Ann", "easy", "easy"], 0),
        ("trickery with three Fair robots", ["Ann", "fair", "fair", "fair"], 0),
        ("trickery with an easy robot and bob@example.org", ["Ann", "Bob", "easy"], 0),
        ("trickery with bob@x.org and strong robot", ["Ann", "Bob", "strong"], 0),
        ("trickery with a strong robot and 2 easy robots", ["Ann", "strong", "easy", "easy"], 0),
        ("trickery with a robot, a strong robot", ["Ann", "fair", "strong"], 0),
        ("trickery with robot strong", ["Ann", "strong", "strong"], 0),
        ("trickery with robot, Best best@x.org", ["Ann", "Best", "fair"], 0),
        ("trickery with an easy robot and anybody", ["Ann", "easy"], 1),
        ("montauk mit starkem Roboter", ["Ann", "strong"], 0),
        ("trickery with 2 bots unrated", ["Ann", "fair", "fair"], 0),
        ("trickery with easy bots unrated", ["Ann", "easy", "easy"], 0),
        ("trickery gegen zwei leichte Roboter", ["Ann", "easy", "easy"], 0),
        ("trickery gegen einen mittleren Roboter und bob@x.org", ["Ann", "Bob", "fair"], 0),
        ("trickery mit drei besten Robotern", ["Ann", "best", "best", "best"], 0),
        ("trickery with an easy and a strong robot", ["Ann", "easy", "strong"], 0),
        ("trickery with 2 easy and one strong robot", ["Ann", "easy", "easy", "strong"], 0),
        ("trickery with easy, fair and strong robots", ["Ann", "easy", "fair", "strong"], 0),
        ("trickery mit Bob bob@x.org, einem leichten und einem starken Roboter", ["Ann", "Bob", "easy", "strong"], 0),
        ("montauk with strong robot.", ["Ann", "strong"], 0),
        ("whist with anybody.", ["Ann"], 1),
    ],
)
def test_robots_are_read(text: str, seated: list[str], open_seats: int) -> None:
    wanted = request_parser.parse(text, ANN)
    assert [guest and (guest.level if guest.is_robot else guest.name) for guest in wanted.invitees] == seated
    assert wanted.open_seats == open_seats


@pytest.mark.parametrize(
    "text",
    [
        "whist there and back bob@x.org",
        "whist There and Back with Bob bob@x.org",
        "whist with Bob bob@x.org, there and back",
        "whist hin und zurück bob@x.org",
        "whist mit bob@x.org hin und zurueck",
        "whist Hin- und Rückspiel mit bob@x.org",
    ],
)
def test_two_matches_of_a_deal_are_asked_for_in_two_words(text: str) -> None:
    request = request_parser.parse(text, ANN)
    assert request.there_and_back
    assert [guest and guest.name for guest in request.invitees] == ["Ann", "Bob"]
    assert not request_parser.parse("whist with Bob bob@x.org", ANN).there_and_back


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


def test_a_private_match_is_not_rated() -> None:
    assert not request_parser.parse("minimax private", ANN).terms.rated


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("chess with bob@x.org", "Unknown game “chess”. Choose one of: "),
        ("martian with bob@x.org", "Unknown game “martian”. Choose one of: "),
        ("martain with bob@x.org", "Unknown game “martain”. Choose one of: "),
        ("with bob@x.org", "Write a game after “new”. Choose one of: "),
        ("minimax size huge", "Write one of these after “size”: small and long."),
        ("middle-card swap perhaps", "Write one of these after “swap”: yes and no."),
        ("minimax size", "Write one of these after “size”: small and long."),
        ("whist with bob@x.org 2 days", "Times per move: one day, 3 days and 7 days."),
        ("whist with not-an-address", "Enter a mail address such as ann@example.org."),
        ("whist gegen Bob Brown", "Enter a mail address such as ann@example.org."),
        ("whist with bob@x.org tomorrow", "Martian Whist has no option “tomorrow”; its only option is “sets”."),
        ("whist with 2", "Martian Whist has no option “2”; its only option is “sets”."),
        ("middle-card with hard robot", "Middle Card has no robot “hard”. Choose one of: easy and fair."),
        ("middle-card gegen zwei kluge Roboter", "Middle Card has no robot “kluge”. Choose one of: easy and fair."),
        ("minimax tomorrow please", "Minimax has no option “tomorrow please”; its only option is “size”."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, refusal: str) -> None:
    with pytest.raises(Refused, match=re.escape(refusal)):
        request_parser.parse(text, ANN)


def test_an_address_without_letters_has_a_name_too() -> None:
    assert request_parser.default_name("+@x.org") == "Somebody"


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


def test_a_refusal_is_said_in_the_language_that_is_spoken() -> None:
    with use_locale("de"), pytest.raises(Refused):
        request_parser.parse("schach", ANN)
