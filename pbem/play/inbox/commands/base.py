"""The definition of a command: its words in each language, when it may be sent, and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pbem.i18n import _, current_locale
from pbem.play.notifications import replies
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.db.models import Match, SeatHolder, Submission
    from pbem.play.core.context import Context
    from pbem.play.submissions.permissions import Right

INVITING, RUNNING, OVER = MatchState.INVITING, MatchState.RUNNING, MatchState.OVER


def done(text: str | None = None) -> Verdict:
    """Return the verdict on a command that was carried out."""
    return Verdict(SubmissionStatus.DONE, text)


def done_unless(refusal: str, text: str | None = None) -> Verdict:
    """Return the verdict on a command that was refused with a sentence, or carried out if that is empty."""
    return Verdict(SubmissionStatus.REJECTED, refusal) if refusal else done(text)


def refuse_on_page() -> Verdict:
    """Refuse, on a page, a command that is answered by a mail which nobody there requested."""
    return Verdict(SubmissionStatus.REJECTED, _("Send this by mail, or use its page."))


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command as it was sent: the text after its word, the lines below it, and the Message-IDs that it answers."""

    ctx: Context
    match: Match
    submission: Submission
    text: str
    below: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def holder(self) -> SeatHolder:
        """The seat of the sender."""
        return self.submission.holder

    def answer(self, kind: str, ply: int | None = None, **facts: Any) -> None:
        """Enqueue a reply to the sender; an invitee may accept in reply to it."""
        invited = self.match.state == INVITING
        replies.answer(self.ctx, self.match, self.submission, kind, 0 if invited else ply, **facts)

    def reject(self, kind: str, reason: str, **facts: Any) -> Verdict:
        """Answer with the reason why nothing was done, and return the verdict."""
        self.answer(kind, reason=reason, **facts)
        return Verdict(SubmissionStatus.REJECTED, reason)


class Handler(Protocol):
    """What a command does, in the transaction that judges the submission."""

    def __call__(self, call: Invocation) -> Verdict | None:
        """Run the command, enqueue the resulting mails, and return the verdict on the submission.

        None means that it was not meant as this command: the lines are searched for a move.
        """


@dataclass(frozen=True, slots=True)
class Command:
    """A word that a person may send instead of a move, alone on the first line.

    `words` are its words by language, the first of each being the one that mails teach. `summary` says in one line what
    it does; it follows the word in quotation marks. `right` is what the sender must be allowed to do. With
    `takes_text`, a text may follow the word, with `needs_text`, one must; `allowed_texts` lists them, if not all are
    allowed. With `needs_confirmation`, it is done only when sent again with “yes”;
    `consequence` returns what the mail that asks for it adds, if anything. With `allows_move_below`, a move may
    be below it; with `gives_way_to_moves`, a move below it is played instead. With `verbatim`, spaces in its text are
    kept, because the text is hashed.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    summary: str
    handler: Handler
    right: Right
    states: frozenset[MatchState] = frozenset(MatchState)
    needs_confirmation: bool = False
    consequence: Callable[[Match], str] | None = None
    takes_text: bool = False
    needs_text: bool = False
    allowed_texts: frozenset[str] = frozenset()
    allows_move_below: bool = False
    gives_way_to_moves: bool = False
    verbatim: bool = False
    needs_several_seats: bool = False

    @property
    def accepts_text(self) -> bool:
        """Whether a text may follow the word."""
        return self.takes_text or self.needs_text

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
