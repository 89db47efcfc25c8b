"""Mails that a player requested: the position, help, the rules, the history, a preview of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from emails.content import game_rules
from emails.content.blocks import Button, Choices, Points, Say, Small, Tell
from emails.messages.brief import briefly
from emails.messages.shared import board, position, reminder, your_turn
from pbem.i18n import _, several
from pbem.play.inbox import commands
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader

QUOTED = 60
"""Maximum characters quoted of a request."""


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
        tuple(one.taught for one in fitting),
    )
    return [Say(lead), Say(how), words, *(your_turn(reader) if reader.their_turn else position(reader))]


def _rules(reader: Reader) -> list[Part]:
    turn = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    page = Button(_("The same with pictures"), reader.rules_page)
    lead = _("These are the rules of {game}.", game=reader.game)
    return [Say(lead), page, *game_rules.told(reader.facts["game"]), *turn]


def _history(reader: Reader) -> list[Part]:
    told = descriptions.told(reader.facts["game"], reader.facts["log"], reader.names, reader.facts["seat"])
    lead = _("This is all that has happened in your match of {game}.", game=reader.game)
    if not told:
        lead = _("Nothing has happened yet in your match of {game}.", game=reader.game)
    lines = tuple(f"{number}. {line}" for number, line in enumerate(told, 1))
    turn = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [Say(lead), *([Points(lines)] if lines else []), board(reader), *turn, Small((reminder(reader),))]


def _moves(reader: Reader) -> list[Part]:
    moves, pieces = reader.facts["moves"], reader.facts["pieces"]
    page = Button(_("Choose your move on its page"), reader.turn_page)
    if pieces:
        lead = _("There are more moves than a mail can list. You put one together piece by piece.")
        first = Choices(_("It may begin with"), (), tuple(pieces))
        then = _("Reply with the beginning of a move, and you are told what may follow.")
        return [Say(lead), first, Say(then), page, board(reader)]
    if moves:
        count = several("You may play one move.", "You may play {count} moves.", len(moves))
        return [Say(count), Choices(_("They are"), (), tuple(moves)), page, board(reader)]
    lead = _("It is not your turn; you will be mailed when it is.")
    return [Say(lead), *position(reader)]


def _preview(reader: Reader) -> list[Part]:
    facts = reader.facts
    # The requested move or place may reveal a hand, so it is not in the first sentence, which inboxes show.
    lead = _("Nothing was played yet. This is what your move would do.")
    asked = _("You asked about “{move}”.", move=facts["move"])
    lines = [*facts["brings"]]
    if not facts["after"]:
        rest = _("The rest is seen when it has been played: something is drawn or uncovered by it.")
        alone = _("What comes of it is seen when it has been played: something is drawn or uncovered by it.")
        lines.append(rest if lines else alone)
    would = [Tell(_("What it would do:"), tuple(lines))] if lines else []
    told = tuple(facts["told"])
    after: list[Part] = [Tell(_("Once it is played, this is what will be told:"), told)] if told else []
    if facts["after"]:
        after += [Say(_("And this is how the board would look:")), board(reader, facts["after"])]
    play = Button(_("Play it"), f"{reader.turn_page}?move={quote(facts['move'])}")
    how = _("To play it, reply with the move alone on a line; to look at another, write “{word}” in front of it.",
            word=commands.known()["preview"].word)  # fmt: skip
    return [Say(lead), Say(asked), *would, play, *after, Small((how,))]


def _what(reader: Reader) -> list[Part]:
    told, place = reader.facts["told"], reader.facts["place"]
    lead = _("This is what you asked about in your match of {game}.", game=reader.game)
    if told:
        return [Say(lead), *map(Say, told), *briefly(reader)]
    nothing = _("There is nothing called “{place}” in {game}.", place=place[:QUOTED], game=reader.game)
    how = _("You may ask for what the position shows: a square, a card, a spot, a tree or a pyramid.")
    return [Say(lead), Say(nothing), Say(how), *briefly(reader)]


def _mine(reader: Reader) -> list[Part]:
    told = reader.facts["told"] or [_("You hold nothing in this game that is yours alone.")]
    # A hand must not be in the first sentence, which inboxes show.
    return [
        Say(_("This is what you hold in your match of {game}.", game=reader.game)),
        *map(Say, told),
        *briefly(reader),
    ]


LETTERS = {
    "board": _board,
    "help": _help,
    "rules": _rules,
    "history": _history,
    "moves": _moves,
    "preview": _preview,
    "what": _what,
    "my cards": _mine,
}
