"""Hostile mail: what is refused unread, and that everything else is read in a blink."""

from __future__ import annotations

import time

from emails.parsing.reader import parse_mail
from tests.support.emails.parsing.limits import BOMBS, HEAD, HOSTILE, PAGES, REFUSED, short


def test_the_time_of_everything_hostile() -> None:
    mails = REFUSED | BOMBS
    mails |= {name: HEAD + b"\ntake 7\n\n" + text for name, text in HOSTILE.items()}
    mails |= {f"{name} in short lines": HEAD + b"\ntake 7\n" + short(text) for name, text in HOSTILE.items()}
    mails |= {name: HEAD + b"Content-Type: text/html\n\n<div>take 7</div>" + text for name, text in PAGES.items()}
    for name, raw in mails.items():
        began = time.process_time()
        parse_mail(raw)
        print(f"{(time.process_time() - began) * 1000:7.1f} ms  {len(raw) / 1000:8.0f} kB  {name}")  # noqa: T201 (a figure)
