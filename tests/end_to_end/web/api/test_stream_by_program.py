"""Events of the running service: a connection that is cut loses none, and streams hinder neither pages nor a stop."""

from __future__ import annotations

import json
import signal
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pbem.web.api.stream_slots import MAX_SLOTS, MAX_SLOTS_PER_KEY
from tests.support.live_service import service, until
from tests.support.play.accounts.live_programs import key_at

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from pathlib import Path

    from tests.support.live_service import LiveService

MANY_THREADS = 16
"""More than a process has for its pages."""
STOP_SECONDS = 15
"""More than the service takes to stop, and far less than a stream lasts."""


def ask(live_service: LiveService, key: str, path: str, body: Any = None, last: str = "") -> HTTPResponse:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Last-Event-ID": last}
    data = None if body is None else json.dumps(body).encode()
    answer: HTTPResponse = urllib.request.urlopen(
        urllib.request.Request(live_service.url + path, data, headers), timeout=60
    )
    return answer


def call(live_service: LiveService, key: str, path: str, body: Any = None) -> Any:
    with ask(live_service, key, path, body) as answer:
        return json.load(answer)


def next_event(stream: HTTPResponse) -> dict[str, Any]:
    """Read a stream up to the end of an event; return its fields, with the data as JSON."""
    fields: dict[str, Any] = {}
    while True:
        line = stream.readline().decode()
        assert line, "the stream has ended"
        name, _, value = line.rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            return fields | {"data": json.loads(fields["data"])}
        else:
            fields = {}


def opened_or_refused(live_service: LiveService, name: str) -> HTTPResponse | None:
    """Open a stream; return None if the answer is when to come again."""
    try:
        return ask(live_service, key_at(live_service, name), "/api/me/stream")
    except urllib.error.HTTPError as refused:
        if (refused.code, refused.headers["Retry-After"]) != (503, "60"):
            raise
        return None


def begin(live_service: LiveService, key: str, name: str) -> str:
    seats = [{"name": name, "email": f"{name.lower()}@example.org"}]
    return str(call(live_service, key, "/api/matches", {"game": "minimax", "seats": seats})["id"])


def play(live_service: LiveService, key: str, match: str) -> int:
    """Play the first legal move; return its number."""
    view = call(live_service, key, f"/api/me/matches/{match}")
    move = {"ply": view["ply"], "move": view["moves"][0]}
    sent = call(live_service, key, f"/api/me/matches/{match}/moves", move)["submission"]
    until(lambda: call(live_service, key, f"/api/submissions/{sent}")["status"] == "played")
    return int(view["ply"])


def test_a_connection_that_is_cut_at_any_event_loses_and_repeats_none(live_service: LiveService) -> None:
    key = key_at(live_service, "Eve")
    match = begin(live_service, key, "Eve")
    with ask(live_service, key, "/api/me/stream") as stream:
        assert next_event(stream)["data"]["match"] == match
        plies = [play(live_service, key, match)]
        seen = [next_event(stream)]
    plies += [play(live_service, key, match) for _ in range(2)]
    behind = f"/api/me/stream/poll?after={seen[0]['id']}"
    polled = until(lambda: (found := call(live_service, key, behind)["events"])[2 * len(plies) - 2 :] and found)
    for _event in polled:
        with ask(live_service, key, "/api/me/stream", last=seen[-1]["id"]) as stream:
            seen.append(next_event(stream))
    assert [event["id"] for event in seen[1:]] == [event["id"] for event in polled]
    assert [event["data"]["ply"] for event in seen if event["event"] == "move"] == plies
    # After each move it is the turn again, or the match is over.
    assert len(seen) == 2 * len(plies)


def test_pages_are_served_beside_as_many_streams_as_there_may_be(live_service: LiveService) -> None:
    opened = 0
    with ExitStack() as held:
        while (stream := opened_or_refused(live_service, f"Many{opened // MAX_SLOTS_PER_KEY}")) is not None:
            assert held.enter_context(stream).readline().startswith(b"retry: ")
            opened += 1
            if opened > MANY_THREADS:
                assert live_service.read("/healthz")
    # Fewer only by those whose end has not been noticed yet.
    assert MANY_THREADS < opened <= MAX_SLOTS


def test_the_service_stops_as_usual_while_programs_wait(tmp_path: Path) -> None:
    with service(tmp_path / "data") as live:
        key = key_at(live, "Ann")
        stream = ask(live, key, "/api/me/stream")
        assert stream.readline().startswith(b"retry: ")
        began = time.monotonic()
        live.process.send_signal(signal.SIGTERM)
        rest = stream.read()
        live.process.wait(STOP_SECONDS)
        # It ended by its last chunk: a broken connection would raise IncompleteRead.
        assert b"event:" not in rest
        assert time.monotonic() - began < STOP_SECONDS
