"""What a command is: its words in each language, where it may be said, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pbem.i18n import _, spoken
from pbem.play.submissions.verdicts import REJECTED, Verdict
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.submissions.permissions import Right

INVITING, RUNNING, OVER = MatchState.INVITING, MatchState.RUNNING, MatchState.OVER
ALWAYS = frozenset(MatchState)


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as it was sent: `text` is what stood behind its word, `sure` that it was confirmed.

    `below` are the lines that were typed below it, `answers` the Message-IDs of the mails that it answers.
    """

    ctx: Context
    match: Match
    submission: Submission
    text: str
    sure: bool
    below: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


def by_mail_alone() -> Verdict:
    """Refuse on a page what is answered with a mail that nobody there has asked for."""
    return Verdict(REJECTED, _("This can be said by mail, or done on its page."))


class Act(Protocol):
    """What a command does, in the transaction that judges it."""

    def __call__(self, wish: Wish) -> Verdict | None:
        """Do it, owe whatever mails follow, and say what became of the submission.

        None says that it was not meant as this command: the lines are looked through for a move.
        """


@dataclass(frozen=True, slots=True)
class Command:
    """A word that a person may send instead of a move, alone on the first line.

    `words` are its words by language, the first of each being the one that mails teach; `about` tells in
    one line what it does, behind the word in quotation marks; `right` is what its sender must be allowed. One that
    `asks_back` is done only when sent again with "yes". One that `takes` a text may have one behind its word, `only`
    one of these where there are any; `needs` says that it must. One that `goes_on` may have a move below it.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    about: str
    act: Act
    right: Right
    states: frozenset[MatchState] = field(default=ALWAYS)
    asks_back: bool = False
    takes: bool = False
    needs: bool = False
    only: frozenset[str] = frozenset()
    goes_on: bool = False
    verbatim: bool = False
    """Whether each space of its text counts, because what was typed is hashed."""
    for_several: bool = False
    """Whether it makes sense only where others sit at the table."""

    @property
    def word(self) -> str:
        """The word that is taught, in the language that is spoken."""
        return self.words.get(spoken(), self.words["en"])[0]

    @property
    def taught(self) -> str:
        """The word and what it does, as a line of a list or the end of a sentence."""
        return _("“{word}” {about}", word=self.word, about=_(self.about))

    def fits(self, match: Match) -> bool:
        """Tell whether it may be said at a match as it stands."""
        return match.state in self.states and not (self.for_several and len(match.seats) == 1)
