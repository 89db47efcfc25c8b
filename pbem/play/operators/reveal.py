"""Reveal of hidden state in a running match to operators, recorded in the hash chain, with a mail to all players.

The match is shown as it was when it was revealed: whatever is dealt or chosen later takes another reveal.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.db.models import Match
from pbem.games.chain import Entry, EventEntry
from pbem.play.core.actors import MATCH, OPERATOR, ActionError, ActionResult, Actor
from pbem.play.matches import withheld
from pbem.play.matches.match_state import append_event, load_fork_origin, load_log, replay_log
from pbem.play.matches.views import player_names, render_revealed
from pbem.play.operators import lookup
from pbem.play.operators.notify import REVEALED, notify_match
from pbem.play.operators.perform import act
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context


@act("open", MATCH)
def reveal_hidden(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Reveal the hidden state of a match as it is now; again only after another move."""
    match = lookup.lock_match(ctx, match_id)
    if match.state == MatchState.OVER and withheld.hides_table(match):
        raise ActionError("The match is over. It is shown once its deal is open.")
    if match.state == MatchState.OVER and match.seed is not None:
        raise ActionError("The match is over: everybody can already see everything in it.")
    if match.seed is None:
        raise ActionError("Nothing is dealt in this match yet, so nothing is hidden.")
    if _is_revealed(load_log(ctx, match.id)):
        return ActionResult(f"Match {match.id} is already revealed in its current state.", changed=False)
    append_event(ctx, match, REVEALED, seat=None, by=OPERATOR)
    notify_match(ctx, match, REVEALED, reason)
    return ActionResult(f"Match {match.id} is revealed in its current state; its players are notified.")


@act("look", MATCH, needs_reason=False)
def show(ctx: Context, _actor: Actor, match_id: str, _reason: str, /) -> ActionResult:
    """Return the hidden state of a revealed match, as it was then; each view is recorded, too."""
    match = ctx.session.get(Match, match_id)
    log = load_log(ctx, match_id) if match else ()
    last = max((number for number, entry in enumerate(log, 1) if _is_reveal(entry)), default=0)
    if match is None or not last:
        raise ActionError("This match was not revealed: only its players see what is hidden in it.")
    state = replay_log(match, log[:last], load_fork_origin(ctx, match))
    revealed = render_revealed(state, player_names(ctx, match))
    return ActionResult(f"Match {match.id} as it was when it was revealed.", changed=False, revealed=revealed)


def _is_revealed(log: Sequence[Entry]) -> bool:
    """Return whether no move was played since a match was last revealed."""
    return any(_is_reveal(entry) for entry in takewhile(lambda entry: isinstance(entry, EventEntry), reversed(log)))


def _is_reveal(entry: Entry) -> bool:
    return isinstance(entry, EventEntry) and entry.event == REVEALED
