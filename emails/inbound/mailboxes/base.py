"""What a kind of mailbox is, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from emails.parsing.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pbem.play.core.context import Context


class Kept(Enum):
    """What became of a mail: kept now, kept already, or for nobody here."""

    NEW = auto()
    COPY = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Incoming:
    """One mail for one recipient; `sender` is the envelope's, empty for mail that no person sent.

    `own` is whether it is a mail of ours that has come back: it is kept, and nothing comes of it.
    """

    raw: bytes
    recipient: str
    token: str
    sender: str
    own: bool = False

    @property
    def stored(self) -> bytes:
        """The mail below its Return-Path, as a mail server delivers it: the raw mail alone tells who sent it."""
        return b"Return-Path: <" + self.sender.encode("ascii", "replace") + b">\r\n" + self.raw

    @property
    def fingerprint(self) -> bytes:
        """What the same mail is known by, whichever way it comes."""
        return fingerprint(self.raw)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A kind of mailbox: its name, how mail to it is kept, and which of its tokens were given out.

    One without `known`, which tells of some tokens which were given out, has none and is always there. Without `keep`
    its mails are those to seats, of which many come at the same time: they are kept together. `by_hand` is whether
    people write to it: if so, one sender may send it so many mails an hour and no more.
    """

    name: str
    keep: Callable[[Context, Incoming], Kept] | None
    known: Callable[[Context, Collection[str]], Collection[str]] | None = None
    by_hand: bool = True

    @property
    def has_tokens(self) -> bool:
        """Whether there is one mailbox of this kind for each token."""
        return self.known is not None
