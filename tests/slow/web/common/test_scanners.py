"""Whoever opens links without being asked to, such as the scanners of mail servers, changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.common.scanners import AGENTS, METHODS, links_of_all_kinds, opened, written

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def test_opening_links_by_fifty_scanners_changes_nothing(local: House, site: Visitor) -> None:
    assert len(AGENTS) > 50
    links = links_of_all_kinds(local)
    before = written(local)
    opens = opened(site, links, AGENTS)
    assert written(local) == before
    print(  # noqa: T201 -- the figure is what a slow test is run for
        f"\n{len(AGENTS)} agents opened {len(links)} links in {len(METHODS)} ways, {opens} times: 0 changes"
    )
