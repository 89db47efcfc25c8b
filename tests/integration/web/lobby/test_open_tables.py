"""The lobby and the page of a table: what waits, sitting down, and what is said when it is too late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Match, Player
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import open_tables
from pbem.play.matches.seats import holders
from pbem.web.lobby import open_tables as lobby
from tests.support.house import address
from tests.support.web.lobby.open_tables import opened, signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def test_an_empty_lobby_says_what_to_do(site: Visitor) -> None:
    page = site.open("/lobby")
    assert "No open tables at present." in page.words
    assert page.follow("Martian Whist").status == 200
    assert "No matching tables at present." in site.open("/lobby?game=montauk").words


def test_the_lobby_shows_who_waits_for_what_the_newest_first(site: Visitor, local: House) -> None:
    opened(local, options={"sets": 4})
    opened(local, "middle-card", "Bob", 2, clock="3 days", rated=True)
    page = site.open("/lobby")
    assert page.words.index("Middle Card Bob waits.") < page.words.index("Martian Whist Ann waits.")
    assert "Seats taken: 1 of 3." in page.words
    assert "three days a move · rated · since" in page.words
    assert " turns each · no deadlines · friendly · since" in page.words
    assert "Rated: the result changes the players’ ratings, unless a robot has a seat from the start." in page.words
    assert "@example.org" not in page.html


def test_no_table_is_shown_that_is_private_full_begun_or_over_or_whose_host_nobody_knows(
    site: Visitor, local: House
) -> None:
    opened(local, public=False)
    opened(local, name="Bob", known=False)
    local.make("martian-whist", 2)
    local.start_match("middle-card", 3)
    off = opened(local, name="Cyd")
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, off)
        acceptance.decline(ctx, match, holders(ctx, match)[0])
    assert "No open tables at present." in site.open("/lobby").words


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("game=middle-card", {"Bob"}),
        ("seats=2", {"Ann"}),
        ("seats=3", {"Bob"}),
        ("clock=3+days", {"Bob"}),
        ("game=martian-whist&clock=3+days", set()),
        ("game=chess&seats=x&clock=soon&after=now", {"Ann", "Bob"}),
        ("after=2026-01-01+abc", {"Ann", "Bob"}),
        ("after=2999-01-01T00:00:00%2B00:00+a%00", {"Ann", "Bob"}),
    ],
)
def test_filters_are_in_the_address(asked: str, shown: set[str], site: Visitor, local: House) -> None:
    opened(local)
    opened(local, "middle-card", "Bob", 2, clock="3 days", rated=True)
    page = site.open(f"/lobby?{asked}")
    assert {name for name in ("Ann", "Bob") if f"{name} waits." in page.words} == shown


def test_filters_are_kept_from_page_to_page_and_no_table_is_shown_twice(
    site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PAGE_SIZE", 2)
    made = [opened(local, name=f"P{number}") for number in range(5)]
    # All were made at the same moment: their ids tell them apart.
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).values(created_at=datetime(2026, 1, 1, tzinfo=UTC)))
    page, seen = site.open("/lobby?game=martian-whist"), []
    while True:
        seen += [link.rpartition("/")[2] for words, link in page.links.items() if link.startswith("/join/")]
        seen += [one for one in made if f"/join/{one}" in page.html and one not in seen]
        if "Older tables" not in page.links:
            break
        page = page.follow("Older tables")
        assert "game=martian-whist" in page.url
    assert sorted(seen) == sorted(made)


# -- sitting down --------------------------------------------------------------------------------------


def test_somebody_signed_in_joins_with_one_button_and_the_match_begins(site: Visitor, local: House) -> None:  # noqa: ARG001
    match_id = opened(local, words="Come and play, beginners welcome")
    bob = signed_in(local, "Bob")
    page = bob.open("/lobby").follow("View and join")
    assert "Ann’s table of Martian Whist" in page.words
    assert "Ann says: “Come and play, beginners welcome”" in page.words
    joined = page.press("Join as Bob", entropy="dice on my desk")
    assert joined.status == 200
    assert "You added this text: dice on my desk" in joined.words
    match = local.match(match_id)
    assert (match.state, match.open_seats) == ("running", 0)
    assert local.match_seats(match_id)[1].entropy
    assert "You sit at this table" in bob.open(f"/join/{match_id}").words


def test_who_joins_first_waits_for_the_others(local: House) -> None:
    match_id = opened(local, "middle-card", seats=2)
    bob = signed_in(local, "Bob")
    page = bob.open(f"/join/{match_id}").press("Join as Bob", entropy="")
    assert "begins when all seats are taken" in page.words
    assert "You sit at this table." in bob.open("/lobby").words
    again = bob.open(f"/join/{match_id}")
    assert "It begins when somebody at the open seat has accepted too." in again.words
    assert not any(form.button.startswith("Join") for form in again.forms)


def test_who_is_not_signed_in_is_led_to_that_and_back(site: Visitor, local: House) -> None:
    match_id = opened(local)
    page = site.open(f"/join/{match_id}")
    assert page.links["Join"] == f"/sign-in?then=/join/{match_id}"
    answer = site.client.post(f"/join/{match_id}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?then=/join/{match_id}")
    assert local.match(match_id).open_seats == 1


def test_a_form_that_is_not_ours_seats_nobody(local: House) -> None:
    match_id = opened(local)
    bob = signed_in(local, "Bob")
    page = bob.open(f"/join/{match_id}")
    form = page.form("Join as Bob")
    foreign = bob.send(form, {"nonce": "elsewhere", "entropy": "kept"})
    assert foreign.status == 400
    assert foreign.form("Join as Bob").fields["entropy"] == "kept"
    stolen = signed_in(local, "Cyd").send(form, form.fields)
    assert stolen.status == 400
    assert local.match(match_id).open_seats == 1


def test_two_who_press_for_the_last_seat_are_told_apart(local: House) -> None:
    match_id = opened(local)
    opened(local, name="Dee")
    someones = [signed_in(local, name) for name in ("Bob", "Cyd")]
    forms = [(someone, someone.open(f"/join/{match_id}")) for someone in someones]
    assert forms[0][1].press("Join as Bob").status == 200
    late = forms[1][1].press("Join as Cyd")
    assert late.status == 409
    assert "This match has begun. All seats are taken." in late.words
    assert "Martian Whist with Dee" in late.links


def test_who_has_no_address_that_is_known_to_be_theirs_is_told_so(local: House) -> None:
    match_id = opened(local)
    bob = signed_in(local, "Bob")
    with local.transaction() as ctx:
        ctx.session.execute(update(Address).where(Address.email == address("Bob")).values(verified_at=None))
    assert "Sign in by mail first" in bob.open(f"/join/{match_id}").press("Join as Bob").words


def test_new_matches_reach_the_main_address(local: House) -> None:
    match_id = opened(local)
    bob = signed_in(local, "Bob")
    with local.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == "Bob")).one()
        old = ctx.session.get_one(Address, address("Bob"))
        old.is_main = False
        ctx.session.flush()
        new = Address(email="bob@new.example", player=player, created_at=ctx.now, verified_at=ctx.now, is_main=True)
        ctx.session.add(new)
    bob.open(f"/join/{match_id}").press("Join as Bob")
    with local.transaction() as ctx:
        seated = holders(ctx, ctx.session.get_one(Match, match_id))
        assert [holder.email for holder in seated] == [address("Ann"), "bob@new.example"]


# -- links that live long ------------------------------------------------------------------------------


def code(house: House, match_id: str) -> str:
    return open_tables.invitation_code(house.config, match_id)


def test_an_invitation_link_leads_to_a_private_table(site: Visitor, local: House) -> None:
    match_id = opened(local, public=False)
    assert site.open(f"/join/{match_id}").status == 404
    link = code(local, match_id)
    bob = signed_in(local, "Bob")
    assert bob.open(f"/join/{link.upper()}").press("Join as Bob").status == 200
    late = site.open(f"/join/{link}")
    assert "This match has begun" in late.words
    assert "Look at the match" not in late.links
    for wrong in (f"{link[:-1]}{'0' if link[-1] != '0' else '1'}", f"{match_id}-", f"-{link}", "é-é", "x", "ü" * 20):
        assert site.open(f"/join/{wrong}").status == 404


def test_an_invitation_link_holds_when_the_keys_are_changed(local: House) -> None:
    match_id = opened(local, public=False)
    link = code(local, match_id)
    assert visitor(local.with_keys("0" * 40, "1" * 40)).open(f"/join/{link}").status == 200
    assert visitor(local.with_keys("1" * 40)).open(f"/join/{link}").status == 404


def test_the_page_says_what_has_become_of_a_table(site: Visitor, local: House) -> None:
    match_id = opened(local)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        acceptance.decline(ctx, match, holders(ctx, match)[0])
    page = site.open(f"/join/{match_id}")
    assert "This match was called off" in page.words
    assert "No other table of Martian Whist is open at present." in page.words
    full = local.make("martian-whist", 2, creator=1)
    assert "All seats of this table are taken" in site.open(f"/join/{full}").words
    assert "It begins when Bob has accepted too." in site.open(f"/join/{full}").words
    over = local.start_match("middle-card", 3)
    with local.transaction() as ctx:
        ctx.session.get_one(Match, over).state = "over"
    assert "This match is over" in site.open(f"/join/{over}").words


def test_a_days_joining_has_an_end(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.play.lobby.joining.MAX_JOINS_PER_DAY", 1)
    bob = signed_in(local, "Bob")
    assert bob.open(f"/join/{opened(local)}").press("Join as Bob").status == 200
    late: Page = bob.open(f"/join/{opened(local, name='Cyd')}").press("Join as Bob")
    assert "You joined 1 tables today." in late.words


def test_the_day_of_a_table_is_the_visitors(local: House) -> None:
    match_id = opened(local)
    bob = signed_in(local, "Bob")
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(time_zone="Pacific/Kiritimati"))
        match = ctx.session.get_one(Match, match_id)
        match.created_at = datetime(2026, 11, 20, 23, 0, tzinfo=UTC) + timedelta(minutes=1)
    assert "since Saturday, 21 November 2026" in bob.open("/lobby").words


def test_one_button_takes_a_seat_or_opens_a_table_and_says_which(site: Visitor, local: House) -> None:
    ann, bob = signed_in(local, "Ann"), signed_in(local, "Bob")
    page = ann.open("/lobby").press("Seat me", game="martian-whist")
    assert "No open table had a seat for you, so you opened one of Martian Whist." in page.words
    page = bob.open("/lobby").press("Seat me")
    assert "You joined a table of Martian Whist, where Ann is the host." in page.words
    assert "The match of Martian Whist has begun" in page.words
    assert "Sign in" in site.open("/lobby").press("Seat me").words


def test_a_seat_that_cannot_be_taken_is_refused_in_one_sentence(local: House) -> None:
    ann = signed_in(local, "Ann")
    page = ann.open("/lobby").press("Seat me", game="minimax")
    assert page.status == 409
    assert "Minimax is for one player. Start a match of it instead." in page.words
    assert ann.client.post("/lobby/seat", data={"nonce": "x"}).status_code == 400
