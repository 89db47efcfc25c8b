"""Health checks of the service: each passes, warns or fails, with what to do.

A module in this folder registers its checks by a `CHECKS` tuple. A check is a function that is called with a `Ground`
and yields its results, built with `pbem.ops.doctor.check`:

    CHECKS = (Check("broker", _broker),)

A check that needs another (`needs=("database",)`) runs after it, and is skipped if that failed.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from pbem.ops.doctor.check import Check, CheckContext, Finding, Level, Result, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["Check", "CheckContext", "Finding", "Level", "all_checks", "run_checks"]


@cache
def all_checks() -> tuple[Check, ...]:
    """Return all checks, each after those that it needs."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    waiting = [check for module in folder for check in getattr(module, "CHECKS", ())]
    ordered: list[Check] = []
    while waiting:
        known = {check.name for check in ordered}
        ready = [check for check in waiting if known.issuperset(check.needs)]
        ordered += ready
        waiting = [check for check in waiting if check not in ready]
    return tuple(ordered)


def run_checks(ground: CheckContext, without: Collection[str] = ()) -> Iterator[Finding]:
    """Run all checks except some; one is skipped if it needs another that failed or was skipped for a failure."""
    unwell: set[str] = set()
    for check in all_checks():
        if check.name in without:
            continue
        found = list(_run(check, ground, unwell))
        if any(said.level is Level.FAIL for said in found) or unwell.intersection(check.needs):
            unwell.add(check.name)
        yield from (Finding(check.name, said.level, said.text, said.todo) for said in found)


def _run(check: Check, ground: CheckContext, unwell: set[str]) -> Iterator[Result]:
    missing = next((name for name in check.needs if name in unwell), None)
    if missing:
        yield warned(f"Not looked at, since this needs what “{missing}” is about.", f"Mend “{missing}” first.")
        return
    if check.is_external and ground.config.is_mail_local:
        yield passed("Mail stays on this machine, so no other asks for this.")
        return
    if check.is_external and ground.config.mailbox_local_part:
        yield passed(f"{ground.config.mail_domain} is your mail provider's, who looks after this.")
        return
    try:
        yield from check.run(ground)
    except Exception as fault:  # noqa: BLE001 -- a broken check must not stop the others
        yield failed(f"This could not be looked at: {str(fault) or repr(fault)}", "See what it says, and try again.")
