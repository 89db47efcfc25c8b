"""A seat's plan on its page and by the API: written, shown as understood, taken back, and shown to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Plan, SeatHolder
from tests.support.rematching import signed_in
from tests.support.web.api.matches import client, got, refused
from tests.support.web.seat.chat import begun

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["client"]


def kept(house: House) -> dict[str, list[object]]:
    """Return what everybody has planned."""
    return dict(house.rows(select(SeatHolder.name, Plan.lines["lines"]).join(Plan, Plan.holder_id == SeatHolder.id)))


class TestPage:
    def test_a_plan_is_written_shown_as_understood_and_taken_back(self, site: Visitor, local: House) -> None:
        bob = begun(local)["Bob"]
        page = site.open(f"/m/{bob}/plan")
        assert "if …: …" in page.words
        assert "take 1" in page.words
        page = page.press("Save plan", plan="if take 3: take 7\n  if take 4: take 8\nif take 5: swap\nalways duck")
        assert "1.1: then, if “take 4”, you play “take 8”." in page.words
        assert "Your plan as we read it" in page.words
        assert kept(local) == {"Bob": [["take 3", "take 7", [["take 4", "take 8", []]]], ["take 5", "swap", []]]}
        first, *_ = (form for form in page.forms if form.button == "Delete")
        page = site.send(first, first.fields)
        assert kept(local) == {"Bob": [["take 5", "swap", []]]}
        page = page.press("Save plan", plan="")
        assert "Your plan as we read it" not in page.words
        assert kept(local) == {}

    def test_a_plan_that_resigns_is_shown_with_a_warning(self, site: Visitor, local: House) -> None:
        bob = begun(local)["Bob"]
        page = site.open(f"/m/{bob}/plan").press("Save plan", plan="if take 3: resign")
        assert "1: if “take 3”, you resign." in page.words
        assert "With this plan you would resign, and nobody asks you again." in page.words
        page = page.press("Save plan", plan="always duck")
        assert "With this plan you would resign" not in page.words
        page = page.press("Save plan", plan="if always: resign")
        assert page.status == 422
        assert "A plan resigns only by a line with a condition" in page.words

    def test_what_is_not_understood_is_said_and_nothing_is_lost(self, site: Visitor, local: House) -> None:
        bob = begun(local)["Bob"]
        page = site.open(f"/m/{bob}/plan").press("Save plan", plan="always duck")
        page = page.press("Save plan", plan="if it rains: take 7")
        assert page.status == 422
        assert "“it rains” is not a condition in Martian Whist." in page.words
        assert "if it rains: take 7" in page.words
        assert list(kept(local)) == ["Bob"]

    def test_a_line_that_is_gone_cannot_be_taken_back(self, site: Visitor, local: House) -> None:
        bob = begun(local)["Bob"]
        page = site.open(f"/m/{bob}/plan").press("Save plan", plan="always duck")
        form = page.form("Delete")
        site.send(form, form.fields)
        assert "Your plan has no line 1." in site.send(form, form.fields).words

    def test_the_turn_leads_there_and_a_typed_line_too(self, site: Visitor, local: House) -> None:
        ann = begun(local)["Ann"]
        page = site.open(f"/m/{ann}").follow("Plan moves in advance")
        assert "lines that begin with “if” apply to your later turns" in page.words
        assert "Your plan in Martian Whist" in site.open(f"/m/{ann}?move=if+take+3:+take+7").words

    def test_an_earlier_link_shows_nothing_of_it(self, site: Visitor, local: House) -> None:
        tokens = begun(local)
        site.open(f"/m/{tokens['Bob']}/plan").press("Save plan", plan="if take 2: swap")
        form = site.open(f"/m/{tokens['Bob']}/plan").form("Save plan")
        site.open(f"/m/{tokens['Ann']}?move=take+3").press("Play this move")
        assert "None of its lines fits what happened." in local.last("Bob").flat
        page = site.open(f"/m/{tokens['Bob']}/plan")
        assert "This link is from an earlier turn" in page.words
        assert "swap" not in page.words
        assert "This link is from an earlier turn" in site.send(form, {**form.fields, "plan": "always duck"}).words
        assert kept(local) == {}
        whose = signed_in(local, "Bob")
        assert "Save plan" in whose.open(f"/m/{tokens['Bob']}/plan").html

    def test_where_nothing_runs_nothing_is_planned(self, site: Visitor, local: House) -> None:
        tokens = begun(local)
        form = site.open(f"/m/{tokens['Bob']}/plan").form("Save plan")
        site.open(f"/m/{tokens['Ann']}/resign").press("Yes, resign")
        assert "Save plan" not in site.open(f"/m/{tokens['Bob']}/plan").html
        assert "Save plan" not in site.send(form, {**form.fields, "plan": "always duck"}).html
        assert kept(local) == {}


class TestApi:
    def test_a_plan_is_put_got_and_deleted(self, client: FlaskClient, house: House) -> None:
        url = f"/api/seats/{begun(house)['Bob']}/plan"
        lines = ["if take 3: take 7", "  if take 4: take 8", "when I can: swap", "always duck"]
        kept = got(client.put(url, json={"lines": lines}))
        assert kept["lines"] == lines
        assert kept["understood"][1] == {
            "number": "1.1",
            "condition": "take 4",
            "move": "take 8",
            "sentence": "1.1: then, if “take 4”, you play “take 8”.",
        }
        assert got(client.get(url)) == kept
        assert got(client.delete(url)) == {"lines": [], "understood": [], "waits": False}

    def test_what_is_not_understood_is_refused_with_a_sentence(self, client: FlaskClient, house: House) -> None:
        url = f"/api/seats/{begun(house)['Bob']}/plan"
        client.put(url, json={"lines": ["always duck"]})
        reason = refused(client.put(url, json={"lines": ["if take 99: take 1"]}), 422)
        assert reason.startswith("You wrote “if take 99: take 1”. There is no tree 99")
        assert got(client.get(url))["lines"] == ["always duck"]

    def test_after_the_end_there_is_nothing_to_plan(self, client: FlaskClient, house: House) -> None:
        begun(house)
        house.reply(house.every_mail[-1], "resign yes")
        over = house.last("Ann").token
        refused(client.put(f"/api/seats/{over}/plan", json={"lines": ["always duck"]}), 409)
        assert got(client.get(f"/api/seats/{over}/plan"))["lines"] == []
