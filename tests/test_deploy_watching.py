"""What is in deploy/ for those who watch: every figure that it names is there, and every alert says what to do."""

from __future__ import annotations

import ast
import json
import math
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from pbem.play import gauges, sweeping
from pbem.telemetry.figures import FIGURES
from pbem.web import create_app
from tests.outside import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house import House

DEPLOY = ROOT / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
DASHBOARD = DEPLOY / "grafana" / "pbem.json"
RUNBOOK = ROOT / "docs" / "runbook.md"
WATCHING = ROOT / "docs" / "watching.md"
NAME = re.compile(r"\bpbem_[a-z_]+")
SELECTOR = re.compile(r"(pbem_[a-z_]+)\{([^}]*)\}")
LABEL = re.compile(r'(\w+)(?:=~|!=|!~|=)"([^"]*)"')
WRONG = {"warning", "error", "exception", "critical"}
OF_POSTFIX = {"pbem_destination_recipient_limit"}


@pytest.fixture
def said(house: House) -> str:
    """What /metrics tells of a service that has just begun."""
    with house.table() as table:
        sweeping.beat(table, "worker")
        sweeping.beat(table, "clock")
    return create_app(house.config, house.engine).test_client().get("/metrics").text


@pytest.fixture
def names(said: str) -> set[str]:
    """The names under which figures can be asked for."""
    found: set[str] = set()
    for family in text_string_to_metric_families(said):
        found |= {family.name, *(sample.name for sample in family.samples)}
        found |= {
            "counter": {f"{family.name}_total"},
            "histogram": {f"{family.name}_{end}" for end in ("bucket", "sum", "count")},
        }.get(family.type, set())
    return found


def alerts() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def questions() -> Iterator[str]:
    """Give all that Prometheus is asked."""
    yield from (rule["expr"] for rule in alerts())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


def test_every_figure_that_is_asked_for_is_there(names: set[str]) -> None:
    asked = {name for question in questions() for name in NAME.findall(question)}
    assert len(asked) > 15
    assert asked <= names


def test_every_label_that_is_asked_for_is_there(said: str) -> None:
    known: dict[tuple[str, str], set[str]] = {}
    for family in text_string_to_metric_families(said):
        for sample in family.samples:
            for label, value in sample.labels.items():
                known.setdefault((sample.name, label), set()).add(value)
    for question in questions():
        for name, labels in SELECTOR.findall(question):
            for label, values in LABEL.findall(labels):
                told = known.get((name, label))
                # Of what has yet to happen, only those labels are known that are known beforehand.
                for value in values.split("|") if told else ():
                    assert value in (told or ()), (question, label)


def test_every_alert_leads_to_its_page_in_the_runbook() -> None:
    there = {anchor(line) for line in RUNBOOK.read_text().splitlines() if line.startswith("## ")}
    for rule in alerts():
        assert rule["annotations"]["runbook"] in there, rule["alert"]
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"page", "look"}


def test_a_backup_is_old_for_prometheus_when_it_is_for_operators_and_the_doctor() -> None:
    (rule,) = [rule for rule in alerts() if "pbem_newest_backup" in rule["expr"]]
    age = rule["expr"].rpartition(" > ")[2].split(" * ")
    assert math.prod(map(int, age)) == gauges.BACKUP_LATE.total_seconds()


def anchor(head: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", head.removeprefix("## ").lower()).strip().replace(" ", "-")


def test_every_bad_day_has_its_figure_and_its_sentence(names: set[str]) -> None:
    sources = "\n".join(
        path.read_text() for room in ("pbem", "emails", "workers") for path in (ROOT / room).rglob("*.py")
    )
    printed = flat(re.sub(r'%[sd]|%\.1f|\{[^{}"]*\}', "…", sources))
    days = RUNBOOK.read_text().split("\n## ")[1:]
    assert len(days) > 10
    for day in days:
        head = day.splitlines()[0]
        (log,) = re.findall(r"^\*Log:\* (.+?)\n\*Figure:", day, re.MULTILINE | re.DOTALL)
        (figure,) = re.findall(r"^\*Figure:\* (.+)$", day, re.MULTILINE)
        assert "*What to do:*" in day, head
        assert set(NAME.findall(figure)) <= names, head
        assert NAME.findall(figure) or "`up`" in figure, head
        for sentence in re.findall(r"`([^`]+)`", log):
            assert flat(sentence) in printed, (head, sentence)
        assert "`" in log, head


def test_everything_that_is_logged_as_wrong_is_told_with_what_to_do() -> None:
    told = flat(" ".join(page.read_text() for page in (ROOT / "docs").glob("*.md")))
    wrong = {text for level, text in said_in_logs() if level in WRONG}
    assert len(wrong) > 30
    assert sorted(text for text in wrong if text not in told) == []


def said_in_logs() -> Iterator[tuple[str, str]]:
    """Give the sentences that the service logs, each with its level; what is put into them is "…"."""
    for room in ("pbem", "emails", "workers"):
        for path in (ROOT / room).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                match call:
                    case ast.Call(func=ast.Attribute(attr=level), args=[sentence, *_]):
                        whole = (part.value for part in ast.walk(sentence) if isinstance(part, ast.Constant))
                        text = " ".join(part for part in whole if isinstance(part, str))
                        yield level, flat(re.sub(r"%[sd]|%\.1f", "…", text))


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_every_figure_is_explained(said: str) -> None:
    page = WATCHING.read_text()
    for family in text_string_to_metric_families(said):
        name = f"{family.name}_total" if family.type == "counter" else family.name
        assert f"`{name}`" in page, name


def test_every_figure_that_a_page_names_is_there_with_its_labels(said: str, names: set[str]) -> None:
    labels: dict[str, set[str]] = {}
    for figure in FIGURES:
        labels[f"{figure.name}_total"] = set(figure.labels)
    for family in text_string_to_metric_families(said):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    looked_at = 0
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for name, has in re.findall(r"\b(pbem_[a-z_]+)(?:\{([\w,]+)\})?", page.read_text()):
            if name not in OF_POSTFIX:
                assert name in names, (page.name, name)
                assert set(filter(None, has.split(","))) <= labels.get(name, set()), (page.name, name)
                looked_at += bool(has)
    assert looked_at > 1


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


@pytest.mark.parametrize("question", ["rules", "config"])
def test_prometheus_own_tool_agrees(question: str) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("NO PROMTOOL: it comes with Debian's package prometheus")
    file = ALERTS if question == "rules" else DEPLOY / "prometheus" / "prometheus.yml"
    run = subprocess.run([tool, "check", question, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_prometheus_own_tool_likes_the_figures(said: str) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("NO PROMTOOL: it comes with Debian's package prometheus")
    run = subprocess.run([tool, "check", "metrics"], input=said, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
