"""Records to read and to keep: as text, their form, and what is said of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from flask import url_for

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.games.record_text import parse_text
from pbem.play.archive import record_import
from pbem.play.matches.share_keys import shared_key
from tests.support.games.small_record import MATCH, acted, finished, random_match, sealed
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pbem.games.chain import Entry
    from pbem.games.record import Record
    from tests.support.house import House
    from tests.support.pages import Visitor


def kept(house: House, record: Record, *, public: bool = True) -> None:
    with house.transaction(datetime(2026, 11, 22, 12, tzinfo=UTC)) as ctx:
        record_import.store(ctx, record_import.verify(record), public=public)


@pytest.mark.parametrize("key", GAMES)
def test_the_text_of_a_record_is_the_record(site: Visitor, local: House, key: str) -> None:
    record = random_match(key, 12)
    kept(local, record)
    page = site.open(f"/matches/{MATCH}")
    assert f'href="/matches/{MATCH}/record.txt"' in page.html
    answer = site.client.get(f"/matches/{MATCH}/record.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{key}-{MATCH}.txt"'
    assert parse_text(answer.text) == record


def test_a_name_from_elsewhere_turns_no_words_around_and_stays_what_it_is_in_the_record(
    site: Visitor, local: House
) -> None:
    record = replace(finished(), seats=("Ann", "Bob\u202e\u2066", "\u200b"))
    kept(local, record)
    for page in (site.open(f"/matches/{MATCH}"), site.open(f"/matches/{MATCH}/replay"), site.open("/matches")):
        assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069]", page.html)
        assert "Bob" in page.words
    assert parse_text(site.client.get(f"/matches/{MATCH}/record.txt").text) == record


def test_that_of_a_private_match_needs_its_key(site: Visitor, local: House) -> None:
    kept(local, finished(), public=False)
    where = f"/matches/{MATCH}/record.txt"
    assert site.client.get(where).status_code == 404
    assert site.client.get(f"{where}?key=0").status_code == 404
    with local.transaction() as ctx:
        key = shared_key(ctx.session.get_one(Match, MATCH))
    assert site.client.get(f"{where}?key={key}").status_code == 200
    assert f'href="{where}?key={key}"' in site.open(f"/matches/{MATCH}?key={key}").html


def test_there_is_none_while_a_match_runs_and_of_none(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    answer = site.client.get(f"/matches/{match_id}/record.txt")
    assert answer.status_code == 404
    assert "The record is available when the match is over" in answer.text
    assert site.client.get("/matches/nothing/record.txt").status_code == 404


def test_the_form_of_records_is_served_as_the_docs_have_it(site: Visitor) -> None:
    with site.client.get("/record.schema.json") as answer:
        assert answer.content_type == "application/json"
        assert answer.get_json() == json.loads((ROOT / "docs" / "reference" / "record.schema.json").read_bytes())


def test_a_page_says_what_records_are_good_for(site: Visitor, local: House) -> None:
    kept(local, finished())
    page = site.open(f"/matches/{MATCH}").follow("More about records")
    assert "pbem replay FILE prints the match step by step" in page.words
    assert 'href="/record.schema.json"' in page.html


def test_no_address_of_a_match_at_which_nobody_sits_is_at_fault(site: Visitor, local: House) -> None:
    log: list[Entry] = [acted("substituted", 2, "clock"), acted("resigned", 1, "seat 1")]
    kept(local, sealed("resigned", log, {"swap": True}))
    app = site.client.application
    found = {}
    for rule in app.url_map.iter_rules():
        if "match_id" in rule.arguments and "GET" in (rule.methods or ()):
            with app.test_request_context():
                others: dict[str, Any] = dict.fromkeys(rule.arguments - {"match_id"}, 1)
                where = url_for(rule.endpoint, match_id=MATCH, **others)
            with site.client.get(where) as answer:
                found[where] = answer.status_code
                assert answer.status_code < 500, where
    assert found[f"/matches/{MATCH}"] == found[f"/matches/{MATCH}/replay"] == found[f"/matches/{MATCH}/seats/1"] == 200
