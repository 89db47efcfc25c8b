"""Mail that lies elsewhere is fetched again and again, whatever goes wrong in between."""

from __future__ import annotations

import mailbox
import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.emails.inbound.polling import LETTER, letters
from tests.support.house import House, settings
from tests.support.live_service import environment, free_port, until
from tests.support.mailservers import listens
from workers.smtp_server import EXIT_PORT_BUSY

if TYPE_CHECKING:
    from pathlib import Path


def test_the_mail_process_takes_mail_and_fetches_it(house: House, tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "in", factory=None, create=True)
    port = free_port()
    url = house.engine.url.render_as_string(hide_password=False)
    told = settings(url, house.folder, PBEM_SMTP_LISTEN=f"127.0.0.1:{port}", PBEM_MAILDIR_IN=str(tmp_path / "in"))
    process = subprocess.Popen([sys.executable, "-m", "workers.smtp_server"], env=environment(**told))
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
        told = settings(url, house.folder, PBEM_SMTP_LISTEN=f"127.0.0.1:{free_port()}", PBEM_SMTP_PROCESSES=doors)
        command, ours = [sys.executable, "-m", "workers.smtp_server"], environment(**told | {name: listen})
        done = subprocess.run(command, env=ours, capture_output=True, text=True, check=False, timeout=300)
    said = f"Cannot accept mail at {name}={listen}: Address already in use.\n"
    assert (done.returncode, done.stderr) == (EXIT_PORT_BUSY, said)


def test_the_mail_process_says_what_to_set() -> None:
    command = [sys.executable, "-m", "workers.smtp_server"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("DATABASE_URL is not set")
