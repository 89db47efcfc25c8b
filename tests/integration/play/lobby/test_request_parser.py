"""Words by which a match is asked for: what is understood, and what is refused in which sentence."""

from __future__ import annotations

import re
from dataclasses import asdict

import pytest

from pbem.i18n import use_locale
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.lobby import request_parser

ANN = Invitee("Ann", "ann@example.org")


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


def test_a_refusal_is_said_in_the_language_that_is_spoken() -> None:
    with use_locale("de"), pytest.raises(Refused):
        request_parser.parse("schach", ANN)
