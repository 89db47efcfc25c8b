"""Standing on pages: wherever somebody decides with whom to sit down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from pbem.db.models import SeatHolder
from tests.support.play.players.reliability import ended
from tests.support.web.lobby.open_tables import opened, signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

ANN = "1 of one match played to the end"
BOB = "0 of one match played to the end, late once, lost one on time"


def test_everybody_who_sits_at_a_table_is_told_of(site: Visitor, local: House) -> None:
    over = ended(local, "Bob")
    waiting = opened(local, name="Bob")
    assert f"Bob: {BOB}" in site.open("/lobby").words
    for path in (f"/join/{waiting}", f"/matches/{waiting}"):
        assert f"has accepted · {BOB}" in site.open(path).words
    words = site.open(f"/matches/{over}").words
    assert f"Ann {ANN} Bob {BOB}" in words


def test_an_invitation_tells_of_who_invites(site: Visitor, local: House) -> None:
    ended(local, "Ann")
    local.mails("Bob")
    local.make("montauk", 2, {"rounds": 3}, creator=1)
    mail = local.last("Bob")
    assert "Ann: 0 of one match played to the end, late once, lost one on time." in mail.flat
    words = site.open(f"/invitation/{mail.token}").words
    assert f"Bob (you) not yet · {ANN}" in words


def test_the_lobby_by_mail_tells_it_too(local: House) -> None:
    ended(local, "Bob")
    turn = local.mails("Ann")[-1]
    opened(local, name="Bob")
    local.reply(turn, "lobby")
    assert f"Bob: {BOB}." in local.last("Ann").flat


def test_one_sees_ones_own_as_others_see_it(local: House) -> None:
    ann = signed_in(local, "Ann")
    assert "Your reliability, as others see it: new here." in ann.open("/me").words
    ended(local)
    assert f"as others see it: {ANN}." in ann.open("/me").words


def test_who_has_left_too_often_is_turned_away_with_a_sentence(local: House) -> None:
    ended(local, "Bob")
    match_id = opened(local, reliable=75)
    bob = signed_in(local, "Bob")
    page = bob.open(f"/join/{match_id}").press("Join as Bob")
    assert page.status == 409
    assert "This table is for players who finish at least 75% of their matches" in page.words
    with local.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(leave_reason=None))
    assert bob.open(f"/join/{match_id}").press("Join as Bob").status == 200
