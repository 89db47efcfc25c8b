"""Tables of a deal that is still played count nowhere yet, and nobody sits down there who may know its hands."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Deadline, Match, Player, RatingChange, SeatHolder
from pbem.play.accounts import data_export
from pbem.play.analysis import requests
from pbem.play.archive import records, statistics
from pbem.play.core.actors import ActionError
from pbem.play.core.context import system_time
from pbem.play.core.errors import Refused
from pbem.play.matches import spectating, withheld
from pbem.play.operators import reveal
from pbem.play.operators.search import inbound, matches
from pbem.play.ratings import updates
from pbem.play.timeouts import substitutes
from pbem.robots.analyses import LOOKING_BACK, PAR
from pbem.states import DeadlinePhase, Withheld
from tests.support.clockwork import tick
from tests.support.ended import ended
from tests.support.play.archive.statistics import refresh
from tests.support.play.deal_sets.closed_tables import begin, closed_tables, open_deal
from tests.support.play.events.entering import person
from tests.support.play.operators.office import does
from tests.support.play.timeouts.lapses import DAY, awake

if TYPE_CHECKING:
    from tests.support.house import House

MONTAUK = "montauk"


def listed(house: House) -> set[str]:
    """Return the matches that anybody finds in lists and in the collection of records."""
    with house.transaction() as ctx:
        found = [*spectating.running_matches(ctx, 9), *spectating.finished_matches(ctx, 9)]
        return {one.match.id for one in found} | {record.match for _place, record in records.next_batch(ctx, None, 9)}


def rated(house: House) -> int:
    with house.transaction() as ctx:
        updates.rate_batch(ctx)
        return ctx.session.scalar(select(func.count()).select_from(RatingChange)) or 0


def counted(house: House, days: int = 0) -> list[int]:
    """Return how many matches the statistics of the game and of a player count some days later."""
    refresh(house, system_time() + days * DAY)
    with house.transaction() as ctx:
        found = statistics.for_game(ctx, MONTAUK), statistics.for_player(ctx, person(ctx, "Ann").id)
        return [one.data["matches"] if one else 0 for one in found]


def exported(house: House) -> set[str]:
    with house.transaction() as ctx:
        return {match_id for match_id, _record in data_export.match_records(ctx, person(ctx, "Ann").id)}


def test_a_closed_table_counts_and_is_listed_nowhere_before_its_deal_is_open(house: House) -> None:
    tables = closed_tables(house, MONTAUK, rated=True)
    assert (listed(house), rated(house), counted(house), exported(house)) == (set(), 0, [0, 0], set())
    open_deal(house, tables)
    both = {tables.over, tables.running}
    assert (listed(house), rated(house), counted(house), exported(house)) == (both, 4, [2, 1], {tables.over})


def test_what_withholds_its_record_alone_counts_at_once(house: House) -> None:
    tables = closed_tables(house, MONTAUK, withheld=Withheld.RECORD, rated=True)
    assert (listed(house), rated(house), counted(house)) == ({tables.over, tables.running}, 2, [1, 1])
    assert exported(house) == set()
    with house.transaction() as ctx:
        assert records.next_batch(ctx, None, 9) == []


def test_a_closed_table_does_not_count_beside_a_match_that_does(house: House) -> None:
    closed_tables(house, MONTAUK)
    ended(house, "Ann", "Bob", game=MONTAUK, scores=[31, 18])
    assert counted(house) == [1, 1]


def test_a_table_that_ended_long_before_its_deal_was_opened_counts_from_then_on(house: House) -> None:
    tables = closed_tables(house, MONTAUK)
    assert counted(house, days=1) == [0, 0]
    open_deal(house, tables)
    assert counted(house, days=9) == [2, 1]


@pytest.mark.parametrize("what", Withheld)
@pytest.mark.parametrize("kind", [PAR, LOOKING_BACK])
def test_no_robot_looks_at_a_deal_that_is_still_played(house: House, kind: str, what: Withheld) -> None:
    tables = closed_tables(house, MONTAUK, withheld=what)
    with house.transaction() as ctx:
        match, ann = ctx.session.get_one(Match, tables.over), person(ctx, "Ann").id
        assert not requests.may_ask(ctx, match, kind, ann)
        with pytest.raises(Refused, match="still played at other tables"):
            requests.ask(ctx, match, kind, ann)
    open_deal(house, tables)
    with house.transaction() as ctx:
        assert requests.may_ask(ctx, ctx.session.get_one(Match, tables.over), kind, ann)


def test_operators_see_no_more_of_a_closed_table_than_others(house: House) -> None:
    tables = closed_tables(house, MONTAUK)
    for match_id in (tables.over, tables.running):
        with house.transaction() as ctx:
            found = matches.load_details(ctx, match_id)
            assert found
            assert (found.withheld, found.text, found.told) == (True, "", ())
            assert all(one.hidden and not one.text for one in inbound.submissions(ctx, match=match_id).rows)
    with pytest.raises(ActionError, match="shown once its deal is open"):
        does(house, reveal.reveal_hidden, tables.over)
    open_deal(house, tables)
    with house.transaction() as ctx:
        found = matches.load_details(ctx, tables.over)
        assert found
        assert (found.withheld, "Montauk" in found.text, bool(found.told)) == (False, True, True)


# -- who may sit down ----------------------------------------------------------------------------------


def test_the_robot_takes_the_seat_of_somebody_who_is_late_at_a_closed_table(house: House) -> None:
    begin(house, MONTAUK, time_control="3 days", timeout_policy="substitute")
    awake(house)
    seated = select(SeatHolder).join(Player, Player.id == SeatHolder.player_id).where(Player.is_robot)
    for hours in range(72, 240, 12):
        tick(house, system_time() + timedelta(hours=hours))
        # A table that withholds less would seek somebody for two days first.
        assert not house.all(select(Deadline).where(Deadline.phase == DeadlinePhase.REPLACEMENT))
        if house.all(seated):
            break
    assert house.all(seated)


def seek(house: House, match_id: str, seat: int = 1) -> None:
    """Seek a substitute for a seat, as the clock does at tables that withhold less."""
    now = system_time()
    row = {"match_id": match_id, "seat": seat, "ply": 1, "asked_at": now - timedelta(days=5), "due_at": now - DAY}
    phase = {"phase": DeadlinePhase.REPLACEMENT, "phase_started_at": now, "phase_ends_at": now + 2 * DAY}
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(timeout_policy="substitute"))
        ctx.session.merge(Deadline(**row, **phase, next_action_at=now + 2 * DAY))


def test_nobody_takes_over_a_seat_of_a_closed_table(house: House) -> None:
    _over, running, _set_id = begin(house, MONTAUK)
    seek(house, running)
    with house.transaction() as ctx:
        stranger = person(ctx, "Gus")
        assert substitutes.list_open_seats(ctx, 9, None) == []
        with pytest.raises(Refused, match="no longer needs a substitute"):
            substitutes.take_over(ctx, ctx.session.get_one(Match, running), 1, stranger)


def test_whoever_plays_a_deal_elsewhere_takes_no_seat_where_it_is_played_too(house: House) -> None:
    _over, running, _set_id = begin(house, MONTAUK, withheld=Withheld.RECORD)
    seek(house, running)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, running)
        ann, gus = person(ctx, "Ann"), person(ctx, "Gus")
        assert substitutes.list_open_seats(ctx, 9, ann.id) == []
        assert [one.match.id for one in substitutes.list_open_seats(ctx, 9, gus.id)] == [running]
        assert withheld.sits_elsewhere(ctx, match, ann.id)
        assert not withheld.sits_elsewhere(ctx, match, person(ctx, "Dee").id)
        assert not withheld.sits_elsewhere(ctx, match, None)
        with pytest.raises(Refused, match="no longer needs a substitute"):
            substitutes.take_over(ctx, match, 1, ann)
        assert substitutes.take_over(ctx, match, 1, gus).player_id == gus.id
        match.withheld = None
        assert not withheld.sits_elsewhere(ctx, match, ann.id)
