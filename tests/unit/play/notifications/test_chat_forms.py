"""Messages in the forms of chat services: as their documentation has them, and no player's name writes a mention."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.play.core.errors import Refused
from pbem.play.notifications import chat_forms
from pbem.play.notifications.chat_forms import ChatMessage
from pbem.play.notifications.webhook_urls import parse_url
from pbem.states import WebhookForm
from tests.support.places import ROOT

HOOKS = {
    WebhookForm.DISCORD: "https://discord.com/api/webhooks/1/abc",
    WebhookForm.SLACK: "https://hooks.slack.com/services/T0/B0/XX",
    WebhookForm.MATRIX: "https://hookshot.example.org/webhook/abc",
    WebhookForm.NTFY: "https://ntfy.sh/my-games",
}
MENTIONS = {
    WebhookForm.DISCORD: "204255221017214977",
    WebhookForm.SLACK: "U024BE7LH",
    WebhookForm.MATRIX: "@ann:example.org",
}
PICTURE = "https://games.example.org/matches/x/picture.png?lang=en&v=7"
PAGE = "https://games.example.org/mine/x"
FORMS = pytest.mark.parametrize("form", HOOKS)


def message(name: str = "Ann", picture: str | None = PICTURE, mention: str = "") -> ChatMessage:
    return ChatMessage("Martian Whist", f"{name}, it is your turn in Martian Whist, move 7.", PAGE, picture, mention)


def posted(form: WebhookForm, what: ChatMessage) -> dict[str, Any]:
    """Return the JSON of a call, which its service takes."""
    _url, body = chat_forms.request(form, HOOKS[form], what)
    schema = json.loads((ROOT / "tests" / "data" / "chat" / f"{form}.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(body)
    return body


def test_every_chat_service_has_a_form_and_a_name() -> None:
    assert set(HOOKS) == {*WebhookForm} - {WebhookForm.JSON}
    assert chat_forms.NAMES.keys() == {*WebhookForm}


@FORMS
def test_a_message_has_its_sentence_and_leads_to_the_match(form: WebhookForm) -> None:
    said = json.dumps(posted(form, message()))
    assert "it is your turn in Martian Whist, move 7." in said
    assert PAGE in said


@FORMS
@pytest.mark.parametrize("name", ["@everyone", "<!channel>", "<b>Bob</b>", "*Ann*", "x" * 200, "[a](http://b)"])
def test_a_name_writes_no_mention_link_or_mark(form: WebhookForm, name: str) -> None:
    body = posted(form, message(name))
    if form is WebhookForm.DISCORD:
        assert body["allowed_mentions"] == {"parse": [], "users": []}
        assert "*Ann*" not in body["content"].replace("\\*", "")
        assert "[a](" not in body["content"]
    if form is WebhookForm.SLACK:
        assert "<!" not in body["text"] + body["blocks"][0]["text"]["text"]
    if form is WebhookForm.MATRIX:
        assert "<b>" not in body["html"]


def test_pictures_are_shown_where_the_service_can() -> None:
    assert posted(WebhookForm.DISCORD, message())["embeds"][0]["image"] == {"url": PICTURE}
    assert posted(WebhookForm.SLACK, message())["blocks"][1]["image_url"] == PICTURE
    assert posted(WebhookForm.NTFY, message())["attach"] == PICTURE
    for form in HOOKS:
        assert "picture" not in json.dumps(posted(form, message(picture=None)))


def test_who_wishes_it_is_mentioned() -> None:
    discord = posted(WebhookForm.DISCORD, message(mention=MENTIONS[WebhookForm.DISCORD]))
    assert discord["content"].startswith("<@204255221017214977> Ann")
    assert discord["allowed_mentions"] == {"parse": [], "users": ["204255221017214977"]}
    slack = posted(WebhookForm.SLACK, message(mention=MENTIONS[WebhookForm.SLACK]))
    assert slack["blocks"][0]["text"]["text"].startswith("<@U024BE7LH> Ann")
    matrix = posted(WebhookForm.MATRIX, message(mention=MENTIONS[WebhookForm.MATRIX]))
    assert 'href="https://matrix.to/#/@ann:example.org"' in matrix["html"]
    assert matrix["text"].startswith("@ann:example.org Ann")


def test_ntfy_takes_json_at_its_root_with_the_topic_in_it() -> None:
    url, body = chat_forms.request(WebhookForm.NTFY, "https://ntfy.example.org:8443/my-games", message())
    assert url == "https://ntfy.example.org:8443/"
    assert body["topic"] == "my-games"


@pytest.mark.parametrize(("form", "mention"), MENTIONS.items())
def test_a_mention_is_a_name_of_that_service(form: WebhookForm, mention: str) -> None:
    chat_forms.check(form, parse_url(HOOKS[form]), mention)
    for wrong in ("Ann", "@everyone", f"{mention}>", f"{mention}\n"):
        with pytest.raises(Refused, match="knows its users by names such as"):
            chat_forms.check(form, parse_url(HOOKS[form]), wrong)


@pytest.mark.parametrize("form", [WebhookForm.JSON, WebhookForm.NTFY])
def test_where_nobody_can_be_mentioned_that_is_said(form: WebhookForm) -> None:
    with pytest.raises(Refused, match="Only Discord, Slack and Matrix"):
        chat_forms.check(form, parse_url("https://ntfy.sh/my-games"), "U024BE7LH")


@pytest.mark.parametrize("url", ["https://ntfy.sh/", "https://ntfy.sh", "https://ntfy.sh/a/b", "https://ntfy.sh/a?b"])
def test_an_address_of_ntfy_names_a_topic(url: str) -> None:
    with pytest.raises(Refused, match="ends in its topic"):
        chat_forms.check(WebhookForm.NTFY, parse_url(url), "")
