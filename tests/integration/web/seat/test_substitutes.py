"""Seats of running matches on pages: taking one over, voting, naming somebody, coming back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Match, OutboxMessage, Player
from pbem.play.accounts import api_keys
from pbem.play.matches.match_state import lock_match
from pbem.states import MatchState
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, address
from tests.support.play.timeouts.lapses import DAY, awake, hosted, is_robot, late, present, running
from tests.support.web.api.matches import got, refused
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House, Mail
    from tests.support.pages import Visitor


def link(mail: Mail, path: str) -> str:
    found = re.search(rf"/{path}/[\w.\-]+", mail.text.replace("=\n", ""))
    assert found
    return found[0]


def test_a_stranger_looks_at_a_match_and_takes_the_seat(site: Visitor, local: House) -> None:
    match_id = running(local, "substitute")
    assert "No seat needs a substitute right now." in site.open("/seats").words
    assert "Seats to take over" not in site.open("/lobby").words
    seat, ends = late(local)
    lost = NAMES[seat - 1]
    before = {mail.text for mail in local.mails(lost)}
    with at(ends + DAY):
        listed = site.open("/lobby").follow("Find matches that need a substitute")
        assert f"{lost}’s seat, in a match of Ann and Bob." in listed.words
        page = site.open(f"/matches/{match_id}").follow(f"Take {lost}’s seat?")
        assert page.status == 200
        assert "Take the seat" in page.words
        assert "What happened" in page.words
        zoe = signed_in(local, "Zoe")
        asked = zoe.open(f"/matches/{match_id}/seats/{seat}")
        assert asked.press("Take the seat as Zoe", nonce="elsewhere").status == 400
        turn = asked.press("Take the seat as Zoe")
        assert turn.status == 200
        assert "It is your turn" in turn.words or "Your turn" in turn.words
        again = zoe.open(f"/matches/{match_id}/seats/{seat}")
        assert "You sit at this table" in again.words
        assert "This seat is taken" in site.open(f"/matches/{match_id}/seats/{seat}").words
        mail = local.only("Zoe")
        assert f"You have taken {lost}’s seat." in mail.flat
        assert "has taken" in local.last(NAMES[2 - seat]).flat
        told = local.only(lost)
        assert "Zoe has taken your seat in Martian Whist" in told.flat
        # The match goes on by the newcomer's mail.
        local.reply(mail, local.legal(match_id, seat)[0])
    assert local.match(match_id).to_move == [3 - seat] or local.match(match_id).ply > 2
    assert before
    (entry,) = local.all(select(LogEntry).where(LogEntry.event == "substituted"))
    assert (entry.seat, entry.by, entry.detail) == (seat, "clock", {})
    kinds = local.all(
        select(OutboxMessage.kind).where(
            OutboxMessage.recipient == address(lost), OutboxMessage.created_at >= ends + DAY
        )
    )
    assert kinds == ["seat lost"]


def test_nobody_takes_a_seat_of_a_match_where_they_sit_or_sat(site: Visitor, local: House) -> None:  # noqa: ARG001
    match_id = running(local, "substitute")
    seat, ends = late(local)
    with at(ends):
        for name in NAMES[:2]:
            there = signed_in(local, name)
            page = there.open(f"/matches/{match_id}/seats/{seat}")
            assert "You sit at this table" in page.words
        lost = signed_in(local, NAMES[seat - 1])
        stranger = signed_in(local, "Zoe")
        stranger.open(f"/matches/{match_id}/seats/{seat}").press("Take the seat as Zoe")
    # The newcomer does not move either.
    awake(local)
    seat_again, ends_again = late(local)
    assert seat_again == seat
    with at(ends_again):
        page = lost.open(f"/matches/{match_id}/seats/{seat}").press(f"Take the seat as {NAMES[seat - 1]}")
        assert page.status == 409
        assert "You have or had a seat in this match" in page.words
    tick(local, ends_again + 3 * DAY)
    assert is_robot(local, seat)
    with at(ends_again + 3 * DAY):
        late_visitor = signed_in(local, "Yan")
        assert "This seat no longer needs a substitute." in late_visitor.open(f"/matches/{match_id}/seats/{seat}").words


@pytest.mark.parametrize("path", ["/matches/nothing/seats/1", "/named/nothing", "/back/nothing"])
def test_what_leads_nowhere_is_said(site: Visitor, path: str) -> None:
    assert site.open(path).status == 404


def test_private_matches_and_seats_that_do_not_exist_are_unknown(site: Visitor, local: House) -> None:
    match_id = running(local, "substitute", public=False)
    assert site.open(f"/matches/{match_id}/seats/1").status == 404
    with local.transaction() as ctx:
        lock_match(ctx, match_id).public = True
    assert site.open(f"/matches/{match_id}/seats/9").status == 404


def test_whoever_is_not_signed_in_is_led_there_first(site: Visitor, local: House) -> None:
    match_id = running(local, "substitute")
    seat, ends = late(local)
    with at(ends):
        page = site.open(f"/matches/{match_id}/seats/{seat}").follow("Take the seat")
    assert "Sign in" in page.words


# -- voting ----------------------------------------------------------------------------------------


def test_a_vote_by_page_is_kept_may_be_changed_and_decides(site: Visitor, local: House) -> None:
    match_id = running(local, "vote", 4)
    seat, ends = late(local)
    first, second = (name for name in NAMES if name not in {NAMES[seat - 1], NAMES[seat % 4]})
    with at(ends):
        path = f"/m/{local.last(first).token}/vote"
        page = site.open(path)
        assert f"{NAMES[seat - 1]} ran out of time" in page.words
        assert page.press("Vote", choice="wait", nonce="elsewhere").status == 400
        assert page.press("Vote", choice="nonsense").status == 409
        kept = page.press("Vote", choice="wait")
        assert "Your vote: Wait one more day." in kept.words
        kept.press("Vote", choice="end")
        watched = signed_in(local, second).open(f"/matches/{match_id}")
        assert "the others vote on what happens" in watched.words
        over = watched.follow("Vote").press("Vote", choice="end")
        assert over.status == 200
    match = local.match(match_id)
    assert match.result
    assert match.result["ending"] == "abandoned"
    assert signed_in(local, "Zoe").open(f"/matches/{match_id}/vote").status == 404
    assert site.open(path).status == 200


# -- naming ----------------------------------------------------------------------------------------


def test_a_host_names_somebody_who_takes_the_seat_of_a_private_match(site: Visitor, local: House) -> None:
    match_id, seat, ends = hosted(local)
    host = next(name for at_seat, name in enumerate(NAMES, 1) if at_seat != seat)
    assert "Seats to take over" not in site.open("/lobby").words
    with at(ends):
        asked = local.last(host)
        assert "Do you want to ask somebody else to take the seat?" in asked.flat
        page = site.open(f"/m/{asked.token}/name")
        assert page.press("Send invitation", name="Zoe", email="zoe@example.org", nonce="elsewhere").status == 400
        assert "Enter a mail address" in page.press("Send invitation", name="Zoe", email="nonsense").words
        again = page.press("Send invitation", name="Zoe", email=address(host))
        assert "This person has or had a seat in this match" in again.words
        done = page.press("Send invitation", name="Zoe", email="zoe@example.org")
        assert "Zoe was invited by mail to take the seat." in done.words
        mail = local.only("Zoe")
        assert f"{host} asks you to take {NAMES[seat - 1]}’s seat in a match of Martian Trickery" in mail.flat
        offer = site.open(link(mail, "named"))
        assert "Take the seat as Zoe" in offer.words
        assert offer.press("Take the seat as Zoe", nonce="elsewhere").status == 400
        assert offer.press("Take the seat as Zoe").status == 200
        assert "This seat is taken" in site.open(offer.url).words
        assert offer.press("Take the seat as Zoe").status == 409
        assert f"You have taken {NAMES[seat - 1]}’s seat." in local.only("Zoe").flat
        assert "No seat needs a substitute" in site.open(f"/m/{asked.token}/name").words
    assert present(local, seat).name == "Zoe"
    (entry,) = local.all(select(LogEntry).where(LogEntry.event == "substituted"))
    assert entry.by == "table"
    assert local.match(match_id).state == MatchState.RUNNING


# -- coming back -----------------------------------------------------------------------------------


def test_an_owner_comes_back_by_the_link_of_their_mail(
    site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    running(local, "vote", 4, hands=2)
    seat, ends = late(local)
    lost = NAMES[seat - 1]
    with at(ends):
        for name in [name for name in NAMES if name != lost][:2]:
            local.reply(local.last(name), "vote robot")
        told = next(mail for mail in local.mails(lost) if "The robot now plays for you" in mail.flat)
        page = site.open(link(told, "back"))
        assert page.press("Come back", nonce="elsewhere").status == 400
        assert "You are back with the next hand" in page.press("Come back").words
        assert is_robot(local, seat)
        # Where no cards are hidden it is at once.
        monkeypatch.setattr("pbem.play.conditional_moves.move_delay.has_hidden_information", lambda _game: False)
        assert page.press("Come back").status == 200
        assert present(local, seat).name == lost
        assert "This seat is no longer yours" in site.open(page.url).words
        assert page.press("Come back").status == 409


def test_the_page_of_ones_matches_offers_to_come_back(site: Visitor, local: House) -> None:  # noqa: ARG001
    match_id = running(local, "vote", 4, hands=2)
    seat, ends = late(local)
    others = [name for name in NAMES if name != NAMES[seat - 1]]
    with at(ends):
        for name in others[:2]:
            local.reply(local.last(name), "vote robot")
        assert is_robot(local, seat)
        owner = signed_in(local, NAMES[seat - 1])
        mine = owner.open("/mine")
        assert "The robot plays for you" in mine.words
        assert "You are back with the next hand" in mine.press(f"Come back: Martian Trickery [{match_id[:5]}]").words
        for known, status in ((match_id, 303), ("nothing", 404)):
            assert owner.client.post(f"/mine/{known}/back").status_code == status
    assert local.all(select(Match.state)) == ["running"]
    assert local.all(select(Player.is_robot).where(Player.is_robot)) == [True]


# -- by program ------------------------------------------------------------------------------------


def keyed(house: House, name: str) -> FlaskClient:
    """Return a client that calls the API in somebody's name, with all that a key may do."""
    app = signed_in(house, name).client.application
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name)).one()
        secret = api_keys.create(ctx, player.id, "a program", api_keys.SCOPES)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    return client


def test_a_program_takes_a_seat_over(local: House) -> None:
    match_id = running(local, "substitute")
    zoe = keyed(local, "Zoe")
    url = f"/api/matches/{match_id}/seats/"
    assert got(zoe.get("/api/sought")) == []
    refused(zoe.post(f"{url}1"), 409)
    refused(zoe.post("/api/matches/nothing/seats/1"), 404)
    seat, ends = late(local)
    with at(ends):
        (one,) = got(zoe.get("/api/sought"))
        assert (one["match"], one["seat"], one["game"]) == (match_id, seat, "martian-whist")
        taken = zoe.post(f"{url}{seat}")
        assert (taken.status_code, taken.json) == (201, {"match": match_id, "seat": seat})
        refused(zoe.post(f"{url}{seat}"), 409)
    assert present(local, seat).name == "Zoe"


def test_programs_vote_and_an_owners_program_comes_back(local: House) -> None:
    match_id = running(local, "vote", 4, hands=2)
    seat, ends = late(local)
    first, second = (name for name in NAMES if name not in {NAMES[seat - 1], NAMES[seat % 4]})
    client = keyed(local, "Zoe")
    with at(ends):
        url, by_key = f"/api/seats/{local.last(first).token}/votes", f"/api/me/matches/{match_id}/votes"
        (one,) = got(client.get(url))
        assert (one["seat"], one["own"], one["choices"]) == (seat, None, ["wait", "robot", "end"])
        refused(client.put(url, json={"choice": "nonsense"}), 422)
        refused(client.put(url, json={"choice": "wait", "seat": 9}), 409)
        (one,) = got(client.put(url, json={"choice": "robot", "seat": seat}))
        assert one["own"] == "robot"
        refused(client.get(by_key), 404)
        voter = keyed(local, second)
        assert got(voter.get(by_key)) == [one | {"own": None}]
        assert got(voter.put(by_key, json={"choice": "robot"})) == []
        refused(client.get(f"/api/seats/{'0' * 26}/votes"), 404)
        back = f"/api/me/matches/{match_id}/back"
        refused(client.post(back), 404)
        owner = keyed(local, NAMES[seat - 1])
        assert got(owner.post(back)) == {"match": match_id, "seat": None}
        assert present(local, seat).reclaim_hand == 1
    with local.transaction(ends) as ctx:
        # In the last hand there is no other one to wait for.
        match = lock_match(ctx, match_id)
        match.options = {**match.options, "hands": 1}
    with at(ends):
        refused(owner.post(back), 409)
