"""Playing on from a finished match in answer to its last mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match
from pbem.play.matches.seats import holders
from tests.support.house import address
from tests.support.play.lifecycle.forks import finished

if TYPE_CHECKING:
    from tests.support.house import House


def test_an_answer_to_the_last_mail_makes_a_match_for_practice(house: House) -> None:
    origin = finished(house, "martian-whist")
    last = house.last("Ann")
    asked = house.reply(last, "fork 2")
    turn = house.only("Ann")
    assert turn.message["In-Reply-To"] == asked
    assert "It is for practice" in turn.flat
    with house.transaction() as ctx:
        found = ctx.session.scalars(select(Match).where(Match.forked_from_id == origin)).one()
        assert found.forked_step == 2
        assert {one.email for one in holders(ctx, found)} == {address("Ann")}
    assert house.legal(found.id, 1)[0] in turn.flat
    house.reply(last, "weiterspielen ab 3 robot")
    with house.transaction() as ctx:
        against = ctx.session.scalars(select(Match).where(Match.forked_step == 3)).one()
        assert [one.player.is_robot for one in holders(ctx, against)] == [False, True]
    house.reply(last, "fork 1 easy robot.")
    with house.transaction() as ctx:
        against = ctx.session.scalars(select(Match).where(Match.forked_step == 1)).one()
        assert [one.player.robot_level for one in holders(ctx, against)] == [None, "easy"]
    house.mails("Ann")
    house.reply(last, "fork 2 hard robot")
    refused = house.only("Ann")
    assert "Martian Whist has no robot “hard”. Choose one of: easy, fair" in refused.flat
    house.reply(last, "fork 999")
    refused = house.only("Ann")
    assert "No practice match was created." in refused.flat
    assert "This match has no step 999" in refused.flat
    house.reply(last, "fork my garden")
    assert "The match is over." in house.only("Ann").flat


def test_a_match_for_practice_is_no_file_by_mail(house: House) -> None:
    finished(house, "martian-whist")
    house.reply(house.last("Ann"), "fork 2")
    turn = house.only("Ann")
    house.reply(turn, "resign yes")
    house.mails("Ann")
    house.reply(turn, "replay")
    told = house.only("Ann").flat
    assert "This practice match continues another one, so it has no record" in told
