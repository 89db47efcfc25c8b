"""Holding a move by its page and by the API: until when, taking it back, and choosing it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import LogEntry, Player, Submission
from tests.support.clockwork import at
from tests.support.play.deadlines.turn_deadlines import NOON, begun
from tests.support.play.lifecycle.held_moves import legal, mover
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

LATER = NOON + timedelta(minutes=2)


def sent(site: Visitor, house: House) -> tuple[str, str, str, Page]:
    """Send a move that is held by its page; gives match, token, move and the page that follows."""
    with at(NOON):
        match_id = begun(house, "martian-whist", 2, "3 days")
        with house.transaction() as ctx:
            ctx.session.execute(update(Player).values(hold_minutes=2))
        token, move = house.last(mover(house, match_id)).token, legal(house, match_id)[0]
        page = site.open(f"/m/{token}?move={move}").press("Play this move")
    return match_id, token, move, page


def test_the_page_says_until_when_and_one_tap_takes_it_back(site: Visitor, local: House) -> None:
    _match, token, move, page = sent(site, local)
    assert "It will be played on Tue 24 Nov 2026, 12:02 UTC." in page.words
    assert move in page.words
    with at(NOON):
        turn = site.open(f"/m/{token}")
        assert "Your move is saved and will be played." in turn.words
        back = turn.press("Take it back")
        assert "You took this move back before it was played." in back.words
        assert "Your move is saved and will be played" not in site.open(f"/m/{token}").words
        assert "You took this move back" in page.press("Take it back").words
    with at(LATER):
        local.judge(_match)
    assert local.all(select(LogEntry)) == []


def test_too_late_it_is_played(site: Visitor, local: House) -> None:
    match_id, _token, move, page = sent(site, local)
    with at(LATER):
        local.judge(match_id)
        assert "Your move was played" in page.press("Take it back").words
    assert local.all(select(LogEntry.move)) == [move]


def test_a_form_that_is_not_ours_or_of_another_seat_takes_nothing_back(site: Visitor, local: House) -> None:
    match_id, token, _move, page = sent(site, local)
    with at(NOON):
        assert page.press("Take it back", nonce="x").status == 200
        for wrong in ("", "nothing"):
            assert page.press("Take it back", sent=wrong).status == 200
        other = local.last("Bob" if mover(local, match_id) == "Ann" else "Ann").token
        stranger = site.client.post(f"/m/{other}/undo", data={"sent": page.form("Take it back").fields["sent"]})
        assert stranger.status_code == 303
        assert "Your move is saved and will be played" in site.open(f"/m/{token}").words
    assert local.all(select(Submission.status)) == ["pending"]


def test_programs_take_it_back_while_it_is_held(site: Visitor, local: House) -> None:
    match_id, _token, _move, page = sent(site, local)
    number = page.form("Take it back").fields["sent"]
    path = f"/api/submissions/{number}"
    said = json.loads(site.client.get(path).data)
    assert said["status"] == "pending"
    assert "Until then you can take it back." in said["reason"]
    assert site.client.delete("/api/submissions/none").status_code == 404
    with at(NOON):
        gone = site.client.delete(path)
        assert json.loads(gone.data) == {
            "status": "rejected",
            "reason": "You took this move back before it was played.",
        }
        again = site.client.delete(path)
    assert again.status_code == 409
    assert json.loads(again.data)["reason"] == "This move is no longer held, so you cannot take it back."
    assert json.loads(site.client.get(path).data)["status"] == "rejected"
    assert "DELETE" in site.client.get("/api/openapi.json").get_data(as_text=True).upper()
    with at(LATER):
        local.judge(match_id)


def test_how_long_is_chosen_on_the_page_of_ones_time(local: House) -> None:
    ann = signed_in(local, "Ann")
    page = ann.open("/me/time")
    assert page.form("Save").fields["hold"] == "0"
    kept = page.press("Save", hold="10")
    assert "Saved." in kept.words
    assert kept.form("Save").fields["hold"] == "10"
    assert page.press("Save", hold="60").status == 400
    assert page.press("Save", hold="2", nonce="x").status == 400
    assert local.all(select(Player.hold_minutes).where(Player.name == "Ann")) == [10]
