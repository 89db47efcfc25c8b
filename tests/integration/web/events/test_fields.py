"""The pages of fields: the list, entering and leaving, a deal before and after it opens, and the feed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sqlalchemy import select, update

from pbem.db.models import Entrant, Event
from pbem.play.events import field_words
from pbem.states import EntrantState
from pbem.web.common.atom import NAMESPACE
from pbem.web.events import fields as field_pages
from tests.support.play.events import fields
from tests.support.play.events.entering import person
from tests.support.play.events.fields import DAY
from tests.support.web.account.dashboard import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def player(house: House, name: str = "Ann") -> Visitor:
    """Return somebody who is signed in, with a confirmed address."""
    with house.transaction() as ctx:
        person(ctx, name)
    return signed_in(house, name)


def entered(house: House, event: Event) -> list[tuple[str, str]]:
    rows = select(Entrant.name, Entrant.state).where(Entrant.event_id == event.id).order_by(Entrant.name)
    return [(name, state) for name, state in house.rows(rows)]


def half_played(house: House) -> tuple[Event, str]:
    """Return a field, and its first deal, of which one table is over and one is not."""
    event = fields.begin_field(house)
    first = fields.sets(house, event)[0]
    done, running = fields.tables(house, first)
    fields.play(house, done, fields.start(event) + DAY)
    fields.play(house, running, fields.start(event) + DAY, moves=2)
    fields.run_steps(house, fields.start(event) + DAY)
    return event, first


def test_before_the_first_field_the_list_says_so(house: House) -> None:
    page = visitor(house).open("/sets")
    assert "There is no field yet." in page.words
    assert "No field is over yet." in page.words


def test_the_list_has_each_field_with_when_it_begins_and_who_has_entered(house: House) -> None:
    event = fields.open_field(house, names=("Ann", "Bob"))
    page = player(house).open("/sets")
    assert page.links["Field of Montauk, number 1"] == f"/fields/{event.id}"
    assert "Takes entries until it begins: Sun 15 Feb 2026, 12:00 UTC. 2 players have entered." in page.words
    assert "You take part as Ann." in page.words


def test_a_player_enters_by_the_page_under_the_name_they_type(house: House) -> None:
    event = fields.open_field(house)
    page = player(house).open(f"/fields/{event.id}")
    done = page.press("Enter", name="Annie", entropy="mine")
    assert "You have entered." in done.words
    assert "You take part as Annie." in done.words
    assert entered(house, event) == [("Annie", EntrantState.ENTERED)]
    assert house.all(select(Entrant.entropy))[0]


def test_who_enters_is_asked_not_to_talk_about_the_cards(house: House) -> None:
    event = fields.open_field(house)
    assert field_words.TALK in visitor(house).open(f"/fields/{event.id}").words


def test_strangers_are_led_to_sign_in_and_back(house: House) -> None:
    event = fields.open_field(house)
    page = visitor(house).open(f"/fields/{event.id}")
    assert page.links["Sign in to enter"] == f"/sign-in?then=/fields/{event.id}"
    assert visitor(house).client.post(f"/fields/{event.id}").status_code == 303


def test_a_refusal_stands_on_the_page_with_what_was_typed(house: House) -> None:
    event = fields.open_field(house)
    page = player(house).open(f"/fields/{event.id}")
    with house.transaction() as ctx:
        person(ctx, "Ann").banned_at = None
    fields.run_steps(house)
    fields.load(house, event)
    with house.transaction() as ctx:
        ctx.session.execute(update(Event).where(Event.id == event.id).values(state="running"))
    refused = page.press("Enter", name="Annie")
    assert refused.status == 422
    assert "has begun" in refused.words
    assert entered(house, event) == []


def test_a_form_without_its_nonce_does_nothing(house: House) -> None:
    event = fields.open_field(house, names=("Bob",))
    ann, bob = player(house), player(house, "Bob")
    assert ann.client.post(f"/fields/{event.id}", data={"name": "Ann"}).status_code == 400
    assert bob.client.post(f"/fields/{event.id}/leave").status_code == 400
    assert entered(house, event) == [("Bob", EntrantState.ENTERED)]


def test_leaving_is_confirmed_and_says_what_it_does(house: House) -> None:
    event = fields.begin_field(house)
    page = player(house).open(f"/fields/{event.id}").follow("Leave this field")
    assert "Robots play on in your seats" in page.words
    done = page.press("Leave this field")
    assert "You have left the field." in done.words
    assert ("Ann", EntrantState.WITHDRAWN) in entered(house, event)
    again = player(house).open(f"/fields/{event.id}/leave")
    assert "You do not take part in this field." in again.words


def test_before_a_deal_opens_its_page_shows_who_sits_where_and_how_far_they_are(house: House) -> None:
    _event, first = half_played(house)
    done, running = fields.tables(house, first)
    page = visitor(house).open(f"/sets/{first}")
    assert {f"/matches/{done}", f"/matches/{running}"} <= set(page.links.values())
    assert all(name in page.words for name in fields.PEOPLE["montauk"])
    assert "2</td>" in page.html
    assert "over</td>" in page.html
    assert "Points" not in page.words
    assert "/replay" not in page.html


def test_after_it_opens_its_page_compares_each_seat_and_links_to_the_replays(house: House) -> None:
    event = fields.begin_field(house)
    first = fields.sets(house, event)[0]
    fields.play_deal(house, first, fields.start(event) + DAY)
    page = visitor(house).open(f"/sets/{first}")
    assert page.words.count("Seat 1") >= 1
    for match in fields.tables(house, first):
        assert f'href="/matches/{match}/replay"' in page.html
    deal = fields.deals(house, event)[0]
    for table in deal.tables:
        for seat in table.seats:
            assert seat.score
            assert f"<td>{seat.points}</td><td>{field_words.score(seat.score.score)}</td>" in page.html


def test_a_field_that_is_over_has_its_table_and_is_listed_among_the_past(house: House) -> None:
    event = fields.begin_field(house)
    fields.play_field(house, event)
    page = visitor(house).open(f"/fields/{event.id}")
    assert "The players by the sum of their scores" in page.words
    listed = visitor(house).open("/sets").html
    assert listed.index("Past fields") < listed.index(f'"/fields/{event.id}"')


def test_older_fields_are_on_further_pages(house: House) -> None:
    event = fields.begin_field(house)
    fields.play_field(house, event)
    with house.transaction() as ctx:
        one = ctx.session.get_one(Event, event.id)
        for number in range(field_pages.MAX_LISTED):
            more = {"kind": one.kind, "game": one.game, "options": one.options, "time_control": one.time_control}
            times = {"opens_at": one.opens_at, "starts_at": one.starts_at, "ended_at": fields.start(one) + 30 * DAY}
            ctx.session.add(Event(**more, **times, state=one.state, season=100 + number))
    first = visitor(house).open("/sets")
    assert f'"/fields/{event.id}"' not in first.html
    older = first.follow("Older fields")
    assert f'"/fields/{event.id}"' in older.html
    assert "Older fields" not in older.links


def test_unknown_fields_and_deals_are_not_found(house: House) -> None:
    site = visitor(house)
    for path in ("/fields/1", f"/fields/{2**64}", "/fields/x", "/sets/unknown"):
        assert site.client.get(path).status_code == 404
    assert site.open("/sets?before=nonsense").status == 200
    assert site.open(f"/sets?before=2026-01-01T00:00:00+00:00~{'9' * 30}").status == 200


def test_the_feed_has_what_became_of_each_field(house: House) -> None:
    assert ET.fromstring(visitor(house).client.get("/sets/feed").data).tag == f"{{{NAMESPACE}}}feed"  # noqa: S314 -- we have written it
    event = fields.begin_field(house)
    fields.play_field(house, event)
    feed = ET.fromstring(visitor(house).client.get("/sets/feed").data)  # noqa: S314 -- we have written it
    titles = [title.text for title in feed.iterfind(f"{{{NAMESPACE}}}entry/{{{NAMESPACE}}}title")]
    own = [title for title in titles if title and title.startswith("Field of Montauk, number 1: ")]
    assert {title.partition(": ")[2] for title in own} == {
        "It takes entries until it begins: Sun 15 Feb 2026, 12:00 UTC.",
        "It has begun. 4 players take part.",
        "Deal 1 is open.",
        "Deal 2 is open.",
        "It is over.",
    }
