"""Creation of matches from requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match, MatchSeat
from pbem.games import GAMES, OptionError, find
from pbem.games.chain import commit, opening_hash
from pbem.i18n import _, refusal_text
from pbem.play.chat import messages
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.core.draws import draw_id, draw_secret
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, invitations, robot_seats
from pbem.play.lifecycle import invitees as lifecycle_invitees
from pbem.play.matches import seats
from pbem.play.players import registry, robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.games import Game
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees, MatchRequest, Terms

ENTROPY_BYTES = 16
MAX_INVITATION_TEXT_CHARS = 500
"""Maximum characters of the text that a host adds to the invitations."""


def create_match(ctx: Context, request: MatchRequest) -> Match:
    """Create a requested match and enqueue its invitations; raises Refused if it cannot be played."""
    fork, creator, terms = request.fork, request.creator_seat, request.terms
    rules = find(request.game, fork.match.edition) if fork else GAMES.get(request.game)
    if rules is None:
        sentence = _("Unknown game “{game}”. Choose one of: {games}.", game=request.game, games=", ".join(GAMES))
        raise Refused(sentence, "game")
    invitees: Invitees = [*request.invitees, *[None] * request.open_seats]
    try:
        options = dict(rules.settle(len(invitees), request.options))
    except OptionError as refused:
        field = "options" if len(invitees) in rules.seats else "seats"
        raise Refused(refusal_text(refused), field) from None
    robot_seats.check_levels(invitees, rules)
    _check_terms(terms)
    invitees = lifecycle_invitees.normalise(invitees, several=creator if fork else None)
    invited = lifecycle_invitees.select_invited(invitees, creator, request.staying)
    lifecycle_invitees.check_blocks(ctx, invited, creator, request.host, known=request.known)
    robot_seats.check_thinking(ctx, invitees, creator, request.host)
    lifecycle_invitees.check_rate_limits(ctx, invited, creator, known=request.known)
    match = add_match(ctx, request, rules, options, invitees)
    seat_players(ctx, match, invitees, request.host)
    present = seats.holders(ctx, match)
    own = next((holder for holder in present if holder.seat == creator), None)
    if own and request.host is None:
        match.host_id = own.player_id
    # The match begins at once: its first mail is about the first turn.
    begins = request.known and own is not None and lifecycle_invitees.count_people(invitees) == 1
    for holder in seats.distinct_players(present, first=creator):
        stays = holder is not own and holder.email in request.staying
        if stays:
            match.seats[holder.seat - 1].accepted_at = ctx.now
        if (request.known or holder is own) and not begins:
            answers = request.message_id if holder is own else None
            facts = {"made": holder is own and request.known, "stays": stays}
            invitations.enqueue(ctx, match, holder, answers=answers, **facts)
    if request.known and own:
        first = invitations.first_mail_facts(match) if begins else {}
        acceptance.accept(ctx, match, own, "", request.message_id if begins else None, **first)
    return match


def add_match(
    ctx: Context, request: MatchRequest, rules: Game[Any], options: dict[str, Any], invitees: Invitees
) -> Match:
    """Insert the row of a match and its seats, with its secret drawn; `options` and `invitees` are validated."""
    fork, terms = request.fork, request.terms
    shared = request.event.deal_set if request.event else None
    secret = shared.secret if shared else draw_secret(ctx)
    match_id = draw_id(ctx)
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


def _check_terms(terms: Terms) -> None:
    """Raise Refused for an unknown time control, timeout policy or reliability requirement."""
    clocks, policies = time_controls.PRESETS, timeout_policies.POLICIES
    percentages = timeout_policies.RELIABILITY_REQUIREMENTS
    if terms.time_control not in clocks:
        raise Refused(_("Unknown clock. Choose one of: {clocks}.", clocks=", ".join(clocks)), "clock")
    if terms.timeout_policy not in {None, *policies}:
        raise Refused(_("Unknown timeout policy. Choose one of: {ends}.", ends=", ".join(policies)), "on_time")
    if terms.min_reliability not in {None, *percentages}:
        known = ", ".join(map(str, percentages))
        raise Refused(_("Unknown reliability. Choose one of: {conditions}.", conditions=known), "reliable")


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
