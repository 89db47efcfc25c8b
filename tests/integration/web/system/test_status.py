"""The page that tells anybody how the service is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import update

from pbem.db.models import ClockPause, Heartbeat, OutboxMessage, Submission
from pbem.play.deliverability import domain_backoff
from pbem.play.upkeep import sweeper
from pbem.states import OutboxState, SubmissionStatus
from tests.support.house import reply
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House


def said(house: House, language: str = "en") -> str:
    return " ".join(visitor(house).client.get("/status", headers={"Accept-Language": language}).text.split())


def test_it_is_reached_from_every_page(house: House) -> None:
    assert '<a href="/status">Service status</a>' in visitor(house).client.get("/").text


def test_all_is_well(house: House) -> None:
    found = said(house)
    for sentence in (
        "Everything is working.",
        "Moves are processed immediately.",
        "Mails are sent immediately.",
        "Clocks are running.",
        "None in the last",
    ):
        assert sentence in found
    assert "Alles funktioniert." in said(house, "de")


def test_what_is_not_well_is_told(house: House) -> None:
    house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    now = datetime.now(UTC)
    with house.transaction() as ctx:
        sweeper.record_heartbeat(ctx, "clock")
        ctx.session.execute(update(Heartbeat).values(seen_at=now - timedelta(hours=1)))
        ctx.session.execute(
            update(Submission)
            .values(received_at=now - timedelta(minutes=5))
            .where(Submission.status == SubmissionStatus.PENDING)
        )
        ctx.session.execute(update(OutboxMessage).values(state=OutboxState.PENDING, due_at=now - timedelta(hours=3)))
        domain_backoff.record_refusal(ctx, "bob@example.net", "blocked")
    found = said(house)
    assert "Something is not working." in found
    assert "Moves are processed late: the oldest has waited 5 minutes." in found
    assert "Mails are sent late: the oldest has waited 3 hours." in found
    assert "One mail provider refuses our mails" in found
    assert "Clocks are paused until the problem is fixed" in found


def test_nothing_private_is_told(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        domain_backoff.record_refusal(ctx, "bob@example.net", "blocked")
        ctx.session.execute(
            update(OutboxMessage).values(state=OutboxState.PENDING, due_at=datetime.now(UTC) - timedelta(hours=3))
        )
    found = said(house)
    for private in (match_id, "example.org", "example.net", "Ann", "Bob", "blocked"):
        assert private not in found


def test_outages_are_told_for_some_weeks(house: House) -> None:
    now = datetime.now(UTC)
    begin = now.replace(hour=10, minute=0, second=0, microsecond=0) - timedelta(days=2)
    with house.transaction() as ctx:
        rows = [
            ClockPause(reason="outage", started_at=begin, ended_at=begin + timedelta(minutes=90)),
            ClockPause(reason="outage", started_at=begin - timedelta(days=400), ended_at=begin - timedelta(days=399)),
        ]
        ctx.session.add_all(rows)
    found = said(house)
    assert found.count("1 hour, 30 minutes, from ") == 1
    assert "10:00 UTC" in found
    assert "11:30 UTC" in found
    assert "1 Stunde, 30 Minuten, von " in said(house, "de")
    assert "None in the last" not in found


def test_whoever_runs_it_is_reached_where_somebody_reads_it(house: House) -> None:
    assert "To report a problem" not in said(house)
    read = replace(house, config=replace(house.config, operator_email="op@example.org"))
    assert "write to games@games.localhost" in said(read)
    assert "op@example.org" not in said(read)
