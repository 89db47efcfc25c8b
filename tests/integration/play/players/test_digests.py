"""Digests: one mail a day, at an hour of the player's own zone, with only what is still true."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from emails.outbound import relay as relays
from emails.outbound.relay import deliver_shard
from pbem.db.models import Match, OutboxMessage, Player, SeatHolder
from pbem.play.players import digest_schedule, preferences
from pbem.play.players.preferences import MailPreferences
from pbem.states import OutboxState
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House, Mail

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def player(zone: str, hour: int) -> Player:
    return Player(name="Ann", time_zone=zone, digest_hour=hour, mail_frequency="digest")


# -- the hour ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "hour", "now", "wanted"),
    [
        ("UTC", 8, "2026-11-21T07:59:59+00:00", "2026-11-21T08:00:00+00:00"),
        ("UTC", 8, "2026-11-21T08:00:00+00:00", "2026-11-22T08:00:00+00:00"),
        ("UTC", 0, "2026-12-31T23:00:00+00:00", "2027-01-01T00:00:00+00:00"),
        # Nine hours ahead: the day there is another.
        ("Asia/Tokyo", 8, "2026-11-21T22:30:00+00:00", "2026-11-21T23:00:00+00:00"),
        ("Asia/Tokyo", 8, "2026-11-21T23:30:00+00:00", "2026-11-22T23:00:00+00:00"),
        ("America/Los_Angeles", 20, "2026-11-22T03:00:00+00:00", "2026-11-22T04:00:00+00:00"),
        ("Asia/Kathmandu", 8, "2026-11-21T00:00:00+00:00", "2026-11-21T02:15:00+00:00"),
        # Summer time begins on the night to 29 March and ends on the night to 25 October.
        ("Europe/Vienna", 8, "2026-03-28T12:00:00+00:00", "2026-03-29T06:00:00+00:00"),
        ("Europe/Vienna", 8, "2026-03-28T06:59:00+00:00", "2026-03-28T07:00:00+00:00"),
        ("Europe/Vienna", 8, "2026-10-24T12:00:00+00:00", "2026-10-25T07:00:00+00:00"),
        # An hour that the clock leaves out is the one after, and one that it shows twice counts once.
        ("Europe/Vienna", 2, "2026-03-28T12:00:00+00:00", "2026-03-29T01:00:00+00:00"),
        ("Europe/Vienna", 2, "2026-10-24T12:00:00+00:00", "2026-10-25T00:00:00+00:00"),
        ("Europe/Vienna", 2, "2026-10-25T00:30:00+00:00", "2026-10-26T01:00:00+00:00"),
        ("Mars/Olympus", 8, "2026-11-21T07:00:00+00:00", "2026-11-21T08:00:00+00:00"),
        ("../etc/passwd", 8, "2026-11-21T07:00:00+00:00", "2026-11-21T08:00:00+00:00"),
    ],
)
def test_it_is_due_when_the_players_clock_shows_their_hour(zone: str, hour: int, now: str, wanted: str) -> None:
    due = digest_schedule.next_digest(player(zone, hour), datetime.fromisoformat(now))
    assert due == datetime.fromisoformat(wanted)
    assert due.tzinfo is UTC


def test_every_zone_that_is_offered_has_its_hour() -> None:
    now = datetime(2026, 11, 21, 12, 34, tzinfo=UTC)
    for zone in digest_schedule.time_zones():
        due = digest_schedule.next_digest(player(zone, 9), now)
        assert now < due <= now + timedelta(days=2)
        assert due.astimezone(ZoneInfo(zone)).hour == 9
    assert {"UTC", "Europe/Vienna", "America/New_York"} <= {*digest_schedule.time_zones()}


def test_each_place_is_offered_once_under_its_present_name() -> None:
    offered = digest_schedule.offered_time_zones()
    assert {"UTC", "Europe/Amsterdam", "Asia/Kolkata", "America/New_York"} <= {*offered}
    assert not {"Asia/Calcutta", "US/East-Indiana", "America/Fort_Wayne"} & {*offered}
    assert {*offered} <= {*digest_schedule.time_zones()}
    assert len(offered) == len({*offered})


# -- the mail ---------------------------------------------------------------------------------------


def daily(house: House, *names: str, **more: object) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name.in_(names)).values(mail_frequency="digest", **more))


def strike(house: House) -> None:
    """Pass the time until all that waits is due."""
    with house.transaction() as ctx:
        ctx.session.execute(
            update(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING).values(due_at=LONG_AGO)
        )


def known(house: House, *names: str) -> None:
    """Add some players who have read their mail and want one a day."""
    house.start_match("middle-card", 3)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    daily(house, *names)


def waiting(house: House, *games: tuple[str, int]) -> list[str]:
    known(house, "Ann")
    made = [house.start_match(game, seats) for game, seats in games]
    assert not house.mails("Ann")
    return made


def replies(mail: Mail) -> list[str]:
    return re.findall(r"play\+[0-9a-z]{26}@games\.localhost", mail.text)


def test_turns_wait_for_their_hour_and_come_as_one(house: House) -> None:
    made = waiting(house, ("martian-whist", 2), ("minimax", 1), ("middle-card", 3))
    (soonest, *_) = house.all(
        select(OutboxMessage.due_at).where(OutboxMessage.state == OutboxState.PENDING).order_by(OutboxMessage.due_at)
    )
    assert soonest.hour == 8
    strike(house)
    mail = house.only("Ann")
    assert mail.message["Subject"] == "Your turns"
    assert "It is your turn in 3 matches." in mail.flat
    assert "Reply-To" not in mail.message
    assert "Do not reply to this mail with a move" in mail.flat
    assert "Reply above this line" not in mail.text
    assert "reply #1" not in mail.text
    assert mail.text.count("Suggested moves: ") == 3
    assert "The score: Ann 0, Bob 0." in mail.text
    assert mail.message["List-Id"] == "<turns.games.localhost>"
    assert [mail.text.index(name) for name in ("MARTIAN WHIST", "MINIMAX", "MIDDLE CARD")] == sorted(
        mail.text.index(name) for name in ("MARTIAN WHIST", "MINIMAX", "MIDDLE CARD")
    )
    shown = [part["Content-ID"].strip("<>") for part in mail.message.walk() if part.get_content_type() == "image/png"]
    assert len({*shown}) == 3
    assert all(f'src="cid:{name}"' in mail.html for name in shown)
    assert {*house.all(select(OutboxMessage.state))} == {"sent"}
    assert len(replies(mail)) == len({*replies(mail)}) == 3
    assert not house.mails("Ann")
    # Each address plays at its own match.
    moved = replace_to(mail, replies(mail)[0])
    house.send(moved, replies(mail)[0], address("Ann"))
    assert house.judge(made[0]) == 1
    assert house.match(made[0]).ply == 2


def replace_to(mail: Mail, to: str) -> bytes:
    lines = (f"From: {address(mail.name)}", f"To: {to}", "Message-ID: <mine@example.org>", "", "take 1", "")
    return "\r\n".join(lines).encode()


def test_only_what_is_still_true_is_told(house: House) -> None:
    made = waiting(house, ("martian-whist", 2), ("minimax", 1), ("middle-card", 3))
    strike(house)
    with house.transaction() as ctx:
        ctx.session.get_one(Match, made[1]).ply = 2
    mail = house.only("Ann")
    assert "It is your turn in 2 matches." in mail.flat
    assert "MINIMAX" not in mail.text
    states = select(OutboxMessage.match_id).where(OutboxMessage.state == OutboxState.DROPPED)
    assert house.all(states) == [made[1]]


def test_one_turn_alone_is_its_own_mail_that_can_be_answered(house: House) -> None:
    made = waiting(house, ("martian-whist", 2), ("minimax", 1))
    strike(house)
    with house.transaction() as ctx:
        ctx.session.get_one(Match, made[1]).ply = 2
    mail = house.only("Ann")
    assert mail.message["Subject"] == "Your turn: Martian Whist with Bob"
    house.reply(mail, "take 1")
    assert house.match(made[0]).ply == 2


def test_nothing_is_told_where_nothing_is_true_any_more(house: House) -> None:
    made = waiting(house, ("martian-whist", 2), ("minimax", 1))
    strike(house)
    with house.transaction() as ctx:
        for match_id in made:
            ctx.session.get_one(Match, match_id).state = "over"
    assert not house.mails("Ann")
    assert (
        house.all(select(OutboxMessage.state).where(OutboxMessage.match_id.in_(made), OutboxMessage.kind == "turn"))
        == ["dropped"] * 2
    )


def test_answers_and_invitations_come_at_once(house: House) -> None:
    known(house, "Ann", "Bob")
    match_id = house.make("martian-whist", 2)
    invitation = house.only("Ann")
    house.reply(house.only("Bob"), "accept")
    house.reply(invitation, "accept")
    # The first turn answers the mail that accepted.
    turn = house.only("Ann")
    assert turn.message["Auto-Submitted"] == "auto-replied"
    house.mails("Bob")
    house.reply(turn, "nonsense")
    assert "Nothing was played." in house.only("Ann").flat
    house.reply(turn, "take 1")
    assert "Your move was played." in house.only("Ann").flat
    assert not house.mails("Bob")
    with house.transaction() as ctx:
        bob = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.name == "Bob")
        ).one()
        matches_turn = ctx.session.scalars(
            select(OutboxMessage).where(OutboxMessage.holder_id == bob.id, OutboxMessage.kind == "turn")
        )
        assert [notice.state for notice in matches_turn] == ["pending"]


def test_a_digest_without_hands_holds_links_alone(house: House) -> None:
    waiting(house, ("martian-whist", 2), ("middle-card", 3))
    daily(house, "Ann", link_only=True)
    strike(house)
    mail = house.only("Ann")
    assert len(set(re.findall(r"/m/([0-9a-z]{26})$", mail.text, re.MULTILINE))) == 2
    assert "<img" not in mail.html
    assert "Your hand" not in mail.text
    assert not replies(mail)


def test_the_mail_of_a_stopped_match_is_in_no_digest(house: House) -> None:
    made = waiting(house, ("martian-whist", 2), ("minimax", 1), ("middle-card", 3))
    with house.transaction() as ctx:
        holder = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == made[2], SeatHolder.name == "Ann")
        ).one()
        preferences.stop_mail(ctx, [holder])
    strike(house)
    assert "It is your turn in 2 matches." in house.only("Ann").flat


def test_a_digest_is_unsubscribed_as_one(house: House) -> None:
    waiting(house, ("martian-whist", 2), ("minimax", 1))
    strike(house)
    mail = house.only("Ann")
    token = re.search(r"/unsubscribe/([0-9a-z]+)>", mail.message["List-Unsubscribe"])
    assert token
    answer = house.send(b"From: x@y.org\r\n\r\nstop", f"unsub+{token[1]}@games.localhost", "ann@example.org")
    assert answer.code == 250
    stopped = select(SeatHolder.name).where(SeatHolder.mail_stopped_at.is_not(None))
    assert house.all(stopped) == ["Ann"] * 3


# -- choosing otherwise meanwhile -------------------------------------------------------------------


def choose(house: House, **more: object) -> None:
    chosen = replace(MailPreferences("always", "digest", 8, "UTC", "en", link_only=False), **more)  # type: ignore[arg-type]
    with house.transaction() as ctx:
        preferences.save(ctx, ctx.session.scalars(select(Player).where(Player.name == "Ann")).one(), chosen)


def test_what_waits_comes_at_once_when_every_turn_is_wanted_again(house: House) -> None:
    waiting(house, ("martian-whist", 2), ("minimax", 1))
    choose(house, mail_when="each turn")
    assert "It is your turn in 2 matches." in house.only("Ann").flat


def test_what_waits_is_due_by_the_new_hour(house: House) -> None:
    waiting(house, ("martian-whist", 2), ("minimax", 1))
    choose(house, digest_hour=17, zone="Asia/Tokyo")
    due = house.all(select(OutboxMessage.due_at).where(OutboxMessage.state == OutboxState.PENDING))
    assert {moment.astimezone(ZoneInfo("Asia/Tokyo")).hour for moment in due} == {17}


# -- when things go wrong ---------------------------------------------------------------------------


def test_a_digest_that_is_refused_for_now_is_tried_again_whole(house: House) -> None:
    waiting(house, ("martian-whist", 2), ("minimax", 1))
    house.deliver()
    strike(house)
    neighbour = Neighbour(at_rcpt=["451 4.3.0 Later"])
    with listening(neighbour) as where:
        config = replace(house.config, smtp_url=f"smtp://{where}")
        shard = house.all(select(OutboxMessage.shard).where(OutboxMessage.state == OutboxState.PENDING))[0]
        assert deliver_shard(house.engine, config, shard) == 0
        assert house.all(select(OutboxMessage.attempts).where(OutboxMessage.state == OutboxState.PENDING)) == [1, 1]
        strike(house)
        assert deliver_shard(house.engine, config, shard) == 1
    assert len(neighbour.taken) == 1
    assert {*house.all(select(OutboxMessage.state))} == {"sent"}


def test_of_a_digest_that_cannot_be_written_each_turn_is_tried_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting(house, ("martian-whist", 2), ("minimax", 1))
    strike(house)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(relays, "compose_digest", broken)
    assert sorted(mail.message["Subject"] for mail in house.mails("Ann")) == [
        "Your turn: Martian Whist with Bob", "Your turn: Minimax",
    ]  # fmt: skip
