"""Subjects say the news first, then the match; those of link-only mails are the same whatever happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emails.composing import link_only
from emails.messages import MessageContext, build_content, message_kinds
from emails.messages.subjects import seatless_subject
from pbem.config import from_environment
from pbem.i18n import use_locale
from tests.support.house import settings

MATCH = {"game": "martian-whist", "names": ["Ann", "Bob"], "seat": 1, "match": "abcdefghjk0123456789"}
PROOF = {"head": "0" * 64, "commitment": "0" * 64}


def reader(**facts: Any) -> MessageContext:
    config = from_environment(settings("postgresql://nobody@localhost/none", Path("mail")))
    view: dict[str, Any] = {"view": {"board": {}, "to_move": [], "outcome": None, "moves": []}}
    return MessageContext({**MATCH, **PROOF, **view, **facts}, config, "link", "reply")


def subject(kind: str, **facts: Any) -> str:
    build = message_kinds()[kind].build_subject
    assert build
    return build(reader(**facts))


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        ([1], "Game over, you won: Martian Whist with Bob"),
        ([2], "Game over, Bob won: Martian Whist with Bob"),
        ([1, 2], "Game over, a draw: Martian Whist with Bob"),
        ([], "Game over: Martian Whist with Bob"),
    ],
)
def test_the_end_is_said_with_its_winner(winners: list[int], said: str) -> None:
    assert subject("final", result={"winners": winners}) == said


@pytest.mark.parametrize(
    ("kind", "facts", "said"),
    [
        ("offer", {"offer": "draw"}, "Draw offered: Martian Whist with Bob"),
        ("offer", {"offer": "takeback"}, "Take-back requested: Martian Whist with Bob"),
        ("nudge", {"by": "Bob"}, "Bob waits for your move: Martian Whist with Bob"),
        ("late", {"whose": 1}, "Your time has run out: Martian Whist with Bob"),
        ("late", {"whose": 2}, "Bob has run out of time: Martian Whist with Bob"),
        ("invitation", {"inviter": "Bob", "creator": False}, "Bob invites you to Martian Whist"),
        (
            "invitation",
            {"inviter": "Bob", "creator": False, "rematch": []},
            "Bob would like a rematch of Martian Whist",
        ),
        ("invitation", {"inviter": None, "creator": False}, "Invitation: Martian Whist with Bob"),
        ("invitation", {"made": True}, "You created a match: Martian Whist with Bob"),
    ],
)
def test_what_others_did_is_said_with_their_name(kind: str, facts: dict[str, Any], said: str) -> None:
    assert subject(kind, **facts) == said


def test_a_subject_is_in_the_language_of_its_reader() -> None:
    content = build_content("accepted", reader())
    assert content.subject == "You have accepted: Martian Whist with Bob"
    with use_locale("de"):
        assert subject("final", result={"winners": [1]}) == "Spiel aus, du hast gewonnen: Martian Whist mit Bob"


@pytest.mark.parametrize(
    ("kind", "facts", "said"),
    [
        ("season", {"game": "montauk"}, "Your season: Montauk"),
        ("season over", {"game": "montauk"}, "The season is over: Montauk"),
        ("ladder result", {"ladder": "martian-whist"}, "Your match on the ladder: Martian Whist"),
        ("leagues", {"leagues": []}, "The leagues"),
    ],
)
def test_a_mail_about_an_event_names_its_game(kind: str, facts: dict[str, Any], said: str) -> None:
    assert seatless_subject(message_kinds()[kind], reader(**facts)) == said


@pytest.mark.parametrize("winners", [[1], [2], [1, 2], []])
def test_a_link_only_mail_does_not_say_who_won(winners: list[int]) -> None:
    kind, context = message_kinds()["final"], reader(result={"winners": winners})
    content = build_content("accepted", context)
    assert link_only.redact(kind, context, content).subject == "Game over: Martian Whist with Bob"
