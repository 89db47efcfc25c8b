"""There and back on the pages: the form, the invitation, both matches, and their result together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import DealSet, Match
from pbem.play.matches import share_keys
from tests.support.db.statements import statements
from tests.support.play.deal_sets.pairs import begin, finish, invite, open_due, pair, resign
from tests.support.web.account.dashboard import signed_in
from tests.support.web.lobby.new_match import matches

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

BOX = "There and back: two matches of the same deal, the seats exchanged"


def set_page(house: House) -> str:
    (set_id,) = house.all(select(DealSet.id))
    return f"/sets/{set_id}"


@pytest.mark.parametrize(
    ("game", "offered"), [("martian-whist", True), ("amazonian-buffet", True), ("montauk", False), ("minimax", False)]
)
def test_the_form_offers_it_where_it_can_be(site: Visitor, game: str, offered: bool) -> None:  # noqa: FBT001
    assert (BOX in site.open(f"/new/{game}").words) == offered


def test_the_box_makes_one_invitation_to_both(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-whist").press("Start the match", there_and_back="1")
    assert "One answer counts for both, and both begin together." in page.words
    (match,) = local.all(select(Match))
    assert match.set_id == local.all(select(DealSet.id))[0]


def test_the_box_stays_ticked_and_a_seat_for_anybody_is_refused_in_one_sentence(site: Visitor, local: House) -> None:
    seats = {"sits-2": "open", "name-2": "", "email-2": ""}
    page = site.open("/new/martian-whist").press("Start the match", there_and_back="1", **seats)
    assert page.status == 422
    assert "There and back needs somebody you name, or a robot: a seat cannot be open to anybody." in page.words
    assert page.form("Start the match").fields["there_and_back"] == "1"
    assert matches(local) == 0


def test_the_invitation_says_that_one_answer_is_for_both_and_accepting_begins_both(site: Visitor, local: House) -> None:
    first = invite(local)
    page = site.open(f"/invitation/{local.last('Bob').token}")
    assert "One answer counts for both, and both begin together." in page.words
    assert "One answer counts for both" in site.open(f"/matches/{first}").words
    page.press("Accept")
    assert len(pair(local, first)) == 2


def test_each_match_leads_to_the_other_and_to_both(site: Visitor, local: House) -> None:
    first, back = begin(local)
    for place, (match_id, other) in enumerate(((first, back), (back, first)), 1):
        page = site.open(f"/matches/{match_id}")
        assert f"There and back, match {place} of 2." in page.words
        assert f'href="/matches/{other}"' in page.html
        assert f'href="{set_page(local)}"' in page.html
    seat = site.open(f"/m/{local.last('Ann').token}")
    assert "There and back, match 1 of 2." in seat.words
    assert f'href="/matches/{back}"' in seat.html


def test_a_seats_page_of_a_pair_costs_two_statements_more_and_its_other_match_none(site: Visitor, local: House) -> None:
    begin(local)
    local.last("Ann")
    plain = local.start_match("martian-whist", 2, {"sets": 2})
    pages = [f"/matches/{one}" for one in (plain, *local.all(select(Match.id).where(Match.set_id.is_not(None))))]
    costs = []
    for path in pages:
        with statements(local.engine) as asked:
            site.open(path)
        costs.append(len(asked))
    assert max(costs) <= costs[0] + 2


def test_the_page_of_both_shows_scores_the_sum_and_who_won(site: Visitor, local: House) -> None:
    first, back = begin(local)
    path = set_page(local)
    assert "The pair is decided when both matches are over." in site.open(path).words
    there = finish(local, first, way=1)
    assert "It is being played." in site.open(path).words
    again = finish(local, back, way=2)
    open_due(local)
    page = site.open(path)
    ann, bob = there["1"] + again["2"], there["2"] + again["1"]
    assert f"<td><strong>{ann}</strong></td><td><strong>{bob}</strong></td>" in page.html
    lead = "the pair is drawn" if ann == bob else f"{'Ann' if ann > bob else 'Bob'} won the pair:"
    assert lead in page.words
    for match_id in (first, back):
        assert f'href="/matches/{match_id}"' in page.html
        assert f'href="/matches/{match_id}/replay"' in page.html


def test_a_pair_that_has_not_begun_was_called_off_or_cannot_be_compared_is_said_to_be_so(
    site: Visitor, local: House
) -> None:
    invite(local)
    assert "Both matches begin when both players have accepted." in site.open(set_page(local)).words
    local.mails("Ann")
    local.reply(local.last("Bob"), "decline")
    assert "This pair was called off before it began." in site.open(set_page(local)).words


def test_a_pair_with_a_resignation_is_not_compared(site: Visitor, local: House) -> None:
    first, back = begin(local)
    resign(local, first)
    finish(local, back)
    assert "The matches cannot be compared" in site.open(set_page(local)).words


def test_a_private_pair_is_seen_by_its_players_and_with_a_key(site: Visitor, local: House) -> None:
    first, back = begin(local, public=False)
    path = set_page(local)
    assert site.open(path).status == 404
    assert "There is no such deal." in site.open(path).words
    assert signed_in(local, "Bob").open(path).status == 200
    finish(local, first)
    key = share_keys.shared_key(local.match(first))
    page = site.open(f"{path}?key={key}")
    assert page.status == 200
    assert f"/matches/{first}?key={key}" in page.html
    assert share_keys.shared_key(local.match(back)) not in page.html
    assert site.open(f"{path}?key={share_keys.shared_key(local.match(back))}").status == 404


def test_there_is_no_page_of_a_deal_that_does_not_exist(site: Visitor) -> None:
    assert site.open("/sets/none").status == 404
