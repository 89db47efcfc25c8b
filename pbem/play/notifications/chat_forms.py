"""Chat forms: what Discord, Slack, Matrix and ntfy take as a message, and whom it mentions there.

Discord: *Execute Webhook*; Slack: *Incoming webhooks* with Block Kit; Matrix: the generic webhooks of its bridge
Hookshot; ntfy: *Publish as JSON*. A test holds each against the fields and limits that their documentation names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.states import WebhookForm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.notifications.webhook_urls import Target

NAMES: Mapping[WebhookForm, str] = {
    WebhookForm.JSON: marked("A program of your own"),
    WebhookForm.DISCORD: "Discord",
    WebhookForm.SLACK: "Slack",
    WebhookForm.MATRIX: "Matrix (Hookshot)",
    WebhookForm.NTFY: "ntfy",
}

_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
_MENTIONS: Mapping[WebhookForm, tuple[re.Pattern[str], str]] = {
    WebhookForm.DISCORD: (re.compile(r"[0-9]{15,20}"), "204255221017214977"),
    WebhookForm.SLACK: (re.compile(r"[UW][A-Z0-9]{7,19}"), "U024BE7LH"),
    WebhookForm.MATRIX: (re.compile(r"@[a-z0-9._=/+-]{1,200}:[A-Za-z0-9.:\[\]-]{1,100}"), "@ann:example.org"),
}
"""How a service names its users, with an example."""

_MARKDOWN = re.compile(r"([\\`*_~|<>#\[\]()-])")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message for people: a sentence, a page to open, and the board as a picture if everybody may see it."""

    title: str
    sentence: str
    url: str
    picture: str | None = None
    mention: str = ""


def check(form: WebhookForm, target: Target, mention: str) -> None:
    """Check the address and the mention of a form; raises Refused."""
    if form is WebhookForm.NTFY and not _TOPIC.fullmatch(target.path.strip("/")):
        raise Refused(_("An address of ntfy ends in its topic, such as https://ntfy.sh/my-games."))
    if not mention:
        return
    if form not in _MENTIONS:
        raise Refused(_("Only Discord, Slack and Matrix can mention somebody."))
    pattern, example = _MENTIONS[form]
    if not pattern.fullmatch(mention):
        raise Refused(_("{service} knows its users by names such as {example}.", service=NAMES[form], example=example))


def request(form: WebhookForm, url: str, message: ChatMessage) -> tuple[str, dict[str, Any]]:
    """Return the address and the JSON of a call that posts a message."""
    return _REQUESTS[form](url, message)


def _discord(url: str, message: ChatMessage) -> tuple[str, dict[str, Any]]:
    embed: dict[str, Any] = {"title": message.title, "url": message.url}
    if message.picture:
        embed["image"] = {"url": message.picture}
    ping = f"<@{message.mention}> " if message.mention else ""
    return url, {
        "content": ping + _MARKDOWN.sub(r"\\\1", message.sentence),
        # What a player is called must not ping a channel.
        "allowed_mentions": {"parse": [], "users": [message.mention] if message.mention else []},
        "embeds": [embed],
    }


def _slack(url: str, message: ChatMessage) -> tuple[str, dict[str, Any]]:
    ping = f"<@{message.mention}> " if message.mention else ""
    said = f"{ping}{escape(message.sentence, quote=False)}\n<{message.url}|{escape(message.title, quote=False)}>"
    blocks: list[dict[str, Any]] = [{"type": "section", "text": {"type": "mrkdwn", "text": said, "verbatim": True}}]
    if message.picture:
        blocks.append({"type": "image", "image_url": message.picture, "alt_text": message.title})
    return url, {"text": escape(message.sentence, quote=False), "blocks": blocks}


def _matrix(url: str, message: ChatMessage) -> tuple[str, dict[str, Any]]:
    ping = f'<a href="https://matrix.to/#/{message.mention}">{message.mention}</a> ' if message.mention else ""
    link = f'<a href="{escape(message.url)}">{escape(message.title)}</a>'
    plain = f"{message.mention} {message.sentence}".strip()
    return url, {
        "text": f"{plain}\n{message.url}",
        "html": f"<p>{ping}{escape(message.sentence)}</p><p>{link}</p>",
    }


def _ntfy(url: str, message: ChatMessage) -> tuple[str, dict[str, Any]]:
    split = urlsplit(url)
    body = {
        "topic": split.path.strip("/"),
        "title": message.title,
        "message": message.sentence,
        "click": message.url,
    }
    if message.picture:
        body |= {"attach": message.picture, "filename": "board.png"}
    return split._replace(path="/").geturl(), body


_REQUESTS: Mapping[WebhookForm, Callable[[str, ChatMessage], tuple[str, dict[str, Any]]]] = {
    WebhookForm.DISCORD: _discord,
    WebhookForm.SLACK: _slack,
    WebhookForm.MATRIX: _matrix,
    WebhookForm.NTFY: _ntfy,
}
