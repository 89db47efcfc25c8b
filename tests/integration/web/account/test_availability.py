"""The page of one's own time: nights, absences, and what deadlines make of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, Player
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.upkeep.deadline_tasks import running
from tests.support.web.account.settings import kept, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.pages import Form, Page, Visitor

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
SAVE, AWAY, BACK = "Save", "Add vacation", "I am back"


@pytest.fixture(autouse=True)
def in_november() -> Iterator[None]:
    """Fix the time, so that no test depends on the season."""
    with at(NOW):
        yield


@pytest.fixture
def ann(local: House) -> Visitor:
    browser = signed_in(local)
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Berlin"))
    return browser


def absences(house: House) -> list[tuple[datetime, datetime]]:
    found = select(ClockPause.started_at, ClockPause.ended_at).order_by(ClockPause.started_at)
    return [(row[0], row[1]) for row in house.rows(found)]


def listed(page: Page, button: str) -> Form:
    """Return the form of the only absence that has a button; its name goes on with the absence."""
    (found,) = (form for form in page.forms if form.button.startswith(button))
    return found


def test_it_is_led_to_and_tells_the_time_where_its_reader_is(ann: Visitor) -> None:
    assert 'href="/me/time"' in ann.open("/me").html
    page = ann.open("/me/time")
    assert "Tuesday, 24 November 2026, 13:00 (Europe/Berlin, UTC+1)" in page.words
    assert "You may be away for 30 days a year; 30 days are left in 2026." in page.words


def test_the_zone_that_a_browser_offers_is_kept_where_it_is_known(local: House, ann: Visitor) -> None:
    page = ann.open("/me/time")
    assert 'data-zone="Europe/Berlin" hidden>' in page.html
    form = page.form("Use it")
    assert ann.send(form, {**form.fields, "zone": "Mars/Olympus"}).status == 400
    assert ann.client.post("/me/time/zone", data={"zone": "Asia/Tokyo", "nonce": "made up"}).status_code == 400
    assert kept(local, "time_zone") == ("Europe/Berlin",)
    page = ann.send(form, {**form.fields, "zone": "Asia/Tokyo"})
    assert page.url == "/me/time?kept=1"
    assert "24 November 2026, 21:00 (Asia/Tokyo, UTC+9)" in page.words
    assert kept(local, "time_zone") == ("Asia/Tokyo",)


def test_nights_are_chosen_and_left_out(local: House, ann: Visitor) -> None:
    page = ann.open("/me/time").press(SAVE, sleeps="on", quiet_from="23", quiet_until="7")
    assert page.url == "/me/time?kept=1"
    assert "Saved." in page.words
    assert kept(local, "quiet_from", "quiet_until") == (23, 7)
    form = ann.open("/me/time").form(SAVE)
    assert (form.fields["quiet_from"], form.fields["quiet_until"], form.fields["sleeps"]) == ("23", "7", "on")
    ann.client.post("/me/time", data={**form.fields, "sleeps": "on", "quiet_from": "7", "quiet_until": "24"})
    assert kept(local, "quiet_from", "quiet_until") == (23, 7)
    del form.fields["sleeps"]
    assert ann.client.post("/me/time", data=form.fields).status_code == 303
    assert kept(local, "quiet_from", "quiet_until") == (0, 0)
    form = ann.open("/me/time").form(SAVE)
    assert (form.fields["quiet_from"], form.fields["quiet_until"]) == ("22", "8")
    assert "sleeps" not in form.fields


@pytest.mark.parametrize(("begin", "end"), [("0", "23"), ("20", "9"), ("1", "0")])
def test_a_night_of_more_than_twelve_hours_is_refused(local: House, ann: Visitor, begin: str, end: str) -> None:
    page = ann.open("/me/time").press(SAVE, sleeps="on", quiet_from=begin, quiet_until=end)
    assert page.status == 422
    assert "Nothing changed: your night can last at most 12 hours." in page.words
    assert kept(local, "quiet_from", "quiet_until") == (22, 8)
    longest = ann.open("/me/time").press(SAVE, sleeps="on", quiet_from="20", quiet_until="8")
    assert longest.url == "/me/time?kept=1"


def test_whoever_is_away_sees_it_and_comes_back(local: House, ann: Visitor) -> None:
    page = ann.open("/me/time").press(AWAY, first="2026-12-24", last="2026-12-26")
    assert page.url == "/me/time?kept=1"
    page = page.press(AWAY, first="", last="2026-11-25")
    begin = "From Tue 24 Nov 2026, 13:00"
    assert f"{begin} until Thu 26 Nov 2026, 00:00." in page.words
    assert "until Sun 27 Dec 2026, 00:00." in page.words
    assert "25 days are left in 2026." in page.words
    with at(NOW + timedelta(hours=1)):
        page = ann.open("/me/time")
        page = page.press(listed(page, BACK).button)
        assert absences(local)[0] == (NOW, NOW + timedelta(hours=1))
        page = page.press(listed(page, "Delete").button)
    assert len(absences(local)) == 1
    assert "Delete" not in page.words


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("2026-12-24", "2026-12-23", "the absence would end before it begins"),
        ("2026-11-23", "2026-12-23", "an absence cannot be in the past"),
        ("", "2026-02-31", "“2026-02-31” is not a valid date."),
        ("", "", "“” is not a valid date."),
        ("", "9999-12-31", "can last at most 30 days"),
    ],
)
def test_what_cannot_be_is_said_at_the_field_and_what_was_typed_is_kept(
    local: House, ann: Visitor, first: str, last: str, sentence: str
) -> None:
    page = ann.open("/me/time").press(AWAY, first=first, last=last)
    assert page.status == 422
    assert sentence in page.words
    assert 'aria-invalid="true"' in page.html
    assert (page.form(AWAY).fields["first"], page.form(AWAY).fields["last"]) == (first, last)
    assert absences(local) == []


def test_days_are_taken_by_themselves_only_for_whoever_likes_it(local: House, ann: Visitor) -> None:
    form = ann.open("/me/time").form(SAVE)
    assert form.fields["by_itself"] == "on"
    ann.send(form, {name: value for name, value in form.fields.items() if name != "by_itself"})
    assert kept(local, "auto_vacation") == (False,)
    assert ann.open("/me/time").press(SAVE, by_itself="on").url == "/me/time?kept=1"
    assert kept(local, "auto_vacation") == (True,)


@pytest.mark.parametrize("path", ["/me/time", "/me/time/away", "/me/time/back"])
def test_a_form_from_elsewhere_changes_nothing(local: House, ann: Visitor, path: str) -> None:
    answer = ann.client.post(path, data={"nonce": "made up", "first": "", "last": "2026-11-25"})
    assert answer.status_code == 400
    assert absences(local) == []
    assert kept(local, "auto_vacation") == (True,)


@pytest.mark.parametrize("number", ["", "x", "0", "9" * 5000])
def test_an_absence_that_there_is_not_ends_nothing(local: House, ann: Visitor, number: str) -> None:
    form = listed(ann.open("/me/time").press(AWAY, first="", last="2026-11-25"), BACK)
    assert ann.client.post("/me/time/back", data={**form.fields, "absence": number}).status_code == 303
    assert len(absences(local)) == 1


# -- what a deadline makes of it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begins", "due", "said"),
    [
        # Around the end of summer time, and around its beginning.
        (datetime(2026, 10, 22, 23, tzinfo=UTC), datetime(2026, 10, 26, 7, tzinfo=UTC), "Mon 26 Oct 2026, 08:00"),
        (datetime(2027, 3, 25, 23, tzinfo=UTC), datetime(2027, 3, 29, 6, tzinfo=UTC), "Mon 29 Mar 2027, 08:00"),
    ],
)  # fmt: skip
def test_no_deadline_falls_into_the_night_across_a_change_of_summer_time(
    local: House, begins: datetime, due: datetime, said: str
) -> None:
    with at(begins):
        match_id = running(local)
        (seat,) = local.match(match_id).to_move
        with local.transaction() as ctx:
            ctx.session.execute(update(Player).values(time_zone="Europe/Berlin"))
        mail = local.last(NAMES[seat - 1])
        browser = signed_in(local, NAMES[seat - 1])
        browser.open("/me/time").press(SAVE, sleeps="on", quiet_from="22", quiet_until="8")
        tick(local, begins)
        assert local.all(select(Deadline.due_at)) == [due]
        local.reply(mail, "board")
        assert said in local.only(NAMES[seat - 1]).flat
        assert said.replace(" 2026", "").replace(" 2027", "") in browser.open(f"/m/{mail.token}").words


def test_a_deadline_follows_its_players_zone(local: House) -> None:
    match_id = running(local, quiet_from=22, quiet_until=8)
    (seat,) = local.match(match_id).to_move
    browser = signed_in(local, NAMES[seat - 1])
    browser.open("/me").press("Save", zone="Pacific/Auckland")
    tick(local, NOW)
    # Noon is an hour after midnight there.
    assert local.all(select(Deadline.due_at)) == [datetime(2026, 11, 27, 19, tzinfo=UTC)]


def test_the_match_page_says_who_is_away_and_nothing_of_their_zone(local: House) -> None:
    match_id = running(local)
    (seat,) = local.match(match_id).to_move
    mover, other = NAMES[seat - 1], NAMES[2 - seat]
    mail = local.last(mover)
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == other).values(time_zone="Pacific/Auckland"))
    gone = signed_in(local, other)
    gone.open("/me/time").press(AWAY, first="", last="2026-12-02")
    for page in (gone.open(f"/m/{mail.token}"), signed_in(local, mover).open(f"/matches/{match_id}")):
        assert f"{other} is away until Wednesday, 2 December 2026. Their clock is stopped." in page.words
        assert "Auckland" not in page.html
