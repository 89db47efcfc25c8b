"""What tests of send share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from emails.outbound.transport import SmtpTransport, create_transport
from pbem.config import from_environment
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.house import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.outbound.transport import Transport
    from pbem.config import Config

RAW = b"Subject: Hi\r\n\r\nHello\r\n.\r\nBye\r\n"


def config_for(url: str) -> Config:
    return from_environment(settings("postgresql://x/x", Path("/nowhere"), PBEM_SMTP_URL=url, PBEM_OPEN="0"))


def way(url: str) -> Transport:
    return create_transport(config_for(url))


@pytest.fixture
def neighbour() -> Neighbour:
    return Neighbour()


@pytest.fixture
def line(neighbour: Neighbour) -> Iterator[SmtpTransport]:
    with listening(neighbour) as where:
        line = SmtpTransport(f"smtp://{where}", "games.localhost")
        yield line
        line.close()
