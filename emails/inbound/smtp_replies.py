"""SMTP replies to a mail, for every transport."""

from __future__ import annotations

from dataclasses import dataclass

from emails.parsing.limits import SIZE

_OK = 250
_LATER = range(400, 500)


@dataclass(frozen=True, slots=True)
class Answer:
    """An SMTP code and its text."""

    code: int
    text: str

    @property
    def taken(self) -> bool:
        """Whether the mail was accepted."""
        return self.code == _OK

    @property
    def later(self) -> bool:
        """Whether the sender is to try again later."""
        return self.code in _LATER

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


OK = Answer(_OK, "2.0.0 Kept; it will be judged in a moment")
WELCOME = Answer(_OK, "2.1.5 Go ahead")
UNKNOWN = Answer(550, "5.1.1 There is no such mailbox here; use the reply address of your newest mail")
NOT_OURS = Answer(550, "5.7.1 This server takes mail for its own games only")
TOO_LARGE = Answer(552, f"5.3.4 That mail is larger than {SIZE} bytes; send the move alone, without attachments")
TOO_OFTEN = Answer(450, "4.7.1 That is more mail than one place may send in so short a time; send it again later")
REPLAYED = Answer(550, "5.7.1 That has been handed in before, with another mail")
LOOPING = Answer(554, "5.4.6 That mail has been through too many machines; it seems to go in circles")
FULL = Answer(452, "4.3.1 There is no room for anything new here just now; send it again later")
LATER = Answer(451, "4.3.0 The mail cannot be kept right now; try again in a moment")
