"""The codes of errors that the documentation of the API lists are those that the code sends."""

from __future__ import annotations

import re

import pytest

from pbem.play.core.errors import Code
from pbem.web.request import errors
from tests.support.places import ROOT


def test_every_code_of_an_error_is_listed_and_no_other() -> None:
    source = "".join(path.read_text() for path in (ROOT / "pbem" / "web").rglob("*.py"))
    calls = re.findall(r"code=(.*)\)", source)
    sent = {code for call in calls for code in re.findall(r'"([a-z-]+)"', call)} | {*errors.CODES.values()} | {*Code}
    page = (ROOT / "docs" / "reference" / "api.md").read_text()
    assert {*re.findall(r"^\| \d+ \| `([a-z-]+)` \|", page, re.MULTILINE)} == sent


@pytest.mark.parametrize("code", Code)
def test_every_code_of_a_refusal_is_one_that_something_refuses_with(code: Code) -> None:
    play = "".join(path.read_text() for path in (ROOT / "pbem" / "play").rglob("*.py"))
    assert re.search(rf"\bCode\.{code.name}\b", play)
