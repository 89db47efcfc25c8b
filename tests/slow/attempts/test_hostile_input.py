"""Hostile input is never a fault of ours: every route answers with a sentence, and goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.slow.attempts.houses import token_of
from tests.slow.attempts.places import CALLED, PAGES, POSTED, places_of
from tests.slow.attempts.visitors import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.slow.attempts.houses import House
    from tests.slow.attempts.places import Places
    from tests.slow.attempts.visitors import Answer

HUGE = "9" * 5000
VALUES = (
    "\0", "a\0b", HUGE, f"-{HUGE}", "9" * 19, "9" * 400, "1e400", "NaN", "\ud800", "\udfff x", "\u202e\u0000",
    "😀" * 600,
    "a" * 60_000, "\u0661", "²", "٣", " ", "\r\n\r\nSet-Cookie: a=b", "{{7*7}}", "%s%n", "'; DROP TABLE matches; --",
    "../../../etc/passwd", "<script>alert(1)</script>", "-1", "0", "1.5", "[]", "null", "\x85", "\ufeff", "\ufffe",
    "\x7f",
)  # fmt: skip
"""What somebody may type, or send, where a word or a number stands."""
NUMBERS = (HUGE, f"-{HUGE}", "1e309", "1e-400", "NaN", "Infinity", "9" * 30, "-0", "1.0", "2147483648", "true", "null")
"""Numbers as JSON may hold them."""
BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000,
    "deep and ended": b"[" * 20_000 + b"]" * 20_000,
    "null": b"null",
    "a number": b"1",
    "a huge number": HUGE.encode(),
    "a text": b'"x"',
    "a list": b"[]",
    "lone surrogates": b'{"move": "\\ud800", "game": "\\udfff", "lines": ["\\ud800"], "ply": 1, "kind": "\\ud800"}',
    "NULs": b'{"move": "a\\u0000", "game": "\\u0000", "lines": ["\\u0000"], "ply": 1, "kind": "\\u0000"}',
    "bytes": b"\xff\xfe\x00\x01",
    "UTF-16": '{"ply": 1}'.encode("utf-16"),
    "UTF-7": b"+AHsAIg-ply+ACI-: 1}",
    "a name twice": b'{"ply": 1, "ply": 2, "move": "x", "move": "y"}',
    "many names": b"{" + b",".join(b'"%d":1' % each for each in range(20_000)) + b"}",
    "a large text": b'{"move": "' + b"x" * 900_000 + b'", "ply": 1}',
    "too large": b"x" * 5_000_000,
}
TYPES = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=" + "x" * 5000, "text/plain", "application/json; charset=utf-7", "application/xml",
    "application/json; charset=no-such", "", "/", "x" * 5000, "application/x-www-form-urlencoded; charset=utf-16",
)  # fmt: skip
PATHS = (
    "/%00", "/m/%00", "/m/%ff%fe", "/m/..%2f..%2fetc%2fpasswd", "/static/..%2f..%2fconfig.py", "/static/%2e%2e/app.py",
    "/static//etc/passwd", "/mailbox/..%2f..%2fetc", "/mailbox/%00/x", "/mailbox/a@b/..%2f..%2fx", "/matches/%00",
    "/matches/'%20or%201=1", "/matches/" + "x" * 5000, "/rules/..%2f..%2fminimax", "/rules/%00", "/new/%00",
    "/new/__class__",
    "/join/%00", "/join/" + "9" * 5000, "/matches/{match}/seats/" + "9" * 5000, "/matches/{match}/seats/-1",
    "/matches/{match}/seats/0", "/operators/people/" + "9" * 5000, "/operators/mails/" + "9" * 5000, "/oembed?url=%00",
    "/oembed?url=" + "x" * 9000, "/oembed?url=http://[", "/oembed?maxwidth=" + HUGE, "/m/{token}?sent=%00",
    "/m/{token}?sent=" + HUGE, "/m/{token}?move=%00", "/m/{token}?chosen=%00&chosen=%ff", "/m/{token}?after=%00",
    "/matches/{match}/replay?step=" + HUGE, "/matches/{match}/replay/step?step=-1", "/matches/{match}/replay?step=%00",
    "/matches/{match}/picture.png?step=" + HUGE, "/matches?page=" + HUGE, "/matches?page=-1", "/matches?page=%00",
    "/records?after=%00", "/lobby?game=%00", "/statistics/%00", "/api/games/%00/statistics", "/api/matches/%00",
    "/api/submissions/%00", "/api/submissions/" + "x" * 5000, "/api/me/matches?after=%00", "/api/sought?game=%00",
    "/feed/%00.atom", "/calendar/%00.ics", "/sign-in/%00", "/sign-in?then=%00", "/sign-in?then=//evil.example",
    "/welcome?then=%00", "/leave/%00", "/named/%00", "/back/%00", "/confirm/%00", "/address/%00", "/unsubscribe/%00",
    "/mail/%00", "/table/%00", "/invitation/%00", "/made/{match}?own=%00", "/made/%00",
    "/matches/{match}/record?key=%00",
    "/matches/{match}/embed?key=%00", "/matches/{match}/live?since=" + HUGE, "/matches/{match}/live?head=%00",
    "/new/minimax?option-x=" + HUGE, "/new/minimax?sits-1=%00", "//", "/./", "/../", "/;/", "/%2f%2fevil.example",
    "/a?" + "&".join(f"x{each}=1" for each in range(2000)),
)  # fmt: skip
"""Addresses that nobody was given."""
HEADERS: tuple[Mapping[str, str], ...] = (
    {"Cookie": "pbem=" + "x" * 6000}, {"Cookie": "pbem=\x80\xff"}, {"Cookie": "pbem=%00; pbem=; ;;;="},
    {"Authorization": "Bearer " + "x" * 6000}, {"Authorization": "Bearer \xff"}, {"Authorization": "Basic x"},
    {"Authorization": "Bearer"}, {"X-Forwarded-For": "x" * 5000}, {"X-Forwarded-For": "10.0.0.1, " * 200},
    {"X-Forwarded-For": "::1%eth0, [::ffff:1.2.3.4]:80, unknown, \xff"}, {"X-Forwarded-Proto": "x", "Forwarded": ";;"},
    {"Accept-Language": "x-" * 2000}, {"Accept-Language": "de;q=x, \xff;q=-1, *;q=99999999999999999999"},
    {"Accept": "text/html;q=" + "9" * 4500}, {"If-Modified-Since": "x"}, {"If-None-Match": '"' * 2000},
    {"Range": "bytes=0-" + "9" * 4500}, {"Range": "bytes=-1,0-0," * 200}, {"Content-Type": "\xff"},
    {"Expect": "200-maybe"}, {"Sec-Fetch-Site": "\xff"}, {"Origin": "null"}, {"Referer": "\xff" * 100},
    {"User-Agent": "\xff" * 4000}, {"X-Signature": "\xff", "X-Timestamp": HUGE}, {"If-Range": "x",
    "Range": "bytes=5-1"},
)  # fmt: skip
GET = b"GET / HTTP/1.1\r\nHost: {host}\r\n"
POST = b"POST /sign-in HTTP/1.1\r\nHost: {host}\r\n"
ARGUMENTS = ("step", "page", "sent", "key", "q", "after", "game", "move", "chosen", "then", "since", "at", "own", "was")
RAW = {
    "no version": b"GET /\r\n\r\n",
    "a version yet to come": b"GET / HTTP/9.9\r\nHost: {host}\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": GET + b"Host: evil.example\r\n\r\n",
    "a host of NULs": b"GET / HTTP/1.1\r\nHost: \0\0\r\n\r\n",
    "a NUL in a header": GET + b"X: \0\r\n\r\n",
    "a folded header": GET + b"X: a\r\n b\r\n\r\n",
    "a blank before the colon": b"GET / HTTP/1.1\r\nHost : {host}\r\n\r\n",
    "two lengths": POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a length below nothing": POST + b"Content-Length: -1\r\n\r\n",
    "a length without end": POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "a length in other digits": POST + "Content-Length: ²\r\n\r\n".encode(),
    "a chunk without end": POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 300 + b"\r\n",
    "a chunk below nothing": POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n",
    "an encoding of its own": POST + b"Transfer-Encoding: xchunked\r\n\r\n",
    "many headers": GET + b"" + b"X: y\r\n" * 5000 + b"\r\n",
    "a header without end": GET + b"X: " + b"y" * 200_000 + b"\r\n\r\n",
    "a line without end": b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "bytes in a path": b"GET /\xff\xfe HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a whole address": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "SMTP": b"EHLO localhost\r\nMAIL FROM:<a@b.example>\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "lone LFs": b"GET / HTTP/1.1\nHost: {host}\n\n",
}
"""What is hardly HTTP."""
FORMS = (
    "/m/{token}", "/m/{token}?move={move}", "/m/{token}/agreements", "/m/{token}/plan", "/m/{token}/talk",
    "/m/{token}/report",
    "/m/{token}/name", "/m/{token}/mail", "/m/{token}/why", "/invitation/{waiting}", "/invitation/{waiting}/decline",
    "/join/{lobby}", "/me", "/me/addresses", "/me/browsers", "/me/keys", "/me/look", "/me/mail", "/me/time",
    "/mine", "/mine/{match}", "/mine/{match}/webhooks", "/new/minimax", "/new/martian-whist", "/sign-in", "/welcome",
    "/unsubscribe/{leaving}", "/matches/{match}/host", "/matches/{match}/fork", "/sign-in/{signed}", "/lobby",
    "/matches",
    "/mail/{token}",
)  # fmt: skip
"""Pages with forms."""


@pytest.fixture(scope="module")
def places(here: House) -> Places:
    return places_of(here)


def held(answer: Answer) -> None:
    assert answer.status != 500, answer.words[:200]
    assert answer.status < 500 or answer.status in {501, 505}, answer.status
    assert "Traceback" not in answer.text
    assert "sqlalchemy" not in answer.text.lower()


@pytest.mark.parametrize("page", FORMS)
def test_nothing_typed_into_a_form_is_a_fault(places: Places, page: str) -> None:
    shown = places.browser.open(places.path(page))
    forms = {form.action: form for form in shown.page.forms if form.button != "Sign out"}
    for form in forms.values():
        for name in form.fields.keys() - {"nonce"}:
            for value in VALUES:
                fields = {**form.fields, name: value.encode("utf-8", "surrogatepass").decode("latin-1")}
                body = "&".join(f"{quote(key)}={quote(one, encoding='latin-1')}" for key, one in fields.items())
                if form.method == "get":
                    held(places.browser.get(f"{form.action}?{body[:30_000]}"))
                    continue
                kind = "application/x-www-form-urlencoded"
                # With a nonce that does not hold, what has sense would be done, and the page be another one.
                held(places.browser.ask("POST", form.action, body.encode(), {"Content-Type": kind}))


@pytest.mark.parametrize("page", POSTED)
def test_no_body_is_a_fault(places: Places, page: str) -> None:
    for body in BODIES.values():
        for kind in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            held(sent(places, "POST", page, body, kind))


@pytest.mark.parametrize(("method", "page"), CALLED)
def test_no_body_of_a_call_is_a_fault(places: Places, method: str, page: str) -> None:
    for body in BODIES.values():
        held(sent(places, method, page, body, "application/json"))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "page", ["/m/{token}", "/api/seats/{token}/moves", "/sign-in", "/incoming/raw", "/api/matches"]
)
def test_no_type_of_a_body_is_a_fault(places: Places, kind: str, page: str) -> None:
    for body in (b"--x\r\n\r\n", b'{"ply": 1, "move": "x"}', b"move=x&ply=1", b"\xff\xfe"):
        held(sent(places, "POST", page, body, kind))


def sent(places: Places, method: str, page: str, body: bytes, kind: str) -> Answer:
    try:
        return places.browser.ask(method, places.path(page), body, {"Content-Type": kind})
    except (BrokenPipeError, ConnectionResetError):
        # What is too large is refused before it is read.
        return places.browser.get("/healthz")


@pytest.mark.parametrize("page", [page for page in POSTED if page.startswith("/api/")])
@pytest.mark.parametrize("number", NUMBERS)
def test_no_number_is_a_fault(places: Places, page: str, number: str) -> None:
    fields = ("ply", "days", "step", "reliable", "game", "move", "options", "seats", "kind", "from", "until", "begin")
    for field in fields:
        body = f'{{"move": "x", "kind": "draw", "wish": "ask", "seats": [{{"bot": true}}], "{field}": {number}}}'
        held(places.browser.ask("POST", places.path(page), body.encode(), {"Content-Type": "application/json"}))


@pytest.mark.parametrize("path", PATHS)
def test_no_path_is_a_fault(places: Places, path: str) -> None:
    real = path.replace("{token}", places.names["token"]).replace("{match}", places.names["match"])
    for who in (places.browser, places.table.house.visitor()):
        for method in ("GET", "POST", "HEAD"):
            answer = who.ask(method, real)
            held(answer)
            assert "root:" not in answer.text


@pytest.mark.parametrize("page", PAGES)
def test_no_argument_is_a_fault(places: Places, page: str) -> None:
    path = places.path(page)
    for value in ("%00", HUGE, "-1", "%ff%fe", "%ed%a0%80", "x" * 3000, "%F0%9F%98%80"):
        said = "&".join(f"{name}={value}" for name in ARGUMENTS)
        held(places.browser.get(f"{path}{'&' if '?' in path else '?'}{said}"))


@pytest.mark.parametrize("headers", HEADERS)
def test_no_header_is_a_fault(places: Places, headers: Mapping[str, str]) -> None:
    for method, path in (("GET", "/"), ("GET", "/m/{token}"), ("GET", "/api/me"), ("POST", "/api/seats/{token}/moves")):
        held(places.table.house.visitor().ask(method, places.path(path), b"{}", headers))


@pytest.mark.parametrize("said", RAW.values(), ids=RAW.keys())
def test_what_is_hardly_http_is_no_fault(here: House, said: bytes) -> None:
    answer = spoken(here.running.port, said.replace(b"{host}", here.host.encode()), 3)
    assert b"500 " not in answer.partition(b"\r\n")[0]
    assert here.anybody.get("/healthz").status == 200


def test_all_goes_on_after_all_that(here: House, places: Places) -> None:
    table = here.table("martian-whist", "Ann", "Bob")
    table.move(table.mover)
    assert table.view["ply"] == 2
    assert here.anybody.get(f"/api/seats/{token_of(table.turn(table.players[1]))}").status == 200
    assert places.browser.get("/me").status == 200
