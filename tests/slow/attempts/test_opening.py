"""A GET changes nothing: whatever opens a link, however it asks, leaves everything as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.places import CALLED, PAGES, POSTED, places_of

if TYPE_CHECKING:
    from tests.slow.attempts.houses import House
    from tests.slow.attempts.places import Places

HEADS: tuple[tuple[str, dict[str, str]], ...] = (
    ("GET", {}),
    ("HEAD", {}),
    ("OPTIONS", {}),
    ("GET", {"Sec-Purpose": "prefetch;prerender", "Purpose": "prefetch", "User-Agent": "GoogleImageProxy"}),
    ("GET", {"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "DELETE", "X-Method-Override": "PUT"}),
    ("GET", {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}),
)
"""The ways to open something that are to change nothing."""
SAID = "do=off&move=take+1&ply=1&choice=end&wish=ask&kind=abandon&_method=POST&plan=x&words=Hello&confirm=yes"
"""What would act, if a form sent it."""
FORMS = [page for page in POSTED if not page.startswith(("/api/", "/incoming/", "/unsubscribe"))]
"""All that a form of ours is sent to, but for the one click that stops mail, which carries no nonce."""
REFUSED = {"TRACE", "CONNECT", "PATCH", "PROPFIND", "FOO"}


@pytest.fixture(scope="module")
def places(here: House) -> Places:
    return places_of(here)


@pytest.mark.parametrize("page", PAGES)
def test_opening_changes_nothing(places: Places, page: str) -> None:
    before = places.state()
    for method, headers in HEADS:
        for who in (places.browser, places.table.house.visitor()):
            answer = who.ask(method, places.path(page), headers=headers)
            assert answer.status < 500, method
    assert places.settled() == before


@pytest.mark.parametrize("page", sorted({*PAGES, *POSTED}))
def test_nothing_that_an_address_says_is_done(places: Places, page: str) -> None:
    path = places.path(page)
    before = places.state()
    for method in ("GET", "HEAD"):
        answer = places.browser.ask(method, f"{path}{'&' if '?' in path else '?'}{SAID}", SAID.encode())
        assert answer.status < 500
    assert places.settled() == before


@pytest.mark.parametrize("method", sorted(REFUSED))
@pytest.mark.parametrize("page", ["/m/{token}", "/api/seats/{token}/moves", "/invitation/{waiting}", "/me", "/mine"])
def test_no_other_method_does_anything(places: Places, method: str, page: str) -> None:
    before = places.state()
    answer = places.browser.ask(method, places.path(page), SAID.encode())
    assert answer.status in {400, 404, 405, 501}
    assert places.settled() == before


@pytest.mark.parametrize(("method", "page"), CALLED)
def test_no_call_of_another_site_does_anything(places: Places, method: str, page: str) -> None:
    if "{token}" in page:
        page = page.replace("{token}", "0" * 26)
    before = places.state()
    answer = places.browser.ask(method, places.path(page), b"{}", {"Sec-Fetch-Site": "cross-site"})
    assert 400 <= answer.status < 500
    assert places.settled() == before


@pytest.mark.parametrize(
    "page", [page for page in POSTED if not page.startswith(("/api/", "/incoming/", "/unsubscribe"))]
)
def test_no_form_without_a_nonce_does_anything(places: Places, page: str) -> None:
    before = places.state()
    for who in (places.browser, places.table.house.visitor()):
        answer = who.post(places.path(page), dict(pair.split("=") for pair in SAID.split("&")))
        assert answer.status < 500
    assert places.settled() == before
    assert places.browser.get("/api/me").status == 200


@pytest.mark.parametrize(
    "page", [page for page in POSTED if not page.startswith(("/api/", "/incoming/", "/unsubscribe"))]
)
def test_no_form_of_another_site_does_anything_though_it_has_a_nonce(places: Places, page: str) -> None:
    shown = places.browser.open(places.path(page))
    before = places.state()
    for form in shown.page.forms:
        if form.method == "post" and form.button != "Sign out":
            sent = places.browser.post(
                form.action, form.fields, Sec_Fetch_Site="cross-site", Origin="https://evil.example"
            )
            assert sent.status < 500
    assert places.settled() == before
