"""My games: what waits comes first, everything is a link away, and nobody sees anybody else's."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Deadline, Match, MatchSeat, Player, SeatHolder, Token
from pbem.play.accounts import dashboard
from pbem.play.core import tokens
from pbem.states import MatchState
from tests.support.db.statements import statements
from tests.support.house import NAMES
from tests.support.web.account.dashboard import due, signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

LARGEST = 60_000


def ann(house: House) -> int:
    return int(house.all(select(Player.id).where(Player.name == "Ann"))[0])


def text(page: Page) -> str:
    return " ".join(page.words.split())


def test_who_is_not_signed_in_is_led_to_it_and_back(site: Visitor) -> None:
    for path in ("/mine", "/mine/0123456789abcdefghjk"):
        answer = site.client.get(path)
        assert answer.status_code == 303

        assert answer.headers["Location"].replace("%2F", "/") == f"/sign-in?then={path}"


def test_somebody_without_matches_is_told_what_to_do(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.add(Player(name="Ann", created_at=ctx.now))
    page = signed_in(house).open("/mine")
    assert "You have no matches yet." in page.words
    assert page.links["Start a match"] == "/"


def test_what_waits_for_me_comes_first_by_its_deadline_then_the_longest_waiting(house: House) -> None:
    now = datetime.now(UTC)
    oldest, later, sooner = (house.start_match("minimax", 1) for _ in range(3))
    due(house, later, now + timedelta(days=5, hours=1))
    due(house, sooner, now + timedelta(days=2, hours=1))
    newest = house.start_match("minimax", 1)
    house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        first = ctx.session.scalars(select(Match).where(Match.game == "middle-card")).one()
        first.to_move = [2]
    house.make("martian-whist", 2)
    with house.transaction() as ctx:
        standings = dashboard.unfinished(ctx, ann(house))
    order = [one.match for one in standings]
    assert order[:4] == [sooner, later, oldest, newest]
    assert [one.waits for one in standings] == [True] * 5 + [False]
    page = signed_in(house).open("/mine")
    said = text(page)
    assert "5 matches wait for you." in said
    assert said.index("in 2 days") < said.index("in 5 days") < said.index("You are invited")
    assert said.index("Waiting for others") < said.index("Middle Card with Bob and Cyd It is Bob’s turn. It began")
    assert " UTC · in 2 days" in said


def test_a_deadline_stands_in_my_zone(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    due(house, match_id, datetime(2031, 7, 1, 10, 30, tzinfo=UTC))
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Vienna"))
    assert "Tue 1 Jul 2031, 12:30" in text(signed_in(house).open("/mine"))


def test_who_moved_last_is_told_and_the_button_leads_to_the_turn(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mails = {name: house.only(name) for name in ("Ann", "Bob", "Cyd")}
    (first,) = house.match(match_id).to_move
    mover, other = NAMES[first - 1], NAMES[first % 3]
    house.reply(mails[mover], house.legal(match_id, first)[0])
    assert "You moved 1 second ago." in re.sub(r"\d+ seconds?", "1 second", text(signed_in(house, mover).open("/mine")))
    site = signed_in(house, other)
    assert f"{mover} moved" in text(site.open("/mine"))
    turn = site.open(f"/mine/{match_id}")
    assert turn.url == f"/m/{house.last(other).token}"
    assert "Your turn in Middle Card" in turn.words


def test_looking_makes_nothing_new_unless_the_keys_have_changed(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    turn = house.last("Ann")
    before = set(house.all(select(Token.hash)))
    site = signed_in(house)
    for method in ("GET", "HEAD", "OPTIONS"):
        for path in ("/mine", f"/mine/{match_id}"):
            site.open(path, method)
    assert set(house.all(select(Token.hash))) == before
    assert site.open(f"/mine/{match_id}").url == f"/m/{turn.token}"
    renewed = house.with_keys("1" * 40)
    page = signed_in(renewed).open(f"/mine/{match_id}")
    assert page.url != f"/m/{turn.token}"
    assert page.status == 200
    assert len(house.all(select(Token.hash))) > len(before)


def test_an_invitation_leads_to_where_it_is_accepted(house: House) -> None:
    match_id = house.make("middle-card", 3)
    site = signed_in(house)
    assert "The invitation" in site.open("/mine").words
    page = site.open(f"/mine/{match_id}")
    assert page.url.startswith("/invitation/")
    page.press("Accept")
    said = text(site.open("/mine"))
    assert "Not begun yet" in said
    assert "Bob and Cyd have yet to accept." in said
    assert "No match waits for you." in said
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(open_seats=2))
    assert "two seats are open to anybody." in text(site.open("/mine"))


def test_finished_matches_come_last_and_older_ones_by_pages(house: House) -> None:
    matches = [house.start_match("minimax", 1) for _ in range(dashboard.FINISHED_PER_PAGE + 5)]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    result = {"scores": {"1": 7}, "winners": [1], "ending": "finished"}
    with house.transaction() as ctx:
        for number, match_id in enumerate(matches):
            # Some at the same moment, so that the moment alone does not tell them apart.
            ended = start + timedelta(days=number // 4)
            ctx.session.execute(
                update(Match)
                .where(Match.id == match_id)
                .values(state=MatchState.OVER, ended_at=ended, result=result, to_move=[])
            )
    site = signed_in(house)
    page = site.open("/mine")
    assert "You have won it. The score: Ann 7." in text(page)
    older = site.open(page.links["Older matches"])
    seen = [re.findall(r'href="/mine/([0-9a-z]{20})"', each.html) for each in (page, older)]
    assert [len(each) for each in seen] == [dashboard.FINISHED_PER_PAGE, 5]
    assert sorted(seen[0] + seen[1]) == sorted(matches)
    assert "Older matches" not in older.links
    assert older.links["Back to the first"] == "/mine"
    assert site.open(f"/mine/{matches[0]}").url == f"/matches/{matches[0]}"
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(public=False))
    assert site.open(f"/mine/{matches[0]}").url.startswith("/m/")


@pytest.mark.parametrize(
    "query",
    [
        "skip=x",
        "skip=-1",
        "skip=99999999999999",
        "before=x",
        "before=~",
        "before=2026-01-01~x",
        "before=2026-01-01T00:00:00Z~%00",
    ],
)
def test_a_place_that_is_none_is_the_first(house: House, query: str) -> None:
    house.start_match("minimax", 1)
    assert "1 match waits for you." in text(signed_in(house).open(f"/mine?{query}"))


def test_nobody_sees_or_opens_what_is_not_theirs(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    house.make("middle-card", 3)
    site = signed_in(house, "Bob")
    assert match_id not in site.open("/mine").html
    assert site.open(f"/mine/{match_id}").status == 404
    assert site.open("/mine/nosuchmatch").status == 404
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(left_at=ctx.now))
    assert site.open("/mine").words.count("You have no matches yet.") == 1


def test_fifty_matches_are_few_questions_and_a_small_page(house: House) -> None:
    made = house.start_match("middle-card", 3)
    few = _asked(house)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, made)
        columns = {each.key: getattr(match, each.key) for each in Match.__table__.columns}
        seated = ctx.session.scalars(select(SeatHolder).where(SeatHolder.match_id == made)).all()
        for number in range(70):
            copy = f"{number:020}"
            ctx.session.add(Match(**columns | {"id": copy, "to_move": [1 + number % 2]}))
            ctx.session.flush()
            for one in seated:
                place = MatchSeat(match_id=copy, seat=one.seat, default_entropy="", accepted_at=ctx.now)
                ctx.session.add(place)
                ctx.session.add(
                    SeatHolder(
                        match_id=copy,
                        seat=one.seat,
                        player_id=one.player_id,
                        name="N" * 30 + str(one.seat),
                        email=one.email,
                        seated_at=one.seated_at,
                    )
                )
            ctx.session.add(
                Deadline(match_id=copy, seat=1, ply=1, asked_at=ctx.now, due_at=ctx.now + timedelta(days=2))
            )
        for number in range(20):
            ctx.session.execute(
                update(Match)
                .where(Match.id == f"{number:020}")
                .values(
                    state=MatchState.OVER,
                    ended_at=ctx.now,
                    result={"scores": {"1": 1, "2": 2, "3": 3}, "winners": [3], "ending": "finished"},
                )
            )
    assert _asked(house) == few
    page = signed_in(house).open("/mine")
    assert page.html.count("<li>") == 70
    assert len(page.html.encode()) < LARGEST
    more = signed_in(house).open(page.links["More matches"])
    assert more.html.count("<li>") == 1


def _asked(house: House) -> int:
    """Count the statements that the page is made of."""
    site = signed_in(house)
    with statements(house.engine) as asked:
        assert site.open("/mine").status == 200
    return len(asked)


def test_the_links_kind_is_the_one_of_the_mails(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        holder = dashboard.find_holder(ctx, match_id, ann(house))
        assert holder
        found = tokens.find(ctx, dashboard.link_token(ctx, match, holder), tokens.LINK)
        assert found
        assert found.ply == match.ply
