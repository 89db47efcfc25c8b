"""The pages about time at a match: why a move is due when it is, nudging, being late, reminders."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Deadline, Match, OutboxMessage, Player
from pbem.play.accounts import dashboard
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.upkeep.deadline_tasks import due, running
from tests.support.rematching import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def links(house: House) -> tuple[str, str]:
    """Begin a match; gives the pages of the seat that is to move and of the one that waits."""
    match_id = running(house, "vote", time_zone="Europe/Berlin")
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        found = {}
        for name in NAMES[:2]:
            player = ctx.session.scalars(select(Player.id).where(Player.name == name)).one()
            holder = dashboard.find_holder(ctx, match_id, player)
            assert holder
            found[name] = f"/m/{dashboard.link_token(ctx, match, holder)}"
    return found[NAMES[seat - 1]], found[NAMES[2 - seat]]


def asked(house: House) -> datetime:
    (found,) = house.all(select(Deadline.asked_at))
    return found  # type: ignore[no-any-return]


def test_the_page_of_a_turn_leads_to_where_its_deadline_is_explained(house: House) -> None:
    turn, _ = links(house)
    page = visitor(house).open(turn).follow("Why this deadline?")
    assert "You have 3 days for this move: until" in page.words
    assert "(Europe/Berlin, UTC+" in page.words
    assert "Nudge" not in page.html
    assert "Your turn in Martian Whist" in page.follow("Back to the match").words


def test_who_waits_sees_for_whom_and_may_nudge_them_by_a_button(house: House) -> None:
    turn, waits = links(house)
    site = visitor(house)
    page = site.open(waits)
    assert "Waiting for" in page.words
    assert " · due " in page.words
    assert "Waiting for" in page.follow("Why this deadline?").words
    with at(asked(house) + DAY):
        nudged = page.press("Nudge the players to move")
        assert "was nudged." in nudged.words
        again = nudged.follow("Back to the match").press("Nudge the players to move")
    assert "was nudged already" in again.words
    assert len(house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "nudge"))) == 1
    assert turn not in page.html


def test_an_old_form_nudges_nobody_and_an_old_link_leads_to_the_match(house: House) -> None:
    _, waits = links(house)
    site = visitor(house)
    page = site.open(waits)
    assert page.press("Nudge the players to move", nonce="x").status == 400
    assert house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "nudge")) == []
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(ply=Match.ply + 1))
    assert "This turn has been played" in page.press("Nudge the players to move").words
    assert "This turn has been played" in site.open(f"{waits}/why").words


def test_every_page_says_since_when_somebody_is_late(house: House) -> None:
    turn, waits = links(house)
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    site = visitor(house)
    with at(end + HOUR):
        assert "Your time ran out on" in site.open(turn).words
        assert "their time ran out on" in site.open(waits).words
        (match_id,) = house.match_ids()
        assert "their time ran out on" in site.open(f"/matches/{match_id}").words
        (seat,) = house.match(match_id).to_move
        own = signed_in(house, NAMES[seat - 1])
        assert "Your time ran out 1 hour ago; you may still move until" in own.open("/mine").words


def test_how_one_is_reminded_is_chosen_on_the_page_of_ones_time(house: House) -> None:
    links(house)
    site = signed_in(house, "Ann")
    page = site.open("/me/time")
    kept = page.press("Save", reminders="daily", reminder_hour="19")
    assert "Saved." in kept.words
    ann = select(Player.reminders, Player.reminder_hour).where(Player.name == "Ann")
    assert [tuple(row) for row in house.rows(ann)] == [("daily", 19)]
    for wrong in ({"reminders": "hourly"}, {"reminder_hour": "24"}, {"nonce": "x"}):
        assert page.press("Save", **wrong).status == 400
    assert [tuple(row) for row in house.rows(ann)] == [("daily", 19)]
    page.press("Save", reminders="never", reminder_hour="any")
    assert [tuple(row) for row in house.rows(ann)] == [("never", None)]
