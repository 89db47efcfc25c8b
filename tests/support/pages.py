"""A visitor of the pages, without cookies or scripts: opens links, fills in forms, presses buttons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from werkzeug.datastructures import MultiDict

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

PASSING = re.compile(r'(?<=name="nonce" value=")[^"]*|(?<=name="then" value=")[^"]*')


@dataclass
class Form:
    """A form as a browser would send it."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    button: str = ""


class PageReader(HTMLParser):
    """Finds the forms, links and words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.words: list[str] = []
        self._form: Form | None = None
        self._link = ""
        self._inside: list[str] = []
        self._said: list[str] = []
        self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("method", "get"))
            self.forms.append(self._form)
        if tag == "input" and self._form and attributes.get("name"):
            chosen = attributes.get("type") in {"radio", "checkbox"}
            if not chosen or "checked" in attributes:
                self._form.fields[attributes["name"]] = attributes.get("value", "on" if chosen else "")
        if tag == "option" and self._form and "selected" in attributes:
            self._form.fields[self._area] = attributes["value"]
        if tag == "select":
            self._area = attributes["name"]
        if tag in {"a", "button", "textarea", "h1", "title"}:
            self._inside.append(tag)
            self._said = []
            self._link = attributes.get("href", "")
            self._area = attributes.get("name", self._area)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()
            said = " ".join("".join(self._said).split())
            if tag == "a":
                self.links.setdefault(said, self._link)
            elif tag == "button" and self._form:
                self._form.button = said
            elif tag == "textarea" and self._form:
                self._form.fields[self._area] = "".join(self._said).removeprefix("\n")

    def handle_data(self, data: str) -> None:
        self._said.append(data)
        self.words.append(data)


@dataclass
class Page:
    """A page that was opened."""

    visitor: Visitor
    url: str
    response: TestResponse
    html: str = ""
    words: str = ""
    forms: list[Form] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.html = self.response.get_data(as_text=True)
        reader = PageReader()
        reader.feed(self.html)
        self.words = " ".join("".join(reader.words).split())
        self.forms, self.links = reader.forms, reader.links

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def shown(self) -> str:
        """The page without the nonces of its forms, which tell when it was made, and without its own address."""
        return PASSING.sub("", self.html)

    def form(self, button: str) -> Form:
        (found,) = (form for form in self.forms if form.button == button)
        return found

    def press(self, button: str, **typed: str) -> Page:
        """Send the form with that button, some of its fields filled in."""
        form = self.form(button)
        return self.visitor.send(form, {**form.fields, **typed})

    def follow(self, link: str) -> Page:
        return self.visitor.open(self.links[link])


@dataclass
class Visitor:
    """Somebody with a browser that keeps nothing."""

    client: FlaskClient

    def open(self, url: str, method: str = "GET") -> Page:
        """Open a page and follow where it leads."""
        response = self.client.open(url.partition("#")[0], method=method, follow_redirects=True)
        return Page(self, response.request.full_path.rstrip("?"), response)

    def send(self, form: Form, typed: dict[str, str], *, follow: bool = True) -> Page:
        """Send a form, and follow where it leads."""
        action = form.action.partition("#")[0]
        data = MultiDict(typed)
        if form.method == "get":
            response = self.client.get(action, query_string=data, follow_redirects=follow)
        else:
            response = self.client.post(action, data=data, follow_redirects=follow)
        return Page(self, response.request.full_path.rstrip("?"), response)
