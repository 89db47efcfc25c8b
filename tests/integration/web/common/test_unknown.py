"""Whoever tries out tokens learns nothing: unknown, renewed, expired and foreign ones are answered alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.web.request import request_log
from tests.support.emails.inbound.recipients import check_recipient
from tests.support.house import address, reply
from tests.support.web.common.unknown import dead, mailbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["dead"]
PAGES = (
    "/m/{}",
    "/m/{}?move=1",
    "/m/{}/resign",
    "/m/{}/agreements",
    "/m/{}/mail",
    "/invitation/{}",
    "/invitation/{}/decline",
)
FORMS = ("/m/{}/resign", "/m/{}/agreements", "/m/{}/fresh", "/invitation/{}")


def same(answers: Mapping[str, object]) -> bool:
    return len({repr(answer) for answer in answers.values()}) == 1


def test_by_mail_all_are_refused_in_the_same_words(local: House, dead: Mapping[str, tuple[str, str]]) -> None:
    local.start_match("minimax", 1)
    good = local.last("Ann")
    raw = reply(good, "1").as_bytes()
    asked = {why: check_recipient(local.engine, local.config, mailbox(token)) for why, (_, token) in dead.items()}
    sent = {why: local.send(raw, mailbox(token), address("Ann")) for why, (_, token) in dead.items()}
    assert same(asked)
    assert same(sent)
    assert str(asked["renewed"]) == str(sent["renewed"])
    assert asked["renewed"].code == 550
    assert (
        check_recipient(local.engine, local.config, good.reply_to).code
        == local.send(raw, good.reply_to, "").code
        == 250
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_the_same(site: Visitor, dead: Mapping[str, tuple[str, str]], page: str) -> None:
    answers = {}
    for why, (link, _) in dead.items():
        answer = site.client.get(page.format(link))
        # Every request has a name of its own.
        headers = {name: value for name, value in answer.headers.items() if name != request_log.REQUEST_ID_HEADER}
        answers[why] = answer.status_code, headers, answer.text.replace(link, "…")
    assert same(answers)
    assert answers["renewed"][0] == 404
    assert "This link is not valid" in answers["renewed"][2]


@pytest.mark.parametrize("page", FORMS)
def test_every_form_says_the_same(site: Visitor, dead: Mapping[str, tuple[str, str]], page: str) -> None:
    answers = {}
    for why, (link, _) in dead.items():
        answer = site.client.post(page.format(link), data={"nonce": "1", "move": "1", "ply": "1"})
        answers[why] = answer.status_code, answer.text.replace(link, "…")
    assert same(answers)
    assert answers["renewed"][0] == 404


def test_the_api_says_the_same(site: Visitor, dead: Mapping[str, tuple[str, str]]) -> None:
    seen: dict[str, tuple[int, str]] = {}
    sent: dict[str, tuple[int, str]] = {}
    for why, (link, _) in dead.items():
        for answers, answer in (
            (seen, site.client.get(f"/api/seats/{link}")),
            (sent, site.client.post(f"/api/seats/{link}/moves", json={"ply": 1, "move": "1"})),
        ):
            answers[why] = answer.status_code, answer.text.replace(link, "…")
    assert same(seen)
    assert same(sent)
    assert seen["renewed"][0] == sent["renewed"][0] == 404
