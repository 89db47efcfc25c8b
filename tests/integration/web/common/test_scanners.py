"""Whoever opens links without being asked to, such as the scanners of mail servers, changes nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import select

from pbem.db.models import LogEntry
from tests.support.web.common.scanners import AGENTS, links_of_all_kinds, opened, written

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor
REPLAYS = 100


def test_opening_links_changes_nothing(local: House, site: Visitor) -> None:
    links = links_of_all_kinds(local)
    assert {"/m/", "/confirm/", "/unsubscribe/", "/invitation/", "/api/", "/rules/"} <= {
        found[0] for link in links if (found := re.match(r"/[a-z]+/", link))
    }
    before = written(local)
    opened(site, links, AGENTS[:2])
    assert written(local) == before


def test_a_form_sent_again_and_again_plays_once(local: House, site: Visitor) -> None:
    match_id = local.start_match("martian-whist", 2)
    turn = local.last("Ann")
    page = site.open(f"/m/{turn.token}?move={quote('take 1')}")
    form = next(form for form in page.forms if form.method == "post" and form.fields.get("move"))
    for _ in range(REPLAYS):
        site.send(form, dict(form.fields), follow=False)
    played = local.all(select(LogEntry.move).where(LogEntry.match_id == match_id, LogEntry.ply.is_not(None)))
    assert played == ["take 1"]
