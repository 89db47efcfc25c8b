"""Creation of matches from requests."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, OptionError, find
from pbem.i18n import _, refusal_text
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.core import player_events
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, invitations, match_rows, robot_seats, there_and_back
from pbem.play.lifecycle import invitees as lifecycle_invitees
from pbem.play.matches import seats
from pbem.play.players import bots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match
    from pbem.games import Game
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees, MatchRequest, Terms


def create_match(ctx: Context, request: MatchRequest) -> Match:
    """Create a requested match and enqueue its invitations; raises Refused if it cannot be played."""
    fork, creator, terms = request.fork, request.creator_seat, request.terms
    rules = find(request.game, fork.match.edition) if fork else GAMES.get(request.game)
    if rules is None:
        sentence = _("Unknown game “{game}”. Choose one of: {games}.", game=request.game, games=", ".join(GAMES))
        raise Refused(sentence, "game")
    invitees: Invitees = [*request.invitees, *[None] * request.open_seats]
    options = _settle(rules, len(invitees), request.options)
    robot_seats.check_levels(invitees, rules)
    _check_terms(terms)
    invitees = lifecycle_invitees.normalise(invitees, several=creator if fork else None)
    invited = lifecycle_invitees.select_invited(invitees, creator, request.staying)
    lifecycle_invitees.check_blocks(ctx, invited, creator, request.host, known=request.known)
    robot_seats.check_thinking(ctx, invitees, creator, request.host)
    lifecycle_invitees.check_rate_limits(ctx, invited, creator, known=request.known)
    if request.there_and_back:
        request = there_and_back.share_deal(ctx, request, rules, options)
    match = match_rows.add_match(ctx, request, rules, options, invitees)
    match_rows.seat_players(ctx, match, invitees, request.host)
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
            facts: dict[str, object] = {"made": holder is own and request.known, "stays": stays}
            facts |= {"found_none": True} if request.found_none else {}
            facts |= {"vacated": asdict(request.vacated)} if request.vacated else {}
            invitations.enqueue(ctx, match, holder, answers=answers, **facts)
    if request.known and own:
        first = invitations.first_mail_facts(match) if begins else {}
        acceptance.accept(ctx, match, own, "", request.message_id if begins else None, **first)
    player_events.record_table(ctx, match)
    return match


def _settle(rules: Game[Any], count: int, chosen: Mapping[str, object]) -> dict[str, Any]:
    """Return all options in force for a number of seats; raises Refused."""
    try:
        return dict(rules.settle(count, chosen))
    except OptionError as refused:
        raise Refused(refusal_text(refused), "options" if count in rules.seats else "seats") from None


def _check_terms(terms: Terms) -> None:
    """Raise Refused for an unknown time control, timeout policy, reliability requirement or choice about bots."""
    clocks, policies = time_controls.PRESETS, timeout_policies.POLICIES
    percentages = timeout_policies.RELIABILITY_REQUIREMENTS
    if terms.time_control not in clocks:
        raise Refused(_("Unknown clock. Choose one of: {clocks}.", clocks=", ".join(clocks)), "clock")
    if terms.timeout_policy not in {None, *policies}:
        raise Refused(_("Unknown timeout policy. Choose one of: {ends}.", ends=", ".join(policies)), "on_time")
    if terms.min_reliability not in {None, *percentages}:
        known = ", ".join(map(str, percentages))
        raise Refused(_("Unknown reliability. Choose one of: {conditions}.", conditions=known), "reliable")
    if terms.bots not in bots.POLICIES:
        raise Refused(
            _("Unknown choice about bots. Choose one of: {choices}.", choices=", ".join(bots.POLICIES)), "bots"
        )
