"""Verdicts: what became of a submission, and the sentence for its sender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.states import SubmissionStatus

IGNORED_AUTOMATIC = "An automatic mail, such as an absence notice: it was stored, but neither played nor answered."
IGNORED_DUPLICATE = "A copy of a mail that was judged before, changed by a relay: it was stored, but not played."
"""Why a mail is ignored; stored with it and shown to operators only."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a submission: its status, the sentence for its sender, and the chat message sent with a move."""

    status: SubmissionStatus
    reason: str | None = None
    chat_message: str = ""
