"""Commands for private notes: to write one on the match or on a person there, and to get them by mail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.i18n import _, marked
from pbem.play.chat import conversation
from pbem.play.core.errors import Refused
from pbem.play.inbox import note_lines
from pbem.play.inbox.commands.base import Command, Invocation, done
from pbem.play.players import private_notes
from pbem.play.players.private_notes import Subject
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.submissions.verdicts import Verdict

_PERSON_PREFIX = re.compile(r"(?:on|about|zu|über|ueber)\s+", re.IGNORECASE)


def write(call: Invocation, texts: Sequence[str]) -> Verdict:
    """Add texts to the sender's notes, and answer with what was noted; the verdict, which is stored, has none of it."""
    noted: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    why = ""
    for text in texts:
        subject, rest = _find_subject(call, text)
        entry = {"name": subject.name, "lines": rest.splitlines()}
        try:
            private_notes.add(call.ctx, call.holder.player_id, subject, rest)
        except Refused as reason:
            why = str(reason)
            refused.append(entry)
        else:
            noted.append(entry)
    if refused:
        return call.reject("not noted", why, about=" note", refused=refused, noted=noted)
    call.answer("noted", about=" note", noted=noted)
    return done(_("Noted, for you alone."))


def _list(call: Invocation) -> Verdict:
    """Mail the sender their notes on the match and on the people there."""
    player = call.holder.player_id
    on_match = private_notes.on_match(call.ctx, player, call.match.id)
    people = [
        (one.name, private_notes.on_person(call.ctx, player, one.player_id))
        for one in conversation.other_people(call.ctx, call.match, call.holder)
    ]
    noted = [{"name": name, "lines": text.splitlines()} for name, text in ((None, on_match), *people) if text]
    call.answer("notes", noted=noted)
    return done(_("Your notes are on their way by mail."))


def _find_subject(call: Invocation, text: str) -> tuple[Subject, str]:
    """Return what a note is on, and its text: a person if it begins with “on” and their name, otherwise the match."""
    prefix = _PERSON_PREFIX.match(text)
    person, rest = (
        conversation.split_name(conversation.other_people(call.ctx, call.match, call.holder), text[prefix.end() :])
        if prefix
        else (None, text)
    )
    if person is None or not rest:
        return Subject(call.match.id), text
    return Subject(person=person.player_id, name=person.name), rest


COMMANDS = (
    Command(
        note_lines.NOTE,
        note_lines.WORDS,
        marked("followed by a text to keep it for you alone; “on” and a player’s name come first for a note on them"),
        # A text after the word was taken out, and noted, before commands are read.
        _list,
        Right.ACT,
        takes_text=True,
        verbatim=True,
    ),
    Command(
        note_lines.NOTES,
        {"en": ("notes",), "de": ("notizen",)},
        marked("to get your own notes on this match and its players"),
        _list,
        Right.ASK,
    ),
)
