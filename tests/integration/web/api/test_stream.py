"""Programs follow the events of their player by one stream, or by polling, and go on where they were."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, text, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import ApiKey, Player
from pbem.db.session import connect
from pbem.ops.up import long_responses
from pbem.ops.up.long_responses import LongResponses
from pbem.play.accounts import api_keys, event_feed
from pbem.web.api import auth, stream, stream_slots
from pbem.web.api.stream_slots import Slot, Slots
from pbem.web.request.context import Service
from tests.support.house import NAMES, address
from tests.support.live_service import until
from tests.support.web.account.api_keys import call, client, closed, key_for
from tests.support.web.api.matches import app_of, got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

__all__ = ["client", "closed"]

STREAM, POLL = "/api/me/stream", "/api/me/stream/poll"
SHORT = "?seconds=5"
"""For streams that are ended before their time: one that is not goes on for so long, and sends what happens."""


class Reader:
    """A program that follows a stream."""

    def __init__(self, answer: TestResponse) -> None:
        assert answer.status_code == 200, answer.text
        self.answer = answer
        self._parts = iter(answer.iter_encoded())
        self.last = ""

    def part(self) -> list[dict[str, Any]]:
        """Read the events that the stream sends together."""
        found = []
        for block in next(self._parts).decode().split("\n\n"):
            fields = dict(line.partition(": ")[::2] for line in block.splitlines())
            self.last = fields.get("id", self.last)
            if "data" in fields:
                found.append(json.loads(fields["data"]))
                assert found[-1]["kind"] == fields["event"]
        return found

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.part()]

    def rest(self) -> list[bytes]:
        """Read what the stream sends until it ends, but for signs of life."""
        found = [part for part in self._parts if not part.startswith(b":")]
        self.answer.close()
        return found


@pytest.fixture
def keys(closed: House) -> dict[str, str]:
    return {name: key_for(closed, name, "read", "play") for name in ("Ann", "Bob")}


@pytest.fixture
def match_id(closed: House, keys: dict[str, str]) -> str:  # noqa: ARG001 -- first, so that they are listened to
    return closed.start_match("martian-whist", 2)


def follow(client: FlaskClient, key: str, after: str = "", query: str = "") -> Reader:
    headers = {"Authorization": f"Bearer {key}"} | ({"Last-Event-ID": after} if after else {})
    return Reader(client.get(f"{STREAM}{query}", headers=headers))


def mover(house: House, match_id: str) -> str:
    return NAMES[house.match(match_id).to_move[0] - 1]


def play(house: House, client: FlaskClient, keys: dict[str, str], match_id: str) -> str:
    """Play the first legal move; return the name of who did."""
    name = mover(house, match_id)
    view = got(call(client, keys[name], f"/api/me/matches/{match_id}"))
    move = {"ply": view["ply"], "move": view["moves"][0]}
    got(call(client, keys[name], f"/api/me/matches/{match_id}/moves", move), 202)
    return name


# -- the stream -------------------------------------------------------------------------------------


def test_a_stream_begins_with_what_waits_and_goes_on_with_what_happens(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str
) -> None:
    readers = {name: follow(client, key) for name, key in keys.items()}
    waits = mover(closed, match_id)
    assert {name: reader.kinds() for name, reader in readers.items()} == {
        name: ["turn"] if name == waits else [] for name in keys
    }
    play(closed, client, keys, match_id)
    (other,) = {*keys} - {waits}
    assert readers[waits].kinds() == ["move"]
    happened = readers[other].part()
    assert [event["kind"] for event in happened] == ["move", "turn"]
    assert happened[1] == {
        "kind": "turn", "at": happened[1]["at"], "match": match_id, "game": "martian-whist", "ply": 2,
        "seat": 3 - happened[0]["by"], "url": f"http://127.0.0.1:8000/mine/{match_id}", "deadline": None,
    }  # fmt: skip
    for reader in readers.values():
        assert reader.answer.headers["Content-Type"] == "text/event-stream"
        assert reader.answer.headers["X-Accel-Buffering"] == "no"
        assert reader.answer.headers["Cache-Control"] == "no-store, no-transform"
        reader.answer.close()


@pytest.mark.parametrize("by_header", [True, False])
def test_a_stream_that_was_cut_is_resumed_without_loss_or_repeat(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str, *, by_header: bool
) -> None:
    reader = follow(client, keys["Ann"])
    reader.part()
    reader.answer.close()
    seen: list[dict[str, Any]] = []
    for _ in range(4):
        play(closed, client, keys, match_id)
        after = (reader.last, "") if by_header else ("", f"?after={reader.last}")
        before, reader = reader.last, follow(client, keys["Ann"], *after)
        assert reader.part() == []
        seen += reader.part()
        assert reader.last != before
        reader.answer.close()
    assert [event["ply"] for event in seen if event["kind"] == "move"] == [1, 2, 3, 4]
    assert len({json.dumps(event) for event in seen}) == len(seen)


def test_a_stream_whose_time_is_over_does_not_go_on(
    closed: House, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keys
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0)
    slot = Slot(*closed.rows(select(ApiKey.id, ApiKey.player_id).limit(1))[0])
    lines = stream.follow(Service(closed.config, closed.engine), slot, [], event_feed.parse("1-1-1"), 0)
    assert len([*islice(lines, 3)]) == 1


def test_a_stream_ends_in_time(client: FlaskClient, keys: dict[str, str]) -> None:
    reader = follow(client, keys["Ann"], query="?seconds=1")
    assert reader.part() == []
    assert reader.rest() == []


def test_a_quiet_stream_shows_that_it_is_alive(
    client: FlaskClient, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0)
    reader = follow(client, keys["Ann"])
    assert reader.part() == reader.part() == []
    assert reader.last
    reader.answer.close()


@pytest.mark.parametrize("what", ["key", "player"])
def test_nothing_more_is_sent_to_a_key_that_was_revoked(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str, what: str
) -> None:
    reader = follow(client, keys["Ann"], query=SHORT)
    reader.part()
    play(closed, client, keys, match_id)
    with closed.transaction() as ctx:
        owner = select(Player.id, ApiKey.id).join(ApiKey, ApiKey.player_id == Player.id).where(Player.name == "Ann")
        ann, key = ctx.session.execute(owner).one()
        if what == "key":
            api_keys.revoke(ctx, ann, key)
        else:
            ctx.session.execute(update(Player).where(Player.id == ann).values(banned_at=ctx.now))
    assert reader.rest() == []


def test_a_stream_ends_when_the_database_cannot_be_read(closed: House, caplog: pytest.LogCaptureFixture) -> None:
    nowhere = connect("postgresql+psycopg://pbem@127.0.0.1:1/nothing")
    lines = stream.follow(Service(closed.config, nowhere), Slot(1, 1), [], event_feed.parse("1-1-1"), 5)
    assert b"id: 1-1-1" in next(lines)
    assert [*lines] == []
    assert "the database could not be read" in caplog.text


# -- the poll ---------------------------------------------------------------------------------------


def test_a_poll_lists_what_waits_and_then_what_is_new(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str
) -> None:
    name = mover(closed, match_id)
    first = got(call(client, keys[name], POLL))
    assert [event["kind"] for event in first["events"]] == ["turn"]
    quiet = got(call(client, keys[name], f"{POLL}?after={first['next']}"))
    assert quiet["events"] == []
    play(closed, client, keys, match_id)
    for after in (first["next"], quiet["next"]):
        second = got(call(client, keys[name], f"{POLL}?after={after}&wait=30"))
        assert [event["kind"] for event in second["events"]] == ["move"]
        assert second["events"][-1]["id"] == second["next"]
    assert got(call(client, keys[name], f"{POLL}?after={second['next']}"))["events"] == []


def test_a_poll_waits_for_an_event_and_answers_with_none_when_its_time_is_over(
    client: FlaskClient, keys: dict[str, str]
) -> None:
    first = got(call(client, keys["Ann"], POLL))
    waited = got(call(client, keys["Ann"], f"{POLL}?after={first['next']}&wait=1"))
    assert waited["events"] == []
    assert waited["next"]


def test_a_program_that_asks_for_tables_is_sent_those_that_open(
    closed: House, client: FlaskClient, keys: dict[str, str]
) -> None:
    reader = follow(client, keys["Ann"], query="?tables=true")
    first = got(call(client, keys["Ann"], f"{POLL}?tables=true"))
    assert reader.part() == first["events"] == []
    body = {"game": "martian-whist", "seats": [{"name": "Bob", "email": address("Bob")}, {"open": True}]}
    match_id = got(call(client, key_for(closed, "Bob", "start"), "/api/matches", body), 201)["id"]
    (event,) = reader.part()
    assert (event["kind"], event["match"]) == ("table", match_id)
    polled = got(call(client, keys["Ann"], f"{POLL}?after={first['next']}&tables=true&wait=30"))
    assert [each["match"] for each in polled["events"]] == [match_id]
    assert got(call(client, keys["Ann"], f"{POLL}?after={first['next']}"))["events"] == []
    reader.answer.close()


# -- bad input and limits ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", [STREAM, POLL])
def test_what_is_no_id_of_an_event_is_refused_with_one_sentence(
    client: FlaskClient, keys: dict[str, str], path: str
) -> None:
    sentence = "This is not the id of an event. Begin without one."
    assert refused(call(client, keys["Ann"], f"{path}?after=yesterday"), 400) == sentence
    assert refused(call(client, keys["Ann"], f"{path}?after=1-2-x"), 400) == sentence


@pytest.mark.parametrize("query", ["seconds=0", "seconds=601", "seconds=x"])
def test_a_stream_of_another_length_is_refused(client: FlaskClient, keys: dict[str, str], query: str) -> None:
    refused(call(client, keys["Ann"], f"{STREAM}?{query}"), 422)


@pytest.mark.parametrize("query", ["wait=-1", "wait=31", "wait=x"])
def test_a_poll_of_another_length_is_refused(client: FlaskClient, keys: dict[str, str], query: str) -> None:
    refused(call(client, keys["Ann"], f"{POLL}?{query}"), 422)


@pytest.mark.parametrize("path", [STREAM, POLL])
def test_only_a_key_that_may_read_follows_events(
    closed: House, client: FlaskClient, keys: dict[str, str], path: str
) -> None:
    assert keys
    assert "“read”" in refused(call(client, key_for(closed, "Cyd", "play", "start"), path), 403)
    refused(call(client, "pbem_" + "0" * 32, path), 401)
    assert refused(client.get(path), 401) == "Send an API key."


def test_an_id_from_too_long_ago_is_answered_with_a_reset_and_what_waits(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str
) -> None:
    name = mover(closed, match_id)
    reader = follow(client, keys[name], "1000000000-1-1")
    assert reader.kinds() == ["reset", "turn"]
    reader.answer.close()
    polled = got(call(client, keys[name], f"{POLL}?after=1000000000-1-1&wait=30"))
    assert [event["kind"] for event in polled["events"]] == ["reset", "turn"]


def test_one_stream_more_than_a_key_may_have_ends_its_oldest(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str
) -> None:
    oldest, *others = [follow(client, keys["Ann"], query=SHORT) for _ in range(stream_slots.MAX_SLOTS_PER_KEY + 1)]
    oldest.part()
    play(closed, client, keys, match_id)
    assert oldest.rest() == []
    for reader in others:
        reader.part()
        assert "move" in reader.kinds()
        reader.answer.close()


def test_a_stream_more_than_a_process_has_room_for_is_told_when_to_come_again(
    closed: House, client: FlaskClient, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_slots, "MAX_SLOTS", 1)
    monkeypatch.setitem(client.application.extensions, stream.EXTENSION, Slots(closed.engine))
    reader = follow(client, keys["Ann"])
    quiet = got(call(client, keys["Bob"], POLL))["next"]
    for path in (STREAM, f"{POLL}?after={quiet}&wait=30"):
        answer = call(client, keys["Bob"], path)
        assert refused(answer, 503) == "Too many programs wait for events right now. Try again in a minute."
        assert answer.headers["Retry-After"] == str(stream.FULL_RETRY_SECONDS)
    reader.answer.close()
    follow(client, keys["Bob"]).answer.close()


def test_a_program_that_floods_is_told_when_to_come_again(
    closed: House, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "MAX_CALLS_PER_HOUR", 2)
    limited = app_of(replace(closed, config=replace(closed.config, limits=DEFAULT_RATE_LIMITS))).test_client()
    for _ in range(2):
        got(call(limited, keys["Ann"], POLL))
    answer = call(limited, keys["Ann"], STREAM)
    refused(answer, 429)
    assert 0 < int(answer.headers["Retry-After"]) <= 3600


def test_a_stream_has_a_thread_of_its_own_and_ends_with_its_process(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str
) -> None:
    sizes: list[int] = []
    lasting, headers = LongResponses(sizes.append, 8), {"Authorization": f"Bearer {keys['Ann']}"}
    answer = client.get(f"{STREAM}{SHORT}", headers=headers, environ_overrides={long_responses.ENVIRON_KEY: lasting})
    reader = Reader(answer)
    reader.part()
    lasting.end_all()
    play(closed, client, keys, match_id)
    assert reader.rest() == []
    answer.close()
    assert sizes == [9]


# -- waking -----------------------------------------------------------------------------------------


def test_a_program_that_waits_is_woken_by_news_and_one_without_news_is_not(
    closed: House, keys: dict[str, str], match_id: str, client: FlaskClient
) -> None:
    slots = Slots(closed.engine)
    numbers = dict(closed.rows(select(Player.name, Player.id)))
    waiting = {name: slots.open(number, numbers[name]) for number, name in enumerate(("Ann", "Bob"))}
    ann, bob = waiting["Ann"], waiting["Bob"]
    assert ann
    assert bob
    for slot in (ann, bob):
        # Those that came since the last question are woken once.
        slot.wait(5)
    play(closed, client, keys, match_id)
    until(ann._wake.is_set, seconds=30)
    slots.close(bob)
    slots.close(bob)
    slots.close(ann)
    until(lambda: not slots._is_watching, seconds=30)


def test_a_question_for_news_that_fails_is_asked_again(
    closed: House, client: FlaskClient, keys: dict[str, str], match_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    slots = Slots(closed.engine)
    slot = slots.open(1, dict(closed.rows(select(Player.name, Player.id)))["Ann"])
    assert slot
    slot.wait(5)
    with closed.transaction() as ctx:
        ctx.session.execute(text("ALTER TABLE player_events RENAME TO elsewhere"))
    until(lambda: "could not ask for events" in caplog.text, seconds=30)
    with closed.transaction() as ctx:
        ctx.session.execute(text("ALTER TABLE elsewhere RENAME TO player_events"))
    play(closed, client, keys, match_id)
    until(slot._wake.is_set, seconds=30)
    slots.close(slot)
