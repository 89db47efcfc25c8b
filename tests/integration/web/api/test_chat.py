"""The chat by the API: read and written by the key of a player, or by the newest link of a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.play.chat import messages
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, match_id
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed", "match_id"]


def test_what_one_writes_the_other_reads_and_is_mailed(closed: House, ann: Caller, bob: Caller, match_id: str) -> None:
    (own,) = got(ann.ask(f"me/matches/{match_id}/chat", {"text": "  Good luck,\nBob! "}), 201)
    assert (own["seat"], own["name"], own["text"], own["own"]) == (1, "Ann", "Good luck, Bob!", True)
    assert own["at"].endswith("Z")
    assert bob.get(f"me/matches/{match_id}/chat") == [own | {"own": False}]
    assert "Good luck, Bob!" in closed.last("Bob").flat


def test_the_newest_link_reads_and_writes(closed: House, client: FlaskClient, bob: Caller, match_id: str) -> None:
    link = closed.last("Ann")
    (own,) = got(client.post(f"/api/seats/{link.token}/chat", json={"text": "Hello."}), 201)
    assert got(client.get(f"/api/seats/{link.token}/chat")) == [own]
    assert [one["text"] for one in bob.get(f"me/matches/{match_id}/chat")] == ["Hello."]
    closed.reply(link, closed.legal(match_id, 1)[0])
    refused(client.get(f"/api/seats/{link.token}/chat"), 404)
    refused(client.post(f"/api/seats/{link.token}/chat", json={"text": "It is me."}), 404)


@pytest.mark.parametrize("text", ["", " \n ", "x" * (messages.MAX_CHARS + 1), 7, None])
def test_what_is_no_message_is_refused(ann: Caller, match_id: str, text: object) -> None:
    refused(ann.ask(f"me/matches/{match_id}/chat", {"text": text}), 422)
    assert ann.get(f"me/matches/{match_id}/chat") == []


@pytest.mark.parametrize("text", ["\0", "\ud800", "Look: https://example.org \0"])
def test_odd_letters_are_no_fault(ann: Caller, match_id: str, text: str) -> None:
    assert ann.ask(f"me/matches/{match_id}/chat", {"text": text}).status_code in {201, 422}


def test_a_player_writes_so_often_a_day(ann: Caller, match_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_PER_DAY", 1)
    got(ann.ask(f"me/matches/{match_id}/chat", {"text": "One."}), 201)
    answer = ann.ask(f"me/matches/{match_id}/chat", {"text": "Two."})
    assert "limit for today" in refused(answer, 429)
    assert int(answer.headers["Retry-After"]) > 0


def test_before_the_match_and_alone_nobody_reads_it(closed: House, ann: Caller) -> None:
    waiting = closed.make("martian-whist", 2)
    assert refused(ann.ask(f"me/matches/{waiting}/chat", {"text": "x"}), 409) == "The match has not begun."
    alone = closed.start_match("minimax", 1)
    assert "only player" in refused(ann.ask(f"me/matches/{alone}/chat", {"text": "x"}), 409)
    assert ann.get(f"me/matches/{alone}/chat") == []
