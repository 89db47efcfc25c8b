"""The pages of the week: taking part, what is shown before and after its end, mail on Mondays, and the feed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select, update

from pbem.db.models import DealSet, Match, Player
from pbem.play.weekly import calendar, results, stop_links
from pbem.states import MatchState
from tests.support.clockwork import at
from tests.support.db.statements import statements
from tests.support.play.weekly.weeks import (
    MONDAY,
    NEXT_MONDAY,
    NUMBER,
    begin_week,
    deal_set,
    enter,
    known_player,
    play,
    robot_match,
    run,
)
from tests.support.web.account.dashboard import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

DAY = timedelta(days=1)
ATOM = "{http://www.w3.org/2005/Atom}"


def ann_at(house: House) -> Visitor:
    known_player(house, "Ann")
    return signed_in(house)


def entries_of(house: House, number: int = NUMBER) -> list[Match]:
    return house.all(select(Match).where(Match.set_id == deal_set(house, number).id, Match.set_place > 1))


def test_a_button_begins_the_match_and_leads_to_its_first_turn(local: House) -> None:
    with at(MONDAY):
        begin_week(local)
        turn = ann_at(local).open("/weekly").press("Play the wheel of the week")
    (match,) = entries_of(local)
    assert match.state == MatchState.RUNNING
    assert turn.url.startswith("/m/")
    assert "Minimax" in turn.words


def test_who_has_begun_is_led_on_and_begins_no_other(local: House) -> None:
    with at(MONDAY):
        begin_week(local)
        ann = ann_at(local)
        form = ann.open("/weekly").form("Play the wheel of the week")
        ann.send(form, form.fields)
        ann.send(form, form.fields)
        page = ann.open("/weekly")
        assert "Your match is under way." in page.words
        assert page.follow("Play on").url.startswith("/m/")
    assert len(entries_of(local)) == 1


def test_a_newcomer_types_a_name_and_an_address_and_accepts_there(house: House) -> None:
    with at(MONDAY):
        begin_week(house)
        closed = visitor(replace(house, config=replace(house.config, allow_anonymous=False)))
        page = closed.open("/weekly").press("Play the wheel of the week", name="Ann", email="ann@example.org")
        assert "Check your mail: we wrote to ann@example.org." in page.words
        (match,) = entries_of(house)
        assert match.state == MatchState.INVITING
        house.reply(house.only("Ann"), "accept")
    assert house.match(match.id).state == MatchState.RUNNING


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"email": "ann"}, "Enter a mail address such as ann@example.org."),
        ({"name": " "}, "Enter a name for this player."),
        ({"week": "41"}, "This week has not begun."),
        ({"week": "99999"}, "There is no such week."),
        ({"week": "one"}, "There is no such week."),
        ({"nonce": "old"}, "This form was open for too long"),
    ],
)
def test_what_cannot_be_taken_is_answered_by_a_sentence(
    house: House, site: Visitor, typed: dict[str, str], sentence: str
) -> None:
    with at(MONDAY):
        begin_week(house)
        fields = {"name": "Ann", "email": "ann@example.org"} | typed
        page = site.open("/weekly").press("Play the wheel of the week", **fields)
    assert page.status in {400, 422}
    assert sentence in page.words
    assert entries_of(house) == []


def test_one_takes_part_in_the_next_week_with_a_text_for_its_deal(local: House) -> None:
    with at(MONDAY):
        begin_week(local)
        ann = ann_at(local)
        page = ann.open("/weekly").press("Take part next week", entropy="a text")
        assert "You take part. The wheel is dealt on Monday," in page.words
        assert "Take part next week" not in page.words
    (match,) = entries_of(local, NUMBER + 1)
    assert local.match_seats(match.id)[0].entropy


def test_nobody_sees_points_or_names_before_the_end(local: House, site: Visitor) -> None:
    with at(MONDAY):
        begin_week(local)
    match = enter(local, "Ann")
    points = play(local, match, MONDAY + DAY)
    run(local, MONDAY + DAY)
    with at(MONDAY + 2 * DAY):
        page = site.open("/weekly")
        assert "One person takes part. One has finished." in page.words
        assert "Ann" not in page.words
        assert site.open(f"/weekly/{NUMBER}").url == "/weekly"
        own = signed_in(local).open("/weekly")
    assert f"You made {points} points. The table comes on Monday," in own.words


def test_after_the_end_the_table_has_places_par_and_replays(local: House, site: Visitor) -> None:
    begin_week(local)
    matches = {name: enter(local, name) for name in ("Ann", "Bob", "Cyd")}
    points = play(local, matches["Ann"], MONDAY + DAY)
    assert play(local, matches["Bob"], MONDAY + DAY) == points
    par = play(local, robot_match(local), MONDAY + DAY)
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        page = site.open(f"/weekly/{NUMBER}")
        assert f"1Ann{points} 1Bob{points} –Cydnot finished" in page.words
        assert f"Par was {par}: what the strong robot made." in page.words
        assert page.follow("Ann").status == 200
        assert f"You made {points} points: place 1." in signed_in(local).open(f"/weekly/{NUMBER}").words
        assert "You did not finish in time" in signed_in(local, "Cyd").open(f"/weekly/{NUMBER}").words


def test_a_long_table_is_read_page_by_page_and_one_is_led_to_ones_place(
    local: House, site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "ROWS_PER_PAGE", 2)
    begin_week(local)
    for name in ("Ann", "Bob", "Cyd", "Dee", "Eve"):
        play(local, enter(local, name), MONDAY + DAY)
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        first = signed_in(local, "Dee").open(f"/weekly/{NUMBER}")
        assert "Rows 1 to 2 of 5." in first.words
        assert "Higher places" not in first.words
        own = first.follow("Your place in the table")
        assert "Rows 3 to 4 of 5." in own.words
        assert "Your place in the table" not in own.words
        assert "Rows 1 to 2 of 5." in own.follow("Higher places").words
        last = own.follow("Lower places")
        assert "Rows 5 to 5 of 5." in last.words
        assert "Lower places" not in last.words
        beyond = site.open(f"/weekly/{NUMBER}?after=6")
        assert "The table ends before that." in beyond.words
        assert "Rows 1 to 2 of 5." in beyond.follow("The first places").words


def test_a_week_can_be_played_for_fun_once_it_is_over(local: House) -> None:
    begin_week(local)
    ann = ann_at(local)
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        turn = ann.open("/weekly/archive").follow(f"Week {NUMBER}").press("Play this wheel")
        assert turn.url.startswith("/m/")
        assert "Nobody took part." in ann.open(f"/weekly/{NUMBER}").words
    (match,) = entries_of(local)
    assert match.seed == deal_set(local).seed
    assert not match.public


def test_a_week_that_is_not_over_cannot_be_played_for_fun(local: House) -> None:
    begin_week(local)
    ann = ann_at(local)
    with at(MONDAY + DAY):
        assert ann.client.post(f"/weekly/{NUMBER}").headers["Location"] == "/weekly"
        assert ann.client.post("/weekly/999").status_code == 404
    assert entries_of(local) == []


def test_mail_on_mondays_is_chosen_on_the_page_and_stopped_by_its_link(local: House, site: Visitor) -> None:
    with at(MONDAY):
        begin_week(local)
        ann = ann_at(local)
        assert "Saved." in ann.open("/weekly").press("Save", weekly_mail="on").words
        (player,) = local.all(select(Player).where(Player.weekly_mail))
        path = stop_links.page(local.config, player.id, "").removeprefix(local.config.base_url)
        page = site.open(path)
        assert local.all(select(Player.name).where(Player.weekly_mail)) == ["Ann"]
        assert "You get no more mail when a week begins" in page.press("Stop mail").words
        assert site.open("/weekly/stop/other").status == 404
    assert local.all(select(Player.name).where(Player.weekly_mail)) == []


def test_no_form_of_the_week_acts_without_its_nonce(local: House) -> None:
    begin_week(local)
    ann = ann_at(local)
    with at(MONDAY):
        assert ann.client.post("/weekly", data={"week": NUMBER}).status_code == 400
        assert ann.client.post("/weekly/mail", data={"weekly_mail": "on"}).status_code == 400
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        assert ann.client.post(f"/weekly/{NUMBER}").status_code == 400
    assert entries_of(local) == []
    assert local.all(select(Player.name).where(Player.weekly_mail)) == []


def test_the_archive_lists_the_weeks_page_by_page(local: House, site: Visitor) -> None:
    for number in range(NUMBER - 22, NUMBER + 1):
        run(local, calendar.begin_of(number))
    page = site.open("/weekly/archive")
    assert f"Week {NUMBER - 1}" in page.links
    assert f"Week {NUMBER - 20}" in page.links
    earlier = page.follow("Earlier weeks")
    assert [link for link in earlier.links if link.startswith("Week ")] == ["Week 19", "Week 18"]
    assert "Earlier weeks" not in earlier.links


@pytest.mark.usefixtures("local")
def test_there_are_pages_of_the_weeks_before_any_is_over(site: Visitor) -> None:
    assert "The wheel of this week is not dealt yet." in site.open("/weekly").words
    assert "No week is over yet." in site.open("/weekly/archive").words
    assert site.open("/weekly/1").status == 404


def test_the_feed_has_the_running_week_and_the_tables(local: House, site: Visitor) -> None:
    begin_week(local)
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        feed = ET.fromstring(site.open("/weekly/feed").html)  # noqa: S314 -- we have written it
        titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles[:2] == ["The Minimax of the week 41 has begun", "The Minimax of the week 40: the table"]


@pytest.mark.parametrize("path", ["/", "/lobby"])
def test_the_first_page_and_the_lobby_show_the_running_week(local: House, site: Visitor, path: str) -> None:
    with at(MONDAY):
        assert "Minimax of the week" not in site.open(path).words
        begin_week(local)
        enter(local, "Ann")
        page = site.open(path)
        assert (
            "Minimax of the week 40 Everybody plays the same wheel, until Sunday. One person takes part." in page.words
        )
        assert page.follow("Play the wheel of the week").url == "/weekly"


def test_the_pages_cost_as_few_statements_for_many_as_for_one(local: House, site: Visitor) -> None:
    begin_week(local)

    def counts(*paths: str) -> list[int]:
        found = []
        for path in paths:
            with statements(local.engine) as asked:
                assert site.open(path).status == 200
            found.append(len(asked))
        return found

    enter(local, "Ann")
    with at(MONDAY):
        few = counts("/", "/weekly")
    assert few <= [1, 4]
    enter(local, "Bob")
    with at(MONDAY):
        assert counts("/", "/weekly") == few
    run(local, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        assert counts(f"/weekly/{NUMBER}", "/weekly/archive") <= [2, 1]


def test_a_week_that_was_never_dealt_has_no_table(local: House, site: Visitor) -> None:
    run(local, MONDAY - DAY)
    run(local, NEXT_MONDAY + DAY)
    with local.transaction() as ctx:
        ctx.session.execute(update(DealSet).where(DealSet.week == NUMBER).values(opened_at=NEXT_MONDAY))
    with at(NEXT_MONDAY + DAY):
        assert f"Week {NUMBER}" not in site.open("/weekly/archive").links
        assert "Nobody took part." in site.open(f"/weekly/{NUMBER}").words
