"""What became of the mails to each domain."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from click.testing import CliRunner
from sqlalchemy import select, update

from pbem.cli import main
from pbem.db.models import OutboxMessage
from pbem.play.deliverability import bounces, domain_backoff, domain_statistics
from pbem.play.lifecycle.match_requests import Invitee
from tests.support.creating import create_match
from tests.support.house import settings

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House


def written(house: House) -> None:
    """Owe two mails to one domain and one to another; one of each is sent, one reported, and one domain refuses us."""
    guests = [Invitee("Ann", "ann@example.org"), Invitee("Bob", "bob@example.org"), Invitee("Cyd", "cyd@example.net")]
    with house.transaction() as ctx:
        create_match(ctx, "middle-card", {}, guests)
    with house.transaction() as ctx:
        first, second, _third = ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id))
        first.state = "sent"
        bounces.record_failure(ctx, first, "hard", "5.1.1", "unknown")
        bounces.record_failure(ctx, second, "policy", "5.7.1", "blocked")
        domain_backoff.record_refusal(ctx, "bob@example.org", "blocked")


def test_mails_are_counted_by_domain_and_what_became_of_them(house: House) -> None:
    written(house)
    with house.transaction() as ctx:
        org, net = domain_statistics.counts_by_domain(ctx, 30)
    assert replace(org, refused_since="") == domain_statistics.DomainCounts(
        "example.org", sent=1, hard=1, policy=1, waiting=1
    )
    assert org.refused_since
    assert net == domain_statistics.DomainCounts("example.net", waiting=1)


def test_only_so_many_days_are_counted(house: House) -> None:
    written(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(created_at=datetime.now(UTC) - timedelta(days=31)))
    with house.transaction() as ctx:
        assert [rate.domain for rate in domain_statistics.counts_by_domain(ctx, 30)] == ["example.org"]
        assert len(domain_statistics.counts_by_domain(ctx)) == 2


def test_many_domains_are_told_together(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    written(house)
    monkeypatch.setattr(domain_statistics, "MAX_DOMAINS", 1)
    with house.transaction() as ctx:
        assert [(rate.domain, rate.waiting) for rate in domain_statistics.counts_by_domain(ctx)] == [
            ("example.org", 1),
            ("(others)", 1),
        ]


def test_the_command_prints_a_table_or_json(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    written(house)
    url = house.engine.url.render_as_string(hide_password=False)
    for name, value in settings(url, house.folder).items():
        monkeypatch.setenv(name, value)
    said = CliRunner().invoke(main, ["mail-rates"])
    assert said.exit_code == 0
    heads, org, net = said.output.splitlines()
    assert heads.split() == ["domain", *domain_statistics.RESULTS, "waiting", "refused", "since"]
    assert org.split()[:-1] == ["example.org", "1", "0", "0", "0", "1", "0", "1", "1"]
    assert net.split() == ["example.net", *["0"] * 7, "1"]
    said = CliRunner().invoke(main, ["mail-rates", "--json", "--days", "1"])
    first, _second = map(json.loads, said.output.splitlines())
    assert (first["domain"], first["sent"], first["waiting"]) == ("example.org", 1, 1)
    monkeypatch.setenv("PBEM_SECRET_KEYS", "short")
    wrong = CliRunner().invoke(main, ["mail-rates"])
    assert wrong.exit_code == 2
    assert "PBEM_SECRET_KEYS" in wrong.output
