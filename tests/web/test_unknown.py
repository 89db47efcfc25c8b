"""Whoever tries out tokens learns nothing: unknown, renewed, expired and foreign ones are answered alike."""

from __future__ import annotations

import statistics
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from emails.accept import welcome
from pbem.db.models import Holder, Match
from pbem.play import links
from pbem.web import requests
from tests.house import address, reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.house import House, Mail
    from tests.pages import Visitor

TIMES = 2000
NEVER = "0123456789abcdefghjkmnpqrs"
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


def mailbox(token: str) -> str:
    return f"play+{token}@games.localhost"


def reply_token(mail: Mail) -> str:
    return mail.reply_to.partition("+")[2].partition("@")[0]


@pytest.fixture
def dead(local: House) -> Mapping[str, tuple[str, str]]:
    """Tokens that open nothing, as links and as reply addresses, by why they do not."""
    found: dict[str, tuple[str, str]] = {
        "never issued": (NEVER, NEVER),
        "none at all": ("no-such-token", "no-such-token"),
    }
    ways = ("renewed", "expired", "a former holder's", "good")
    matches = []
    for why in ways:
        match_id = local.begin("minimax", 1)
        mail = local.last("Ann")
        found[why] = mail.token, reply_token(mail)
        matches.append(match_id)
    with local.table() as table:
        of = dict(zip(ways, matches, strict=True))
        table.session.execute(update(Holder).where(Holder.match_id == of["renewed"]).values(generation=2))
        table.session.execute(
            update(Match)
            .where(Match.id == of["expired"])
            .values(state="over", ended_at=table.now - links.LIFE_AFTER_END - timedelta(seconds=1))
        )
        table.session.execute(update(Holder).where(Holder.match_id == of["a former holder's"]).values(until=table.now))
    link, answer = found.pop("good")
    found["of another kind"] = answer, link
    found["of another service"] = (links.derive("another key of another service", "link", 1, 1, 1),) * 2
    return found


def same(answers: Mapping[str, object]) -> bool:
    return len({repr(answer) for answer in answers.values()}) == 1


def test_by_mail_all_are_refused_in_the_same_words(local: House, dead: Mapping[str, tuple[str, str]]) -> None:
    local.begin("minimax", 1)
    good = local.last("Ann")
    raw = reply(good, "1").as_bytes()
    asked = {why: welcome(local.engine, local.config, mailbox(token)) for why, (_, token) in dead.items()}
    sent = {why: local.send(raw, mailbox(token), address("Ann")) for why, (_, token) in dead.items()}
    assert same(asked)
    assert same(sent)
    assert str(asked["renewed"]) == str(sent["renewed"])
    assert asked["renewed"].code == 550
    assert welcome(local.engine, local.config, good.reply_to).code == local.send(raw, good.reply_to, "").code == 250


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_the_same(site: Visitor, dead: Mapping[str, tuple[str, str]], page: str) -> None:
    answers = {}
    for why, (link, _) in dead.items():
        answer = site.client.get(page.format(link))
        # Every request has a name of its own.
        headers = {name: value for name, value in answer.headers.items() if name != requests.HEADER}
        answers[why] = answer.status_code, headers, answer.text.replace(link, "…")
    assert same(answers)
    assert answers["renewed"][0] == 404
    assert "There is no such link here" in answers["renewed"][2]


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


def medians(ask: Callable[[str], object], tokens: Mapping[str, str]) -> dict[str, float]:
    """Ask in turn, so that what else the machine does falls on all alike."""
    times: dict[str, list[float]] = {why: [] for why in tokens}
    for _ in range(TIMES):
        for why, token in tokens.items():
            begun = time.perf_counter()
            ask(token)
            times[why].append(time.perf_counter() - begun)
    return {why: statistics.median(each) for why, each in times.items()}


@pytest.mark.slow
def test_how_long_the_answers_take(
    local: House, site: Visitor, dead: Mapping[str, tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints how long those that were given out once take beside those that never were; holds no time."""
    ways: dict[str, tuple[int, Callable[[str], object]]] = {
        "RCPT": (1, lambda token: welcome(local.engine, local.config, mailbox(token)).code),
        "page": (0, lambda token: site.client.get(f"/m/{token}").status_code),
        "API": (0, lambda token: site.client.get(f"/api/seats/{token}").status_code),
    }
    for way, (which, ask) in ways.items():
        assert {ask(tokens[which]) for tokens in dead.values()} == {550 if way == "RCPT" else 404}
        took = medians(ask, {why: tokens[which] for why, tokens in dead.items()})
        ratios = ", ".join(f"{why} {each / took['never issued']:.2f}" for why, each in took.items())
        with capsys.disabled():
            sys.stdout.write(f"\n{way}, medians of {TIMES}, beside never issued: {ratios}\n")
