"""What is in deploy/ for those who watch: every figure that it names is there, and every alert says what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.telemetry.metrics import METRICS
from tests.support.deploy.watching import RUNBOOK, alerts, flat, panels, said
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["said"]
WATCHING = ROOT / "docs" / "operate" / "watching.md"
NAME = re.compile(r"\bpbem_[a-z_]+")
SELECTOR = re.compile(r"(pbem_[a-z_]+)\{([^}]*)\}")
LABEL = re.compile(r'(\w+)(?:=~|!=|!~|=)"([^"]*)"')
OF_POSTFIX = {"pbem_destination_recipient_limit"}


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


def questions() -> Iterator[str]:
    """Return all that Prometheus is asked."""
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


def test_every_bad_day_has_its_figure_and_its_sentence(names: set[str]) -> None:
    sources = "\n".join(
        path.read_text() for room in ("pbem", "emails", "workers") for path in (ROOT / room).rglob("*.py")
    )
    printed = flat(re.sub(r'%[sd]|%\.1f|\{[^{}"]*\}', "…", sources))
    days = RUNBOOK.read_text().split("\n## ")[1:]
    assert len(days) > 10
    for day in days:
        head = day.splitlines()[0]
        (log,) = re.findall(r"^- Log: (.+?)\n- Metric:", day, re.MULTILINE | re.DOTALL)
        (figure,) = re.findall(r"^- Metric: (.+)$", day, re.MULTILINE)
        assert day.partition("\n- Metric:")[2].partition("\n\n")[2].strip(), head
        assert set(NAME.findall(figure)) <= names, head
        assert NAME.findall(figure) or "`up`" in figure, head
        for sentence in re.findall(r"`([^`]+)`", log):
            assert flat(sentence) in printed, (head, sentence)
        assert "`" in log, head


def test_every_figure_is_explained(said: str) -> None:
    page = WATCHING.read_text()
    for family in text_string_to_metric_families(said):
        name = f"{family.name}_total" if family.type == "counter" else family.name
        assert f"`{name}`" in page, name


def test_every_figure_that_a_page_names_is_there_with_its_labels(said: str, names: set[str]) -> None:
    labels: dict[str, set[str]] = {}
    for figure in METRICS:
        labels[f"{figure.name}_total"] = set(figure.labels)
    for family in text_string_to_metric_families(said):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    looked_at = 0
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for name, has in re.findall(r"\b(pbem_[a-z_]+)(?:\{([\w,]+)\})?", page.read_text()):
            if name not in OF_POSTFIX:
                assert name in names, (page.name, name)
                assert set(filter(None, has.split(","))) <= labels.get(name, set()), (page.name, name)
                looked_at += bool(has)
    assert looked_at > 1
