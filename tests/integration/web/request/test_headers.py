"""What each answer lets in and out, by a table that knows every address of the service."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from pbem.db.models import Base
from pbem.play.accounts import feeds
from pbem.play.core import tokens
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.web import create_app
from pbem.web.matches import share
from pbem.web.request import security_headers
from pbem.web.system import dev_mailbox
from tests.support.house import address
from tests.support.play.events import fields
from tests.support.play.events.entering import open_event
from tests.support.web.account.sign_in import sign_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.house import House

Said = dict[str, str | None]

KEY = "k" * 40
HERE = "https://127.0.0.1:8000"
NEVER = "never-signed"
EVERYWHERE: Said = {
    **security_headers.HEADERS,
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Access-Control-Allow-Origin": None,
    "Server": None,
}
OURS: Said = {"Cross-Origin-Resource-Policy": "cross-origin"}
A_DAY: Said = {"Cache-Control": f"private, max-age={share.FINISHED_CACHE_SECONDS}", **OURS}
AGAIN: Said = {"Cache-Control": "private, no-cache"}
OTHERWISE: dict[str, Said] = {
    "feeds.feed": AGAIN,
    "feeds.calendar": AGAIN,
    "dev_mailbox.page": {"Content-Security-Policy": dev_mailbox.MAIL_POLICY},
    "field_feed.feed": AGAIN,
    "league_feeds.every": AGAIN,
    "league_feeds.season": AGAIN,
    "installable.manifest": {"Cache-Control": "no-cache"},
    "installable.offline": {"Cache-Control": "no-cache", "Content-Security-Policy": "default-src 'none'"},
    "installable.service_worker": {"Cache-Control": "no-cache"},
    "matches.match": AGAIN,
    "records.schema": {"Cache-Control": "no-cache"},
    "replay_files.replay": {"Content-Security-Policy": "default-src 'none'"},
    "replay_files.viewer": {"Content-Security-Policy": "default-src 'none'"},
    "share.animation": A_DAY,
    "share.embed": {**A_DAY, "Content-Security-Policy": share.EMBED_POLICY},
    "share.match_poster": A_DAY,
    "share.picture": A_DAY,
    "share.rules_poster": {"Cache-Control": f"public, max-age={share.FINISHED_CACHE_SECONDS}", **OURS},
    "home.dark_boards": {"Cache-Control": "max-age=3600"},
    "weekly_feed.feed": AGAIN,
    "static": {"Cache-Control": "no-cache", "X-Robots-Tag": None},
}
"""What is said otherwise, by endpoint. Replays as files bring styles and scripts of their own, by their digests."""


@pytest.fixture
def open_to_all(local: House) -> House:
    """A house with all that can be there, whose pages are asked for by TLS."""
    config = replace(local.config, incoming_key=KEY, mailgun_key=KEY, base_url=HERE)
    return replace(local, config=config)


def named(house: House) -> dict[str, Any]:
    """Return something that exists for each part of an address."""
    over = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "resign yes")
    running = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, running)
        holder = holders(ctx, match)[0]
        token = tokens.rederive(ctx, holder, tokens.LINK, match.ply, tokens.key_ids(ctx)[-1])
        feeds.renew(ctx, holder.player_id)
        feed = feeds.current_token(ctx, holder.player_id)
    box = address("Ann")
    return {
        "token": token,
        "feed token": feed,
        "match_id": over,
        "game": "minimax",
        "signed": NEVER,
        "typed": running,
        "table": running,
        "address": box,
        "key": next((house.folder / box / "new").iterdir()).name,
        "filename": "style.css",
        "seat": 1,
        "submission": "x",
        "absence": 1,
        "ply": 1,
        "name": "pause",
        "number": 1,
        "week": 1,
        "event_id": open_event(house),
        "set_id": fields.sets(house, fields.open_field(house))[0],
        "what": "accept",
    }


def answers(app: Flask, names: dict[str, Any], method: str) -> list[tuple[str, str, TestResponse]]:
    """Ask for all that is served by a method."""
    found = []
    client = app.test_client()
    with app.test_request_context(base_url=HERE):
        for rule in app.url_map.iter_rules():
            if method in (rule.methods or ()):
                kind = "feed " if rule.endpoint.startswith("feeds.") else ""
                path = rule.build({name: names.get(kind + name, names[name]) for name in rule.arguments})
                assert path is not None, rule
                answer = client.open(path[1], method=method, base_url=HERE)
                answer.close()
                found.append((rule.endpoint, path[1], answer))
    return found


def said(response: TestResponse, wanted: Said) -> Said:
    """Return what an answer says of some headers, as far as that is wanted of the longest."""
    told = {name: response.headers.get(name) for name in wanted}
    policy, whole = wanted["Content-Security-Policy"] or "", told["Content-Security-Policy"] or ""
    return told | {"Content-Security-Policy": whole[: len(policy)]}


def test_every_page_says_what_the_table_says(open_to_all: House) -> None:
    app = create_app(open_to_all.config, open_to_all.engine)
    seen = answers(app, named(open_to_all), "GET")
    served = Counter(response.status_code for _endpoint, _path, response in seen)
    unlike: dict[tuple[str, str], str | None] = {}
    for endpoint, path, response in seen:
        assert response.status_code < 500, path
        # A refusal is no picture, and nobody keeps it.
        wanted = EVERYWHERE | (OTHERWISE.get(endpoint, {}) if response.status_code == 200 else {})
        told = said(response, wanted)
        unlike |= {(endpoint, name): told[name] for name in wanted if told[name] != wanted[name]}
        assert response.headers["Strict-Transport-Security"] == security_headers.STRICT_TRANSPORT_SECURITY
    assert not unlike
    assert {endpoint for endpoint, _path, response in seen if response.status_code == 200} >= OTHERWISE.keys()
    assert served[200] > served.total() / 3


# -- what other sites can have a browser send -----------------------------------------------------------

BY_DESIGN = {"unsubscribe.unsubscribe", "passkeys.to_make", "passkeys.to_sign_in"}
"""One click in a mail program, which has neither cookies nor nonces, stops mail: RFC 8058. A challenge does nothing."""


def rows(house: House) -> dict[str, int]:
    """Count what is kept, besides what is counted of requests themselves."""
    besides = {"allowances", "counts"}
    tables = [table for table in Base.metadata.sorted_tables if table.name not in besides]
    return {table.name: house.rows(select(func.count()).select_from(table))[0][0] for table in tables}


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"])
def test_nothing_is_done_by_a_form_that_another_site_made(open_to_all: House, kind: str) -> None:
    house = replace(open_to_all, config=replace(open_to_all.config, base_url="http://127.0.0.1:8000"))
    names = named(house)
    site = visitor(house, keeps=True)
    sign_in(house, site, "Ann")
    app = site.client.application
    before = rows(house)
    with app.test_request_context():
        paths = {
            rule.endpoint: rule.build({name: names[name] for name in rule.arguments})
            for rule in app.url_map.iter_rules()
            if "POST" in (rule.methods or ()) and rule.endpoint not in BY_DESIGN
        }
    assert len(paths) > 50
    for endpoint, path in paths.items():
        assert path is not None
        answer = site.client.post(path[1], data="nonce=forged&move=take+1", content_type=kind)
        assert answer.status_code == 303 or 400 <= answer.status_code < 500, (endpoint, answer.status_code)
    assert rows(house) == before


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "application/json"}, 404),
        ({"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 401),
        ({"Content-Type": "text/plain"}, 401),
        ({}, 401),
    ],
)
def test_a_cookie_speaks_for_nobody_in_what_another_site_can_send(
    local: House, headers: dict[str, str], status: int
) -> None:
    site = visitor(local, keeps=True)
    sign_in(local, site, "Ann")
    assert site.client.post("/api/me/matches/nothing/back", headers=headers).status_code == status
