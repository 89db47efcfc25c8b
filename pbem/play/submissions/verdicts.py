"""Verdicts: what becomes of a submission, and the sentence that its sender is told."""

from __future__ import annotations

from dataclasses import dataclass

PLAYED = "played"
REJECTED = "rejected"
ALREADY_PLAYED = "already_played"
IGNORED = "ignored"
DONE = "done"
FAILED = "failed"
HELD = "held"
"""No end yet: a move that waits until it can be taken back no more."""

BY_PROGRAM = "A program wrote it, such as an absence notice: it was kept, not read as a move, and not answered."
JUDGED_BEFORE = "The same mail was judged before: this copy, changed by a relay, was kept and not read as a move."
"""Why a mail is ignored; operators alone are told, in the words that are kept with it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a submission: its status and the sentence for its sender.

    `wrote` is what went to the table with a move.
    """

    status: str
    reason: str | None = None
    wrote: str = ""
