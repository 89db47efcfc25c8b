"""Feeds and calendar: what programs read, and how little whoever has the address may do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from icalendar import Calendar
from sqlalchemy import select, update

from pbem.db.models import Deadline, Feed, Match, Player, SeatHolder
from pbem.play.core import tokens
from tests.support.web.account.dashboard import due, signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

ATOM = "{http://www.w3.org/2005/Atom}"
SOON = datetime(2031, 7, 1, 10, 30, tzinfo=UTC)


def addresses(house: House, name: str = "Ann", site: Visitor | None = None) -> tuple[str, str]:
    """Ask for the addresses on the page, as their owner does."""
    page = (site or signed_in(house, name)).open("/mine")
    (button,) = (form.button for form in page.forms if form.action == "/mine/feeds")
    page = page.press(button)
    found = [link for link in page.links if link.startswith("http://127.0.0.1:8000/")]
    feed, calendar = (page.links[link] for link in found)
    assert found == [f"http://127.0.0.1:8000{feed}", f"http://127.0.0.1:8000{calendar}"]
    return feed, calendar


def read(house: House, url: str, **headers: str) -> Any:
    return visitor(house).client.get(url, headers={name.replace("_", "-"): said for name, said in headers.items()})


def entries(body: bytes) -> list[dict[str, str]]:
    feed = ET.fromstring(body)  # noqa: S314 -- we have written it
    assert feed.tag == f"{ATOM}feed"
    for needed in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{needed}") is not None
    found = []
    for entry in feed.findall(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        texts = {name: entry.findtext(f"{ATOM}{name}") or "" for name in ("id", "title", "content", "updated")}
        found.append(texts | {"link": link.attrib["href"]})
    return found


def test_a_feed_tells_what_waits_and_what_has_ended_and_nothing_that_is_hidden(house: House) -> None:
    solo = house.start_match("minimax", 1)
    table_of_three = house.start_match("middle-card", 3)
    feed, _calendar = addresses(house)
    answer = read(house, feed)
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    (one,) = (entry for entry in entries(answer.data) if solo in entry["id"])
    assert one["title"] == one["content"] == "It is your turn in Minimax"
    assert one["link"] == f"http://127.0.0.1:8000/mine/{solo}"
    assert one["id"] == f"tag:127.0.0.1,2026:turn/{solo}/1/1"
    # Neither a hand nor a link that plays.
    assert b"/m/" not in answer.data
    with house.transaction() as ctx:
        result = {"scores": {"1": 1, "2": 2, "3": 3}, "winners": [3], "ending": "finished"}
        over = {"state": "over", "to_move": [], "ended_at": ctx.now, "result": result}
        ctx.session.execute(update(Match).where(Match.id == table_of_three).values(over))
    ended = entries(read(house, feed).data)[-1]
    assert ended["title"] == "Middle Card with Bob and Cyd is over"
    assert ended["content"] == "The match is over. Cyd has won. The score: Ann 1, Bob 2, Cyd 3."


def test_invitations_and_deadlines_stand_in_the_feed_too(house: House) -> None:
    house.make("middle-card", 3)
    due(house, house.start_match("minimax", 1), SOON)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Vienna"))
    first, second = entries(read(house, addresses(house)[0]).data)
    assert first["content"] == "Your move is due on Tue 1 Jul 2031, 12:30."
    assert second["title"] == "You are invited to Middle Card with Bob and Cyd"


def test_a_feed_speaks_its_readers_language_and_keeps_signs_apart(house: House) -> None:
    house.start_match("middle-card", 3)
    feed, _calendar = addresses(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
        ctx.session.execute(update(Match).values(to_move=[1]))
        ctx.session.execute(update(SeatHolder).where(SeatHolder.seat == 2).values(name="<b>&"))
    (one,) = entries(read(house, feed).data)
    assert one["title"] == "Du bist am Zug: Middle Card mit <b>& und Cyd"


def test_what_has_not_changed_is_not_sent_again(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    for url in addresses(house):
        first = read(house, url)
        assert first.status_code == 200
        same = read(house, url, If_None_Match=first.headers["ETag"])
        assert (same.status_code, same.data) == (304, b"")
    feed, calendar = addresses(house)
    first = read(house, feed)
    assert read(house, feed, If_Modified_Since=first.headers["Last-Modified"]).status_code == 304
    earlier = format_datetime(first.last_modified - timedelta(seconds=1), usegmt=True)
    assert read(house, feed, If_Modified_Since=earlier).status_code == 200
    tag = read(house, calendar).headers["ETag"]
    due(house, match_id, SOON)
    assert read(house, calendar, If_None_Match=tag).status_code == 200
    assert read(house, feed, If_None_Match=first.headers["ETag"]).status_code == 200


def test_a_calendar_has_an_event_for_each_of_my_deadlines_with_two_alarms(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    due(house, match_id, SOON)
    house.start_match("minimax", 1)
    _feed, url = addresses(house)
    answer = read(house, url)
    assert answer.content_type == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.data)
    assert calendar["VERSION"] == "2.0"
    assert calendar["PRODID"]
    (event,) = calendar.walk("VEVENT")
    assert event["UID"] == f"{match_id}.1.1@127.0.0.1"
    assert event.decoded("DTSTART") == SOON
    assert str(event.decoded("DTSTART").tzinfo) == "UTC"
    assert b"DTSTART:20310701T103000Z" in answer.data
    assert event["SUMMARY"] == "Your move in Minimax is due"
    assert event["URL"] == f"http://127.0.0.1:8000/mine/{match_id}"
    alarms = event.walk("VALARM")
    assert [alarm.decoded("TRIGGER") for alarm in alarms] == [timedelta(days=-1), timedelta(hours=-2)]
    assert all(alarm["ACTION"] == "DISPLAY" and alarm["DESCRIPTION"] for alarm in alarms)
    assert b"\r\n" in answer.data
    assert max(map(len, answer.data.split(b"\r\n"))) <= 75


def test_a_deadline_that_moves_is_the_same_event_revised(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    due(house, match_id, SOON)
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(asked_at=ctx.now - timedelta(days=1)))
    _feed, url = addresses(house)
    (before,) = Calendar.from_ical(read(house, url).data).walk("VEVENT")
    later = SOON + timedelta(days=2)
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(due_at=later, asked_at=ctx.now))
        ctx.session.execute(update(Match).values(log_length=Match.log_length + 1))
    (after,) = Calendar.from_ical(read(house, url).data).walk("VEVENT")
    assert before["UID"] == after["UID"]
    assert after.decoded("DTSTART") == later
    assert after.decoded("SEQUENCE") > before.decoded("SEQUENCE")
    assert after.decoded("DTSTAMP") >= before.decoded("DTSTAMP")


def test_new_addresses_make_the_old_ones_unknown_and_are_nobody_elses(house: House) -> None:
    house.start_match("middle-card", 3)
    site = signed_in(house)
    old = addresses(house, site=site)
    new = addresses(house, site=site)
    assert not {*old} & {*new}
    assert not {*addresses(house, "Bob")} & {*new}
    for url in old:
        answer = read(house, url)
        assert answer.status_code == 404
        assert "There is no feed at this address." in answer.get_data(as_text=True)
    # The same words for what was never given out, and for what is none at all.
    words = read(house, old[0]).data
    for token in ("0" * tokens.LENGTH, "x", "0" * 500):
        assert read(house, f"/feed/{token}.atom").data == words
    assert [read(house, url).status_code for url in new] == [200, 200]
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(deleted_at=ctx.now))
    assert [read(house, url).status_code for url in new] == [404, 404]


def test_no_row_holds_an_address_in_clear_and_it_holds_as_long_as_its_key(house: House) -> None:
    house.start_match("minimax", 1)
    feed, _calendar = addresses(house)
    token = feed.split("/")[2].removesuffix(".atom")
    (row,) = house.all(select(Feed))
    assert row.hash == tokens.hash_token(token)
    assert read(house, feed.upper().replace("/FEED/", "/feed/").replace(".ATOM", ".atom")).status_code == 200
    both = house.with_keys(*house.config.secret_keys, "1" * 40)
    assert read(both, feed).status_code == 200
    assert "Create private links" not in {form.button for form in signed_in(both).open("/mine").forms}
    newer = house.with_keys("1" * 40)
    assert read(newer, feed).status_code == 404
    assert "Create private links" in {form.button for form in signed_in(newer).open("/mine").forms}


def test_a_form_from_elsewhere_makes_nothing(house: House) -> None:
    house.start_match("minimax", 1)
    site = signed_in(house)
    answer = site.client.post("/mine/feeds", data={"nonce": "x"})
    assert answer.status_code == 400
    assert "nothing has been done yet" in answer.get_data(as_text=True)
    assert not house.all(select(Feed))
    assert visitor(house).client.post("/mine/feeds").headers["Location"].startswith("/sign-in")
