"""`pbem doctor`: the report of all checks, for people or as JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pbem.db.session import connect
from pbem.ops.doctor import CheckContext, Finding, Level, all_checks, names, run_checks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from pbem.config import Config

HEALTHY, UNHEALTHY = 0, 1
MAIL_TIMEOUT_SECONDS = 60.0
"""Seconds that a mail to ourselves may take: a remote mailbox is polled every twenty."""
_COLOURS = {Level.PASS: "green", Level.WARN: "yellow", Level.FAIL: "red"}
_LINE_WIDTH = 110
_MARGIN = 6


def doctor(
    config: Config,
    *,
    as_json: bool = False,
    without: Collection[str] = (),
    resolver: str | None = None,
    patience: float = MAIL_TIMEOUT_SECONDS,
    settings: Path | None = None,
) -> int:
    """Run all checks and print their results; returns the command's exit status."""
    engine = connect(config.database_url, pool_size=1)
    try:
        found = run_checks(CheckContext(config, engine, names.make_resolver(resolver), patience, settings), without)
        return _print_json(found) if as_json else _print_text(found)
    finally:
        engine.dispose()


def check_names() -> list[str]:
    """Return the names of all checks."""
    return [check.name for check in all_checks()]


def _print_text(found: Iterable[Finding]) -> int:
    counted: Counter[Level] = Counter()
    for finding in found:
        counted[finding.level] += 1
        for line in _lines(finding):
            click.echo(line)
    click.echo(f"{counted[Level.PASS]} passed, {counted[Level.WARN]} with warnings, {counted[Level.FAIL]} failed.")
    return UNHEALTHY if counted[Level.FAIL] else HEALTHY


def _lines(finding: Finding) -> Iterator[str]:
    level = click.style(f"{finding.level:<4}", fg=_COLOURS[finding.level])
    first, *more = textwrap.wrap(f"{finding.name}: {finding.text}", _LINE_WIDTH, break_on_hyphens=False)
    yield f"{level}  {first}"
    yield from (" " * _MARGIN + line for line in more)
    for line in textwrap.wrap(f"→ {finding.todo}", _LINE_WIDTH, break_on_hyphens=False, break_long_words=False):
        if finding.todo:
            yield " " * _MARGIN + line


def _print_json(found: Iterable[Finding]) -> int:
    findings = [asdict(finding) for finding in found]
    levels = {finding["level"] for finding in findings}
    worst = next(level for level in (Level.FAIL, Level.WARN, Level.PASS) if level in levels or level is Level.PASS)
    click.echo(json.dumps({"level": worst, "findings": findings}, ensure_ascii=False))
    return UNHEALTHY if worst is Level.FAIL else HEALTHY
