"""Mail that lies elsewhere is fetched again and again, whatever goes wrong in between."""

from __future__ import annotations

import asyncio
import mailbox
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from emails.inbound.transports import polling, smtp
from tests.support.emails.inbound.polling import LETTER, letters
from tests.support.live_service import free_port, until
from workers.smtp_server import create_event_loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.house import House


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


@pytest.mark.parametrize("make", [asyncio.new_event_loop, create_event_loop])
@pytest.mark.parametrize(
    ("listen", "said"),
    [
        ("127.0.0.1:99999", "its port is not a number from 0 to 65535."),
        ("127.0.0.1:-1", "its port is not a number from 0 to 65535."),
        ("127.0.0.1:smtp", "its port is not a number from 0 to 65535."),
        ("192.0.2.1:0", "Cannot assign requested address."),
        ("nowhere.invalid:0", ""),
    ],
)
def test_a_place_to_listen_on_that_is_none_is_named_too(
    house: House, listen: str, said: str, make: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    config = replace(house.config, smtp_listen="127.0.0.1:0", lmtp_listen=listen)
    with pytest.raises(smtp.ListenError) as wrong, asyncio.Runner(loop_factory=make) as runner:
        runner.run(smtp.serve(house.engine, config, asyncio.Event()))
    assert str(wrong.value).startswith(f"Cannot accept mail at PBEM_LMTP_LISTEN={listen}: ")
    assert str(wrong.value).endswith(said)
