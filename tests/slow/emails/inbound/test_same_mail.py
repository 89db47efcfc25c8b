"""The same mail, a hundred times by each of five ways at once: one submission, one move, one receipt."""

from __future__ import annotations

import imaplib
from typing import TYPE_CHECKING

from emails.inbound.transports import imap
from tests.support.emails.inbound.same_mail import handed_on
from tests.support.mailservers import dovecot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.house import House


def test_a_mail_that_comes_a_hundred_times_by_every_way_is_one_mail(house: House, tmp_path: Path) -> None:
    with dovecot() as server:

        def by_imap(raw: bytes) -> Callable[[], None]:
            def fetch() -> None:
                with imaplib.IMAP4("127.0.0.1", server.port) as other:
                    other.login("ann", "secret")
                    assert other.append("INBOX", "", "", raw)[0] == "OK"
                imap.poll(house.engine, house.config, server.url)

            return fetch

        handed_on(house, tmp_path, 100, by_imap)
