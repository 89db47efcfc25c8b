"""The list of one's matches by mail: what waits, by when, and where to answer."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Deadline, Match, Player, SeatHolder
from pbem.play.inbox import match_list
from pbem.states import MatchState
from tests.support.house import NUMBERS, address

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House, Mail


def asked(house: House, name: str, message_id: str | None = None) -> Mail:
    """Send somebody's request for the list, as a letter to the service's own address does."""
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name)).one()
        match_list.enqueue(ctx, player, address(name), message_id or f"<{next(NUMBERS)}.list@example.org>")
    return house.only(name)


def due(house: House, match_id: str, seat: int, at: datetime) -> None:
    with house.transaction() as ctx:
        row = Deadline(match_id=match_id, seat=seat, ply=1, asked_at=at - timedelta(days=3), due_at=at)
        ctx.session.merge(row)


def test_whoever_replies_list_to_any_mail_is_told_of_all_their_matches(house: House) -> None:
    house.start_match("minimax", 1)
    house.start_match("middle-card", 3)
    turns = house.mails("Ann")
    house.reply(turns[-1], "list")
    mail = house.only("Ann")
    assert mail.message["Subject"] == "Your matches"
    assert mail.message["Auto-Submitted"] == "auto-replied"
    assert mail.text.count("Choose your move on its page") == 2
    assert "2 matches wait for you." in mail.flat
    assert "http://127.0.0.1:8000/mine" in mail.text
    # The same links and addresses as in the turn mails, so that both work.
    for turn in turns:
        assert f"/m/{turn.token}" in mail.text
        assert turn.reply_to in mail.text
    house.reply(house.last("Bob"), "Liste")
    assert "Your matches" in house.only("Bob").message["Subject"]


def test_what_others_are_at_is_told_and_asks_for_nothing(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.mails("Ann")
    house.mails("Bob")
    (turn,) = [mail for mail in house.every_mail if "It is your turn" in mail.text]
    other = "Bob" if turn.name == "Ann" else "Ann"
    mail = asked(house, other)
    assert "No match waits for you." in mail.flat
    assert f"Martian Whist with {turn.name}: It is {turn.name}’s turn." in mail.flat
    assert not re.search(r"/m/[0-9a-z]{26}|play\+", mail.text)
    assert "do not forward it" not in mail.flat


def test_two_matches_of_the_same_players_are_told_apart_by_who_moved_last(house: House) -> None:
    played = house.start_match("martian-whist", 2)
    (first,) = house.match(played).to_move
    mover, other = ("Ann", "Bob") if first == 1 else ("Bob", "Ann")
    house.reply(house.last(mover), house.legal(played, first)[0])
    house.start_match("martian-whist", 2)
    house.mails("Ann")
    house.mails("Bob")
    theirs, others = asked(house, mover), asked(house, other)
    assert "You moved" in theirs.flat
    assert f"{mover} moved" in others.flat
    assert all("It began" in mail.flat for mail in (theirs, others))


def test_a_deadline_stands_in_the_readers_zone_and_the_most_urgent_comes_first(house: House) -> None:
    later, sooner = house.start_match("minimax", 1), house.start_match("minimax", 1, {"size": "long"})
    house.mails("Ann")
    now = datetime.now(UTC)
    due(house, later, 1, now + timedelta(days=5))
    due(house, sooner, 1, datetime(now.year + 1, 7, 1, 10, 30, tzinfo=UTC))
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(time_zone="Europe/Vienna"))
    mail = asked(house, "Ann")
    assert f"1 Jul {now.year + 1}, 12:30" in mail.flat
    assert mail.flat.index("in 5 days") < mail.flat.index("1 Jul ")


def test_invitations_wait_too_and_open_matches_say_for_whom_they_wait(house: House) -> None:
    match_id = house.make("middle-card", 3)
    invitation = house.only("Ann")
    mail = asked(house, "Ann")
    assert f"/invitation/{invitation.token}" in mail.text
    assert invitation.reply_to in mail.text
    assert "MIDDLE CARD WITH BOB AND CYD" in mail.flat
    house.reply(invitation, "accept")
    house.mails("Ann")
    mail = asked(house, "Ann")
    assert "It has not begun: Bob and Cyd have yet to accept." in mail.flat
    for name in ("Bob", "Cyd"):
        with house.transaction() as ctx:
            ctx.session.execute(update(SeatHolder).where(SeatHolder.name == name).values(left_at=ctx.now))
    assert "It has not begun: a seat is still open." in asked(house, "Ann").flat
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(state=MatchState.OVER, ended_at=ctx.now))
    assert "No match waits for you." in asked(house, "Ann").flat


def test_the_same_mail_is_answered_once(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    asked(house, "Ann", "<same@example.org>")
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        match_list.enqueue(ctx, player, "ann@example.org", "<same@example.org>")
    assert not house.mails("Ann")


def test_a_long_list_names_the_page_for_the_rest(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_list, "MAX_LISTED", 2)
    for _ in range(3):
        house.start_match("minimax", 1)
    house.mails("Ann")
    mail = asked(house, "Ann")
    assert "1 more is on the page." in mail.flat
    assert mail.text.count("Choose your move on its page") == 2


def test_the_list_speaks_its_readers_language(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    assert "wartet auf dich" in asked(house, "Ann").flat
