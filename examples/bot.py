"""Play every game by the API alone: accept invitations, answer each turn, and print how each match ends.

`BASE=https://games.example.org KEY=pbem_… python bot.py montauk minimax` starts a match of each game that is named,
against easy robots, and then plays whatever waits until it is stopped.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE, HEADERS = os.environ["BASE"], {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"}


def send(path: str, body: object = None, last: str = "") -> Any:
    """Send a request, again if nobody answers, or when the service says that it may be sent again."""
    headers = HEADERS | {"Last-Event-ID": last, "Idempotency-Key": random.randbytes(16).hex()}  # so it acts once
    request = urllib.request.Request(BASE + path, None if body is None else json.dumps(body).encode(), headers)
    while True:
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            if "Retry-After" not in error.headers:
                raise
            time.sleep(int(error.headers["Retry-After"]))
        except OSError:
            time.sleep(1)


def call(path: str, body: object = None) -> Any:
    """Return the answer to a request."""
    with send(path, body) as answer:
        return json.load(answer)


def events() -> Iterator[dict[str, Any]]:
    """Yield each event once; a stream that ends is followed by one that goes on where it was."""
    last = ""
    while True:
        stream, fields = send("/api/me/stream", last=last), dict[str, str]()
        with contextlib.suppress(OSError, http.client.HTTPException), stream:
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                fields[name] = value
                if line == b"\n":  # an event counts once the empty line below it is there
                    last, data, fields = fields.get("id", last), fields.get("data"), {}
                    if data:
                        yield json.loads(data)


def play(event: dict[str, Any]) -> None:
    """Do what an event asks for."""
    path = f"/api/me/matches/{event.get('match')}"
    if event["kind"] == "invitation":
        call(f"{path}/accept", {})
    elif event["kind"] == "turn" and (view := call(path))["seat"] in view["to_move"]:
        call(f"{path}/moves", {"ply": view["ply"], "move": random.choice(view["suggestions"] or view["moves"])})
    elif event["kind"] == "end":
        print(event["game"], event["seat"], json.dumps(call(path)["outcome"]), flush=True)


if __name__ == "__main__":
    me, games = call("/api/me"), {game["key"]: game for game in call("/api/games")}
    for key in sys.argv[1:]:
        robots = [{"bot": True, "level": "easy"}] * (games[key]["seats"][0] - 1)
        call("/api/matches", {"game": key, "seats": [{"name": me["name"], "email": me["addresses"][0]}, *robots]})
    for one in events():
        with contextlib.suppress(urllib.error.HTTPError):
            play(one)
