"""What is in deploy/ for those who watch: every figure that it names is there, and every alert says what to do."""

from __future__ import annotations

import ast
import json
import math
import re
from typing import TYPE_CHECKING

import yaml

from pbem.play.upkeep import gauges
from tests.support.deploy.watching import ALERTS, DASHBOARD, DEPLOY, RUNBOOK, alerts, flat, panels
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

WRONG = {"warning", "error", "exception", "critical"}


def test_every_alert_leads_to_its_page_in_the_runbook() -> None:
    there = {anchor(line) for line in RUNBOOK.read_text().splitlines() if line.startswith("## ")}
    for rule in alerts():
        assert rule["annotations"]["runbook"] in there, rule["alert"]
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"page", "look"}


def test_a_backup_is_old_for_prometheus_when_it_is_for_operators_and_the_doctor() -> None:
    (rule,) = [rule for rule in alerts() if "pbem_newest_backup" in rule["expr"]]
    age = rule["expr"].rpartition(" > ")[2].split(" * ")
    assert math.prod(map(int, age)) == gauges.BACKUP_LATE_AFTER.total_seconds()


def anchor(head: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", head.removeprefix("## ").lower()).strip().replace(" ", "-")


def test_everything_that_is_logged_as_wrong_is_told_with_what_to_do() -> None:
    told = flat(" ".join(page.read_text() for page in (ROOT / "docs").rglob("*.md")))
    wrong = {text for level, text in said_in_logs() if level in WRONG}
    assert len(wrong) > 30
    assert sorted(text for text in wrong if text not in told) == []


def said_in_logs() -> Iterator[tuple[str, str]]:
    """Return the sentences that the service logs, each with its level; what is put into them is "…"."""
    for room in ("pbem", "emails", "workers"):
        for path in (ROOT / room).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                match call:
                    case ast.Call(func=ast.Attribute(attr=level), args=[sentence, *_]):
                        whole = (part.value for part in ast.walk(sentence) if isinstance(part, ast.Constant))
                        text = " ".join(part for part in whole if isinstance(part, str))
                        yield level, flat(re.sub(r"%[sd]|%\.1f", "…", text))


def test_the_dashboard_is_whole() -> None:
    board = json.loads(DASHBOARD.read_text())
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(numbers) == len(set(numbers))
    assert all(panel["title"] and panel["targets"] for panel in panels())
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells
    assert max(x for x, _ in taken) < 24


def test_prometheus_reads_the_alerts() -> None:
    read = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    assert [(DEPLOY / "prometheus" / name).resolve() for name in read["rule_files"]] == [ALERTS]
    assert {job["job_name"] for job in read["scrape_configs"]} == {"pbem"}
