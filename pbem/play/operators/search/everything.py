"""The search box: everything that a typed text may identify."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.db.models import Match, OutboxMessage, Player, ServiceMail
from pbem.play.operators.search import inbound, matches, outbound, players
from pbem.play.operators.search.pagination import parse_number

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from pbem.play.operators.search.inbound import SubmissionDetails
    from pbem.play.operators.search.players import PlayerRow

MAX_RESULTS = 10
"""Maximum results of a kind."""
_FINGERPRINT_LENGTH = 64
_MAX_QUERY_LENGTH = 300


@dataclass(slots=True)
class SearchResults:
    """What a text identifies, or is part of the name of."""

    people: list[PlayerRow] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    submissions: list[SubmissionDetails] = field(default_factory=list)
    letters: list[ServiceMail] = field(default_factory=list)
    mails: list[OutboxMessage] = field(default_factory=list)
    more: bool = False

    def __bool__(self) -> bool:
        return any((self.people, self.matches, self.submissions, self.letters, self.mails))


def search(ctx: Context, typed: str) -> SearchResults:
    """Find what a text may be: a number, a match, a submission, a fingerprint, a Message-ID, an address or a name."""
    text = typed.replace("\0", "").strip()[:_MAX_QUERY_LENGTH]
    found = SearchResults()
    if not text:
        return found
    bare = text.removeprefix("#")
    if (row := parse_number(bare)) is not None:
        if player := ctx.session.get(Player, row):
            found.people.append(players.load_row(ctx, player))
        found.letters += filter(None, [ctx.session.get(ServiceMail, row)])
        found.mails += filter(None, [ctx.session.get(OutboxMessage, row)])
    found.matches += matches.starting_with(ctx, bare.lower(), MAX_RESULTS)
    if not found.matches:
        found.submissions += inbound.starting_with(ctx, bare.lower(), MAX_RESULTS)
    if fingerprint := _parse_fingerprint(bare):
        submission, letter = inbound.by_fingerprint(ctx, fingerprint)
        if submission:
            found.submissions += filter(None, [inbound.submission(ctx, submission.id)])
        found.letters += filter(None, [letter])
    if "@" in text:
        named = text if text.startswith("<") else f"<{text}>"
        found.mails += filter(None, [outbound.by_message_id(ctx, named)])
    page = players.search(ctx, text)
    known = {row.player.id for row in found.people}
    found.people += [row for row in page.rows if row.player.id not in known]
    found.more = page.after is not None
    return found


def _parse_fingerprint(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if len(text) == _FINGERPRINT_LENGTH else None
    except ValueError:
        return None
