"""Mails that a player requested: the position, help, the rules, the history, a preview of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from emails.content import game_rules
from emails.content.blocks import BulletList, Button, Choices, Footnote, TitledList
from emails.messages.endings import brief_ending
from emails.messages.kinds import MessageKind
from emails.messages.shared import board, command_reminder, position, your_turn
from pbem.i18n import _, several
from pbem.play.inbox import commands
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

MAX_QUOTED_CHARACTERS = 60
"""Maximum characters quoted of a request."""


def _board(reader: MessageContext) -> list[Block]:
    if reader.their_turn:
        return [_("This is your match of {game}; it is your turn.", game=reader.game), *your_turn(reader)]
    return [_("This is your match of {game}.", game=reader.game), *position(reader)]


def _help(reader: MessageContext) -> list[Block]:
    lead = _("How to play {game} by mail.", game=reader.game)
    how = _(
        "Answer a mail that says it is your turn with your move on a line of its own. The rest is quoted or ignored."
    )
    fitting = [one for one in commands.by_name().values() if reader.can_use(one)]
    words = TitledList(
        _("Instead of a move you may write, alone on the first line:"), tuple(one.help_line for one in fitting)
    )
    return [lead, how, words, *(your_turn(reader) if reader.their_turn else position(reader))]


def _rules(reader: MessageContext) -> list[Block]:
    turn = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    page = Button(_("The same with pictures"), reader.rules_page)
    lead = _("These are the rules of {game}.", game=reader.game)
    return [lead, page, *game_rules.rules_blocks(reader.facts["game"]), *turn]


def _history(reader: MessageContext) -> list[Block]:
    told = descriptions.log_sentences(reader.facts["game"], reader.facts["log"], reader.names, reader.facts["seat"])
    lead = _("This is all that has happened in your match of {game}.", game=reader.game)
    if not told:
        lead = _("Nothing has happened yet in your match of {game}.", game=reader.game)
    lines = tuple(f"{number}. {line}" for number, line in enumerate(told, 1))
    turn = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [lead, *([BulletList(lines)] if lines else []), board(reader), *turn, Footnote((command_reminder(reader),))]


def _moves(reader: MessageContext) -> list[Block]:
    moves, pieces = reader.facts["moves"], reader.facts["pieces"]
    page = Button(_("Choose your move on its page"), reader.turn_page)
    if pieces:
        lead = _("There are more moves than a mail can list. You put one together piece by piece.")
        first = Choices(_("It may begin with"), (), tuple(pieces))
        then = _("Reply with the beginning of a move, and you are told what may follow.")
        return [lead, first, then, page, board(reader)]
    if moves:
        count = several("You may play one move.", "You may play {count} moves.", len(moves))
        return [count, Choices(_("They are"), (), tuple(moves)), page, board(reader)]
    lead = _("It is not your turn; you will be mailed when it is.")
    return [lead, *position(reader)]


def _preview(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    # The requested move or place may reveal a hand, so it is not in the first sentence, which inboxes show.
    lead = _("Nothing was played yet. This is what your move would do.")
    asked = _("You asked about “{move}”.", move=facts["move"])
    lines = [*facts["brings"]]
    if not facts["after"]:
        rest = _("The rest is seen when it has been played: something is drawn or uncovered by it.")
        alone = _("What comes of it is seen when it has been played: something is drawn or uncovered by it.")
        lines.append(rest if lines else alone)
    would = [TitledList(_("What it would do:"), tuple(lines))] if lines else []
    told = tuple(facts["told"])
    after: list[Block] = [TitledList(_("Once it is played, this is what will be told:"), told)] if told else []
    if facts["after"]:
        after += [_("And this is how the board would look:"), board(reader, facts["after"])]
    play = Button(_("Play it"), f"{reader.turn_page}?move={quote(facts['move'])}")
    how = _("To play it, reply with the move alone on a line; to look at another, write “{word}” in front of it.",
            word=commands.by_name()["preview"].word)  # fmt: skip
    return [lead, asked, *would, play, *after, Footnote((how,))]


def _place(reader: MessageContext) -> list[Block]:
    told, place = reader.facts["told"], reader.facts["place"]
    lead = _("This is what you asked about in your match of {game}.", game=reader.game)
    if told:
        return [lead, *told, *brief_ending(reader)]
    nothing = _("There is nothing called “{place}” in {game}.", place=place[:MAX_QUOTED_CHARACTERS], game=reader.game)
    how = _("You may ask for what the position shows: a square, a card, a spot, a tree or a pyramid.")
    return [lead, nothing, how, *brief_ending(reader)]


def _own_cards(reader: MessageContext) -> list[Block]:
    told = reader.facts["told"] or [_("You hold nothing in this game that is yours alone.")]
    # A hand must not be in the first sentence, which inboxes show.
    return [_("This is what you hold in your match of {game}.", game=reader.game), *told, *brief_ending(reader)]


KINDS = (
    MessageKind("board", _board, is_previewed=True, is_pictured=True, is_answer=True),
    MessageKind("help", _help, is_previewed=True, is_answer=True),
    MessageKind("rules", _rules, is_unredacted=True, is_answer=True),
    MessageKind("history", _history),
    MessageKind("moves", _moves),
    MessageKind("preview", _preview),
    MessageKind("what", _place),
    MessageKind("my cards", _own_cards),
)
