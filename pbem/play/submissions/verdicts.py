"""Verdicts: what became of a submission, and the sentence for its sender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.states import SubmissionStatus

IGNORED_AUTOMATIC = "A program wrote it, such as an absence notice: it was kept, not read as a move, and not answered."
IGNORED_DUPLICATE = "The same mail was judged before: this copy, changed by a relay, was kept and not read as a move."
"""Why a mail is ignored; stored with it and shown to operators only."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a submission: its status and the sentence for its sender.

    `wrote` is the chat message that was sent along with a move.
    """

    status: SubmissionStatus
    reason: str | None = None
    chat_message: str = ""
