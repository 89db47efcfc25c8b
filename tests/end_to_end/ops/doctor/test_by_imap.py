"""One mailbox by IMAP: the doctor's mail goes out by SMTP and comes back through a real Dovecot."""

from __future__ import annotations

import imaplib
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.inbound.transports import imap
from emails.outbound.relay import deliver_shard
from pbem.db.models import OutboxMessage
from pbem.ops.doctor import Level, mail_in
from pbem.states import OutboxState
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.mailservers import Imap, dovecot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.ops.doctor.patient import Patient


@pytest.fixture(scope="module")
def provider() -> Iterator[Imap]:
    with dovecot() as server:
        yield server


def delivered(server: Imap, raw: bytes) -> None:
    """Append a mail to the one mailbox, as a provider does that notes the mailbox and not what stood behind its +."""
    box = imaplib.IMAP4("127.0.0.1", server.port)
    box.login("ann", "secret")
    noted = b"Delivered-To: club@provider.example\r\nReceived: from somewhere\r\n"
    box.append("INBOX", "", imaplib.Time2Internaldate(time.time()), noted + raw)
    box.logout()


def test_a_mail_comes_back_through_the_mailbox(house: House, patient: Patient, provider: Imap) -> None:
    postman, over = Neighbour(), threading.Event()
    with listening(postman) as where:
        club = patient.with_settings(
            smtp_url=f"smtp://{where}", imap_url=provider.url, mail_domain="provider.example", mailbox_local_part="club"
        )
        config = club.ground.config

        def go() -> None:
            while not over.wait(0.05):
                for notice in house.all(select(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING)):
                    deliver_shard(house.engine, config, notice.shard)
                while postman.taken:
                    to, raw = postman.taken.pop()
                    assert to.startswith("club+probe-")
                    delivered(provider, raw)
                imap.poll(house.engine, config, provider.url)

        service = threading.Thread(target=go)
        service.start()
        try:
            said, *_ = mail_in.CHECKS[0].run(replace(club.ground, mail_timeout=30))
        finally:
            over.set()
            service.join(30)
    assert said.level is Level.PASS, said.text
    assert club.told("ways in")[-1] == (Level.PASS, "The mailbox at 127.0.0.1 can be read; mails in it: 1.")
    wrong = club.with_settings(imap_url=provider.url.replace("secret", "wrong"))
    level, text = wrong.told("ways in")[-1]
    assert (level, text.split(":")[0]) == (Level.FAIL, "The mailbox at 127.0.0.1 cannot be read")
    assert text.split(":")[1].startswith(" [AUTHENTICATIONFAILED]")
