"""Reveal of hidden state in a running match to operators. It is an entry of the hash chain, and told at once.

The match is shown as it was when it was revealed: whatever is dealt or chosen later takes another reveal.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.db.models import Match
from pbem.games.chain import Acted
from pbem.play.core.actors import MATCH, OPERATOR, ActError, Actor, Done
from pbem.play.matches.match_state import enter_event, log_of, past_of, replayed
from pbem.play.matches.views import names_of, shown_opened
from pbem.play.operators import lookup
from pbem.play.operators.notify import OPENED, to_table
from pbem.play.operators.perform import act
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.chain import Entry
    from pbem.play.core.context import Context


@act("open", MATCH)
def open_hidden(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> Done:
    """Reveal the hidden state of a match as it is now; again only after another move."""
    match = lookup.locked_match(ctx, match_id)
    if match.state == MatchState.OVER and match.seed is not None:
        raise ActError("The match is over: everything in it is open to anybody already.")
    if match.seed is None:
        raise ActError("Nothing was dealt in this match, so nothing is hidden.")
    if _is_open(log_of(ctx, match.id)):
        return Done(f"Match {match.id} is opened as it stands already.", changed=False)
    enter_event(ctx, match, OPENED, seat=None, by=OPERATOR)
    to_table(ctx, match, OPENED, reason)
    return Done(f"Match {match.id} is opened as it stands; every seat of it is told now.")


@act("look", MATCH, needs_reason=False)
def look(ctx: Context, _actor: Actor, match_id: str, _reason: str, /) -> Done:
    """Return the hidden state of a revealed match, as it was then; each view is recorded, too."""
    match = ctx.session.get(Match, match_id)
    log = log_of(ctx, match_id) if match else ()
    last = max((number for number, entry in enumerate(log, 1) if _opens(entry)), default=0)
    if match is None or not last:
        raise ActError("This match was not opened: what is hidden in it is shown to nobody but its seats.")
    course = replayed(match, log[:last], past_of(ctx, match))
    seen = shown_opened(course, names_of(ctx, match))
    return Done(f"Match {match.id} as it stood when it was opened.", changed=False, seen=seen)


def _is_open(log: Sequence[Entry]) -> bool:
    """Return whether no move was played since a match was last revealed."""
    return any(_opens(entry) for entry in takewhile(lambda entry: isinstance(entry, Acted), reversed(log)))


def _opens(entry: Entry) -> bool:
    return isinstance(entry, Acted) and entry.event == OPENED
