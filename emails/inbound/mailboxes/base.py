"""Base types of the kinds of mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from emails.parsing.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pbem.play.core.context import Context


class StoreResult(Enum):
    """The result of storing a mail: new, a copy of a stored one, or to an unknown mailbox."""

    NEW = auto()
    COPY = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """One mail for one recipient; `sender` is the envelope's, empty for automatic mail.

    `own` marks our own mail that came back: it is stored, but has no effect.
    """

    raw: bytes
    recipient: str
    token: str
    sender: str
    own: bool = False

    @property
    def stored(self) -> bytes:
        """The mail below its Return-Path, as delivered: the raw mail does not name the envelope's sender."""
        return b"Return-Path: <" + self.sender.encode("ascii", "replace") + b">\r\n" + self.raw

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint by which copies are recognised, whatever transport they came by."""
        return fingerprint(self.raw)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A kind of mailbox: its name, how its mails are stored, and which of its tokens were issued.

    A kind without a function for tokens has none and always exists. A kind without a function that stores is that of
    the seats, whose mails often arrive at the same time and are stored together. `by_hand` marks kinds that people
    write to: they limit the mails per author and hour.
    """

    name: str
    store: Callable[[Context, ReceivedMail], StoreResult] | None
    issued_tokens: Callable[[Context, Collection[str]], Collection[str]] | None = None
    by_hand: bool = True

    @property
    def has_tokens(self) -> bool:
        """Whether there is one mailbox of this kind per token."""
        return self.issued_tokens is not None
