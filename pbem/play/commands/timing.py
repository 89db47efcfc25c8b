"""Asking about time: to nudge those for whom the match waits, and why a move is due when it is."""

from __future__ import annotations

from pbem.play import explaining, nudging
from pbem.play.answers import answer
from pbem.play.commands.command import RUNNING, Command, Wish
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, Verdict
from pbem.words import marked


def _nudge(wish: Wish) -> Verdict:
    told = nudging.nudge(wish.table, wish.match, wish.submission.holder)
    answer(wish.table, wish.match, wish.submission, "nudged", came=" ".join(told))
    return Verdict(DONE, " ".join(told))


def _why(wish: Wish) -> Verdict:
    told = explaining.told(wish.table, wish.match, wish.submission.holder)
    answer(wish.table, wish.match, wish.submission, "why", told=told)
    return Verdict(DONE, " ".join(told))


COMMANDS = (
    Command(
        "nudge",
        {"en": ("nudge",), "de": ("anstupsen", "stups")},
        marked("to have a friendly mail sent to those for whom the match waits, once a day"),
        _nudge,
        Right.ACT,
        frozenset({RUNNING}),
        for_several=True,
    ),
    Command(
        "why",
        {"en": ("why",), "de": ("warum", "wieso")},
        marked("to be told step by step by when moves are due"),
        _why,
        Right.ASK,
        frozenset({RUNNING}),
    ),
)
