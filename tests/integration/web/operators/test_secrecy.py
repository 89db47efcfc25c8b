"""No operators' page tells what is hidden in a running match: not on its board, nor in what was sent or mailed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import OutboxMessage, ServiceMail, Submission
from pbem.games import Eye, Seat
from pbem.play.matches.match_state import load_match
from pbem.play.operators.search import matches
from tests.support.house import NAMES
from tests.support.play.canaries import canaries, sighted, told_by
from tests.support.play.secrecy import exchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.db.models import Match
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def pages_about(house: House, operator: Visitor, match_id: str) -> Iterator[Page]:
    """Open every page of theirs that may tell of a match."""
    names = [f"submissions/{name}" for name in house.all(select(Submission.id))]
    names += [f"mails/{number}" for number in house.all(select(OutboxMessage.id))]
    names += [f"letters/{number}" for number in house.all(select(ServiceMail.id))]
    for path in (f"matches/{match_id}", "submissions", "mails", "audit", f"search?q={match_id}", *names):
        page = operator.open(f"/operators/{path}")
        assert page.status == 200
        yield page


@pytest.mark.parametrize(("key", "seats", "options"), [("montauk", 2, {"rounds": 1}), ("martian-trickery", 3, {})])
def test_what_seats_hold_and_typed_is_on_no_page(
    house: House, operator: Visitor, key: str, seats: int, options: dict[str, object]
) -> None:
    match_id = house.start_match(key, seats, options)
    for _ in range(3):
        with house.course(match_id) as (_, course):
            moving = course.game.to_move(course.position)[0]
            held = canaries(course.position, Seat(0))
        for name in NAMES[:seats]:
            house.mails(name)
        mail = next(mail for mail in reversed(house.every_mail) if mail.name == NAMES[moving - 1])
        house.reply(mail, f"play {' '.join(sorted(held)[:3])} or not")
        house.reply(mail, house.legal(match_id, moving)[0])
    with house.course(match_id) as (_, course):
        hidden = canaries(course.position, Seat(0))
    assert hidden
    looked = [*pages_about(house, operator, match_id)]
    for page in looked:
        assert not sighted(hidden, f"{page.words}\n{told_by(page.html)}"), page.url
    assert len(looked) > 10
    # The same eyes do see it when the match is over, and everybody may.
    with house.course(match_id) as (_, course):
        moving = course.game.to_move(course.position)[0]
    house.reply(house.last(NAMES[moving - 1]), "resign yes")
    after = "\n".join(page.words for page in pages_about(house, operator, match_id))
    assert sighted(hidden, after)


def test_a_page_of_a_match_depends_on_nothing_that_the_public_may_not_know(
    house: House, operator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    page = operator.open(f"/operators/matches/{match_id}")
    with house.course(match_id) as (_, course):
        assert exchanged(course, Eye.PUBLIC).position != course.position

    def another(ctx: Context, match: Match) -> LoadedMatch:
        return exchanged(load_match(ctx, match), Eye.PUBLIC)

    monkeypatch.setattr(matches, "load_match", another)
    assert operator.open(page.url).shown == page.shown


def test_no_page_tells_a_token_of_a_seat(house: House, operator: Visitor) -> None:
    match_id = house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    house.reply(mail, "what?")
    house.send(mail.raw, "postmaster@games.localhost", "ann@example.org")
    secrets = {mail.token, mail.reply_to.partition("@")[0].partition("+")[2]}
    looked = [*pages_about(house, operator, match_id)]
    assert not [page.url for page in looked if any(secret in page.html for secret in secrets)]
    assert any("/letters/" in page.url for page in looked)
