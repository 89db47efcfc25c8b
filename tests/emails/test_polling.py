"""Mail that lies elsewhere is fetched again and again, whatever goes wrong in between."""

from __future__ import annotations

import asyncio
import mailbox
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.ways_in import polling, smtp
from pbem.db.models import Letter
from tests.house import House, settings
from tests.mailservers import listens
from tests.outside import environment, free_port, until
from workers.mail import BUSY, loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LETTER = b"From: bo@x.org\nTo: games@games.localhost\n\nHello %d"


def letters(house: House) -> int:
    return len(house.all(select(Letter.id)))


def kept(house: House, number: int) -> bool:
    return letters(house) == number


def test_it_goes_on_after_a_fault_until_it_is_told_to_stop(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(polling, "MAILDIR_SECONDS", 0.01)
    monkeypatch.setattr(polling, "IMAP_SECONDS", 0.01)
    folder = tmp_path / "in"
    nowhere = f"imap://ann:secret@127.0.0.1:{free_port()}/INBOX"
    config = replace(house.config, maildir_in=str(folder), imap_url=nowhere)

    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = Thread(target=lambda: loop.run_until_complete(polling.serve(house.engine, config, stop)))
    thread.start()
    until(lambda: "it stays where it is" in caplog.text)
    box = mailbox.Maildir(folder, factory=None, create=True)
    for number in range(2):
        box.add(LETTER % number)
        until(partial(kept, house, number + 1))
    loop.call_soon_threadsafe(stop.set)
    thread.join(10)
    assert not thread.is_alive()
    loop.close()
    assert letters(house) == 2


def test_without_such_settings_nothing_is_fetched(house: House) -> None:
    asyncio.run(polling.serve(house.engine, house.config, asyncio.Event()))
    assert letters(house) == 0


def test_the_mail_process_takes_mail_and_fetches_it(house: House, tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "in", factory=None, create=True)
    port = free_port()
    url = house.engine.url.render_as_string(hide_password=False)
    told = settings(url, house.folder, PBEM_SMTP_LISTEN=f"127.0.0.1:{port}", PBEM_MAILDIR_IN=str(tmp_path / "in"))
    process = subprocess.Popen([sys.executable, "-m", "workers.mail"], env=environment(**told))
    try:
        until(lambda: listens(port))
        box.add(LETTER % 1)
        until(lambda: letters(house) == 1)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == os.EX_OK


@pytest.mark.parametrize("doors", ["1", "2"])
@pytest.mark.parametrize("name", ["PBEM_SMTP_LISTEN", "PBEM_LMTP_LISTEN"])
def test_a_port_that_cannot_be_listened_on_is_named_in_a_sentence(house: House, name: str, doors: str) -> None:
    url = house.engine.url.render_as_string(hide_password=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        told = settings(url, house.folder, PBEM_SMTP_LISTEN=f"127.0.0.1:{free_port()}", PBEM_DOORS=doors)
        command, ours = [sys.executable, "-m", "workers.mail"], environment(**told | {name: listen})
        done = subprocess.run(command, env=ours, capture_output=True, text=True, check=False, timeout=60)
    said = f"No mail can be taken at {name}={listen}: Address already in use.\n"
    assert (done.returncode, done.stderr) == (BUSY, said)


@pytest.mark.parametrize("make", [asyncio.new_event_loop, loop])
@pytest.mark.parametrize(
    ("listen", "said"),
    [
        ("127.0.0.1:99999", "its port is no number from 0 to 65535."),
        ("127.0.0.1:-1", "its port is no number from 0 to 65535."),
        ("127.0.0.1:smtp", "its port is no number from 0 to 65535."),
        ("192.0.2.1:0", "Cannot assign requested address."),
        ("nowhere.invalid:0", ""),
    ],
)
def test_a_place_to_listen_on_that_is_none_is_named_too(
    house: House, listen: str, said: str, make: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    config = replace(house.config, smtp_listen="127.0.0.1:0", lmtp_listen=listen)
    with pytest.raises(smtp.DoorError) as wrong, asyncio.Runner(loop_factory=make) as runner:
        runner.run(smtp.serve(house.engine, config, asyncio.Event()))
    assert str(wrong.value).startswith(f"No mail can be taken at PBEM_LMTP_LISTEN={listen}: ")
    assert str(wrong.value).endswith(said)


def test_the_mail_process_says_what_to_set() -> None:
    command = [sys.executable, "-m", "workers.mail"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("DATABASE_URL is not set")
