"""Somebody elsewhere with a browser or a program: asks by HTTP, keeps cookies, fills in forms."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass, field
from functools import cached_property
from http.client import HTTPConnection, HTTPMessage
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit

from tests.support.pages import Form, PageReader

if TYPE_CHECKING:
    from collections.abc import Mapping

NETWORKS = count(1)
"""Everybody comes from a network of their own, so that nobody uses up what others may ask."""
REDIRECTS = {301, 302, 303, 307, 308}
PATIENCE = 30


@dataclass(frozen=True)
class Answer:
    """What was answered."""

    status: int
    headers: HTTPMessage
    body: bytes
    path: str

    @cached_property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @cached_property
    def json(self) -> Any:
        return json.loads(self.body)

    @cached_property
    def page(self) -> PageReader:
        reader = PageReader()
        reader.feed(self.text)
        return reader

    @property
    def words(self) -> str:
        return " ".join("".join(self.page.words).split())

    def form(self, button: str) -> Form:
        """Find the form whose button begins with these words."""
        found = [form for form in self.page.forms if form.button.startswith(button)]
        assert found, [form.button for form in self.page.forms]
        return found[0]

    def says(self, name: str) -> str:
        return self.headers.get(name, "")


@dataclass
class Visitor:
    """One browser or program, at a network of its own."""

    port: int
    host: str
    network: str = field(default_factory=lambda: f"10.{(number := next(NETWORKS)) // 256}.{number % 256}.9")
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request, and follow nowhere."""
        said = {"Host": self.host, "X-Forwarded-For": self.network, **(headers or {})}
        if self.cookies:
            said.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request(method, path.partition("#")[0], body, said)
            answer = line.getresponse()
            found = Answer(answer.status, answer.headers, answer.read(), path)
        finally:
            line.close()
        for cookie in found.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
            if not value:
                del self.cookies[name]
        return found

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=named(headers))

    def open(self, path: str) -> Answer:
        """Open a page as a browser does, and follow where it leads."""
        return self.followed(self.get(path))

    def followed(self, answer: Answer) -> Answer:
        while answer.status in REDIRECTS:
            answer = self.get(self.led_to(answer))
        return answer

    def led_to(self, answer: Answer) -> str:
        """Return the path that an answer leads to; it is one of ours."""
        split = urlsplit(urljoin(f"http://{self.host}{answer.path}", answer.says("Location")))
        assert split.netloc == self.host, answer.says("Location")
        return f"{split.path}?{split.query}" if split.query else split.path

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """Send a form, and follow nowhere."""
        said = {"Content-Type": "application/x-www-form-urlencoded", **named(headers)}
        return self.ask("POST", path, urlencode(fields).encode(), said)

    def send(self, path: str, data: Any, method: str = "POST", **headers: str) -> Answer:
        """Send JSON."""
        return self.ask(method, path, json.dumps(data).encode(), {"Content-Type": "application/json", **named(headers)})

    def press(self, answer: Answer, button: str, **typed: str) -> Answer:
        """Send a form of a page with some of its fields filled in, and follow where it leads."""
        form = answer.form(button)
        target, fields = urljoin(answer.path, form.action), {**form.fields, **typed}
        if form.method == "get":
            return self.open(f"{target}?{urlencode(fields)}")
        return self.followed(self.post(target, fields, Sec_Fetch_Site="same-origin"))


def named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def spoken(port: int, sent: bytes, seconds: float = PATIENCE) -> bytes:
    """Send bytes as they are, and return all that is answered until the line is closed or nothing more comes."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        line.sendall(sent)
        try:
            while more := line.recv(65536):
                heard += more
        except OSError:
            pass
    return heard
