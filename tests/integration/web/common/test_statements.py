"""How many statements pages cost: what a request has loaded is not read again, and nothing is asked row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Player
from pbem.play.accounts import dashboard
from pbem.play.matches.seats import holders
from tests.support.db.statements import statements
from tests.support.web.account.dashboard import signed_in
from tests.support.web.lobby.open_tables import opened
from tests.support.web.matches.replay import finished, play

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def asked(house: House, site: Visitor, path: str) -> list[str]:
    with statements(house.engine) as found:
        assert site.open(path).status == 200
    return found


def link(house: House, match_id: str, seat: int) -> str:
    """Return the path of a seat's own page, whose link is issued before the page is opened."""
    with house.transaction() as ctx:
        match = house.match(match_id)
        holder = next(holder for holder in holders(ctx, match) if holder.seat == seat)
        return f"/m/{dashboard.link_token(ctx, match, holder)}"


@pytest.mark.parametrize("clock", ["none", "3 days"])
def test_a_seats_page_costs_few_statements_by_its_link_and_one_more_signed_in(
    site: Visitor, local: House, clock: str
) -> None:
    match_id = local.make("martian-whist", 2, {}, clock=clock)
    for name in ("Ann", "Bob"):
        local.reply(local.only(name), "yes")
    play(local, match_id, 3)
    (mover,) = local.match(match_id).to_move
    own, ann = link(local, match_id, mover), signed_in(local, ("Ann", "Bob")[mover - 1])
    # There were 16, and 20 for somebody who is signed in.
    assert len(asked(local, site, own)) <= 9
    assert len(asked(local, ann, own)) <= 10
    # There were 22, and more for each match that waits for its player.
    assert len(asked(local, site, link(local, match_id, 3 - mover))) <= 9


def test_a_match_and_its_replay_cost_few_statements(site: Visitor, local: House) -> None:
    running = local.start_match("montauk", 2, {"rounds": 1})
    assert len(asked(local, site, f"/matches/{running}")) <= 6
    over = finished(local)
    assert len(asked(local, site, f"/matches/{over}")) <= 4
    assert len(asked(local, site, f"/matches/{over}/replay?step=2")) <= 6
    assert len(asked(local, site, f"/matches/{over}/replay/step?step=2")) <= 5


def test_the_lobby_and_ones_own_matches_cost_as_few_statements_for_many_as_for_one(site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    opened(local, name="Bob")
    ann = signed_in(local)
    few = [len(asked(local, *who)) for who in ((site, "/lobby"), (ann, "/lobby"), (ann, "/mine"))]
    assert few <= [5, 6, 8]
    for number in range(4):
        opened(local, name=f"P{number}")
        finished(local)
    assert [len(asked(local, *who)) for who in ((site, "/lobby"), (ann, "/lobby"), (ann, "/mine"))] == few


def test_the_lobby_names_states_literally_so_that_any_plan_can_use_the_indexes_of_one_state(
    site: Visitor, local: House
) -> None:
    opened(local)
    found = " ".join(asked(local, site, "/lobby"))
    assert "matches.state = 'inviting'" in found
    assert "deadlines.phase = 'replacement'" in found


def test_who_is_signed_in_is_found_by_one_statement_with_their_settings(local: House) -> None:
    local.start_match("minimax", 1)
    ann = signed_in(local)
    (found,) = asked(local, ann, "/rules/minimax")
    assert "FROM login_sessions JOIN players" in found
    assert local.all(select(Player.name))
