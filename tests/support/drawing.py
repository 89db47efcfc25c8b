"""Pictures in mails are drawn only for tests that look at them: drawing them takes as long as most tests do."""

from __future__ import annotations

import hashlib
import struct
import zlib
from contextlib import contextmanager, nullcontext
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import pytest

from emails.composing import compose
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURED = ROOT / "tests" / "slow"
"""Where tests measure what pictures cost, too."""

NOT_DRAWN = "This picture was not drawn: a test that looks at the pictures of mails is marked with pytest.mark.drawn."


class Received(EmailMessage):
    """A mail as a test reads it, which cannot look at a picture that was not drawn."""

    def get_payload(self, i: Any = None, decode: Any = False) -> Any:  # noqa: FBT002 (as the library has it)
        payload = super().get_payload(i, decode)
        if isinstance(payload, bytes) and NOT_DRAWN.encode() in payload:
            raise AssertionError(NOT_DRAWN)
        return payload


def draws(item: pytest.Item) -> bool:
    """Return whether a test has the pictures of its mails drawn."""
    return item.get_closest_marker("drawn") is not None or item.path.is_relative_to(MEASURED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run a test, and make what it shares with its module, without drawing pictures that it does not look at."""
    with nullcontext() if draws(item) else undrawn():
        return (yield)


@contextmanager
def undrawn() -> Iterator[None]:
    """Replace each picture by one white dot in mails that are written in a block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compose, "png", dot)
        yield


def dot(svg: str) -> bytes:
    """Write a white dot as a PNG that says what it stands for: other drawings are other bytes, in other mails."""
    said = f"Comment\0{NOT_DRAWN} {hashlib.sha256(svg.encode()).hexdigest()}"
    return _SIGNED + _chunk(b"tEXt", said.encode()) + _WHITE


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_SIGNED = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
_WHITE = _chunk(b"IDAT", zlib.compress(b"\0\xff")) + _chunk(b"IEND", b"")
