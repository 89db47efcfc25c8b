"""What tests of deploy watching share."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from pbem.play.upkeep import sweeper
from pbem.web import create_app
from tests.support.places import ROOT

if TYPE_CHECKING:
    from tests.support.house import House

DEPLOY = ROOT / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
DASHBOARD = DEPLOY / "grafana" / "pbem.json"
RUNBOOK = ROOT / "docs" / "operate" / "runbook.md"


@pytest.fixture
def said(house: House) -> str:
    """What /metrics tells of a service that has just begun."""
    with house.transaction() as ctx:
        sweeper.record_heartbeat(ctx, "worker")
        sweeper.record_heartbeat(ctx, "clock")
    return create_app(house.config, house.engine).test_client().get("/metrics").text


def alerts() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)
