"""Seats that are taken over by mail, and come back to by it."""

from __future__ import annotations

from email.message import EmailMessage
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import LogEntry, Match, Player, SeatHolder, ServiceMail
from pbem.games.hidden import Eye
from pbem.play.core import rate_limits
from pbem.play.core.context import transaction
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import Limit, hit
from pbem.play.inbox import service_mail
from pbem.play.lifecycle import endings, seat_changes
from pbem.play.lobby import joining
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.operators import player_actions
from pbem.play.players import registry
from pbem.play.timeouts import reclaims, substitutes
from pbem.play.upkeep import deadline_tasks
from pbem.states import ServiceMailStatus
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, NUMBERS, address
from tests.support.play.operators.office import does
from tests.support.play.timeouts.lapses import DAY, HOUR, hosted, is_robot, late, present, running, said

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House


def known(house: House, name: str) -> Player:
    """Add somebody who has verified their address."""
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        return player


def write(house: House, moment: datetime, name: str, text: str) -> str:
    """Write to the service itself; gives what the answer says."""
    mail = EmailMessage()
    mail["From"], mail["To"] = address(name), "games@games.localhost"
    mail["Message-ID"] = f"<{next(NUMBERS)}.letter@example.org>"
    mail.set_content(f"{text}\n")
    with at(moment):
        assert house.send(mail.as_bytes(), house.config.service_address, address(name)).code == 250
        for number in house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)):
            with house.transaction() as ctx:
                service_mail.process(ctx, number, parse_mail)
        new = house.mails(name)
    return new[-1].flat if new else ""


def test_a_seat_is_taken_over_by_mail_to_the_service(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    known(house, "Zoe")
    assert "There is no table called “zzzzz”." in write(house, ends, "Zoe", "take over zzzzz")
    assert "This seat no longer needs a substitute" in write(house, ends, "Zoe", f"take over {match_id[:5]} {3 - seat}")
    assert f"You have taken {NAMES[seat - 1]}’s seat." in write(house, ends, "Zoe", f"take over {match_id[:5]}")
    assert present(house, seat).name == "Zoe"
    # Nobody else does, now.
    known(house, "Yan")
    assert "This seat no longer needs a substitute" in write(house, ends, "Yan", f"take over {match_id}")


def test_a_seat_is_taken_over_in_answer_to_another_matchs_mail(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    refused = said(house, ends, house.last(NAMES[seat - 1]), f"take over {match_id[:6]}")
    assert "You have or had a seat in this match and cannot take another." in refused


def test_a_match_is_told_from_others_whose_names_begin_alike(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)
    alike = partial(transaction, draw=lambda size: next(numbers).to_bytes(size, "big"))
    monkeypatch.setattr("tests.support.house.transaction", alike)
    over = running(house, "substitute")
    said(house, house.match(over).created_at + HOUR, house.last("Ann"), "resign yes")
    first = running(house, "substitute")
    start = first[:10]
    assert (house.match(over).state, over[:10]) == ("over", start)
    seat, ends = late(house)
    known(house, "Zoe")
    assert f"You have taken {NAMES[seat - 1]}’s seat." in write(house, ends, "Zoe", f"take over {start}")
    assert running(house, "substitute")[:10] == start
    said_of_two = f"Several tables begin with “{start}”. Write more letters of the code."
    assert said_of_two in write(house, ends, "Zoe", f"take over {start}")


@pytest.mark.parametrize(
    ("why", "refusal"),
    [
        ("shut out", "You are banned: “No cheating.”"),
        (
            "not reliable",
            "at least 90% of their matches. You: 0 of one match played to the end, lost one on time",
        ),
        ("too many today", "You joined .* tables today"),
    ],
)
def test_a_seat_is_not_for_everybody(house: House, why: str, refusal: str) -> None:
    before = house.start_match("martian-trickery", 3)
    with house.transaction() as ctx:
        match = lock_match(ctx, before)
        endings.lose_on_time(ctx, match, [one for one in holders(ctx, match) if one.name == "Cyd"])
    match_id = running(house, "substitute")
    seat, ends = late(house)
    cyd = known(house, "Cyd").id
    if why == "shut out":
        does(house, player_actions.ban, cyd, sentence="No cheating.")
    with house.transaction(ends) as ctx:
        match, player = lock_match(ctx, match_id), ctx.session.get_one(Player, cyd)
        if why == "not reliable":
            match.min_reliability = 90
        if why == "too many today":
            for _ in range(joining.MAX_JOINS_PER_DAY):
                hit(ctx, Limit("table joined", str(cyd), joining.MAX_JOINS_PER_DAY, rate_limits.SECONDS_PER_DAY))
        with pytest.raises(Refused, match=refusal):
            substitutes.take_over(ctx, match, seat, player)
    sit = (
        select(SeatHolder.name)
        .where(SeatHolder.match_id == match_id, SeatHolder.left_at.is_(None))
        .order_by(SeatHolder.seat)
    )
    assert house.all(sit) == ["Ann", "Bob"]


def test_whoever_is_new_signs_in_first(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    known(house, "Zoe")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Zoe").values(mail_policy="token+from+aligned"))
    assert "We cannot tell whether this mail is yours" in write(house, ends, "Zoe", f"take over {match_id[:5]}")
    assert not is_robot(house, seat)


def test_an_owner_comes_back_by_mail_and_only_they(house: House) -> None:
    match_id = running(house, "vote", 4, hands=2)
    seat, ends = late(house)
    lost = NAMES[seat - 1]
    others = [name for name in NAMES if name != lost]
    for name in others[:2]:
        said(house, ends, house.last(name), "vote robot")
    nothing = "You have no seat in this match to come back to."
    assert nothing in write(house, ends, others[0], f"come back {match_id}")
    assert nothing in write(house, ends, lost, "come back zzzzz")
    assert "You get your seat back with the next hand" in write(house, ends, lost, f"come back {match_id}")
    assert present(house, seat).reclaim_hand == 1
    with house.transaction(ends) as ctx:
        (match,) = reclaims.list_matches(ctx, house.all(select(Player.id).where(Player.name == lost))[0])
        assert reclaims.is_requested(
            ctx, match, ctx.session.scalars(select(Player.id).where(Player.name == lost)).one()
        )


def test_an_owner_is_back_when_the_next_hand_is_dealt(house: House) -> None:
    match_id = running(house, "vote", 4, hands=2)
    seat, ends = late(house)
    lost = NAMES[seat - 1]
    others = [name for name in NAMES if name != lost]
    with at(ends):
        for name in others[:2]:
            house.reply(house.last(name), "vote robot")
        write(house, ends, lost, f"come back {match_id}")
        assert is_robot(house, seat)
        assert play_on(house, match_id, seat) == 2
        assert present(house, seat).name == lost
        assert len([mail for mail in house.mails(lost) if "Welcome back" in mail.flat]) == 1
        assert any(f"{lost} is back, and the robot has left." in mail.flat for mail in house.mails(others[0]))
    assert len(house.all(select(SeatHolder).where(SeatHolder.seat == seat))) == 3


def play_on(house: House, match_id: str, seat: int) -> int:
    """Play for the people until a robot plays for a seat no more; returns the number of the hand."""
    for _ in range(120):
        with house.transaction() as ctx:
            deadline_tasks.run_match(ctx, match_id, parse_mail)
        if not is_robot(house, seat):
            break
        mover = house.match(match_id).to_move[0]
        house.reply(house.last(NAMES[mover - 1]), house.legal(match_id, mover)[0])
    with house.course(match_id) as (_table, course):
        number = course.game.view(course.position, Eye.PUBLIC).board["hand_number"]
    assert isinstance(number, int)
    return number


def test_at_a_table_without_hidden_cards_an_owner_is_back_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = running(house, "vote", 4, hands=1)
    seat, ends = late(house)
    others = [name for name in NAMES if name != NAMES[seat - 1]]
    for name in others[:2]:
        said(house, ends, house.last(name), "vote robot")
    with house.transaction(ends + HOUR) as ctx:
        match = ctx.session.get_one(Match, match_id)
        owner = ctx.session.scalars(select(Player).where(Player.name == NAMES[seat - 1])).one()
        with pytest.raises(Refused, match="This is the last hand"):
            reclaims.request(ctx, match, owner)
        monkeypatch.setattr("pbem.play.conditional_moves.move_delay.has_hidden_information", lambda _game: False)
        assert reclaims.request(ctx, match, owner)
        with pytest.raises(Refused, match="You have no seat"):
            reclaims.request(ctx, match, owner)
    assert present(house, seat).name == NAMES[seat - 1]
    events = house.all(select(LogEntry).where(LogEntry.event.is_not(None)).order_by(LogEntry.number))
    assert [(one.event, one.by, one.detail) for one in events] == [
        ("substituted", "table", {"bot": True, "level": "fair", "robot_edition": 1}),
        ("substituted", "table", {}),
    ]


def test_an_owner_of_several_lost_seats_says_which_and_is_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = (running(house, "vote", 4, hands=2) for _ in range(2))
    for match_id in (here, there):
        with house.transaction() as ctx:
            match = lock_match(ctx, match_id)
            seat_changes.seat_robot(ctx, match, holders(ctx, match)[0], by="clock")
            now = ctx.now
    monkeypatch.setattr("pbem.play.conditional_moves.move_delay.has_hidden_information", lambda _game: False)
    several = "You could come back to several matches. Add the first letters of one of them."
    assert several in write(house, now + HOUR, "Ann", "come back")
    assert several not in write(house, now + HOUR, "Ann", f"come back {there[:6]}")
    first = select(SeatHolder.name).where(SeatHolder.seat == 1, SeatHolder.left_at.is_(None))
    assert house.all(first.where(SeatHolder.match_id == there)) == ["Ann"]
    assert house.all(first.where(SeatHolder.match_id == here)) == ["Ada"]
    # With one seat left to come back to, it need not be named; another match's mail can be answered so, too.
    house.start_match("minimax", 1)
    said(house, now + 2 * HOUR, house.last("Ann"), "come back")
    assert house.all(first.where(SeatHolder.match_id == here)) == ["Ann"]


def test_what_an_owner_cannot_be_mailed_leaves_the_robot_playing(house: House) -> None:
    match_id = running(house, "vote", 4, hands=2)
    seat, ends = late(house)
    others = [name for name in NAMES if name != NAMES[seat - 1]]
    for name in others[:2]:
        said(house, ends, house.last(name), "vote robot")
    with house.transaction(ends) as ctx:
        match = lock_match(ctx, match_id)
        robot = next(one for one in holders(ctx, match) if one.seat == seat)

        def sits() -> list[Any]:
            there = SeatHolder.match_id == match_id, SeatHolder.seat == seat, SeatHolder.left_at.is_(None)
            return [
                tuple(row) for row in ctx.session.execute(select(SeatHolder.id, SeatHolder.reclaim_hand).where(*there))
            ]

        robot.reclaim_hand = 0
        owner = ctx.session.scalars(select(Player).where(Player.name == NAMES[seat - 1])).one()
        for one in owner.addresses:
            one.verified_at = None
        ctx.session.flush()
        reclaims.seat_waiting_players(ctx, match)
        assert sits() == [(robot.id, None)]
        robot.reclaim_hand = 0
        owner.deleted_at = ends
        reclaims.seat_waiting_players(ctx, match)
        assert sits() == [(robot.id, None)]


# -- naming ----------------------------------------------------------------------------------------


def test_a_host_names_by_mail_and_nobody_else_may(house: House) -> None:
    _match, seat, ends = hosted(house)
    host, other = [name for at_seat, name in enumerate(NAMES, 1) if at_seat != seat][:2]
    with at(ends):
        asked = house.last(host)
        assert "“name Zoe zoe@example.org”" in asked.flat
        house.reply(house.last(other), "name Zoe zoe@example.org")
        assert "No seat in this match needs a substitute from you now." in house.last(other).flat
        house.reply(asked, f"name {seat} Zoe Zimt <zoe@example.org>")
        assert "We asked Zoe Zimt by mail to take the seat." in house.last(host).flat
    # The time for an answer begins with the asking; then the robot plays on.
    with at(ends + 2 * DAY):
        house.reply(asked, "name yan@example.org")
        assert "We asked Yan by mail" in house.last(host).flat
    tick(house, ends + 3 * DAY)
    assert not is_robot(house, seat)
    tick(house, ends + 5 * DAY)
    assert is_robot(house, seat)
