"""Figures for machines that watch: what happened in all processes, and how things stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import select, update

from pbem.db import metric_store
from pbem.db.models import ClockPause, Deadline, OutboxMessage, Submission
from pbem.play.core.context import system_time
from pbem.play.deliverability import bounces, domain_backoff
from pbem.play.lifecycle import match_requests
from pbem.play.operators.search import alerts
from pbem.play.upkeep import after_restore, gauges, sweeper
from pbem.robots import Level
from pbem.states import SubmissionStatus
from pbem.telemetry import metrics
from pbem.web import create_app
from pbem.web.request import request_log
from tests.support.creating import create_match
from tests.support.house import reply
from tests.support.play.analysis.asking import ask, finished, make_all, player
from tests.support.robots import ANN
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """What other tests have counted in this process counts for nobody here."""
    metrics.drain()


def scraped(house: House) -> Figures:
    metric_store.flush(house.engine)
    said = create_app(house.config, house.engine).test_client().get("/metrics")
    assert said.content_type.startswith("text/plain")
    families = text_string_to_metric_families(said.text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def of(found: Figures, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


def test_a_move_is_counted_from_its_mail_to_the_next_one(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    before = scraped(house)
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    kept = scraped(house)
    assert of(kept, "pbem_matches", state="running") == 1
    assert of(kept, "pbem_accepts_total", via="mail") == 1
    assert (
        of(kept, "pbem_mails_offered_total", answer="250") - of(before, "pbem_mails_offered_total", answer="250") == 1
    )
    assert of(kept, "pbem_waiting", queue="moves") == 1
    assert of(kept, "pbem_oldest_waiting_seconds", queue="moves") > 0
    assert of(kept, "pbem_judgements_total", via="mail", status="played") == 0
    house.judge(match_id)
    judged = scraped(house)
    assert of(judged, "pbem_judgements_total", via="mail", status="played") == 1
    assert of(judged, "pbem_judged_seconds_count") == 1
    assert of(judged, "pbem_judged_seconds_bucket", le="+Inf") == 1
    assert of(judged, "pbem_judged_seconds_sum") > 0
    assert of(judged, "pbem_waiting", queue="moves") == 0
    owed = of(judged, "pbem_waiting", queue="mails")
    assert owed > 0
    house.deliver()
    sent = scraped(house)
    assert of(sent, "pbem_waiting", queue="mails") == 0
    assert of(sent, "pbem_mails_total", result="sent") - of(judged, "pbem_mails_total", result="sent") == owed
    assert of(sent, "pbem_domain_mails_total", domain="example.org", result="sent") > 0
    assert of(sent, "pbem_mailed_seconds_count") == of(sent, "pbem_mails_total", result="sent")


def test_what_is_undone_is_not_counted(house: House) -> None:
    house.start_match("middle-card", 3)
    mail = house.last("Ann")
    limited = replace(house, config=replace(house.config, limits={"token": 0, "from": 9, "address": 9, "domain": 9}))
    assert limited.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org").code == 450
    found = scraped(house)
    assert of(found, "pbem_accepts_total", via="mail") == 0
    assert of(found, "pbem_mails_offered_total", answer="450") == 1


def test_processes_add_up(house: House) -> None:
    metrics.count(metrics.ERRORS, "web", "pbem.web.request.errors")
    metric_store.flush(house.engine)
    metrics.count(metrics.ERRORS, "web", "pbem.web.request.errors")
    metrics.count(metrics.ERRORS, "worker", "emails.outbound.relay")
    found = scraped(house)
    assert of(found, "pbem_errors_total", part="web", where="pbem.web.request.errors") == 2
    assert of(found, "pbem_errors_total", part="worker", where="emails.outbound.relay") == 1


def test_mails_that_come_back_are_counted_and_only_so_many_domains_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.start_match("middle-card", 3)
    house.deliver()
    with house.transaction() as ctx:
        notice = ctx.session.scalars(
            select(OutboxMessage).where(OutboxMessage.recipient == "ann@example.org").limit(1)
        ).one()
        assert bounces.record_failure(ctx, notice, "hard", "5.1.1", "unknown")
        assert not bounces.record_failure(ctx, notice, "hard", "5.1.1", "unknown")
        domain_backoff.record_refusal(ctx, "cyd@example.net", "blocked")
    metrics.count(metrics.DOMAIN_MAILS, "seldom.example", "sent")
    monkeypatch.setattr(gauges, "MAX_DOMAINS", 1)
    found = scraped(house)
    assert of(found, "pbem_mails_total", result="hard") == 1
    assert of(found, "pbem_domain_mails_total", domain="example.org", result="hard") == 1
    assert {dict(labels)["domain"] for name, labels in found if name == "pbem_domain_mails_total"} == {"example.org"}
    assert of(found, "pbem_domains_refusing") == 1


def test_what_a_domain_refuses_is_no_late_mail(house: House) -> None:
    house.make("middle-card", 3)
    with house.transaction() as ctx:
        assert gauges.queues(ctx)["mails"].waiting == 3
        domain_backoff.record_refusal(ctx, "ann@example.org", "blocked")
    with house.transaction() as ctx:
        assert gauges.queues(ctx)["mails"].waiting == 0


def test_what_robots_are_to_think_about_waits_until_it_is_done(house: House) -> None:
    with house.transaction() as ctx:
        guests = [match_requests.robot(Level.STRONG), ANN]
        create_match(ctx, "martian-whist", {"sets": 2}, guests, creator=2)
    match_id = finished(house)
    ask(house, match_id, player(house, match_id))
    found = scraped(house)
    assert [of(found, "pbem_waiting", queue=queue) for queue in ("thoughts", "analyses")] == [1, 1]
    with house.transaction(system_time() + timedelta(days=2)) as ctx:
        assert gauges.queues(ctx)["analyses"].oldest >= 2 * 86400
        wrong = {alert.what for alert in alerts.collect(ctx) if alert.wrong}
    assert {"thoughts", "analyses"} <= wrong
    make_all(house)
    with house.transaction() as ctx:
        queues = gauges.queues(ctx)
    assert [queues[name].waiting for name in ("thoughts", "analyses")] == [0, 0]


def test_lateness_and_outages_are_told(house: House) -> None:
    house.start_match("middle-card", 3)
    now = datetime.now(UTC)
    with house.transaction() as ctx:
        sweeper.record_heartbeat(ctx, "clock")
        ctx.session.add(
            ClockPause(reason="outage", started_at=now - timedelta(hours=2), ended_at=now - timedelta(hours=1))
        )
        ctx.session.execute(update(Deadline).values(next_action_at=now - timedelta(minutes=5)))
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.PENDING))
    found = scraped(house)
    assert of(found, "pbem_outages_total") == 1
    assert of(found, "pbem_outage_seconds_total") == 3600
    assert of(found, "pbem_oldest_waiting_seconds", queue="deadlines") >= 300
    assert of(found, "pbem_heartbeat_age_seconds", part="clock") >= 0
    assert of(found, "pbem_table_bytes", table="submissions") > 0


def test_of_when_the_newest_backup_is_is_told_and_is_no_part_that_is_silent(house: House) -> None:
    assert of(scraped(house), "pbem_newest_backup_timestamp_seconds") == 0
    taken = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)
    with house.transaction() as ctx:
        after_restore.record_backup(ctx.session, taken)
    found = scraped(house)
    assert of(found, "pbem_newest_backup_timestamp_seconds") == taken.timestamp()
    assert ("pbem_heartbeat_age_seconds", frozenset({("part", "backup")})) not in found


def test_requests_and_replays_are_counted(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    site = visitor(house)
    assert site.client.get(f"/matches/{match_id}/replay").status_code == 200
    answer = site.client.get("/nothing-here")
    assert answer.status_code == 404
    assert len(answer.headers[request_log.REQUEST_ID_HEADER]) == 12
    found = scraped(house)
    assert of(found, "pbem_replays_total", form="page") == 1
    assert of(found, "pbem_requests_total", blueprint="replay", status="200") == 1
    assert of(found, "pbem_requests_total", blueprint="nothing", status="404") == 1
    assert of(found, "pbem_request_seconds_count", blueprint="replay") == 1


def test_all_forms_of_replays_are_pages_that_are_there(house: House) -> None:
    app = create_app(house.config, house.engine)
    assert request_log.REPLAY_ENDPOINTS.keys() <= app.view_functions.keys()
    assert set(request_log.REPLAY_ENDPOINTS.values()) == set(metrics.REPLAYS.values[0])


def test_every_figure_is_there_before_anything_has_happened(house: House) -> None:
    metric_store.flush(house.engine)
    said = create_app(house.config, house.engine).test_client().get("/metrics").text
    families = {family.name for family in text_string_to_metric_families(said)}
    assert {figure.name for figure in metrics.METRICS} <= families
