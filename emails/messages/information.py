"""Mails that a player requested: the position, help, the rules, the history, a preview of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from emails.content import game_rules
from emails.content.blocks import BulletList, Button, Choices, Footnote, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import board, brief_ending, current_position, position, turn_button
from pbem.i18n import _, marked, several
from pbem.play.inbox import commands
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

HELP_GROUPS = (
    (
        marked("Your move:"),
        (
            "accept", "decline", "moves", "preview", "what", "my cards", "board", "takeback", "undo", "more time",
            "why", "if", "when I can", "always", "plan", "forget",
        ),
    ),
    (
        marked("This match:"),
        (
            "help", "rules", "history", "say", "note", "notes", "yes", "no", "draw", "resign", "abandon", "pause",
            "resume", "nudge", "vote", "name", "mute", "unmute", "report", "decline for ever", "remind", "replace",
            "replay", "rematch", "fork", "par", "look back",
        ),
    ),
    (
        marked("All your matches:"),
        (
            "list", "rating", "learn", "new", "lobby", "join", "seat me", "away", "back", "forced", "take over",
            "come back",
            "avoid", "avoid no more", "weekly", "weekly next", "weekly on", "weekly off", "leagues", "league",
            "enter league", "leave league", "ladder", "enter ladder", "leave ladder", "challenge", "fields",
            "enter field", "leave field", "par on", "par off", "stop", "start",
        ),
    ),
)  # fmt: skip
"""The commands by what they are about, the most frequent first."""
MAX_QUOTED_CHARACTERS = 60
"""Maximum characters quoted of a request."""


def _board(reader: MessageContext) -> list[Block]:
    lead = _("This is your match of {game}.", game=reader.game)
    if reader.their_turn:
        lead = _("This is your match of {game}; it is your turn.", game=reader.game)
    return [lead, *current_position(reader)]


def _help(reader: MessageContext) -> list[Block]:
    lead = _("How to play {game} by mail.", game=reader.game)
    how = _("When a mail says it is your turn, reply with your move on a line of its own. The rest is ignored.")
    known = commands.by_name()
    groups = (
        (_(heading), tuple(known[name].help_line for name in names if reader.can_use(known[name])))
        for heading, names in HELP_GROUPS
    )
    words = _("Instead of a move you can write one of these, alone on the first line.")
    return [lead, how, words, *(TitledList(*group) for group in groups if group[1]), *current_position(reader)]


def _rules(reader: MessageContext) -> list[Block]:
    page = Button(_("The same with pictures"), reader.rules_page)
    lead = _("These are the rules of {game}.", game=reader.game)
    return [lead, page, *game_rules.rules_blocks(reader.facts["game"]), *turn_button(reader)]


def _history(reader: MessageContext) -> list[Block]:
    log = descriptions.log_sentences(reader.facts["game"], reader.facts["log"], reader.names, reader.facts["seat"])
    if log:
        lead = _("This is the history of your match of {game}.", game=reader.game)
    else:
        lead = _("Nothing has happened yet in your match of {game}.", game=reader.game)
    lines = tuple(f"{number}. {line}" for number, line in enumerate(log, 1))
    return [lead, *([BulletList(lines)] if lines else []), board(reader), *brief_ending(reader)]


def _moves(reader: MessageContext) -> list[Block]:
    moves, pieces = reader.facts["moves"], reader.facts["pieces"]
    page = Button(_("Choose your move on its page"), reader.turn_page)
    if pieces:
        lead = _("There are more moves than a mail can list. Build yours piece by piece.")
        then = _("Reply with the start of a move to see what may follow.")
        return [lead, Choices(_("It may begin with"), (), tuple(pieces)), then, page, board(reader)]
    if moves:
        count = several("You may play one move.", "You may play {count} moves.", len(moves))
        return [count, Choices(_("They are"), (), tuple(moves)), page, board(reader)]
    return [_("It is not your turn. We will mail you when it is."), *position(reader)]


def _preview(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lines, sentences = [*facts["brings"]], tuple(facts["told"])
    after: list[Block] = [_("The board would look like this:"), board(reader, facts["after"])] if facts["after"] else []
    if not facts["after"]:
        rest = _("The rest is known only after the move: something is drawn or uncovered by it.")
        alone = _("Its effect is known only after the move: something is drawn or uncovered by it.")
        lines.append(rest if lines else alone)
    how = _("To play it, reply with the move alone on a line. To preview another, write “{word}” in front of it.",
            word=reader.word("preview"))  # fmt: skip
    return [
        # The requested move or place may reveal a hand, so it is not in the first sentence, which inboxes show.
        _("Nothing was played yet. This is what your move would do."),
        _("You asked about “{move}”.", move=facts["move"]),
        *([TitledList(_("What it would do:"), tuple(lines))] if lines else []),
        Button(_("Play it"), f"{reader.turn_page}?move={quote(facts['move'])}"),
        *([TitledList(_("Once it is played, the history will say:"), sentences)] if sentences else []),
        *after,
        Footnote((how,)),
    ]


def _place(reader: MessageContext) -> list[Block]:
    place, answer = reader.facts["place"][:MAX_QUOTED_CHARACTERS], reader.facts["told"]
    nothing = _("There is nothing called “{place}” in {game}.", place=place, game=reader.game)
    how = _("You can ask about what the position shows: a square, a card, a spot, a tree or a pyramid.")
    lead = _("This is what you asked about in your match of {game}.", game=reader.game)
    return [lead, *(answer or [nothing, how]), *brief_ending(reader)]


def _own_cards(reader: MessageContext) -> list[Block]:
    # A hand must not be in the first sentence, which inboxes show.
    lead = _("This is what you hold in your match of {game}.", game=reader.game)
    held = reader.facts["told"] or [_("You hold nothing that only you can see.")]
    return [lead, *held, *brief_ending(reader)]


KINDS = (
    MessageKind("board", _board, subject=marked("Your match"), is_previewed=True, is_pictured=True, is_answer=True),
    MessageKind("help", _help, subject=marked("Help"), is_previewed=True, is_answer=True),
    MessageKind("rules", _rules, subject=marked("The rules"), is_unredacted=True, is_answer=True),
    MessageKind("history", _history, subject=marked("What happened so far")),
    MessageKind("moves", _moves, subject=marked("Your possible moves")),
    MessageKind("preview", _preview, subject=marked("Preview of your move")),
    MessageKind("what", _place, subject=marked("What you asked about")),
    MessageKind("my cards", _own_cards, subject=marked("What you hold")),
)
