"""What tests of same mail share."""

from __future__ import annotations

import mailbox
import os
import smtplib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email.policy import SMTP
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from emails.inbound.transports import maildir
from emails.inbound.transports.pipe import accept_stream, exit_status
from pbem.db.models import LogEntry, OutboxMessage, Submission
from pbem.web import create_app
from tests.support.emails.inbound.smtp import door
from tests.support.house import House, Mail, address, reply, settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = "k" * 32
WORKERS = 8


def ways(house: House, turn: Mail, raw: bytes, ports: tuple[int, int], box: Path) -> list[Callable[[], None]]:
    """Return the ways by which a mail comes in, each of which hands it on once."""
    client = create_app(house.config, house.engine).test_client
    url = house.engine.url.render_as_string(hide_password=False)
    environment = settings(url, house.folder)
    sender = address("Ann")

    def by_smtp() -> None:
        with smtplib.SMTP("127.0.0.1", ports[0], local_hostname="x", timeout=60) as line:
            assert line.sendmail(sender, [turn.reply_to], raw) == {}

    def by_lmtp() -> None:
        with smtplib.LMTP("127.0.0.1", ports[1], local_hostname="x", timeout=60) as line:
            assert line.sendmail(sender, [turn.reply_to], received(raw)) == {}

    def by_http() -> None:
        query = {"recipient": turn.reply_to, "sender": sender}
        told = client().post("/incoming/raw", query_string=query, data=raw, headers={"Authorization": f"Bearer {KEY}"})
        assert told.status_code == 200

    def by_pipe() -> None:
        with box.with_name("raw").open("rb") as mail:
            assert exit_status(accept_stream(mail, turn.reply_to, sender, environment, None)) == os.EX_OK

    def by_maildir() -> None:
        mailbox.Maildir(box, factory=None).add(received(raw).replace(b"\r\n", b"\n"))
        maildir.poll(house.engine, house.config, str(box))

    return [by_smtp, by_lmtp, by_http, by_pipe, by_maildir]


def received(raw: bytes) -> bytes:
    """Hand a mail on as machines do: with a line of their own on top."""
    return b"Received: from somewhere by somewhere\r\n" + raw


def handed_on(house: House, tmp_path: Path, copies: int, more: Callable[[bytes], Callable[[], None]] | None) -> None:
    """Hand one move on by all ways, so many copies by each, in no order; it is judged while they come."""
    house = replace(house, config=replace(house.config, incoming_key=KEY))
    match_id = house.start_match("martian-whist", 2)
    seat = house.match(match_id).to_move[0]
    turn = next(mail for mail in house.mails(("Ann", "Bob")[seat - 1]) if "/m/" in mail.text)
    raw = reply(turn, house.legal(match_id, seat)[0]).as_bytes(policy=SMTP)
    (tmp_path / "raw").write_bytes(raw)
    mailbox.Maildir(tmp_path / "box", factory=None, create=True)
    with door(house) as ports, ThreadPoolExecutor(WORKERS) as workers:
        every = ways(house, turn, raw, ports, tmp_path / "box") + ([more(raw)] if more else [])
        jobs: list[Callable[[], object]] = [*(every * copies), *[partial(house.judge, match_id)] * copies]
        Random(copies).shuffle(jobs)
        for done in [workers.submit(job) for job in jobs]:
            done.result()
    house.judge(match_id)
    assert house.all(select(Submission.status)) == ["played"]
    assert house.all(select(func.count()).select_from(LogEntry)) == [1]
    (answer,) = house.all(
        select(OutboxMessage.kind).where(
            OutboxMessage.in_reply_to.is_not(None), OutboxMessage.kind.in_(("receipt", "turn"))
        )
    )
    assert answer == "receipt"
