"""Subjects of mails: the news first, then the match or the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import GAMES
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.messages.context import MessageContext
    from emails.messages.kinds import MessageKind


def subject(kind: MessageKind, reader: MessageContext) -> str:
    """Return the subject of a mail."""
    return kind.build_subject(reader) if kind.build_subject else redacted_subject(kind, reader)


def redacted_subject(kind: MessageKind, reader: MessageContext) -> str:
    """Return the subject of a link-only mail, which is the same whatever happened."""
    return with_match(_(kind.subject), reader)


def seatless_subject(kind: MessageKind, reader: MessageContext) -> str:
    """Return the subject of a mail that is not about a seat: the news, and the game if the kind names it."""
    news = _(kind.subject)
    if not kind.game_fact:
        return news
    return _("{news}: {match}", news=news, match=GAMES[reader.facts[kind.game_fact]].name)


def with_match(news: str, reader: MessageContext) -> str:
    """Return a subject of the news and the match."""
    return _("{news}: {match}", news=news, match=match_title(reader))


def match_title(reader: MessageContext) -> str:
    """Return the game and the other players."""
    if not reader.has_opponents:
        return reader.game
    return _("{game} with {others}", game=reader.game, others=reader.others)
