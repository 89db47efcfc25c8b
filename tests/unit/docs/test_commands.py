"""What the pages have somebody type is there: each command with its options, each module, each target of make."""

from __future__ import annotations

import importlib.util
import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest

from pbem.cli import main
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = [ROOT / "README.md", ROOT / "deploy" / "wheel" / "description.md", *sorted((ROOT / "docs").rglob("*.md"))]
UNITS = sorted((ROOT / "deploy").rglob("*.service"))
CODE = re.compile(r"^```.*?^```|^ {4,}\S.*$|`[^`\n]+(?:\n[^`\n]+)?`", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?<![\w./@:=-])(?<!-[ugop] )(?:/opt/pbem/bin/)?pbem +(?=-|[a-z])(?!unix |is )([^|;&)#`’”\n]*)")
"""Neither the user of that name, nor Postfix' line for it, nor what a command answers."""
SETTINGS = "/var/lib/pbem/pbem.env"


def code(page: Path) -> str:
    """Read what stands on a page as code, in blocks and between words, with lines that were broken made whole."""
    spans = CODE.findall(page.read_text())
    return "\n".join(re.sub(r"\\?\n\s*", " ", span) if span.count("\n") == 1 else span for span in spans)


def commands() -> Iterator[tuple[str, str]]:
    """Find all that is to be typed and begins with `pbem`, and where."""
    for page in PAGES:
        yield from ((page.name, line.strip()) for line in COMMAND.findall(code(page)))
    for unit in UNITS:
        yield from ((unit.name, line.strip()) for line in COMMAND.findall(unit.read_text().replace("ExecStart=", "")))


def words(line: str) -> list[str]:
    return [word for word in shlex.split(re.sub(r"[\[\]]", "", line)) if word != "…"]


@pytest.mark.parametrize(("where", "line"), sorted(set(commands())))
def test_each_command_is_one_that_there_is(where: str, line: str) -> None:
    group: click.Command = main
    known: set[str] = set()
    takes: set[str] = set()
    left = words(line)
    while left:
        known = {name for each in group.params for name in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}
        takes = {name for each in group.params if not getattr(each, "is_flag", False) for name in each.opts}
        word, *left = left
        name, _, value = word.partition("=")
        if name.startswith("-"):
            assert name in known, (where, word)
            left = left[1:] if name in takes and not value else left
        elif isinstance(group, click.Group):
            found = group.get_command(click.Context(group), word.strip(",.:"))
            assert found is not None, (where, word)
            group = found


def test_many_commands_are_looked_at() -> None:
    assert len(set(commands())) > 60
    assert {where for where, _ in commands()} >= {"deploy.md", "operating.md", "pbem.service"}


def test_each_module_that_is_run_is_there() -> None:
    named = {name for page in PAGES for name in re.findall(r"python -m ([\w.]+)", code(page))} - {"venv", "pip"}
    assert len(named) > 3
    assert [name for name in sorted(named) if importlib.util.find_spec(name) is None] == []


def test_each_target_of_make_is_there() -> None:
    named = {
        name for page in PAGES for name in re.findall(r"(?:`|^ {4,})make ([a-z0-9-]+)", page.read_text(), re.MULTILINE)
    }
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert len(named) > 10
    assert named - targets == set()


def test_all_pages_and_units_name_one_settings_file() -> None:
    """Of files with settings, all name that which the units read; who only looks has one of another name."""
    texts = {
        file: file.read_text()
        for file in (*PAGES, *(ROOT / "deploy").rglob("*"), ROOT / "SECURITY.md")
        if file.is_file() and file.suffix != ".pyc"
    }
    named = {
        (file.name, path)
        for file, text in texts.items()
        for path in re.findall(r"(?<![\w$])/[\w./-]*\bpbem\.env\b", text)
    }
    assert {path for _, path in named} == {SETTINGS, "/settings/pbem.env"}
    assert {file for file, path in named if path != SETTINGS} == {"deploy.md"}
