"""The threat model names a test for each promise, and each is there; no warning is silenced without a reason."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "reference" / "security.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
TABLES = re.findall(r"^\| promise \| held by \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
ROWS = [row for table in TABLES for row in re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)]

SILENCED = re.compile(r"# noqa: (?:[A-Z]+\d+, ?)*S\d{3}\b(.*)")
OURS = ("pbem", "emails", "workers", "migrations")


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_test_that_is_named_is_there(file: str, name: str) -> None:
    there = ast.walk(ast.parse((ROOT / file).read_text()))
    assert name in {each.name for each in there if isinstance(each, ast.FunctionDef)}


def test_every_promise_names_one() -> None:
    assert len(ROWS) > 40
    assert not [promise for promise, held in ROWS if "::test_" not in held]


def test_no_address_is_invented() -> None:
    for page in (PAGE, (ROOT / "SECURITY.md").read_text()):
        assert not re.search(r"[\w.]+@[\w-]+\.\w+", page)


def test_no_warning_about_security_is_silenced_without_a_reason() -> None:
    files = (file for room in OURS for file in (ROOT / room).rglob("*.py"))
    lines = [(file.name, line) for file in files for line in file.read_text().splitlines() if SILENCED.search(line)]
    assert lines
    for file, line in lines:
        found = SILENCED.search(line)
        assert found is not None
        assert len(found[1].strip(" -()")) > 3, (file, line)
