"""Every answer says what browsers need: nothing foreign comes in, nothing of ours is kept, framed or told elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.places import PAGES, places_of

if TYPE_CHECKING:
    from tests.slow.attempts.houses import House
    from tests.slow.attempts.places import Places

EMBEDDED = ("embed", "picture.png", "poster.png", "animation.png", "replay.html", "viewer.html", "oembed")
"""What others may show on pages of theirs, or is kept as a file; each says so itself."""
KEPT = ("/static/", "/boards.css", ".png", "/viewer.html", "/record", "/replay.html", "/rules/")
"""What is the same for everybody, and may be kept."""
FAULTS = ("/nothing", "/m/nothing", "/api/nothing", "/m/" + "0" * 26, "/matches/nothing", "/sign-in/nothing")


@pytest.fixture(scope="module")
def places(there: House) -> Places:
    return places_of(there)


@pytest.mark.parametrize("page", [*PAGES, *FAULTS])
def test_no_page_lets_anything_foreign_in(places: Places, page: str) -> None:
    answer = places.browser.get(places.path(page))
    policy = {rule.strip().partition(" ")[0]: rule for rule in answer.says("Content-Security-Policy").split(";")}
    assert "default-src" in policy
    whole = answer.says("Content-Security-Policy")
    if not any(word in page for word in EMBEDDED):
        assert policy["default-src"].strip() == "default-src 'none'"
        assert "unsafe-eval" not in whole
        assert "'unsafe-inline'" not in policy.get("script-src", "")
        assert "http:" not in whole
        assert "*" not in whole
        assert policy["base-uri"].strip() == "base-uri 'none'"
        assert policy["form-action"].strip() == "form-action 'self'"
        assert policy["frame-ancestors"].strip() in {"frame-ancestors 'self'", "frame-ancestors 'none'"}
        assert answer.says("Cross-Origin-Resource-Policy") == "same-origin"
    assert answer.says("X-Content-Type-Options") == "nosniff"
    assert answer.says("Access-Control-Allow-Origin") in {"", "*"}
    assert answer.says("Access-Control-Allow-Credentials") == ""


@pytest.mark.parametrize("page", [*PAGES, *FAULTS])
def test_no_page_tells_its_address_to_others(places: Places, page: str) -> None:
    answer = places.browser.get(places.path(page))
    assert answer.says("Referrer-Policy") == "no-referrer"
    assert answer.says("Server") in {"", "gunicorn", "waitress"}
    assert "Python" not in str(answer.headers)
    assert answer.says("Strict-Transport-Security").startswith("max-age=31536000")


@pytest.mark.parametrize("page", [*PAGES, *FAULTS])
def test_no_page_of_somebody_is_kept(places: Places, page: str) -> None:
    answer = places.browser.get(places.path(page))
    control = answer.says("Cache-Control")
    if "private" in control or "no-store" in control:
        return
    assert any(word in page for word in KEPT), control
    assert places.owner.address not in answer.text


@pytest.mark.parametrize("page", [*PAGES, *FAULTS])
def test_no_page_has_scripts_or_styles_of_its_own(places: Places, page: str) -> None:
    """What could be smuggled in would be refused; so ours are all files."""
    answer = places.browser.get(places.path(page))
    if not answer.says("Content-Type").startswith("text/html") or any(word in page for word in EMBEDDED):
        return
    lower = answer.text.lower()
    assert "javascript:" not in lower
    assert " onclick=" not in lower
    assert " onerror=" not in lower
    assert "<script>" not in lower
    assert "<base" not in lower


@pytest.mark.parametrize("page", [*PAGES, *FAULTS])
def test_no_answer_sets_a_cookie_for_who_has_none(places: Places, page: str) -> None:
    answer = places.table.house.visitor().get(places.path(page))
    assert answer.says("Set-Cookie") == ""


NAMES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "'-alert(1)-'", "{{7*7}}",
    "${7*7}", "</textarea><script>alert(1)</script>", "javascript:alert(1)", "&lt;b&gt;", "a\u202eb", "ann@example.org",
    "https://evil.example", "A\r\nBcc: x@evil.example", "A\tB", "%0d%0aX: y", "=?utf-8?q?x?=", "A, B <c@evil.example>",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_letters_wherever_it_stands(here: House, name: str) -> None:
    players = [here.player("Ann"), here.player("Bob")]
    seats = [{"name": name, "email": players[0].address}, {"name": "Bob", "email": players[1].address}]
    made = here.visitor().send("/api/matches", {"game": "martian-whist", "options": {}, "seats": seats})
    if made.status == 422:
        assert made.json["reason"]
        return
    here.settle()
    mail = players[1].mails[-1]
    assert not mail.defects
    assert mail["Bcc"] is None
    assert len(mail["To"].addresses) == len(mail["From"].addresses) == 1
    assert here.mails("x@evil.example") == here.mails("c@evil.example") == []
    pages = [here.visitor().get(f"/matches/{made.json['id']}{more}").text for more in ("", "/replay", "/embed")]
    html = mail.get_body(("html",))
    for text in [*pages, str(html.get_content()) if html else ""]:
        lowered = text.lower()
        assert "<script>alert" not in lowered
        assert "<img src=x" not in lowered
        assert "<svg onload" not in lowered
        assert ">49<" not in text
