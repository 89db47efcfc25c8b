"""Health checks of the service: each passes, warns or fails, with what to do.

A module in this folder registers its checks by a `CHECKS` tuple. A check is a function that is called with a
`CheckContext` and yields its results, built with `pbem.ops.doctor.check`:

    CHECKS = (Check("broker", _check_broker),)

A check that needs another (`needs=("database",)`) runs after it, and is skipped if that failed.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pbem.ops.doctor.check import Check, CheckContext, Level, Results, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["Check", "CheckContext", "Finding", "Level", "all_checks", "run_checks"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the report: a result with the name of its check."""

    name: str
    level: Level
    text: str
    todo: str | None


@cache
def all_checks() -> tuple[Check, ...]:
    """Return all checks, each after those that it needs."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    pending = [check for module in folder for check in getattr(module, "CHECKS", ())]
    ordered: list[Check] = []
    while pending:
        known = {check.name for check in ordered}
        ready = [check for check in pending if known.issuperset(check.needs)]
        ordered += ready
        pending = [check for check in pending if check not in ready]
    return tuple(ordered)


def run_checks(context: CheckContext, without: Collection[str] = ()) -> Iterator[Finding]:
    """Run all checks except some; one is skipped if it needs another that failed or was skipped for a failure."""
    unwell: set[str] = set()
    for check in all_checks():
        if check.name in without:
            continue
        results = list(_run(check, context, unwell))
        if any(result.level is Level.FAIL for result in results) or unwell.intersection(check.needs):
            unwell.add(check.name)
        yield from (Finding(check.name, result.level, result.text, result.todo) for result in results)


def _run(check: Check, context: CheckContext, unwell: set[str]) -> Results:
    config = context.config
    if missing := next((name for name in check.needs if name in unwell), None):
        yield warned(f"Skipped, because “{missing}” did not pass.", f"Fix “{missing}” first.")
    elif check.is_external and config.is_mail_local:
        yield passed("Not needed: mail stays on this machine.")
    elif check.is_external and config.mailbox_local_part:
        yield passed(f"{config.mail_domain} belongs to your mail provider, who takes care of this.")
    else:
        try:
            yield from check.run(context)
        except Exception as error:  # noqa: BLE001 -- a broken check must not stop the others
            yield failed(f"This could not be checked: {str(error) or repr(error)}", "Fix the cause, and try again.")
