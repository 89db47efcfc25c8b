"""Accepting and declining an invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import matches
from pbem.play.answers import answer
from pbem.play.commands.command import INVITING, Command, Wish
from pbem.play.verdicts import DONE, Verdict
from pbem.words import marked

if TYPE_CHECKING:
    from pbem.db.models import MatchSeat


def accept(wish: Wish) -> Verdict:
    """Accept an invitation, with what stands behind the word as a text for the deal."""
    table, match, submission = wish.table, wish.match, wish.submission
    seat: MatchSeat = matches.accept(table, match, submission.holder, wish.text, submission.message_id)
    if match.state == INVITING:
        deal = matches.entropy_facts(seat, wish.text)
        answer(table, match, submission, "accepted", ply=0, **deal)
    return Verdict(DONE)


def decline(wish: Wish) -> Verdict:
    """Decline an invitation, which calls the match off."""
    matches.decline(wish.table, wish.match, wish.submission.holder)
    answer(wish.table, wish.match, wish.submission, "declined", ply=0)
    return Verdict(DONE)


COMMANDS = (
    Command(
        "accept",
        {"en": ("accept",), "de": ("annehmen",)},
        marked("to accept an invitation; behind it you may type a text for the deal"),
        accept,
        frozenset({INVITING}),
        takes=True,
    ),
    Command(
        "decline",
        {"en": ("decline",), "de": ("ablehnen",)},
        marked("to decline an invitation"),
        decline,
        frozenset({INVITING}),
    ),
)
