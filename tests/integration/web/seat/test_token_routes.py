"""What an earlier link does by every route that takes one: nothing; and it shows only what everybody may see."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, select, update

from pbem.db.models import OutboxMessage, SeatHolder
from pbem.web import create_app
from pbem.web.request import csrf
from tests.support.examples import few
from tests.support.house import address
from tests.support.play.submissions.permissions import Played, invited_and_moved, over, running
from tests.support.snapshots import COUNTED, SENT, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flask import Flask

    from tests.support.house import House
    from tests.support.pages import Visitor


@dataclass(frozen=True, slots=True)
class Row:
    """What a route is sent: the purpose of its form's nonce, its fields, and the JSON of a call."""

    purpose: str = ""
    fields: Mapping[str, str] | None = None
    json: Mapping[str, Any] | None = None


POSTED = {
    "turn.play": Row("play {token}", {"move": "take 1", "ply": "2", "words": "It is me."}),
    "turn.preview_typed": Row("", {"move": "take 1"}),
    "turn.resigned": Row("resign yes {token}", {}),
    "turn.fresh_link": Row("fresh {token}", {}),
    "offers.say": Row("agreements {token}", {"kind": "abandon", "wish": "ask", "ply": "2"}),
    "conditional_moves.change": Row("plan {token}", {"plan": "when I can: take 9"}),
    "chat.say": Row("talk {token}", {"words": "It is me."}),
    "chat.report": Row("report {token}", {"seat": "2", "text": "rude"}),
    "notes.save": Row("notes {token}", {"text": "It is me."}),
    "lines.go_on": Row("", {"moves": "take 1", "next": "take 2"}),
    "lines.change": Row("lines {token}", {"moves": "take 1", "ply": "2"}),
    "deadline.nudge": Row("nudge {token}", {}),
    "votes.voted": Row("vote {token}", {"choice": "end"}),
    "votes.named": Row("name {token}", {"name": "Zoe", "email": "zoe@example.org"}),
    "turn.undo": Row("undo {token}", {"sent": "{sent}"}),
    "guests.ask": Row("address {token}", {"email": "zoe@example.org"}),
    "rematches.by_link": Row("rematch {token}", {}),
    "replay.own_comment": Row("comment {match}", {"step": "1", "words": "Well."}),
    "par.own_ask": Row("par {match}", {}),
    "looking_back.own_ask": Row("look back {match}", {}),
    "again.again": Row("again {token}", {"do": "arrived"}),
    "mail_preferences.choose": Row(
        "mail {token}",
        {"receipts": "never", "mail_when": "digest", "digest_hour": "3", "zone": "Asia/Tokyo", "language": "de"},
    ),
    "invitations.accept": Row("accept {token}", {"entropy": "mine"}),
    "invitations.decline": Row("decline {token}", {"ever": "anybody"}),
    "hosting.act": Row("table {token}", {"do": "off"}),
    "api seats.send_move": Row(json={"ply": 2, "move": "take 1"}),
    "api offers.send_offer": Row(json={"ply": 2, "kind": "abandon", "wish": "ask"}),
    "api chat.say": Row(json={"text": "It is me."}),
    "api endings.resign": Row(json={}),
    "api endings.rematch": Row(json={}),
    "api invitations.accept": Row(json={"entropy": "mine"}),
    "api invitations.decline": Row(json={}),
    "api conditional moves.plan_seat": Row(json={"lines": ["when I can: take 9"]}),
    "api conditional moves.forget_plan": Row(json={}),
    "api timeouts.vote": Row(json={"choice": "end"}),
}
"""For each route that a link may send something to, what would act; a new one needs a row here."""
OTHER_TOKENS = {"unsubscribe", "feeds"}
"""Their tokens are of other kinds: they stop mail, and let feeds be read, for as long as their owner wishes."""

STATES = pytest.mark.parametrize("state", [running, over], ids=["running", "over"])
AGES = pytest.mark.parametrize("age", ["invitation", "turn"])


def routes(app: Flask, *methods: str) -> list[tuple[str, str, str]]:
    """List the routes that take a seat's link: endpoint, method, and path with the token's place."""
    return sorted(
        (rule.endpoint, method, rule.rule.replace("<token>", "{token}"))
        for rule in app.url_map.iter_rules()
        for method in methods
        if "token" in rule.arguments
        and rule.endpoint.partition(".")[0] not in OTHER_TOKENS
        and method in (rule.methods or ())
    )


def send(site: Visitor, method: str, path: str, row: Row, *, nonce: bool = True, **names: str) -> int:
    """Send what a row says; with a nonce that a page of ours would have given out."""
    path = path.format(**names)
    if row.json is not None:
        return site.client.open(path, method=method, json=dict(row.json)).status_code
    fields = {name: value.format(**names) for name, value in (row.fields or {}).items()}
    if nonce:
        with site.client.application.test_request_context():
            fields["nonce"] = csrf.nonce(row.purpose.format(**names))
    return site.client.open(path, method=method, data=fields).status_code


def test_every_route_that_takes_a_link_has_a_row_here(local: House) -> None:
    app = create_app(local.config, local.engine)
    assert {endpoint for endpoint, *_ in routes(app, "POST", "PUT", "DELETE", "PATCH")} == POSTED.keys()


@STATES
@AGES
def test_an_earlier_link_does_nothing_by_any_route(
    site: Visitor, local: House, state: Callable[[House, Played], None], age: str
) -> None:
    played = invited_and_moved(local)
    state(local, played)
    before, mailed = snapshot(local, COUNTED | SENT), {*local.all(select(OutboxMessage.id))}
    token = getattr(played, age).token
    for endpoint, method, path in few(routes(site.client.application, "POST", "PUT", "DELETE"), 3):
        status = send(site, method, path, POSTED[endpoint], token=token, match=played.match, sent="x")
        assert status < 500, endpoint
        assert snapshot(local, COUNTED | SENT) == before, endpoint
    answered = local.all(select(OutboxMessage.recipient).where(OutboxMessage.id.not_in(mailed)))
    assert set(answered) <= {address("Ann")}


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("endpoint", [*few((one for one, row in POSTED.items() if row.fields is not None), 3)])
def test_no_form_acts_without_a_nonce_whatever_is_posted(site: Visitor, local: House, endpoint: str) -> None:
    played = invited_and_moved(local)
    before = snapshot(local, COUNTED)
    (path,) = [path for one, _method, path in routes(site.client.application, "POST") if one == endpoint]
    token = local.every_mail[-1].token
    for age in (played.invitation.token, played.turn.token, token):
        row = POSTED[endpoint]
        for made_up in ({}, {"nonce": "made up"}):
            false = Row(fields={**(row.fields or {}), **made_up})
            send(site, "POST", path, false, nonce=False, token=age, match=played.match, sent="x")
    assert snapshot(local, COUNTED) == before


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    "endpoint",
    [
        "offers.say",
        "api conditional moves.plan_seat",
        "api chat.say",
        "api endings.resign",
        "api offers.send_offer",
        "api seats.send_move",
        "mail_preferences.choose",
        "conditional_moves.change",
        "turn.play",
        "turn.resigned",
        "chat.report",
        "chat.say",
        "notes.save",
        "lines.change",
    ],
)
def test_the_same_acts_by_a_current_link(site: Visitor, local: House, endpoint: str) -> None:
    local.start_match("martian-whist", 2, clock="3 days")
    token = local.last("Ann").token
    before = snapshot(local, COUNTED | {"tokens"})
    ((method, path),) = [
        (method, path) for one, method, path in routes(site.client.application, "POST", "PUT") if one == endpoint
    ]
    row = POSTED[endpoint]
    ply = {"ply": "1"} if "ply" in (row.fields or {}) else {}
    row = Row(
        row.purpose,
        row.fields and {**row.fields, **ply},
        row.json and {**row.json, **({"ply": 1} if "ply" in row.json else {})},
    )
    assert send(site, method, path, row, token=token, match="", sent="x") < 400
    assert snapshot(local, COUNTED | {"tokens"}) != before


INVITED = ["invitations.accept", "invitations.decline", "api invitations.accept", "api invitations.decline"]
SEATED = [
    "chat.say", "conditional_moves.change", "deadline.nudge",
    "api chat.say", "api conditional moves.plan_seat", "api timeouts.vote",
]  # fmt: skip


@contextmanager
def changed_before_the_lock(house: House, values: Mapping[str, Any]) -> Iterator[None]:
    """Change the holders of all seats in another transaction, right before a match is locked."""
    waiting = [values]

    def change(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if waiting and "FOR NO KEY UPDATE" in statement:
            with house.transaction() as ctx:
                ctx.session.execute(update(SeatHolder).values(**waiting.pop()))

    event.listen(house.engine, "before_cursor_execute", change)
    yield
    event.remove(house.engine, "before_cursor_execute", change)
    assert not waiting


@pytest.mark.parametrize("endpoint", [*INVITED, *SEATED])
@pytest.mark.parametrize("change", ["left_at", "generation"])
def test_a_link_whose_seat_changes_before_the_match_is_locked_does_nothing(
    site: Visitor, local: House, change: str, endpoint: str
) -> None:
    if endpoint in INVITED:
        local.make("martian-whist", 2, creator=1)
        token = local.only("Bob").token
    else:
        local.start_match("martian-whist", 2, clock="3 days")
        token = local.last("Ann").token
    wanted = routes(site.client.application, "POST", "PUT")
    ((method, path),) = [(method, path) for one, method, path in wanted if one == endpoint]
    before = snapshot(local, COUNTED | {"seat_holders"})
    with changed_before_the_lock(local, {change: datetime.now(UTC) if change == "left_at" else 7}):
        assert send(site, method, path, POSTED[endpoint], token=token) == 404
    assert snapshot(local, COUNTED | {"seat_holders"}) == before


@STATES
@AGES
def test_an_earlier_link_shows_nothing_of_its_player(
    site: Visitor, local: House, state: Callable[[House, Played], None], age: str
) -> None:
    played = invited_and_moved(local)
    local.reply(local.every_mail[-1], "say Between us.")
    local.reply(local.last("Ann"), "when I can: take 9")
    state(local, played)
    for endpoint, _method, path in few(routes(site.client.application, "GET"), 3):
        page = site.open(path.format(token=getattr(played, age).token))
        for private in (address("Ann"), "Between us.", "when I can"):
            assert private not in page.html, endpoint
