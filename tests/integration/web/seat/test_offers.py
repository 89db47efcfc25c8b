"""What a table agrees on, by its page and by programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pbem.db.models import Match
from pbem.play.accounts.dashboard import link_token
from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.house import NAMES
from tests.support.web.api.matches import app_of, got, refused
from tests.support.web.seat.turn import log, present, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.pages import Page, Visitor

ASKING = "Take-back, draw, pause, more time"


def asked(site: Visitor, house: House, match_id: str, name: str) -> Page:
    return present(site, house, match_id, name).follow(ASKING)


def timed(house: House) -> str:
    match_id = house.make("martian-whist", 2, clock="3 days")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for name, holder in zip(NAMES, holders(ctx, match), strict=False):
            house.mails(name)
            acceptance.accept(ctx, match, holder, "")
    return match_id


def test_a_draw_is_offered_and_agreed(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow(ASKING)
    assert page.press("Offer a draw", nonce="").status == 400
    page = page.press("Offer a draw")
    assert "You offered a draw. The offer stands until somebody moves. Bob has yet to agree." in page.words
    assert "Agree to the draw" not in page.words
    assert local.match(match_id).state == MatchState.RUNNING
    seen = present(site, local, match_id, "Bob")
    assert "Ann offers a draw. It waits for your answer." in seen.words
    assert "You offer a draw. Bob has yet to agree." in present(site, local, match_id, "Ann").words
    over = seen.follow("Agree or decline").press("Agree to the draw")
    assert "It is a draw between Ann and Bob" in over.words
    assert log(local, match_id) == ["draw_agreed"]


def test_what_is_refused_is_gone_and_may_not_be_asked_again_at_once(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow(ASKING)
    page.press("Propose to abandon the match")
    page = asked(site, local, match_id, "Bob").press("Go on playing")
    assert "You declined to abandon the match. Ann has been told." in page.words
    again = asked(site, local, match_id, "Ann")
    assert "Propose to abandon the match" not in again.words
    assert "Bob declined to abandon the match." in local.last("Ann").flat
    # A form that was open meanwhile is answered, and nothing is done.
    assert local.match(match_id).state == MatchState.RUNNING


def test_a_form_sent_twice_does_it_once(site: Visitor, local: House) -> None:
    match_id = timed(local)
    mover = NAMES[local.match(match_id).to_move[0] - 1]
    other = NAMES[2 - local.match(match_id).to_move[0]]
    asked(site, local, match_id, mover).press("Ask for more time", days="3")
    page = asked(site, local, match_id, other)
    assert f"{mover} asks for three more days for their move." in page.words
    for _ in range(2):
        agreed = page.press("Agree to more time").words
        assert f"Everybody agrees: there is more time for that move. {mover} now has until " in agreed
    assert log(local, match_id) == ["extended"]


def test_a_day_is_given_unasked(site: Visitor, local: House) -> None:
    match_id = timed(local)
    other = NAMES[2 - local.match(match_id).to_move[0]]
    page = asked(site, local, match_id, other).press("Give one more day")
    assert f"You have given one more day. {NAMES[local.match(match_id).to_move[0] - 1]} now has until " in page.words
    assert "Give one more day" not in [form.button for form in page.forms]
    assert log(local, match_id) == ["extended"]


def test_a_break_is_agreed_on_and_ended(site: Visitor, local: House) -> None:
    match_id = timed(local)
    asked(site, local, match_id, "Ann").press("Ask to stop the clocks for a while")
    page = asked(site, local, match_id, "Bob").press("Agree to stop the clocks")
    assert "The clocks of this match are stopped, until" in page.words
    for name in ("Ann", "Bob"):
        assert "The clocks of this match are stopped, until" in present(site, local, match_id, name).words
    assert "The clocks of this match run again." in page.press("Resume the clocks").words
    assert log(local, match_id) == ["paused", "resumed"]


def test_whoever_has_just_moved_may_ask_to_take_it_back(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    sent = turn(returning, local).follow("take 7").press("Play this move")
    asking = sent.follow("Ask to take it back")
    assert "Ask to take back your last move" in asking.words
    asking.press("Ask to take back your last move")
    page = asked(visitor(local, keeps=True), local, match_id, "Bob").press("Agree to the take-back")
    assert "the last move of Ann has been taken back" in page.words
    assert local.match(match_id).to_move == [1]
    assert log(local, match_id) == ["take 7", "taken_back"]
    assert "take 7" in turn(returning, local).links


def test_alone_a_move_is_taken_back_at_once(returning: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    page = turn(returning, local)
    start = page.shown.partition("<pre")[2].partition("</pre>")[0]
    assert "Take back your last move" not in page.links
    with local.course(match_id) as (_, course):
        move = course.game.suggest(course.position, course.game.to_move(course.position)[0])[0]
    played = page.press("Preview", move=move).press("Play this move")
    back = played.follow("Take back your last move").press("Take back your last move")
    assert "Your last move has been taken back." in back.words
    assert log(local, match_id) == [move, "taken_back"]
    now = back.follow("To your turn")
    assert now.shown.partition("<pre")[2].partition("</pre>")[0] == start


@pytest.mark.parametrize("wrong", [{"kind": "peace"}, {"wish": "command"}, {"ply": "x"}, {"ply": "99999999999"}])
def test_a_form_that_none_of_ours_is_does_nothing(site: Visitor, local: House, wrong: dict[str, str]) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow(ASKING).press("Offer a draw", **wrong)
    assert "Offers" in page.words
    assert "has yet to agree" not in page.words
    assert local.match(match_id).log_length == 0


def test_when_a_match_is_over_its_page_says_so(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow(ASKING)
    present(site, local, match_id, "Bob").follow("Resign").press("Yes, resign")
    assert "over by resignation" in page.press("Offer a draw").words
    assert log(local, match_id) == ["resigned"]


def test_what_became_of_somebody_elses_is_not_shown(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow(ASKING).press("Offer a draw")
    assert "You offered a draw." in site.open(page.url).words
    query = page.url.partition("?")[2]
    own = asked(site, local, match_id, "Bob")
    assert "You offered a draw." not in site.open(f"{own.url}?{query}").words


def test_typed_words_lead_to_the_page(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    for word in ("draw", "takeback", "pause", "more time", "abandon", "resume"):
        assert "Offers" in turn_again(site, local).press("Preview", move=word).words


def turn_again(site: Visitor, house: House) -> Page:
    house.mails("Ann")
    mail = next(mail for mail in reversed(house.every_mail) if mail.name == "Ann")
    return site.open(f"/m/{mail.token}")


# -- by programs ---------------------------------------------------------------------------------------


@pytest.fixture
def client(local: House, judged: None) -> FlaskClient:  # noqa: ARG001
    return app_of(local).test_client()


def said(client: FlaskClient, token: str, kind: str, wish: str = "ask", ply: int = 1, **more: Any) -> tuple[str, str]:
    """Send a chat message to the table; return the verdict."""
    sent = client.post(f"/api/seats/{token}/offers", json={"ply": ply, "kind": kind, "wish": wish, **more})
    found = got(client.get(f"/api/submissions/{got(sent, 202)['submission']}"))
    return found["status"], found["reason"]


def tokens(house: House, match_id: str) -> tuple[str, str]:
    """Return the links of whoever is to move, and of the other one."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        found = {one.seat: link_token(ctx, match, one) for one in holders(ctx, match)}
        mover = match.to_move[0]
    return found[mover], found[3 - mover]


def test_a_program_asks_agrees_and_refuses(client: FlaskClient, local: House) -> None:
    match_id = timed(local)
    mover, other = tokens(local, match_id)
    seat = local.match(match_id).to_move[0]
    status, reason = said(client, mover, "more time", days=5)
    assert status == "played"
    assert "has yet to agree" in reason
    (offer,) = got(client.get(f"/api/seats/{other}/offers"))
    assert offer.pop("at")
    assert offer == {"kind": "more time", "seat": seat, "awaited": [3 - seat], "detail": {"days": 5}}
    assert said(client, other, "more time", "refuse")[0] == "played"
    assert got(client.get(f"/api/seats/{other}/offers")) == []
    assert said(client, mover, "more time") == (
        "rejected",
        "That was declined. You may ask again after the next move.",
    )
    assert said(client, other, "draw")[0] == "played"
    assert said(client, mover, "draw", "agree")[0] == "played"
    assert log(local, match_id) == ["draw_agreed"]
    assert said(client, mover, "draw", "agree") == ("rejected", "The match is over.")


@pytest.mark.parametrize("wish", ["agree", "refuse"])
def test_a_program_that_answers_what_nobody_proposes_is_told_so(client: FlaskClient, local: House, wish: str) -> None:
    match_id = local.start_match("martian-whist", 2)
    status, reason = said(client, tokens(local, match_id)[0], "draw", wish)
    assert (status, reason) == (
        "rejected",
        "This proposal is no longer open: a move was made, or it was declined.",
    )


def test_a_program_ends_a_break(client: FlaskClient, local: House) -> None:
    match_id = timed(local)
    mover, other = tokens(local, match_id)
    said(client, mover, "pause")
    said(client, other, "pause", "agree")
    assert said(client, other, "pause", "resume")[0] == "played"
    assert said(client, other, "pause", "resume") == ("rejected", "The clocks of this match are not stopped.")
    assert log(local, match_id) == ["paused", "resumed"]


def test_a_program_is_refused_what_is_no_request(client: FlaskClient, local: House) -> None:
    match_id = timed(local)
    mover, other = tokens(local, match_id)
    url = f"/api/seats/{mover}/offers"
    refused(client.post("/api/seats/0123456789abcdefghjkmnpqrs/offers", json={"ply": 1, "kind": "draw"}), 404)
    refused(client.get("/api/seats/0123456789abcdefghjkmnpqrs/offers"), 404)
    for body in ({"ply": 1, "kind": "peace"}, {"kind": "draw"}, {"ply": 1, "kind": "draw", "wish": "command"}):
        refused(client.post(url, json=body), 422)
    assert said(client, mover, "draw", ply=7)[0] == "rejected"
    assert said(client, mover, "more time", days=99) == ("rejected", "You can ask for one to 7 days at a time.")
    seat = local.match(match_id).to_move[0]
    client.post(f"/api/seats/{mover}/moves", json={"ply": 1, "move": local.legal(match_id, seat)[0]})
    assert said(client, mover, "draw", ply=2)[0] == "rejected"
    assert got(client.get(url)) == []
    assert got(client.get(f"/api/seats/{other}/offers")) == []


def test_alone_a_program_has_nobody_to_agree_with(client: FlaskClient, local: House) -> None:
    local.start_match("minimax", 1)
    token = local.last("Ann").token
    for kind in ("draw", "pause", "more time", "abandon"):
        assert said(client, token, kind) == ("rejected", "You are the only player in this match.")
    assert said(client, token, "takeback")[0] == "rejected"
