"""Events for programs: the list, seasons with their tables, entering and leaving."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games.chain import typed_entropy
from pbem.play.core.context import system_time
from pbem.play.events.entries import household_hash
from pbem.states import EventKind, EventState
from pbem.web.api import events
from tests.support.play.events import fields
from tests.support.play.events.entering import BEGUN, OPENED, enter, entrant, listed, open_event
from tests.support.play.leagues.written_seasons import begin, leave, play, season
from tests.support.web.account.api_keys import call, client, closed, key_for
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["client", "closed"]

DAY = timedelta(days=1)


def coming(house: House) -> int:
    now = system_time()
    return open_event(house, opens_at=now - DAY, draws_at=now + DAY, starts_at=now + 3 * DAY)


def ids(answer: dict[str, Any]) -> list[int]:
    return [one["id"] for one in answer["events"]]


def test_events_of_all_kinds_are_listed_the_newest_first(closed: House, client: FlaskClient) -> None:
    league = season(closed)
    ladder = open_event(
        closed, kind=EventKind.LADDER, opens_at=OPENED + DAY, draws_at=None, starts_at=None, ends_at=None
    )
    answer = got(client.get("/api/events"))
    assert (ids(answer), answer["next"]) == ([ladder, league], None)
    assert answer["events"][1] == {
        "id": league,
        "kind": "league",
        "game": "montauk",
        "title": "League of Montauk, season 1",
        "season": 1,
        "state": "running",
        "options": {},
        "clock": "3 days",
        "opens": "2026-02-01T09:00:00.000Z",
        "draws": "2026-03-30T09:00:00.000Z",
        "begins": "2026-04-01T09:00:00.000Z",
        "ends": "2026-08-09T09:00:00.000Z",
        "ended": None,
        "entrants": 5,
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [("kind=ladder", [1]), ("game=montauk", [0]), ("state=open", [1, 2]), ("kind=field&state=over", [])],
)
def test_the_list_can_be_filtered(closed: House, client: FlaskClient, query: str, found: list[int]) -> None:
    all_ids = [
        season(closed),
        open_event(closed, game="minimax", kind=EventKind.LADDER),
        open_event(closed, game="martian-whist", kind=EventKind.FIELD),
    ]
    assert sorted(ids(got(client.get(f"/api/events?{query}")))) == [all_ids[number] for number in found]


def test_a_filter_that_is_none_is_refused(client: FlaskClient) -> None:
    refused(client.get("/api/events?kind=cup"), 422)


def test_a_long_list_is_read_page_by_page(closed: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PAGE_SIZE", 2)
    made = [open_event(closed, season=number) for number in range(1, 6)]
    seen: list[int] = []
    query: dict[str, str] = {}
    while True:
        answer = got(client.get("/api/events", query_string=query))
        seen += ids(answer)
        if answer["next"] is None:
            break
        query = {"after": answer["next"]}
    assert seen == made[::-1]
    assert ids(got(client.get("/api/events?after=nonsense"))) == made[:2:-1]


def test_a_season_has_its_groups_with_standings_and_matches(closed: House, client: FlaskClient) -> None:
    event = season(closed, ("Ann", "Bob", "Cyd"), ("Dee", "Eve"))
    over = play(closed, event, "Bob", "Ann", scores=(4, 2))
    running = begin(closed, event, "Ann", "Cyd")
    friendly = play(closed, event, "Dee", "Eve", group=2, role="friendly")
    enter_late(closed, event)
    answer = got(client.get(f"/api/events/{event}"))
    first, second = answer["groups"]
    assert first["standings"][0] == {
        "place": 1,
        "name": "Bob",
        "points": 1.0,
        "decided": 1,
        "direct": 0.0,
        "tie_break": 0.0,
        "won": 1,
        "left": False,
        "leads_to": 1,
    }
    assert [row["name"] for row in first["standings"]] == ["Bob", "Ann", "Cyd"]
    assert first["matches"] == [
        {
            "match": over,
            "state": "over",
            "players": ["Bob", "Ann"],
            "counts": True,
            "ended": "2026-04-06T09:00:00.000Z",
        },
        {"match": running, "state": "running", "players": ["Ann", "Cyd"], "counts": True, "ended": None},
    ]
    assert (second["number"], second["matches"][0]["match"], second["matches"][0]["counts"]) == (2, friendly, False)
    assert (answer["undrawn"], answer["next"]) == (["Zoe"], None)


def enter_late(house: House, event: int) -> None:
    enter(house, event, "Zoe", BEGUN + DAY)


def test_somebody_whose_results_left_the_table_has_no_place(closed: House, client: FlaskClient) -> None:
    event = season(closed, ("Ann", "Bob"))
    begin(closed, event, "Ann", "Bob")
    leave(closed, event, "Ann", BEGUN + DAY)
    (group,) = got(client.get(f"/api/events/{event}"))["groups"]
    last = group["standings"][-1]
    assert (last["name"], last["place"], last["left"], last["leads_to"]) == ("Ann", None, True, None)


def test_a_large_season_is_read_some_groups_at_a_time(
    closed: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "GROUPS_PER_PAGE", 2)
    event = season(closed, ("Ann",), ("Bob",), ("Cyd",))

    def numbers(after: int) -> tuple[list[int], int | None]:
        answer = got(client.get(f"/api/events/{event}?after={after}"))
        return [one["number"] for one in answer["groups"]], answer["next"]

    assert numbers(0) == ([1, 2], 2)
    assert numbers(2) == ([3], None)


def test_other_events_have_no_groups(closed: House, client: FlaskClient) -> None:
    ladder = open_event(closed, kind=EventKind.LADDER)
    enter(closed, ladder, "Ann")
    answer = got(client.get(f"/api/events/{ladder}"))
    assert (answer["groups"], answer["undrawn"]) == ([], ["Ann"])


@pytest.mark.parametrize("event", ["0", "x", "9" * 30])
def test_an_unknown_event_is_not_found(client: FlaskClient, event: str) -> None:
    refused(client.get(f"/api/events/{event}"), 404)


def test_a_program_enters_its_player_and_withdraws_them(closed: House, client: FlaskClient) -> None:
    event = coming(closed)
    secret = key_for(closed, "Ann", "read", "play", "start")
    body = {"name": "Annie", "entropy": "mine", "household": ["bob@example.org"], "stays": False}
    entered = got(call(client, secret, f"/api/events/{event}/entries", body), 201)
    assert entered == {
        "event": event,
        "name": "Annie",
        "state": "entered",
        "group": None,
        "place": None,
        "stays": False,
    }
    own = entrant(closed, event, "Ann")
    assert (own.entropy, own.household) == (typed_entropy("mine"), [household_hash("bob@example.org")])
    (mine,) = got(call(client, secret, "/api/me/events"))
    assert (mine["id"], mine["title"], mine["entry"]) == (event, "League of Montauk, season 1", entered)
    header = {"Authorization": f"Bearer {secret}"}
    left = got(client.delete(f"/api/events/{event}/entries", headers=header))
    assert (left["state"], left["stays"]) == ("withdrawn", False)
    assert listed(closed, event) == []
    assert got(call(client, secret, "/api/me/events")) == []
    assert "not entered" in refused(client.delete(f"/api/events/{event}/entries", headers=header), 409, "not-entered")


def test_without_a_body_a_player_enters_by_their_own_name(closed: House, client: FlaskClient) -> None:
    event = coming(closed)
    secret = key_for(closed, "Ann", "start")
    assert got(call(client, secret, f"/api/events/{event}/entries", {}), 201)["name"] == "Ann"


def test_who_cannot_enter_is_answered_why(closed: House, client: FlaskClient) -> None:
    event, over = coming(closed), season(closed, state=EventState.OVER, season=2)
    secret = key_for(closed, "Ann", "start")
    got(call(client, secret, f"/api/events/{event}/entries", {}), 201)
    assert "already entered" in refused(
        call(client, secret, f"/api/events/{event}/entries", {}), 409, "already-entered"
    )
    assert "season is over" in refused(call(client, secret, f"/api/events/{over}/entries", {}), 409, "event-over")
    assert listed(closed, event) == ["Ann"]


def test_a_ladder_is_entered_by_a_call_of_its_own(closed: House, client: FlaskClient) -> None:
    ladder = open_event(closed, kind=EventKind.LADDER)
    answer = call(client, key_for(closed, "Ann", "start"), f"/api/events/{ladder}/entries", {})
    assert "/api/ladders/montauk/entries" in refused(answer, 404)


def test_a_field_is_entered_and_left_too(closed: House, client: FlaskClient) -> None:
    fields.run_steps(closed, system_time())
    path = f"/api/events/{fields.newest(closed).id}/entries"
    secret = key_for(closed, "Ann", "start", "play")
    entry = got(call(client, secret, path, {"name": "Anna", "entropy": "a text"}), 201)
    assert (entry["name"], entry["state"], entry["stays"]) == ("Anna", "entered", False)
    left = client.delete(path, headers={"Authorization": f"Bearer {secret}"})
    assert got(left, 200)["state"] == "withdrawn"
    assert "not entered" in refused(client.delete(path, headers={"Authorization": f"Bearer {secret}"}), 409)


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("post", "/api/events/{}/entries", "start"),
        ("delete", "/api/events/{}/entries", "play"),
        ("get", "/api/me/events", "read"),
    ],
)
def test_each_call_needs_its_scope(closed: House, client: FlaskClient, method: str, path: str, scope: str) -> None:
    event = coming(closed)
    others = [one for one in ("read", "play", "start") if one != scope]
    header = {"Authorization": f"Bearer {key_for(closed, 'Ann', *others)}"}
    body: dict[str, Any] = {"json": {}} if method == "post" else {}
    assert scope in refused(client.open(path.format(event), method=method.upper(), headers=header, **body), 403)
    refused(client.open(path.format(event), method=method.upper(), **body), 401)
    assert listed(closed, event) == []
