"""What a command is: its words in each language, where it may be said, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, Submission
    from pbem.play.table import Table
    from pbem.play.verdicts import Verdict

INVITING, RUNNING, OVER = "inviting", "running", "over"
"""The states of a match in which a command may be said."""
ALWAYS = frozenset({INVITING, RUNNING, OVER})


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as it was sent: `text` is what stood behind its word, `sure` that it was confirmed."""

    table: Table
    match: Match
    submission: Submission
    text: str
    sure: bool


class Act(Protocol):
    """What a command does, in the transaction that judges it."""

    def __call__(self, wish: Wish) -> Verdict:
        """Do it, owe whatever mails follow, and say what became of the submission."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word that a person may send instead of a move, alone on the first line.

    `words` are its words by language, the first of each being the one that mails teach; `about` tells in
    one line what it does, behind the word in quotation marks. One that `asks_back` is done only when sent
    again with "yes". One that `takes` a text may have one behind its word; `needs` says that it must.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    about: str
    act: Act
    states: frozenset[str] = field(default=ALWAYS)
    asks_back: bool = False
    takes: bool = False
    needs: bool = False
    for_several: bool = False
    """Whether it makes sense only where others sit at the table."""

    def fits(self, match: Match) -> bool:
        """Tell whether it may be said at a match as it stands."""
        return match.state in self.states and not (self.for_several and len(match.seats) == 1)
