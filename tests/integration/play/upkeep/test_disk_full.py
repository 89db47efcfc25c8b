"""A disk without room: nothing new is taken, nothing is lost, nobody loses time, and all goes on by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from emails.inbound.accept import accept
from pbem.db import disk_check
from pbem.db.models import ClockPause, Deadline, Heartbeat, Submission
from pbem.disk_usage import Disk, Floor, measure
from pbem.play.upkeep import disk_full, gauges, outages, public_status, sweeper
from pbem.play.upkeep.outages import HELD_HEARTBEAT
from pbem.states import MatchState
from pbem.web import create_app
from tests.support.clockwork import tick
from tests.support.emails.inbound.recipients import check_recipient
from tests.support.house import address, reply
from tests.support.play.upkeep.deadline_tasks import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.house import House

EVERYTHING = Floor(2.0, 0)
"""More than there is on any disk."""
HOUR = timedelta(hours=1)
OPERATOR = address("Operator")


@pytest.fixture
def full(house: House) -> Iterator[House]:
    """A house whose disks have less room than they must, and whose operator has an address."""
    here = replace(house, config=replace(house.config, operator_email=OPERATOR, min_free_disk=EVERYTHING))
    yield here
    disk_check._states.clear()


def emptied(full: House) -> House:
    """Return the house when somebody has made room."""
    return replace(full, config=replace(full.config, min_free_disk=Floor(0.0, 0)))


def look(house: House) -> bool:
    """Look as every process does, and then as the clock does."""
    disk_check.check(house.engine, house.config)
    with house.transaction() as ctx:
        held: bool = disk_full.update(ctx)
    return held


def forget_signs(house: House) -> None:
    """Live as long as what others said of their disks counts."""
    with house.transaction() as ctx:
        for heartbeat in ctx.session.scalars(
            select(Heartbeat).where(Heartbeat.part.startswith(disk_check.FULL_DISK_PREFIX))
        ):
            heartbeat.seen_at -= disk_check.FULL_DISK_TTL


def test_a_disk_lacks_room_by_a_part_or_by_bytes(tmp_path: Path) -> None:
    floor = Floor()
    assert Disk(tmp_path, 1, 4_999, 100_000).is_below(Floor(0.05, 0))
    assert not Disk(tmp_path, 1, 5_000, 100_000).is_below(Floor(0.05, 0))
    assert Disk(tmp_path, 1, 499_000_000, 1_000_000_000).is_below(floor)
    assert not Disk(tmp_path, 1, 2_000_000_000, 4_000_000_000).is_below(floor)
    assert Disk(tmp_path, 1, 5_400, 100_000).is_below(Floor(0.05, 0), disk_check.RECOVERY_FACTOR)
    assert measure(tmp_path / "not there") is None


def test_mail_is_told_to_come_later_and_is_taken_when_there_is_room(full: House) -> None:
    match = full.start_match("martian-whist", 2)
    turn = next(mail for name in ("Ann", "Bob") for mail in full.mails(name) if "/m/" in mail.text)
    raw = reply(turn, "1").as_bytes()
    look(full)
    assert str(check_recipient(full.engine, full.config, turn.reply_to)).startswith("452 4.3.1 ")
    assert str(accept(full.engine, full.config, raw, turn.reply_to, address(turn.name))).startswith("452 4.3.1 ")
    assert str(accept(full.engine, full.config, raw, full.config.service_address, "")).startswith("452 4.3.1 ")
    assert check_recipient(full.engine, full.config, "play+nobody@games.localhost").code == 550
    assert full.all(select(Submission.id)) == []
    here = emptied(full)
    forget_signs(here)
    look(here)
    assert here.send(raw, turn.reply_to, address(turn.name)).code == 250
    assert len(here.all(select(Submission.id).where(Submission.match_id == match))) == 1


def test_pages_can_be_read_and_say_so_and_nothing_else(full: House) -> None:
    match = full.start_match("martian-whist", 2)
    look(full)
    client = create_app(full.config, full.engine).test_client()
    page = client.get(f"/matches/{match}")
    assert page.status_code == 200
    assert "The service cannot accept anything new right now." in page.text
    german = client.get(f"/matches/{match}", headers={"Accept-Language": "de"})
    assert "Der Dienst kann gerade nichts Neues annehmen." in german.text
    assert "Moves cannot be accepted" in client.get("/status").text
    pressed = client.post("/sign-in", data={"email": OPERATOR})
    assert pressed.status_code == 503
    assert "The service cannot accept anything new right now." in pressed.text
    asked = client.post("/api/matches", json={"game": "martian-whist", "options": {}, "seats": []})
    assert (asked.status_code, asked.headers["Retry-After"]) == (503, "60")
    assert asked.content_type == "application/problem+json"
    assert asked.json is not None
    assert asked.json["reason"].startswith("The service cannot accept anything new right now.")
    ready = client.get("/readyz")
    assert ready.status_code == 503
    assert ready.json is not None
    assert ready.json["disk"] == "full"
    assert "pbem_disk_full{" in client.get("/metrics").text


def test_clocks_are_held_and_everybody_is_given_the_time_back(full: House) -> None:
    match = running(full)
    (before,) = full.all(select(Deadline.due_at))
    with full.transaction() as ctx:
        sweeper.record_heartbeat(ctx, outages.CLOCK_HEARTBEAT)
        assert outages.may_time_run_out(ctx)
    assert look(full)
    assert look(full)
    with full.transaction() as ctx:
        assert not outages.may_time_run_out(ctx)
        assert not public_status.current(ctx).clocks_run
        assert gauges.heartbeat_ages(ctx).keys() == {outages.CLOCK_HEARTBEAT}
        since = ctx.session.get_one(Heartbeat, HELD_HEARTBEAT).seen_at
    here = emptied(full)
    disk_check.check(here.engine, here.config)
    assert look(here), "somebody said so a moment ago"
    for _ in range(2):
        with here.transaction(since + 2 * HOUR) as ctx:
            assert not disk_full.update(ctx)
    (stood,) = here.all(select(ClockPause).where(ClockPause.reason == "outage"))
    assert (stood.started_at, stood.ended_at) == (since, since + 2 * HOUR)
    disk_check.check(here.engine, here.config)
    with here.transaction() as ctx:
        assert outages.may_time_run_out(ctx)
        assert public_status.current(ctx).is_healthy
        assert set(gauges.full_disks(ctx).values()) == {0}
    tick(here, before + timedelta(minutes=1))
    (after,) = here.all(select(Deadline.due_at))
    assert after - before == 2 * HOUR
    assert here.match(match).state == MatchState.RUNNING


def test_no_time_runs_out_while_it_is_full(full: House) -> None:
    match = running(full)
    (due,) = full.all(select(Deadline.due_at))
    with full.transaction() as ctx:
        ctx.session.add(Heartbeat(part=HELD_HEARTBEAT, seen_at=due))
    tick(full, due + HOUR)
    assert full.match(match).state == MatchState.RUNNING


def test_the_operator_is_told_once_when_it_is_full_and_once_when_it_is_not(full: House) -> None:
    for _ in range(3):
        look(full)
    told = full.only("Operator")
    assert told.message["Subject"] == "A disk is full"
    assert " UTC: the database" in told.flat
    here = emptied(full)
    forget_signs(here)
    for _ in range(3):
        look(here)
    after = here.only("Operator")
    assert after.message["Subject"] == "The disk has free space again"
    assert "all clocks were given that time back" in after.flat


def test_a_database_that_has_no_room_is_a_full_disk(house: House) -> None:
    """PostgreSQL's own error, raised by itself: nothing is kept, and the sender is told to come later."""
    house.start_match("martian-whist", 2)
    turn = next(mail for name in ("Ann", "Bob") for mail in house.mails(name) if "/m/" in mail.text)
    raw = reply(turn, "1").as_bytes()
    disk_check.check(house.engine, house.config)
    assert not disk_check.is_full(house.config)
    with house.engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE FUNCTION pg_temp_no_room() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$"
        )
        connection.exec_driver_sql(
            "CREATE TRIGGER no_room BEFORE INSERT ON submissions EXECUTE FUNCTION pg_temp_no_room()"
        )
    try:
        assert house.send(raw, turn.reply_to, address(turn.name)).code == 452
        assert disk_check.is_full(house.config)
        assert look(house)
        client = create_app(house.config, house.engine).test_client()
        with pytest.raises(OperationalError), house.engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO submissions DEFAULT VALUES")
        assert client.get("/readyz").status_code == 503
        disk_check._states.clear()
        token = turn.token
        answer = client.post(f"/api/seats/{token}/moves", json={"ply": 1, "move": "1"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    finally:
        with house.engine.begin() as connection:
            connection.exec_driver_sql("DROP TRIGGER no_room ON submissions")
            connection.exec_driver_sql("DROP FUNCTION pg_temp_no_room")
        disk_check._states.clear()
    assert house.send(raw, turn.reply_to, address(turn.name)).code == 250
    assert datetime.now(UTC) > house.all(select(Submission.received_at))[0]
