"""The examples of docs/reference/api.md, each as its reader would type it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry
from tests.support.left_out import left_out
from tests.support.places import ROOT
from tests.support.web.account.api_keys import closed, key_for
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House

__all__ = ["closed"]

DOCS = ROOT / "docs" / "reference" / "api.md"


def events_in(stream: str) -> list[Any]:
    """Read the events of a stream that has ended."""
    return [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]


@pytest.fixture
def address_of_pages(closed: House) -> Iterator[str]:
    """The house's pages at a port of this machine."""
    with pages_at_a_port(closed) as address:
        yield address


def test_the_examples_of_the_documents_work(closed: House, address_of_pages: str) -> None:
    shell = shutil.which("bash")
    if not shell or not shutil.which("curl"):
        left_out("the examples of docs/reference/api.md", "apt install bash curl")
    examples = re.findall(r"```sh\n(.*?)```", DOCS.read_text(), re.DOTALL)
    known = {**os.environ, "BASE": address_of_pages, "KEY": key_for(closed, "Ann", "read", "play", "start")}
    answers: list[Any] = []
    for example in examples:
        done = subprocess.run([shell, "-c", example], env=known, capture_output=True, text=True, check=True)
        begun = done.stdout.startswith(("{", "[", "304"))
        answers.append(json.loads(done.stdout) if begun else events_in(done.stdout))
        if isinstance(answers[-1], dict) and "commitment" in answers[-1]:
            known["MATCH"] = answers[-1].get("match") or answers[-1]["id"]
            known["MOVE"] = next(iter(answers[-1].get("moves", [])), "")
    me, bot, made, mine, lobby, events, sets, followed, polled, view, taken, unchanged = answers
    assert me["name"] == "Ann"
    assert bot["rated"] is True
    assert unchanged == 304
    assert lobby == {"tables": [], "next": None}
    assert events == {"events": [], "next": None}
    assert sets == {"sets": [], "next": None}
    assert [event["match"] for event in (*followed, *polled["events"])] == [made["id"]] * 2
    assert mine[0]["match"] == view["match"] == made["id"]
    assert closed.judge(made["id"]) >= 0
    assert closed.all(select(LogEntry.move).where(LogEntry.ply == 1)) == [view["moves"][0]]
    assert taken["submission"]
