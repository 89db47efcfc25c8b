"""Atom feeds (RFC 4287)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, tostring

from pbem.i18n import _, current_locale
from pbem.play.core.context import timestamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

NAMESPACE = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed; its `id` never changes."""

    id: str
    title: str
    text: str
    url: str
    updated: datetime


def render(feed_id: str, title: str, own_url: str, page: str, updated: datetime, entries: Sequence[Entry]) -> bytes:
    """Render a feed: `own_url` is its own URL, `page` that of the same for people."""
    feed = Element("feed", {"xmlns": NAMESPACE, "xml:lang": current_locale()})
    _add_texts(feed, id=feed_id, title=title, updated=timestamp(updated))
    SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": own_url})
    SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": page})
    _add_texts(SubElement(feed, "author"), name=_("Slow games by mail"))
    for one in entries:
        entry = SubElement(feed, "entry")
        _add_texts(entry, id=one.id, title=one.title, updated=timestamp(one.updated))
        SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": one.url})
        SubElement(entry, "content", {"type": "text"}).text = one.text
    body: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return body


def _add_texts(parent: Element, **texts: str) -> None:
    for name, text in texts.items():
        SubElement(parent, name).text = text
