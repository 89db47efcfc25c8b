"""The page of findings says what became of each point, and each test that it names is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "develop" / "findings.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ?([^|]*)\|$", PAGE, re.MULTILINE)
STATES = ("mended", "left", "held already")


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_test_that_is_named_is_there(file: str, name: str) -> None:
    there = ast.walk(ast.parse((ROOT / file).read_text()))
    assert name in {each.name for each in there if isinstance(each, ast.FunctionDef)}


def test_every_point_says_what_became_of_it() -> None:
    rows = [row for row in ROWS if row[0] != "point" and not row[0].startswith("---")]
    assert len(rows) > 100
    assert not [row for row in rows if not row[2].startswith(STATES)]
    assert not [row for row in rows if row[2].startswith("left") and len(row[2]) < len("left: why")]
