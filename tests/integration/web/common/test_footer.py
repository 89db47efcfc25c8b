"""What stands at the foot of every page: the operator's own pages, if they have any."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House

IMPRINT, PRIVACY = "https://example.org/imprint", "https://example.org/privacy?lang=de&of=games"


def test_every_page_leads_to_the_operators_imprint_and_privacy_page(local: House) -> None:
    config = replace(local.config, imprint_url=IMPRINT, privacy_url=PRIVACY)
    site = visitor(replace(local, config=config))
    for path in ("/", "/lobby", "/rules/minimax", "/sign-in"):
        links = site.open(path).links
        assert (links["Imprint"], links["Privacy"]) == (IMPRINT, PRIVACY)


def test_without_such_pages_there_are_no_links(local: House) -> None:
    assert {"Imprint", "Privacy"}.isdisjoint(visitor(local).open("/").links)
