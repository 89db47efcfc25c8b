"""A player's matches with par: which count, in pages, and what they come to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem.db.models import Analysis, Player, SeatHolder
from pbem.play.analysis import par_history
from pbem.play.core.context import system_time
from pbem.robots.analyses import PAR
from tests.support.ended import NOON, ended
from tests.support.rematching import signed_in

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House


def compared(house: House, *names: str, means: tuple[int, ...] = (9, 4), plays: int = 2, **more: Any) -> str:
    """Write down a match with its par, in whose plays the seats made some points on average."""
    match_id = ended(house, *names, **more)
    scores = [[mean - 1 for mean in means], [mean + 1 for mean in means]] if plays > 1 else [[*means]]
    result = {"level": "strong", "edition": 1, "plays": scores, "winners": [[1]] * plays}
    with house.transaction() as ctx:
        row = {"match_id": match_id, "kind": PAR, "edition": 1, "asked_at": ctx.now, "due_at": ctx.now}
        ctx.session.add(Analysis(**row, done_at=ctx.now, result=result))
    return match_id


def ann(house: House) -> int:
    return int(house.all(select(Player.id).where(Player.name == "Ann"))[0])


def listed(house: House, before: Any = None) -> list[tuple[str, int | None, float, float | None]]:
    with house.transaction() as ctx:
        found = par_history.deals(ctx, ann(house), before)
        return [(one.match.id, one.compared.points, one.compared.mean, one.compared.difference) for one in found]


def test_matches_are_listed_newest_first_with_what_they_come_to(house: House) -> None:
    old = compared(house, "Ann", "Bob", scores=[14, 3], days=1)
    new = compared(house, "Bob", "Ann", scores=[3, 2], days=2)
    alone = compared(house, "Ann", scores=[14], means=(17,), plays=1, game="minimax", days=3)
    assert listed(house) == [(alone, 14, 17.0, -3.0), (new, 2, 4.0, -2.0), (old, 14, 9.0, 5.0)]
    with house.transaction() as ctx:
        assert par_history.totals(ctx, ann(house)) == [
            par_history.Total("martian-whist", 2, 1.5),
            par_history.Total("minimax", 1, -3.0),
        ]


def test_a_page_goes_on_where_the_one_before_ended(house: House) -> None:
    first, second = (compared(house, "Ann", "Bob", days=days) for days in (2, 1))
    assert [one[0] for one in listed(house, (NOON + timedelta(days=2), first))] == [second]


def test_only_matches_count_that_were_sat_through_to_an_end_by_the_rules(house: House) -> None:
    counted = compared(house, "Ann", "Bob")
    compared(house, "Ann", "Bob", ending="resigned")
    compared(house, "Bob", "Cyd")
    ended(house, "Ann", "Bob")
    late, left = compared(house, "Ann", "Bob"), compared(house, "Ann", "Bob")
    with house.transaction() as ctx:
        theirs = update(SeatHolder).where(SeatHolder.player_id == ann(house))
        ctx.session.execute(theirs.where(SeatHolder.match_id == late).values(seated_at=NOON + timedelta(hours=1)))
        ctx.session.execute(theirs.where(SeatHolder.match_id == left).values(left_at=system_time()))
    assert [one[0] for one in listed(house)] == [counted]
    with house.transaction() as ctx:
        assert [one.matches for one in par_history.totals(ctx, ann(house))] == [1]


# -- the page and the API ------------------------------------------------------------------------------


def test_the_page_says_what_will_stand_there(local: House) -> None:
    page = signed_in(local, "Ann").open("/me/deals")
    assert "No match of yours has been compared with the robot yet." in page.words


def test_the_page_lists_matches_below_what_they_come_to(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    compared(local, "Ann", "Bob", scores=[14, 3], days=1)
    alone = compared(local, "Ann", scores=[14], means=(17,), plays=1, game="minimax", days=2)
    browser = signed_in(local, "Ann")
    page = browser.open("/mine").follow("You and the robot")
    assert "one match: +5.0 points" in page.words
    assert "You made 14, the robot 9.0: +5.0." in page.words
    assert "You made 14, the robot 17: \N{MINUS SIGN}3." in page.words
    assert page.links["Minimax"] == f"/matches/{alone}/par"
    monkeypatch.setattr(par_history, "DEALS_PER_PAGE", 1)
    page = browser.open("/me/deals").follow("Older matches")
    assert "the robot 9.0" in page.words
    assert "the robot 17" not in page.words
    assert "On average" not in page.words
