"""Mails to a player whose mail was not played."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from emails.content.blocks import Button, Choice, Choices, Footnote, Suggestions
from emails.messages.kinds import MessageKind
from emails.messages.shared import board, current_position, move_choice, play_now, position, reply_link, your_turn
from pbem.games.game import END_OF_MOVE
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

MAX_QUOTED_CHARACTERS = 200
"""Maximum characters quoted of a refused line."""


def _rejected(reader: MessageContext) -> list[Block]:
    line, reason = reader.facts["line"][:MAX_QUOTED_CHARACTERS], reader.facts["reason"]
    # The line and the reason may reveal a hand, so they are not in the first sentence, which inboxes show.
    lead, wrote = _("Nothing was played."), _("You wrote “{line}”. {reason}", line=line, reason=reason)
    if not reader.their_turn:
        # For example, a preview while others are to move: no move can be suggested instead.
        return [lead, wrote, *position(reader)]
    near = tuple(move_choice(reader, move) for move in reader.facts.get("near", ()))
    good = reader.facts.get("good")
    label = _("Go on from “{good}” in a new mail", good=good)
    filled = [Button(label, reply_link(reader, f"{good} "))] if good else []
    return [lead, wrote, *([Suggestions(near)] if near else []), *filled, *your_turn(reader)]


def _incomplete_move(reader: MessageContext) -> list[Block]:
    begun, onward, reason = reader.facts["begun"], reader.facts["onward"], reader.facts["reason"]
    # The page of each next piece, and a mail that begins with it or is the whole move.
    likely = tuple(
        Choice(
            text,
            f"{reader.turn_page}?{urlencode({'move': text})}",
            reply_link(reader, text if one["complete"] else f"{text} "),
        )
        for one in onward
        if (text := one["text"])
    )
    pieces = tuple(one["piece"] for one in onward if one["piece"] != END_OF_MOVE)
    return [
        _("So far so good: your mail holds the start of a move. Now add the rest."),
        _("It begins with “{begun}”. {reason}", begun=begun, reason=reason),
        Choices(_("May follow"), likely, pieces),
        Button(_("Write the rest in a new mail"), reply_link(reader, f"{begun} ")),
        Button(_("Choose the rest on its page"), f"{reader.turn_page}?{urlencode({'move': begun})}"),
        Footnote((_("Reply with the whole move on one line, including its start."),)),
        board(reader),
    ]


def _nothing_typed(reader: MessageContext) -> list[Block]:
    return [_("Nothing was played: there is no text above the quoted mail."), *current_position(reader)]


def _stale(reader: MessageContext) -> list[Block]:
    lead, why, now = _("Nothing new was played."), reader.facts["reason"], reader.facts.get("now")
    if now:
        offer = _("You wrote “{move}”, and you can play that now. Do you want to?", move=now)
        return [lead, why, offer, play_now(reader, now), *your_turn(reader)]
    if reader.their_turn:
        return [lead, why, _("It is your turn again. This is the match now."), *your_turn(reader)]
    return [lead, why, _("This is the match now."), *position(reader)]


def _earlier_mail(reader: MessageContext) -> list[Block]:
    return [_("Nothing was done."), reader.facts["reason"], *position(reader)]


def _wrong_sender(reader: MessageContext) -> list[Block]:
    sender = reader.facts["sender"].replace("@", _(" at ")) or _("unknown")
    return [
        _("Somebody answered one of your mails from another address ({sender}). Nothing was played yet.",
          sender=sender),
        _("If it was you, confirm it on this page to play it as if it had come from this address:"),
        Button(_("Look at that mail"), f"{reader.config.base_url}/confirm/{reader.facts['confirm']}"),
        _("If it was not you, do nothing: the sender got no answer."),
        *position(reader),
    ]  # fmt: skip


KINDS = (
    MessageKind(
        "rejected",
        _rejected,
        subject=marked("Not played"),
        summary=marked("Your mail about {game} was not played: it held no move that can be played now."),
        is_answer=True,
    ),
    MessageKind(
        "start",
        _incomplete_move,
        subject=marked("Not played yet"),
        summary=marked("Nothing was played yet: your mail about {game} held the start of a move."),
    ),
    MessageKind(
        "nothing typed",
        _nothing_typed,
        subject=marked("No move found"),
        summary=marked("Nothing was played: there is no text above the quoted mail."),
        is_answer=True,
    ),
    MessageKind(
        "stale",
        _stale,
        subject=marked("Nothing new was played"),
        summary=marked("Nothing new was played in {game}."),
        is_answer=True,
    ),
    MessageKind(
        "earlier mail",
        _earlier_mail,
        subject=marked("Please confirm"),
        summary=marked(
            "Nothing was done in {game}: you answered a mail of an earlier turn, which others may have by now. "
            "Reply to this one with the same line."
        ),
        is_answer=True,
    ),
    MessageKind(
        "wrong sender",
        _wrong_sender,
        subject=marked("Was this you?"),
        summary=marked("Somebody answered one of your mails from another address. Nothing was played."),
        is_answer=True,
    ),
)
