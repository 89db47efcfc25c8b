"""The walks through the code in the page about its architecture: short, and each stop is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "develop" / "architecture.md").read_text()
WALKS = dict(re.findall(r"^### (.*)\n\n((?:\|.*\n)+)", PAGE, re.MULTILINE))
STOPS = re.findall(r"^\| `([\w/.]+)`, `(\w+)` \|", "".join(WALKS.values()), re.MULTILINE)
LONGEST = 12


def names(path: str) -> set[str]:
    """Return the names that a module defines."""
    found = set()
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_a_mail_a_deadline_a_robot_an_analysis_and_a_page_are_walked_in_at_most_twelve_stops() -> None:
    assert len(WALKS) == 5
    assert all(len(re.findall(r"^\| `", table, re.MULTILINE)) <= LONGEST for table in WALKS.values())


@pytest.mark.parametrize(("path", "name"), STOPS)
def test_each_stop_is_there(path: str, name: str) -> None:
    assert name in names(path)
