"""Signing in is for the one who was mailed: no link serves twice, elsewhere, or somebody else."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import token_of
from tests.support.live_service import text_of

if TYPE_CHECKING:
    from tests.slow.attempts.houses import House, Player, Table
    from tests.slow.attempts.visitors import Answer, Visitor

COOKIE = "__Host-pbem"
ELSEWHERE = (
    "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "\\\\evil.example",
    "/\t/evil.example",
    "/%09/evil.example", "http:evil.example", "https:/evil.example", "javascript:alert(1)", "data:text/html,x",
    "/%2f%2fevil.example", "//evil.example%2f..", "/.//evil.example", "//games.example.net@evil.example/", "/\r\nX: y",
    "https://games.example.net.evil.example/", "https://games.example.net@evil.example/", " //evil.example",
    "\0//evil.example",
    "/\u2215evil.example", "\u2028//evil.example", "evil.example", "@evil.example", ".evil.example", "?//evil.example",
)  # fmt: skip
HOSTS = (
    "evil.example", "games.example.net.evil.example", "evil.example:443", "games.example.net:443@evil.example",
    "127.0.0.1",
    "localhost", "[::1]", "evil.example#games.example.net", "xgames.example.net", "games.example.net/evil.example",
    "games",
    "games.example.net\\.evil.example", "0", "games.example.net evil.example",
)  # fmt: skip
TYPED = (
    "{ann},eve@evil.example", "{ann}\r\nBcc: eve@evil.example", "{ann} eve@evil.example", "<{ann}>",
    "{ann};eve@evil.example",
    '"{ann}"@evil.example', "{ann}%0aBcc:eve@evil.example", "eve@evil.example?cc={ann}", "@", "a@b", "a@b@c.example",
    "{ann}\0eve@evil.example", "eve@evil.example\u2028{ann}", "x" * 300 + "@example.org", "eve@[127.0.0.1]",
    "eve@localhost",
    "eve@evil..example",
    "games@games.example.net", "play+00000000000000000000000000@games.example.net",
)  # fmt: skip
"""What somebody may type for an address."""
FORWARDED = ("X-Forwarded-Host", "X-Host", "X-Forwarded-Server", "X-HTTP-Host-Override", "Forwarded", "X-Original-Host")


def in_here(visitor: Visitor) -> bool:
    return visitor.get("/api/me").status == 200


def asked(house: House, player: Player, **fields: str) -> tuple[Visitor, str]:
    """Ask for a link in a browser; returns it, and the path of the link."""
    browser, known = house.visitor(), len(player.about("/sign-in/"))
    browser.press(browser.open("/sign-in"), "Mail me a link", email=player.address, **fields)
    return browser, house.sign_in_link(player, known)


def use(browser: Visitor, path: str) -> Answer:
    shown = browser.get(path)
    if not any(form.button == "Sign in now" for form in shown.page.forms):
        return shown
    return browser.press(shown, "Sign in now")


@pytest.fixture(scope="module")
def signed(there: House) -> tuple[Player, Visitor]:
    player = there.player("Ann")
    return player, there.signed_in(player)


@pytest.mark.parametrize("again", ["the same browser", "another one", "after signing out"])
def test_no_link_serves_twice(there: House, again: str) -> None:
    player = there.player("Dan")
    browser, path = asked(there, player)
    use(browser, path)
    assert in_here(browser)
    second = browser if again != "another one" else there.visitor()
    if again == "after signing out":
        browser.press(browser.open("/me"), "Sign out")
        assert not in_here(browser)
    before = dict(second.cookies)
    assert use(second, path).status == 410
    assert second.cookies.get(COOKIE) == before.get(COOKIE)


def test_a_link_that_many_use_at_once_serves_one(there: House) -> None:
    _, path = asked(there, there.player("Dan"))
    browsers = [there.visitor() for _ in range(8)]
    pages = [browser.get(path) for browser in browsers]
    with ThreadPoolExecutor(8) as all_at_once:
        list(all_at_once.map(lambda one: one[0].press(one[1], "Sign in now"), zip(browsers, pages, strict=True)))
    assert sum(map(in_here, browsers)) == 1


@pytest.mark.parametrize("change", ["first", "middle", "last", "cut", "longer", "other", "salt"])
def test_no_changed_link_serves(there: House, change: str) -> None:
    browser, path = asked(there, there.player("Dan"))
    payload, _, signature = path.removeprefix("/sign-in/").rpartition(".")
    flipped = {letter: "B" if letter == "A" else "A" for letter in path}
    changed = {
        "first": flipped[payload[0]] + payload[1:] + "." + signature,
        "middle": payload[:9] + flipped[payload[9]] + payload[10:] + "." + signature,
        "last": payload + "." + flipped[signature[0]] + signature[1:],
        "cut": payload + "." + signature[:-2],
        "longer": payload + payload + "." + signature,
        "other": "ImEi." + signature,
        "salt": signature + "." + payload,
    }[change]
    assert use(browser, f"/sign-in/{changed}").status == 404
    assert not in_here(browser)


@pytest.mark.parametrize("kind", ["turn", "invitation", "unsubscribe", "feed"])
def test_no_other_token_signs_in(there: House, kind: str) -> None:
    table = there.table("martian-whist", "Ann", "Bob")
    mail = table.invitation(table.players[1]) if kind == "invitation" else table.turn(table.mover)
    token = token_of(mail) if kind != "unsubscribe" else text_of(mail).partition("/unsubscribe/")[2][:26]
    browser = there.visitor()
    assert use(browser, f"/sign-in/{token}").status == 404
    browser.cookies[COOKIE] = token
    assert not in_here(browser)
    assert there.visitor().get("/api/me", Authorization=f"Bearer {token}").status == 401


@pytest.mark.parametrize("then", ELSEWHERE)
def test_nobody_is_led_elsewhere(there: House, signed: tuple[Player, Visitor], then: str) -> None:
    _, browser = signed
    for page in ("/sign-in", "/welcome"):
        shown = browser.ask("GET", f"{page}?then={quoted(then)}")
        assert shown.status < 500
        links = [*shown.page.links.values(), *(form.action for form in shown.page.forms)]
        assert all(link.startswith(("/", "#", "?", f"https://{there.host}")) for link in links), links
        assert not any(link.startswith(("//", "/\\", "/\t")) for link in links)


@pytest.mark.parametrize("then", ELSEWHERE[:12])
def test_no_sign_in_leads_elsewhere(there: House, then: str) -> None:
    player = there.player("Dan")
    browser, path = asked(there, player, then=then)
    form = browser.get(path).form("Sign in now")
    led = browser.post(form.action, form.fields, Sec_Fetch_Site="same-origin")
    assert led.status == 303
    where = led.says("Location")
    assert where.startswith("/")
    assert not re.match(r"/[/\\\s]", where)
    assert "evil" not in where.partition("?")[0]


def quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


@pytest.mark.parametrize("host", HOSTS)
def test_no_link_is_mailed_that_leads_to_another_host(there: House, host: str) -> None:
    player = there.player("Dan")
    browser = there.visitor()
    fields = browser.open("/sign-in").form("Mail me a link").fields
    answer = browser.post("/sign-in", {**fields, "email": player.address}, Host=host)
    assert answer.status in {400, 421}
    there.settle()
    assert player.mails == []


@pytest.mark.parametrize("header", FORWARDED)
def test_no_forwarded_name_gets_into_a_mail(there: House, header: str) -> None:
    player = there.player("Dan")
    browser = there.visitor()
    fields = browser.open("/sign-in").form("Mail me a link").fields
    browser.post("/sign-in", {**fields, "email": player.address}, **{header: "host=evil.example"})
    link = there.sign_in_link(player)
    assert f"https://{there.host}{link}" in text_of(player.mails[-1])
    assert "evil.example" not in player.mails[-1].as_string()


@pytest.mark.parametrize("value", ["x", "", "a" * 64, "0" * 43, "null", "admin", "1"])
def test_no_cookie_that_was_made_up_is_anybody(there: House, value: str) -> None:
    visitor = there.visitor()
    visitor.cookies[COOKIE] = value
    assert not in_here(visitor)


def test_no_visit_that_another_has_begun_becomes_ones_own(there: House) -> None:
    """Somebody's browser is made to hold a cookie of the attacker's before it signs in."""
    eve = there.signed_in(there.player("Eve"))
    browser, path = asked(there, there.player("Dan"))
    fixed = eve.cookies[COOKIE]
    browser.cookies[COOKIE] = fixed
    use(browser, path)
    assert browser.cookies[COOKIE] != fixed
    assert eve.get("/api/me").json.get("name") != "Dan"


def test_the_cookie_under_its_name_without_tls_is_nobodys(there: House, signed: tuple[Player, Visitor]) -> None:
    visitor = there.visitor()
    visitor.cookies["pbem"] = signed[1].cookies[COOKIE]
    assert not in_here(visitor)


def test_the_cookie_is_kept_to_this_host_and_from_scripts(there: House) -> None:
    browser, path = asked(there, there.player("Dan"))
    form = browser.get(path).form("Sign in now")
    flags = {each.strip() for each in browser.post(form.action, form.fields).says("Set-Cookie").split(";")[1:]}
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= flags
    assert not any(flag.lower().startswith("domain") for flag in flags)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_cookie_speaks_for_what_another_site_sends(signed: tuple[Player, Visitor], site: str, method: str) -> None:
    _, browser = signed
    path = "/api/me/matches" if method == "GET" else "/api/matches"
    body = b'{"game": "minimax", "seats": [{"bot": true}]}'
    answer = browser.ask(method, path, body, {"Sec-Fetch-Site": site, "Content-Type": "application/json"})
    assert answer.status == 401


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_no_cookie_speaks_for_what_a_form_could_send(signed: tuple[Player, Visitor], kind: str) -> None:
    _, browser = signed
    answer = browser.ask("POST", "/api/me/absences", b'{"begin": "2027-01-01"}', {"Content-Type": kind})
    assert answer.status in {401, 415, 422}
    assert browser.get("/api/me/absences").json["absences"] == []


@pytest.mark.parametrize("page", ["/me", "/me/addresses", "/me/mail", "/me/look", "/me/keys", "/me/time", "/mine"])
def test_no_nonce_of_another_visit_holds(there: House, signed: tuple[Player, Visitor], page: str) -> None:
    """Eve's own forms, posted from Ann's browser, do nothing to Ann."""
    player, browser = signed
    eve = there.signed_in(there.player("Eve"))
    for form in eve.open(page).page.forms:
        if form.method == "post" and form.button != "Sign out":
            fields = {**form.fields, "name": "Owned", "email": "eve@evil.example", "scope": "play"}
            assert browser.post(form.action, fields, Sec_Fetch_Site="same-origin").status in {303, 400, 422}
    assert browser.get("/api/me").json["name"] == "Ann"
    assert browser.get("/api/me").json["addresses"] == [player.address]
    assert "Owned" not in browser.open("/me/keys").words


@pytest.mark.parametrize("typed", TYPED)
def test_no_address_that_was_typed_has_two_people_mailed(there: House, typed: str) -> None:
    ann = there.player("Dan")
    visitor = there.visitor()
    assert there.others
    fields = visitor.open("/sign-in").form("Mail me a link").fields
    there.settle()
    known = len(there.others.taken)
    answer = visitor.post("/sign-in", {**fields, "email": typed.format(ann=ann.address)})
    assert answer.status in {303, 400, 422}
    there.settle()
    assert len(there.others.taken) - known <= 1
    assert there.mails("eve@evil.example") == []
    assert ann.mails == []


def test_known_and_unknown_addresses_are_answered_alike(there: House, signed: tuple[Player, Visitor]) -> None:
    player, _ = signed
    said = []
    for address in (player.address, there.player("Nobody").address):
        visitor = there.visitor()
        page = visitor.press(visitor.open("/sign-in"), "Mail me a link", email=address)
        said.append((page.status, page.words.replace(address, ""), sorted(page.headers.keys())))
    assert said[0] == said[1]


@pytest.mark.parametrize("page", ["/mine/{match}", "/mine/{match}/webhooks", "/api/me/matches/{match}"])
def test_no_one_who_is_signed_in_gets_at_a_match_of_others(
    there: House, signed: tuple[Player, Visitor], page: str
) -> None:
    table: Table = there.invited("martian-whist", "Cyd", "Bob", public=False)
    assert signed[1].get(page.format(match=table.match)).status == 404
    assert signed[1].get(f"/matches/{table.match}").status == 404


@pytest.mark.parametrize("scope", ["read", "play", "start"])
def test_a_key_does_what_its_scope_allows(there: House, scope: str) -> None:
    player = there.player("Ann")
    browser = there.signed_in(player)
    form = browser.open("/me/keys").form("Create key")
    fields = {"nonce": form.fields["nonce"], "name": "a program", "scope": scope}
    made = browser.post("/me/keys", fields, Sec_Fetch_Site="same-origin")
    found = re.search(r"Bearer (\S+?)&quot;|Bearer (\S+?)\"", made.text)
    assert found, made.words
    bearer = {"Authorization": f"Bearer {found[1] or found[2]}"}
    program = there.visitor()
    statuses = {
        "read": program.get("/api/me/matches", **bearer).status,
        "start": program.send("/api/matches", {"game": "minimax", "seats": [{"bot": True}]}, **bearer).status,
        "play": program.send("/api/me/matches/nothing/moves", {"ply": 1, "move": "x"}, **bearer).status,
    }
    assert {name for name, status in statuses.items() if status != 403} == {scope}
    assert program.get("/me/keys", **bearer).status == 303
