"""What operators see names submissions by what opens nothing, wherever a crawler of pages and commands gets to."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from pbem.cli import main
from pbem.db.models import Address, OutboxMessage, ServiceMail, Submission, Token
from pbem.games import Seat
from pbem.ops.admin import admin
from pbem.play.core import tokens
from pbem.play.core.actors import ActionError
from pbem.play.operators import audit, inbound_actions
from pbem.play.operators.search import inbound
from pbem.play.operators.search.pagination import ROWS_PER_PAGE
from pbem.play.submissions import queue
from pbem.states import SubmissionStatus
from pbem.telemetry import logs
from tests.support.house import NAMES, address, settings
from tests.support.play.canaries import canaries, sighted, told_by
from tests.support.web.operators.office import SHELL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.pages import Page, Visitor

LISTS = ("find", "show", "matches", "mails", "submissions", "letters", "quarantine", "audit")
LINKS = re.compile(r'(?:href|action)="(/operators[^"#]*)')


def test_no_page_or_command_has_a_whole_name_or_a_hidden_card(house: House, operator: Visitor) -> None:
    hidden = played(house, "montauk", 2, {"rounds": 1}) | played(house, "martian-trickery", 3, {}, moves=0)
    names = house.all(select(Submission.id))
    with house.transaction() as ctx:
        rejected = inbound.submissions(ctx, "rejected").rows[0]
        inbound_actions.retry(ctx, SHELL, rejected.name, "")
    pages = [*crawled(operator)]
    # Nonces and cookies are letters by chance, so no card is looked for in them.
    shown = [(page.url, f"{page.url}\n{page.response.headers}\n{page.html}", told_by(page.shown)) for page in pages]
    seen = shown + [(" ".join(words), told, told) for words, told in asked(house)]
    assert len(names) > ROWS_PER_PAGE
    assert sum("/operators/submissions/" in url for url, _all, _words in seen) > ROWS_PER_PAGE
    assert any("before=" in url for url, _all, _words in seen)
    for url, everything, words in seen:
        assert not [name for name in names if name in everything], url
        assert not sighted(hidden, words), url
    # The same eyes do see what pages show of a name, and that much opens nothing.
    short = [name for name in names if any(logs.shorten_id(name) in everything for _url, everything, _words in seen)]
    assert short == names
    for name in names:
        assert operator.open(f"/api/submissions/{logs.shorten_id(name)}").status == 404


def played(house: House, key: str, seats: int, options: dict[str, object], moves: int = ROWS_PER_PAGE) -> set[str]:
    """Begin a match, have everybody ask and type what they hold, and return all that is hidden in it."""
    match_id = house.start_match(key, seats, options)
    with house.course(match_id) as (_, course):
        moving = course.game.to_move(course.position)[0]
        hidden = canaries(course.position, Seat(0))
    mail = house.last(NAMES[moving - 1])
    house.reply(mail, f"play {' '.join(sorted(hidden)[:3])} or not")
    house.reply(mail, "my cards")
    house.reply(mail, "moves")
    with house.transaction() as ctx:
        for number in range(moves):
            token = tokens.find(ctx, mail.token, tokens.LINK)
            assert isinstance(token, Token)
            queue.send_move(ctx, token, queue.LINK, number, f"play {min(hidden)} {number}")
    house.judge(match_id)
    house.deliver()
    assert hidden
    return hidden


def crawled(operator: Visitor) -> Iterator[Page]:
    """Open the first page of operators, and all that it leads to."""
    waiting, known = ["/operators", "/operators/search?q=ann"], set[str]()
    while waiting:
        url = waiting.pop()
        if url in known:
            continue
        known.add(url)
        page = operator.open(url)
        assert page.status < 500, url
        yield page
        waiting += [unescape(link) for link in LINKS.findall(page.html)]


def asked(house: House) -> Iterator[tuple[tuple[str, ...], str]]:
    """Ask every command that tells something for all that it could tell."""
    url = house.engine.url.render_as_string(hide_password=False)
    environment = settings(url, house.folder, PBEM_OPERATOR_EMAIL="op@example.org")
    things = {
        "submission": map(logs.shorten_id, house.all(select(Submission.id))),
        "match": house.match_ids(),
        "person": house.all(select(Address.email)),
        "mail": house.all(select(OutboxMessage.id)),
        "letter": house.all(select(ServiceMail.id)),
    }
    lists: list[tuple[str, ...]] = [(name,) for name in LISTS if name not in {"find", "show"}]
    lists += [("matches", "--state", state) for state in ("inviting", "over")]
    lists += [("matches", "--stuck", kind) for kind in ("judging", "clock", "quiet")]
    for kind, found in things.items():
        some = [*map(str, found)][:5]
        lists += [("find", name) for name in some] + [("show", kind, name) for name in some]
    for words in lists:
        for more in ((), ("--json",)):
            told = CliRunner().invoke(main, ["admin", *words, *more], env=environment)
            yield words, told.output


def test_every_command_is_asked_or_acts() -> None:
    acts = {
        "pause", "resume", "extend", "abort", "annul", "annul-result", "open", "look", "ban", "unban", "rename",
        "merge", "remove", "exchange", "forget", "suppress", "lift", "retry", "forward", "operators",
    }  # fmt: skip
    assert set(admin.list_commands(click.Context(admin))) == acts | set(LISTS)


def test_a_submission_is_found_by_what_is_shown_and_by_no_less(house: House, operator: Visitor) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "nonsense")
    (name,) = house.all(select(Submission.id).where(Submission.status == SubmissionStatus.REJECTED))
    short = logs.shorten_id(name)
    page = operator.open(f"/operators/submissions/{short}")
    assert page.status == 200
    assert short in page.words
    assert name not in page.html
    assert operator.open(f"/operators/submissions/{short[:-1]}").status == 404
    with house.transaction() as ctx, pytest.raises(ActionError):
        inbound_actions.retry(ctx, SHELL, short[:-1], "")


def test_what_was_done_to_a_submission_stands_in_the_audit_by_what_is_shown(house: House, operator: Visitor) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "nonsense")
    (name,) = house.all(select(Submission.id).where(Submission.status == SubmissionStatus.REJECTED))
    page = operator.open(f"/operators/submissions/{logs.shorten_id(name)}").follow("Judge again").press("Judge again")
    assert "is judged again" in page.words
    assert "All entries" in page.links
    with house.transaction() as ctx:
        # A row of a version that kept whole names is found and shown in the same way.
        audit.write(ctx, SHELL, "retry submission", ("submission", name), "", {})
        lines = audit.newest(ctx, subject=("submission", logs.shorten_id(name)))
    assert [line.about for line in lines] == [logs.shorten_id(name)] * 2
    assert name not in operator.open("/operators/audit").html
    assert address("Ann")
