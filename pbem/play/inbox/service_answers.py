"""Answers to mails to the service that it does not act on: what can be written there, and who reads the rest.

Only players with a verified address get one: to answer others would mail people in whose name somebody else writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Address
from pbem.games import nearness
from pbem.play.chat import messages
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.inbox import commands
from pbem.play.lobby import lobby_mail
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import ServiceMail
    from pbem.play.core.context import Context

MAX_PER_DAY = 5
"""Maximum answers of this kind per player and day."""
COMMANDS = (
    "new", "lobby", "join", "seat me", "weekly", "weekly next", "weekly on", "weekly off", "list", "rating", "leagues",
    "league", "enter league", "leave league", "ladder", "enter ladder", "leave ladder", "challenge", "fields",
    "enter field", "leave field", "away", "back", "take over", "come back", "avoid", "avoid no more", "learn", "help",
)  # fmt: skip
"""The commands that the service's own address accepts, in the order of its help."""
MAX_QUOTED_CHARS = 40
"""Maximum characters of a line that is quoted: a longer one is no command with a typing error."""
_MIN_LIKENESS = 0.7


def explain(
    ctx: Context, row: ServiceMail, author: str, message_id: str | None, lines: Sequence[str] = (), *, forwarded: bool
) -> bool:
    """Enqueue an answer to a known player whose mail holds no command for the service; return whether one is sent."""
    address = ctx.session.get(Address, author) if author else None
    if address is None or address.verified_at is None or address.player.banned_at:
        return False
    if hit(ctx, Limit("letter explained", address.email, MAX_PER_DAY, SECONDS_PER_DAY)):
        return False
    line = next((line.strip() for line in lines if line.strip()), "")
    parsed = commands.parse([line])
    facts = {
        "name": address.player.name,
        "language": address.player.language,
        "line": messages.sanitise(line) if len(line) <= MAX_QUOTED_CHARS else "",
        "match_command": parsed is not None and parsed.command.name not in COMMANDS,
        "near": "" if parsed else _nearest(line),
        "forwarded": forwarded,
    }
    outbox.enqueue_mail(ctx, lobby_mail.HELP, address.email, facts, once=f"explained {row.id}", answers=message_id)
    return True


def _nearest(line: str) -> str:
    """Return the word of the service's command that a line was probably meant to begin with, or an empty string."""
    typed = commands.fold(line.partition(" ")[0][:MAX_QUOTED_CHARS]).rstrip(",:;?")
    words = [word for name in COMMANDS for few in commands.by_name()[name].words.values() for word in few]
    best = max(words, key=lambda word: nearness.likeness(word, typed))
    return best if nearness.likeness(best, typed) >= _MIN_LIKENESS else ""
