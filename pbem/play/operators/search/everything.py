"""The search box: everything that a typed text may identify."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.db.models import Letter, Notice, Player
from pbem.play.operators.search import inbound, matches, outbound, players
from pbem.play.operators.search.pagination import number

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context
    from pbem.play.operators.search.inbound import Sent
    from pbem.play.operators.search.players import Known

MOST = 10
"""Maximum results of a kind."""
_PRINT = 64
_LONGEST = 300


@dataclass(slots=True)
class Found:
    """What a text identifies, or is part of the name of."""

    people: list[Known] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    submissions: list[Sent] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    mails: list[Notice] = field(default_factory=list)
    more: bool = False

    def __bool__(self) -> bool:
        return any((self.people, self.matches, self.submissions, self.letters, self.mails))


def search(ctx: Context, typed: str) -> Found:
    """Find what a text may be: a number, a match, a submission, a fingerprint, a Message-ID, an address or a name."""
    text = typed.replace("\0", "").strip()[:_LONGEST]
    found = Found()
    if not text:
        return found
    bare = text.removeprefix("#")
    if (row := number(bare)) is not None:
        _numbered(ctx, row, found)
    found.matches += matches.begins(ctx, bare.lower(), MOST)
    if not found.matches:
        found.submissions += inbound.begins(ctx, bare.lower(), MOST)
    if once := _hex(bare):
        _printed(ctx, once, found)
    if "@" in text:
        named = text if text.startswith("<") else f"<{text}>"
        found.mails += filter(None, [outbound.by_message_id(ctx, named)])
    known = players.listed(ctx, text)
    found.people += [one for one in known.rows if one.player.id not in {other.player.id for other in found.people}]
    found.more = known.after is not None
    return found


def _numbered(ctx: Context, row: int, found: Found) -> None:
    person = ctx.session.get(Player, row)
    if person is not None:
        found.people.append(players.known(ctx, person))
    found.letters += filter(None, [ctx.session.get(Letter, row)])
    found.mails += filter(None, [ctx.session.get(Notice, row)])


def _printed(ctx: Context, once: bytes, found: Found) -> None:
    submission, letter = inbound.by_print(ctx, once)
    if submission:
        found.submissions += filter(None, [inbound.submission(ctx, submission.id)])
    if letter:
        found.letters.append(letter)


def _hex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if len(text) == _PRINT else None
    except ValueError:
        return None
