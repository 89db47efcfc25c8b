"""The page of the people whom a player avoids, and the button beside the chat of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Player
from pbem.play.lifecycle.match_requests import Invitee, robot
from pbem.play.moderation import avoidance
from pbem.robots import Level
from pbem.web.account import avoidance as page_of_avoided
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.moderation.avoidance import avoids, listed
from tests.support.web.lobby.open_tables import signed_in
from tests.support.web.seat.chat import begun

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

PAGE = "/me/avoided"


def test_the_account_leads_to_an_empty_list(local: House) -> None:
    page = signed_in(local, "Ann").open("/me").follow("People you avoid")
    assert page.url == PAGE
    assert "You avoid nobody." in page.words
    assert "They cannot invite you, and they are not told." in page.words


def test_somebody_met_is_added_by_a_button_and_removed_by_another(local: House) -> None:
    local.start_match("martian-whist", 2)
    ann = signed_in(local, "Ann")
    page = ann.open(PAGE).press("Avoid: Bob")
    assert "Saved." in page.words
    assert listed(local, "Ann") == ["Bob"]
    assert "Players you met last" not in page.words
    page = page.press("Remove: Bob")
    assert listed(local, "Ann") == []
    assert "Avoid: Bob" in page.html.replace('<span class="hidden">', "")


def test_a_name_is_typed_in_any_case(local: House) -> None:
    local.start_match("martian-whist", 2)
    signed_in(local, "Ann").open(PAGE).press("Avoid", name=" bob ")
    assert listed(local, "Ann") == ["Bob"]


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ("Zoe", "You have met nobody called “Zoe”."),
        ("bob@example.org", "You have met nobody called “bob@example.org”."),
        ("Ann", "You cannot avoid yourself."),
    ],
)
def test_a_name_that_cannot_be_meant_is_refused_with_what_was_typed(local: House, typed: str, wrong: str) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press("Avoid", name=typed)
    assert page.status == 422
    assert wrong in page.words
    assert page.form("Avoid").fields["name"] == typed
    assert listed(local, "Ann") == []


def test_of_several_with_one_name_it_is_asked_which(local: House) -> None:
    local.start_match("martian-whist", 2)
    with local.transaction() as ctx:
        # At the next table Bob has another name, and somebody else has his.
        guests = [Invitee("Ann", address("Ann")), Invitee("Robert", address("Bob")), Invitee("Bob", address("Cyd"))]
        create_match(ctx, "middle-card", {}, guests)
    page = signed_in(local, "Ann").open(PAGE).press("Avoid", name="Bob")
    assert page.status == 422
    assert "You have met several people called “Bob”: in Middle Card on " in page.words
    assert " and in Martian Whist on " in page.words


def test_robots_of_one_name_are_nobody_to_choose_from(local: House) -> None:
    for level in (Level.EASY, Level.STRONG):
        with local.transaction() as ctx:
            create_match(ctx, "martian-whist", {}, [Invitee("Ann", address("Ann")), robot(level)], creator=1)
    ann = signed_in(local, "Ann")
    page = ann.open(PAGE).press("Avoid", name="Ada")
    assert "Ada is a robot. You can avoid only people." in page.words
    with local.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Ada", address("Bob"))]
        create_match(ctx, "martian-whist", {}, guests, creator=1)
    ann.open(PAGE).press("Avoid", name="ada")
    assert listed(local, "Ann") == ["Ada"]


def test_a_seat_at_which_the_player_met_nobody_is_refused(local: House) -> None:
    local.start_match("martian-whist", 2)
    dee = signed_in(local, "Dee")
    form = dee.open(PAGE).form("Avoid")
    page = dee.send(form, form.fields | {"met": "2"})
    assert page.status == 422
    assert "You have met nobody at this seat." in page.words
    assert listed(local, "Dee") == []


def test_nobody_changes_the_list_of_another(local: House) -> None:
    avoids(local, "Ann", "Bob")
    with local.transaction() as ctx:
        (entry,) = avoidance.list_avoided(ctx, ctx.session.query(Player).filter_by(name="Ann").one().id)
    dee = signed_in(local, "Dee")
    form = dee.open(PAGE).form("Avoid")
    dee.send(form, form.fields | {"entry": str(entry.id)})
    assert listed(local, "Ann") == ["Bob"]
    ann = signed_in(local, "Ann").open(PAGE)
    old = ann.press("Remove: Bob", nonce="x")
    assert old.status == 400
    assert listed(local, "Ann") == ["Bob"]


def test_those_met_last_are_offered_and_the_rest_can_be_typed(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_of_avoided, "MAX_MET_SHOWN", 1)
    local.make("middle-card", 3)
    page = signed_in(local, "Ann").open(PAGE)
    assert sum(form.button.startswith("Avoid: ") for form in page.forms) == 1


def test_a_button_beside_the_chat_avoids_and_undoes_it(site: Visitor, local: House) -> None:
    tokens = begun(local)
    before = site.open(f"/m/{tokens['Bob']}/talk").shown
    page = site.open(f"/m/{tokens['Ann']}/talk").press("Avoid Bob")
    assert "avoided: you share no new table" in page.words
    assert listed(local, "Ann") == ["Bob"]
    # The other one sees and is told nothing.
    assert site.open(f"/m/{tokens['Bob']}/talk").shown == before
    assert not local.mails("Bob")
    site.open(page.url).press("Stop avoiding Bob")
    assert listed(local, "Ann") == []


def test_the_button_says_when_the_list_is_full(site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avoidance, "MAX_AVOIDED", 0)
    page = site.open(f"/m/{begun(local)['Ann']}/talk").press("Avoid Bob")
    assert page.status == 422
    assert "You avoid 0 people already." in page.words


def test_a_robot_has_no_such_button(site: Visitor, local: House) -> None:
    tokens = begun(local)
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(is_robot=True))
    assert "Avoid Bob" not in site.open(f"/m/{tokens['Ann']}/talk").words
