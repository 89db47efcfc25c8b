"""Letters that somebody asked for: the position, help, the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails import rules
from emails.letters.blocks import position, word, your_turn
from emails.parts import Button, Say, Tell
from pbem.play import commands
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _board(reader: Reader) -> list[Part]:
    if reader.their_turn:
        return [Say(_("This is your match of {game}; it is your turn.", game=reader.game)), *your_turn(reader)]
    return [Say(_("This is your match of {game}.", game=reader.game)), *position(reader)]


def _help(reader: Reader) -> list[Part]:
    lead = _("How to play {game} by mail.", game=reader.game)
    how = _(
        "Answer a mail that says it is your turn with your move on a line of its own. The rest is quoted or ignored."
    )
    fitting = [one for one in commands.known().values() if reader.may(one)]
    words = Tell(
        _("Instead of a move you may write, alone on the first line:"),
        tuple(f"“{word(one)}” {_(one.about)}" for one in fitting),
    )
    return [Say(lead), Say(how), words, *(your_turn(reader) if reader.their_turn else position(reader))]


def _rules(reader: Reader) -> list[Part]:
    turn = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    page = Button(_("The same with pictures"), reader.rules_page)
    lead = _("These are the rules of {game}.", game=reader.game)
    return [Say(lead), page, *rules.told(reader.facts["game"]), *turn]


LETTERS = {"board": _board, "help": _help, "rules": _rules}
