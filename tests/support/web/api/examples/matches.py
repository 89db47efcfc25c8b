"""Matches from the first seat to the look back, as programs play them: examples of the calls for that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from pbem.db.models import Player
from tests.support.clockwork import at
from tests.support.house import address
from tests.support.play.analysis.asking import finished, make_all
from tests.support.play.analysis.facts import facts, turning_point
from tests.support.play.analysis.looking_back import finish
from tests.support.play.archive.statistics import refresh
from tests.support.play.ratings.rated import rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.web.api.examples.recorder import Recorder

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ANN, BOB = ({"name": name, "email": address(name)} for name in ("Ann", "Bob"))
ENTROPY = {"entropy": "the second line of a poem"}
CHOICES = [{"move": "take 16", "value": 78.0}, {"move": "take 3", "value": 62.0}]
POINT = turning_point(3, 1, choices=CHOICES, played="take 3", best="take 16")
PLAN = {"lines": ["if take 3: take 7", "  if take 4: take 8", "always duck"]}
ME = "/api/me/matches/{match_id}"


def record(recorder: Recorder) -> None:
    """Record all calls about matches."""
    with at(BEGIN):
        recorder.call("Ann", "get", "/api/games")
        recorder.call("Ann", "get", "/api/me")
        recorder.call("Robby", "post", "/api/me/bot", {"rated": True})
        _vacation(recorder)
        match_id = _table(recorder)
    with at(BEGIN + MINUTE):
        _moves(recorder, match_id)
    with at(BEGIN + 2 * MINUTE):
        _talk(recorder, match_id)
        _end(recorder, match_id)
        _invitations(recorder)
    with at(BEGIN + 3 * MINUTE):
        _links(recorder)
    with at(BEGIN + 4 * MINUTE):
        _analyses(recorder, match_id)
    with at(BEGIN + 5 * MINUTE):
        _held_move(recorder)


def _vacation(recorder: Recorder) -> None:
    path = "/api/me/absences"
    made = recorder.call("Ann", "post", path, {"first": "2026-12-24", "last": "2026-12-27"})
    recorder.call("Ann", "get", path)
    recorder.call("Ann", "delete", f"{path}/{{absence}}", absence=made["absences"][0]["id"])


def _table(recorder: Recorder) -> str:
    body = {"game": "martian-whist", "seats": [ANN, {"open": True}], "clock": "3 days"}
    match_id: str = recorder.call("Ann", "post", "/api/matches", body)["id"]
    recorder.call("", "get", "/api/lobby", query={"game": "martian-whist", "seats": 2, "clock": "3 days"})
    recorder.call("Bob", "post", "/api/lobby/{table}/join", ENTROPY, table=match_id)
    recorder.call("Cyd", "post", "/api/lobby/seat", {"game": "amazonian-buffet"})
    recorder.house.deliver()
    return match_id


def _moves(recorder: Recorder, match_id: str) -> None:
    recorder.call("Ann", "get", "/api/me/stream/poll", query={"wait": 0})
    recorder.call("Ann", "get", "/api/me/stream", query={"seconds": 1})
    recorder.call("Ann", "get", "/api/me/matches")
    recorder.call("Bob", "put", f"{ME}/plan", PLAN, match_id=match_id)
    recorder.call("Bob", "get", f"{ME}/plan", match_id=match_id)
    recorder.call("Bob", "delete", f"{ME}/plan", match_id=match_id)
    suggested = recorder.call("Ann", "get", ME, match_id=match_id)["suggestions"]
    recorder.call("Ann", "post", f"{ME}/lines", {"moves": suggested[:1]}, match_id=match_id)
    for name in ("Ann", "Bob", "Ann"):
        sent = _move(recorder, name, ME, match_id=match_id)
        recorder.call(name, "get", "/api/submissions/{submission}", submission=sent)
    (kept,) = recorder.call("Ann", "get", f"{ME}/lines", match_id=match_id)
    recorder.call("Ann", "delete", f"{ME}/lines/{{line}}", match_id=match_id, line=str(kept["id"]))
    recorder.call("", "get", "/api/matches/{match_id}", match_id=match_id)


def _move(recorder: Recorder, name: str, path: str, **where: Any) -> str:
    """Play what is suggested first, and return the submission."""
    view = recorder.call(name, "get", path, **where)
    body = {"ply": view["ply"], "move": view["suggestions"][0]}
    sent: dict[str, str] = recorder.call(name, "post", f"{path}/moves", body, **where)
    return sent["submission"]


def _talk(recorder: Recorder, match_id: str) -> None:
    ply = recorder.house.match(match_id).ply
    recorder.call("Ann", "post", f"{ME}/offers", {"ply": ply, "kind": "draw", "wish": "ask"}, match_id=match_id)
    recorder.call("Bob", "get", f"{ME}/offers", match_id=match_id)
    recorder.call("Ann", "post", f"{ME}/chat", {"text": "Well played!"}, match_id=match_id)
    recorder.call("Bob", "get", f"{ME}/chat", match_id=match_id)
    recorder.call("Ann", "put", f"{ME}/notes", {"text": "Likes to swap early.", "seat": 2}, match_id=match_id)
    recorder.call("Ann", "get", f"{ME}/notes", match_id=match_id)


def _end(recorder: Recorder, match_id: str) -> None:
    recorder.call("Ann", "post", f"{ME}/resign", {}, match_id=match_id)
    recorder.refused("Ann", "post", f"{ME}/resign", {}, match_id=match_id)
    recorder.refused("Ann", "post", f"{ME}/moves", {"move": "take 1"}, match_id=match_id)
    recorder.call("Bob", "post", f"{ME}/rematch", {}, match_id=match_id)
    recorder.call("", "get", "/api/matches/{match_id}/record", match_id=match_id)
    body = {"ply": 2, "seats": [ANN, {"bot": True, "level": "fair"}]}
    recorder.call("Ann", "post", "/api/matches/{match_id}/fork", body, match_id=match_id)
    rate(recorder.house)
    recorder.call("Ann", "get", "/api/me/ratings")
    recorder.call("Ann", "get", "/api/me/ratings/{game}", game="martian-whist")


def _invitations(recorder: Recorder) -> None:
    body = {"game": "martian-whist", "seats": [ANN, BOB]}
    for answer, more in (("accept", ENTROPY), ("decline", {})):
        for path, where in ((ME, "match_id"), ("/api/seats/{token}", "token")):
            match_id = recorder.call("Ann", "post", "/api/matches", body)["id"]
            token = recorder.house.last("Bob").token
            named: dict[str, Any] = {where: match_id if where == "match_id" else token}
            recorder.call("Bob" if path == ME else "", "post", f"{path}/{answer}", more, **named)


def _links(recorder: Recorder) -> None:
    house, seat = recorder.house, "/api/seats/{token}"
    match_id = house.start_match("martian-whist", 2)
    tokens = {name: house.last(name).token for name in ("Ann", "Bob")}
    recorder.call("", "put", f"{seat}/plan", PLAN, token=tokens["Bob"])
    recorder.call("", "get", f"{seat}/plan", token=tokens["Bob"])
    recorder.call("", "delete", f"{seat}/plan", token=tokens["Bob"])
    _move(recorder, "", seat, token=tokens["Ann"])
    token = house.last("Bob").token
    recorder.call("", "post", f"{seat}/offers", {"ply": house.match(match_id).ply, "kind": "draw"}, token=token)
    recorder.call("", "get", f"{seat}/offers", token=house.last("Ann").token)
    recorder.call("", "post", f"{seat}/chat", {"text": "Shall we call it a draw?"}, token=token)
    recorder.call("", "get", f"{seat}/chat", token=token)
    recorder.call("", "post", f"{seat}/resign", {}, token=token)
    recorder.call("", "post", f"{seat}/rematch", {}, token=house.last("Ann").token)


def _analyses(recorder: Recorder, match_id: str) -> None:
    """Ask the robots about two matches; what one sees when it looks back is said here, since it would take minutes."""
    par, house = finished(recorder.house), recorder.house
    _analysis(recorder, "par", par, lambda: make_all(house))
    _analysis(recorder, "lookback", match_id, lambda: finish(house, match_id, facts(3, turning_points=[POINT])))
    recorder.call("Ann", "get", "/api/me/deals")
    recorder.call("Ann", "get", "/api/me/plays")
    refresh(house, BEGIN + timedelta(hours=1))
    recorder.call("", "get", "/api/games/{game}/statistics", game="minimax")


def _analysis(recorder: Recorder, kind: str, match_id: str, make: Callable[[], None]) -> None:
    path = f"/api/matches/{{match_id}}/{kind}"
    recorder.call("Ann", "post", path, {}, match_id=match_id)
    recorder.call("", "get", path, match_id=match_id)
    make()
    recorder.call("", "get", path, match_id=match_id)
    recorder.call("Ann", "post", path, {}, match_id=match_id)


def _held_move(recorder: Recorder) -> None:
    match_id = recorder.house.start_match("martian-whist", 2)
    _hold_moves(recorder, 2)
    sent = _move(recorder, "Ann", ME, match_id=match_id)
    recorder.call("", "delete", "/api/submissions/{submission}", submission=sent)
    _hold_moves(recorder, 0)


def _hold_moves(recorder: Recorder, minutes: int) -> None:
    with recorder.house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Ann").values(hold_minutes=minutes))
