"""The definition of a command: its words in each language, when it may be sent, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pbem.i18n import _, current_locale
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.submissions.permissions import Right

INVITING, RUNNING, OVER = MatchState.INVITING, MatchState.RUNNING, MatchState.OVER
ANY_STATE = frozenset(MatchState)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command as it was sent: `text` is what follows its word, `sure` whether it was confirmed.

    `below` are the lines typed below it, `answers` the Message-IDs of the mails that it answers.
    """

    ctx: Context
    match: Match
    submission: Submission
    text: str
    confirmed: bool
    below: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


def refuse_on_page() -> Verdict:
    """Refuse, on a page, a command that is answered by a mail which nobody there asked for."""
    return Verdict(SubmissionStatus.REJECTED, _("This can be said by mail, or done on its page."))


class Handler(Protocol):
    """What a command does, in the transaction that judges the submission."""

    def __call__(self, wish: Invocation) -> Verdict | None:
        """Run the command, enqueue the resulting mails, and return the verdict on the submission.

        None means that it was not meant as this command: the lines are searched for a move.
        """


@dataclass(frozen=True, slots=True)
class Command:
    """A word that a person may send instead of a move, alone on the first line.

    `words` are its words by language, the first of each being the one that mails teach. `about` says in one line what
    it does; it follows the word in quotation marks. `right` is what the sender must be allowed to do. With `asks_back`,
    it is done only when sent again with "yes". With `takes`, a text may follow the word; with `needs`, one must; `only`
    lists the allowed texts, if not all are. With `goes_on`, a move may be below it.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    summary: str
    handler: Handler
    right: Right
    states: frozenset[MatchState] = field(default=ANY_STATE)
    needs_confirmation: bool = False
    takes_text: bool = False
    needs_text: bool = False
    allowed_texts: frozenset[str] = frozenset()
    allows_move_below: bool = False
    verbatim: bool = False
    """Whether spaces in its text are kept as typed, because the text is hashed."""
    needs_several_seats: bool = False
    """Whether it makes sense only in a match of several seats."""

    @property
    def word(self) -> str:
        """The word that mails teach, in the current language."""
        return self.words.get(current_locale(), self.words["en"])[0]

    @property
    def help_line(self) -> str:
        """The word and what it does, as an item of a list or the end of a sentence."""
        return _("“{word}” {about}", word=self.word, about=_(self.summary))

    def is_possible(self, match: Match) -> bool:
        """Return whether it may be sent to a match in its current state."""
        return match.state in self.states and not (self.needs_several_seats and len(match.seats) == 1)
