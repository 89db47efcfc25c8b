"""Playing on from a replay, by its page and by programs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Match, Player
from pbem.play.lifecycle import acceptance, endings
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.house import address
from tests.support.web.account.dashboard import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def finished(house: House, key: str = "martian-whist", seats: int = 2, moves: int = 4) -> str:
    """Return a match that somebody resigned after some moves; all have read their mails."""
    match_id = house.start_match(key, seats)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        for _ in range(moves):
            (seat,) = course.game.to_move(course.position)
            course = play_move(ctx, course, seat, next(course.game.moves(course.position, seat)), ctx.now)
        endings.resign(ctx, course, holders(ctx, course.match)[0])
    for name in ("Ann", "Bob")[:seats]:
        house.mails(name)
    return match_id


def made(house: House) -> Match:
    """Return the match that plays on."""
    (found,) = house.all(select(Match.id).where(Match.forked_from_id.is_not(None)))
    return house.match(found)


def asked(site: Visitor, match_id: str, step: int) -> Page:
    return site.open(f"/matches/{match_id}/replay?step={step}").follow("Play on from here, for practice")


def test_one_person_plays_all_seats_from_page_to_page(local: House, judged: None) -> None:  # noqa: ARG001
    match_id = finished(local)
    site = signed_in(local)
    page = asked(site, match_id, 2)
    assert "You play as Ann." in page.words
    page = page.press("Play on")
    assert "Your turn in Martian Whist" in page.words
    fork = made(local)
    assert (fork.forked_from_id, fork.forked_step, fork.public) == (match_id, 2, False)
    for _ in range(3):
        (seat,) = made(local).to_move
        page = page.press("Preview", move=local.legal(fork.id, seat)[0]).press("Play this move")
    assert "Your turn in Martian Whist" in page.words


@pytest.mark.parametrize(("at_home", "status"), [(True, 200), (False, 303)])
def test_a_stranger_signs_in_first_unless_all_is_at_home(house: House, at_home: bool, status: int) -> None:  # noqa: FBT001
    kept = replace(house, config=replace(house.config, allow_anonymous=at_home))
    answer = visitor(kept).client.get(f"/matches/{finished(kept)}/fork?step=1")
    assert answer.status_code == status
    assert ("/sign-in" in answer.headers.get("Location", "")) is not at_home


def test_the_robots_are_of_the_level_that_is_chosen(local: House, judged: None) -> None:  # noqa: ARG001
    match_id = finished(local)
    page = asked(signed_in(local), match_id, 1)
    assert page.form("Play on").fields["level"] == "fair"
    page.press("Play on", others="robots", level="easy")
    assert asked(page.visitor, match_id, 1).form("Play on").fields["level"] == "easy"
    assert local.all(select(Player.robot_level).where(Player.is_robot)) == ["easy"]


@pytest.mark.parametrize("others", ["robots", "friends"])
def test_others_sit_at_the_other_seats(site: Visitor, local: House, others: str) -> None:
    match_id = finished(local)
    page = asked(site, match_id, 1)
    friend = {"email-1": address("Cyd")} if others == "friends" else {}
    page = page.press("Play on", name="Ann", email=address("Ann"), others=others, seat="2", **friend)
    fork = made(local)
    with local.transaction() as ctx:
        held = holders(ctx, fork)
        assert held[1].email == address("Ann")
        assert held[0].player.is_robot == (others == "robots")
    if others == "friends":
        assert held[0].name == "Cyd"
        assert "Invitations sent" in page.words
        assert "practice" in local.only("Cyd").flat
    else:
        assert fork.state == MatchState.RUNNING


def test_what_cannot_be_is_said_in_a_sentence(site: Visitor, local: House) -> None:
    match_id = finished(local)
    for step in ("99", "x", "9" * 30):
        for refused in (
            site.open(f"/matches/{match_id}/fork?step={step}"),
            site.send(site.open(f"/matches/{match_id}/fork?step=1").form("Play on"), {"step": step}),
        ):
            assert refused.status == 422
            assert "This match has no step" in refused.words
    page = asked(site, match_id, 1)
    old = page.press("Play on", name="Ann", email=address("Ann"), nonce="x")
    assert old.status == 400
    same = page.press("Play on", name="Ann", email=address("Ann"), others="friends", **{"email-2": address("Ann")})
    assert same.status == 422
    nobody = page.press("Play on", name="Ann", email="nobody")
    assert nobody.status == 422
    assert "Enter a mail address" in nobody.words
    assert local.all(select(Match.id).where(Match.forked_from_id.is_not(None))) == []


def test_a_private_match_is_played_on_from_by_its_key_only(site: Visitor, local: House) -> None:
    match_id = finished(local)
    with local.transaction() as ctx:
        match = lock_match(ctx, match_id)
        match.public = False
        key = share_keys.shared_key(match)
    assert site.open(f"/matches/{match_id}/fork?step=1").status == 404
    assert site.client.post(f"/api/matches/{match_id}/fork", json={"step": 1, "seats": []}).status_code in {404, 422}
    page = site.open(f"/matches/{match_id}/replay?step=1&key={key}").follow("Play on from here, for practice")
    assert "Your turn" in page.press("Play on", name="Ann", email=address("Ann")).words


def test_a_game_for_one_is_played_on_at_once(site: Visitor, local: House) -> None:
    match_id = finished(local, "minimax", 1, 2)
    page = asked(site, match_id, 1).press("Play on", name="Ann", email=address("Ann"))
    assert "Your turn in Minimax" in page.words


# -- by programs -----------------------------------------------------------------------------------


def forked(site: Visitor, match_id: str, status: int, **wanted: Any) -> dict[str, Any]:
    answer = site.client.post(f"/api/matches/{match_id}/fork", json=wanted)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_programs_play_on_from_a_step_or_a_move(site: Visitor, local: House) -> None:
    match_id = finished(local)
    seats = [{"name": "Ann", "email": address("Ann")}, {"name": "Bob", "email": address("Bob")}]
    for where, ply in (({"step": 2}, 3), ({"ply": 3}, 4), ({"ply": 0}, 1)):
        found = forked(site, match_id, 201, seats=seats, **where)
        with local.transaction() as ctx:
            match = lock_match(ctx, found["id"])
            for holder in holders(ctx, match):
                acceptance.accept(ctx, match, holder, "")
            assert match.ply == ply
    assert site.client.get(f"/api/matches/{found['id']}").status_code == 404


def test_programs_are_told_what_is_wrong(site: Visitor, local: House) -> None:
    match_id = finished(local)
    seats = [{"name": "Ann", "email": address("Ann")}, {"name": "Bob", "email": address("Bob")}]
    assert "no step" in forked(site, match_id, 422, seats=seats, ply=77)["reason"]
    forked(site, match_id, 422, seats=seats)
    forked(site, match_id, 422, seats=seats, step=1, ply=1)
    assert "Name a player for each" in forked(site, match_id, 422, seats=[seats[0], {"open": True}], step=1)["reason"]
    assert "when it is over" in forked(site, local.start_match("minimax", 1), 422, seats=seats[:1], ply=3)["reason"]
    assert forked(site, "0" * 20, 404, seats=seats, step=1)
    waiting = local.make("martian-whist", 2)
    assert "when it is over" in forked(site, waiting, 422, seats=seats, ply=3)["reason"]
