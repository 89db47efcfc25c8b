"""Attempts to break the project's promises, on two running services and from outside only.

Each module is about one promise, which its docstring names; at the
end it is told how many attempts there were on each, and how many of them it withstood.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import SERVER, House
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.live_service import service

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
AT_FIRST = 2
"""So many attempts of each test, spread over all of its kind, are made where time is short; the others are `full`."""
KEY = "the-key-of-the-mail-service-that-hands-on"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    alike: dict[object, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if item.path.is_relative_to(HERE) and isinstance(item, pytest.Function):
            promise = str(item.module.__doc__).partition("\n")[0].partition(":")[0].rstrip(".")
            item.user_properties.append(("promise", promise))
            alike[item.function].append(item)
    for attempts in alike.values():
        at_first = attempts[:: -(-len(attempts) // AT_FIRST)]
        for attempt in attempts:
            if attempt not in at_first:
                attempt.add_marker(pytest.mark.full)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tried: dict[str, list[bool]] = defaultdict(list)
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.getreports(outcome):
            promise = dict(report.user_properties).get("promise")
            if promise:
                tried[str(promise)].append(outcome == "passed")
    if tried:
        terminalreporter.section("attempts")
        for promise, held in [*sorted(tried.items()), ("all", [one for each in tried.values() for one in each])]:
            terminalreporter.line(f"{promise:<56} | {len(held):>5} attempts | {sum(held):>5} held")


@pytest.fixture(scope="session")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The open house, where everything may be tried and nobody's mail leaves the machine."""
    with service(tmp_path_factory.mktemp("here") / "data") as running:
        yield House(running, f"127.0.0.1:{running.port}", "games.localhost")


@pytest.fixture(scope="session")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house on the internet: behind TLS, with limits, and with mail servers before and behind it."""
    domain, others = "games.example.net", Neighbour()
    with listening(others) as address:
        settings = {
            "PBEM_BASE_URL": f"https://{domain}",
            "PBEM_MAIL_DOMAIN": domain,
            "PBEM_SMTP_URL": f"smtp://{address}",
            "PBEM_AUTHSERV_ID": SERVER,
            "PBEM_INCOMING_KEY": KEY,
            "PBEM_OPERATOR_EMAIL": "operator@example.org",
            # What one address may send is tried with fewer mails than there are attempts by others.
            "PBEM_LIMITS": "token=60 from=60 domain=6000",
        }
        with service(tmp_path_factory.mktemp("there") / "data", **settings) as running:
            yield House(running, domain, domain, others)
