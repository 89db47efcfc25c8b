"""Rows of a new match: the match with its secret, its seats, and who sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match, MatchSeat
from pbem.games.chain import commit, opening_hash
from pbem.play.chat import messages
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.core.draws import draw_id, draw_secret
from pbem.play.lifecycle import invitees as lifecycle_invitees
from pbem.play.players import registry, robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.games import Game
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees, MatchRequest

ENTROPY_BYTES = 16
MAX_INVITATION_TEXT_CHARS = 500
"""Maximum characters of the text that a host adds to the invitations."""


def add_match(
    ctx: Context, request: MatchRequest, rules: Game[Any], options: dict[str, Any], invitees: Invitees
) -> Match:
    """Insert the row of a match and its seats, with its secret drawn; `options` and `invitees` are validated."""
    fork, terms = request.fork, request.terms
    shared = request.event.deal_set if request.event else None
    secret = shared.secret if shared else draw_secret(ctx)
    match_id = (request.event.match_id if request.event else None) or draw_id(ctx)
    commitment = commit(secret)
    persons, public = lifecycle_invitees.count_people(invitees), terms.public and fork is None
    match = Match(
        id=match_id,
        game=request.game,
        edition=rules.edition,
        options=options,
        public=public,
        state=MatchState.INVITING,
        created_at=ctx.now,
        secret=secret,
        commitment=commitment,
        creator_seat=request.creator_seat,
        host_id=request.host.id if request.host else None,
        invitation_text=messages.sanitise(request.invitation_text)[:MAX_INVITATION_TEXT_CHARS] or None,
        time_control=terms.time_control if persons > 1 else time_controls.UNLIMITED,
        timeout_policy=terms.timeout_policy or timeout_policies.default_for(invitees.count(None)),
        min_reliability=terms.min_reliability,
        bots=terms.bots,
        open_if_declined=terms.open_if_declined,
        rated=(public if terms.rated is None else terms.rated) and persons == len(invitees) > 1 and fork is None,
        previous_match_id=request.previous_match_id,
        forked_from_id=fork.match.id if fork else None,
        forked_step=fork.step if fork else None,
        event_id=request.event.event_id if request.event else None,
        set_id=shared.id if shared else None,
        set_place=request.event.set_place if request.event else None,
        withheld=request.event.withheld if request.event else None,
        open_seats=invitees.count(None) if request.known else 0,
        chain_head=opening_hash(commitment, match_id, request.game, rules.edition, options, len(invitees)),
        log_length=0,
        ply=1,
        next_ply=1,
        to_move=[],
        seats=[
            MatchSeat(seat=seat, default_entropy=ctx.draw(ENTROPY_BYTES).hex()) for seat in range(1, len(invitees) + 1)
        ],
    )
    ctx.session.add(match)
    return match


def seat_players(ctx: Context, match: Match, invitees: Invitees, host: Player | None) -> None:
    """Seat the invitees of a new match; robots accept at once."""
    # A player with several seats gets the name given at the first of them.
    named = {invitee.email: invitee.name for invitee in reversed(invitees) if invitee and invitee.email}
    players = registry.get_or_create(ctx, named)
    for seat, invitee in enumerate(invitees, 1):
        if invitee and invitee.is_robot:
            robots.take_seat(ctx, match, seat, invitee.name, invitee.level)
            match.seats[seat - 1].accepted_at = ctx.now
        elif invitee and invitee.is_guest and host:
            registry.add_holder(ctx, match, seat, host, invitee.name, "")
        elif invitee:
            registry.add_holder(ctx, match, seat, players[invitee.email], invitee.name, invitee.email)
    ctx.session.flush()
