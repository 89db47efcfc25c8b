"""Par in the last mail of a match, for those who wish it, and in the answer to a mail that asks for it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import OutboxMessage, Player
from pbem.play.analysis import chunks, par_mail, requests
from pbem.play.core.context import system_time
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import lock_match
from pbem.robots.analyses import PAR
from pbem.states import OutboxState
from tests.support.play.analysis.asking import analyses, finished, make_all, play_to_the_end

if TYPE_CHECKING:
    from datetime import timedelta

    import pytest

    from tests.support.house import House

ROBOT = "The strong robot, with the same deal, made "


def begun(house: House, *wishing: str, game: str = "minimax", seats: int = 1) -> str:
    """Begin a match of people, some of whom wish the robot's result in their last mail."""
    options: dict[str, object] = {"size": "small"} if game == "minimax" else {}
    match_id = house.start_match(game, seats, options)
    house.deliver()
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name.in_(wishing)).values(compares_with_robot=True))
    return match_id


def waits(house: House) -> list[timedelta]:
    """Return for how long each last mail waits that was not sent yet."""
    pending = OutboxMessage.kind == "final", OutboxMessage.state == OutboxState.PENDING
    return [
        one.due_at - one.created_at
        for one in house.all(select(OutboxMessage).where(*pending))
        if one.due_at > system_time()
    ]


def test_the_last_mail_waits_for_the_robot_and_says_how_it_did(house: House) -> None:
    match_id = begun(house, "Ann")
    house.mails("Ann")
    play_to_the_end(house, match_id)
    assert house.mails("Ann") == []
    assert waits(house) == [par_mail.HOLD]
    make_all(house)
    mail = house.only("Ann")
    assert "Thank you for playing." in mail.flat
    assert ROBOT in mail.flat
    assert "; you made " in mail.flat


def test_after_ten_minutes_it_goes_without_and_says_where_to_look(house: House) -> None:
    match_id = begun(house, "Ann")
    house.mails("Ann")
    play_to_the_end(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    mail = house.only("Ann")
    assert "The robot still plays your cards. How it did will stand on this page:" in mail.flat
    assert f"/m/{mail.token}/par" in mail.text
    make_all(house)
    assert house.mails("Ann") == []


def test_nobody_waits_who_does_not_wish_it(house: House) -> None:
    match_id = begun(house, "Bob", game="middle-card", seats=3)
    play_to_the_end(house, match_id)
    assert "robot" not in house.last("Ann").flat
    assert "robot" not in house.last("Cyd").flat
    make_all(house)
    assert "Fair robots played the seats of people." in house.last("Bob").flat
    [par] = analyses(house)
    assert par.asked_by == house.all(select(Player.id).where(Player.name == "Bob"))[0]


def test_against_nobody_who_wishes_it_nothing_is_asked(house: House) -> None:
    finished(house)
    assert waits(house) == []
    assert analyses(house) == []


def test_a_match_that_does_not_count_is_told_at_once(house: House) -> None:
    match_id = begun(house, "Ann")
    with house.transaction() as ctx:
        endings.abort(ctx, lock_match(ctx, match_id), "operator", operated="A test.")
    assert "robot" not in house.last("Ann").flat
    assert analyses(house) == []


def test_at_a_limit_the_mail_says_so_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(requests.MAX_PER_DAY, PAR, 0)
    match_id = begun(house, "Ann")
    limited = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    play_to_the_end(limited, match_id)
    mail = house.last("Ann")
    assert "The robot has been asked too often to play your cards now." in mail.flat
    assert f"/m/{mail.token}/par" in mail.text
    assert re.search(r"From \w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC on you can ask again\.", mail.flat)


def test_what_the_robot_could_not_finish_is_said(house: House) -> None:
    match_id = begun(house, "Ann")
    play_to_the_end(house, match_id)
    for _attempt in range(chunks.MAX_ATTEMPTS):
        with house.transaction() as ctx:
            chunk = chunks.claim(ctx)
            assert chunk
            chunks.fail(ctx, chunk)
    assert "The robot could not finish its plays of this match." in house.last("Ann").flat


# -- by mail -------------------------------------------------------------------------------------------


def test_a_reply_to_the_last_mail_asks_and_the_answer_waits(house: House) -> None:
    finished(house)
    final = house.last("Ann")
    house.reply(final, "par")
    assert house.mails("Ann") == []
    make_all(house)
    assert ROBOT in house.only("Ann").flat
    house.reply(final, "par")
    assert ROBOT in house.only("Ann").flat
    assert len(analyses(house)) == 1


def test_while_the_match_runs_the_answer_says_why_not(house: House) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "par")
    assert "This one still runs." in house.only("Ann").flat


def test_a_reply_settles_what_last_mails_say(house: House) -> None:
    finished(house)
    final = house.last("Ann")
    for typed, wishes, said in (("par on", True, "compares"), ("par off", False, "does not compare")):
        house.reply(final, typed)
        assert house.all(select(Player.compares_with_robot).where(Player.name == "Ann")) == [wishes]
        assert f"the last mail of a match {said} your result" in house.only("Ann").flat
