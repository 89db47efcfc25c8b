"""Private notes: what a player writes down about a match, or about a person, which nobody else reads."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import PrivateNote
from pbem.i18n import _
from pbem.play.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

MAX_CHARS = 2000
"""Maximum characters of a note; that of merged accounts may be longer, until it is edited."""
MAX_PEOPLE = 500
"""Maximum people on whom one player keeps a note."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a note is on: a match by its id, or a player by theirs and the name that the author knows."""

    match: str | None = None
    person: int | None = None
    name: str | None = None


class Changed(Refused):
    """Refuses to replace a note that was changed since its author last saw it; `text` is what it says now."""

    def __init__(self, text: str) -> None:
        super().__init__(
            _("Your note was changed elsewhere in the meantime. Look at both texts, and save again."), "text"
        )
        self.text = text


def on_match(ctx: Context, player: int, match: str) -> str:
    """Return a player's note on a match; empty if there is none."""
    return ctx.session.scalar(select(PrivateNote.text).where(*_is_on(player, Subject(match)))) or ""


def on_person(ctx: Context, player: int, person: int) -> str:
    """Return a player's note on a person; empty if there is none."""
    return ctx.session.scalar(select(PrivateNote.text).where(*_is_on(player, Subject(person=person)))) or ""


def list_people(ctx: Context, player: int) -> Sequence[PrivateNote]:
    """List a player's notes on people, by name."""
    theirs = select(PrivateNote).where(PrivateNote.player_id == player, PrivateNote.about_id.is_not(None))
    return ctx.session.scalars(theirs.order_by(func.lower(PrivateNote.name), PrivateNote.id)).all()


def replace(ctx: Context, player: int, subject: Subject, typed: str, seen: str | None = None) -> None:
    """Replace a note, or delete it with an empty text; raises Refused with a sentence.

    `seen` is the text that its author has in view: if the note says something else by now, nothing is replaced.
    """
    text = tidy(typed)
    if len(text) > MAX_CHARS:
        raise Refused(
            _("A note has at most {most} characters; this one has {count}.", most=MAX_CHARS, count=len(text)), "text"
        )
    _check_room(ctx, player, subject)
    present = _lock(ctx, player, subject)
    has_changed = seen is not None and present not in {tidy(seen), text}
    _store(ctx, player, subject, present if has_changed else text)
    if has_changed:
        raise Changed(present)


def add(ctx: Context, player: int, subject: Subject, typed: str) -> None:
    """Add lines to a note; raises Refused if there is no room for them."""
    _check_room(ctx, player, subject)
    present = _lock(ctx, player, subject)
    text = _join(present, tidy(typed))
    has_room = len(text) <= MAX_CHARS
    _store(ctx, player, subject, text if has_room else present)
    if not has_room:
        raise Refused(_("There is no room: a note has at most {most} characters.", most=MAX_CHARS), "text")


def merge(ctx: Context, bare: int, into: int) -> None:
    """Move the notes of one player, and those on them, to another; where both have one, the texts are joined."""
    on_each_other = PrivateNote.player_id.in_((bare, into)), PrivateNote.about_id.in_((bare, into))
    ctx.session.execute(delete(PrivateNote).where(*on_each_other))
    moved = PrivateNote.player_id == bare, PrivateNote.about_id == bare
    for one in ctx.session.scalars(select(PrivateNote).where(moved[0] | moved[1]).order_by(PrivateNote.id)).all():
        player = into if one.player_id == bare else one.player_id
        subject = Subject(one.match_id, into if one.about_id == bare else one.about_id, one.name)
        ctx.session.execute(delete(PrivateNote).where(PrivateNote.id == one.id))
        _store(ctx, player, subject, _join(_lock(ctx, player, subject), one.text))


def tidy(text: str) -> str:
    """Return a text without control characters, trailing spaces, and blank lines around it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split("\n")
    kept = ("".join(one for one in line if unicodedata.category(one) not in {"Cc", "Cs"}).rstrip() for line in lines)
    return "\n".join(kept).strip("\n")


def _lock(ctx: Context, player: int, subject: Subject) -> str:
    """Insert the row of a note unless it is there, lock it, and return its text."""
    row = {
        "player_id": player, "match_id": subject.match, "about_id": subject.person, "name": subject.name, "text": "",
        "changed_at": ctx.now,
    }  # fmt: skip
    ctx.session.execute(insert(PrivateNote).values(row).on_conflict_do_nothing())
    return ctx.session.scalars(select(PrivateNote.text).where(*_is_on(player, subject)).with_for_update()).one()


def _check_room(ctx: Context, player: int, subject: Subject) -> None:
    """Raise Refused if a note on one more person is one too many."""
    if subject.person is None:
        return
    others = PrivateNote.player_id == player, PrivateNote.about_id.is_not(None), PrivateNote.about_id != subject.person
    if (ctx.session.scalar(select(func.count()).where(*others)) or 0) >= MAX_PEOPLE:
        raise Refused(
            _("You have notes on {count} people already. Delete one of them first.", count=MAX_PEOPLE), "text"
        )


def _join(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def _store(ctx: Context, player: int, subject: Subject, text: str) -> None:
    """Store the text of a locked note, or delete it if that is empty."""
    which = _is_on(player, subject)
    if text:
        ctx.session.execute(update(PrivateNote).where(*which).values(text=text, changed_at=ctx.now))
    else:
        ctx.session.execute(delete(PrivateNote).where(*which))


def _is_on(player: int, subject: Subject) -> tuple[ColumnElement[bool], ...]:
    about = PrivateNote.match_id == subject.match if subject.match else PrivateNote.about_id == subject.person
    return PrivateNote.player_id == player, about
