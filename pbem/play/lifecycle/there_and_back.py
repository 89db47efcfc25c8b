"""There and back: two matches of one deal, the seats exchanged.

One invitation stands for both. The second match is created when the first begins, so until then there is one match to
accept, decline, remind of or call off. Nothing is drawn for it: what a player has added to the deal counts for both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.db.models import DealSet, Player
from pbem.games import GAMES, find
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.deal_sets import creation, dealing
from pbem.play.lifecycle import match_requests, match_rows, start
from pbem.play.lifecycle.match_requests import EventPlace, Invitee, MatchRequest, Terms
from pbem.play.matches import seats
from pbem.play.matches.pairs import FIRST, SECOND, return_id
from pbem.play.players import registry, robots
from pbem.states import DealSetKind, Withheld

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, SeatHolder
    from pbem.games import Game
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees

FIELD = "there_and_back"
"""The field of a request that a refusal is about."""


def is_possible(game: Game[Any]) -> bool:
    """Return whether two players can play one deal of a game there and back: it hides nothing of the deal from them."""
    return game.has_open_deal and [*game.seats] == [2]


def share_deal(ctx: Context, request: MatchRequest, game: Game[Any], options: Mapping[str, object]) -> MatchRequest:
    """Return a validated request with a deal for both matches; raises Refused if they cannot share one."""
    if not is_possible(game):
        possible = [one.name for one in GAMES.values() if is_possible(one)]
        sentence = _("{game} cannot be played there and back. These games can: {games}.",
                     game=game.name, games=", ".join(possible))  # fmt: skip
        raise Refused(sentence, FIELD)
    if request.open_seats or None in request.invitees or request.terms.open_if_declined:
        raise Refused(_("There and back needs somebody you name, or a robot: a seat cannot be open to anybody."), FIELD)
    deal_set = creation.create_set(ctx, DealSetKind.THERE_AND_BACK, request.game, options)
    return replace(request, event=EventPlace(deal_set=deal_set, set_place=FIRST, withheld=Withheld.RECORD))


def begin(ctx: Context, match: Match, last: SeatHolder, mail: str | None, deal: dict[str, Any]) -> None:
    """Create the second match, make the deal of both, and start them.

    `last` was the last to accept, by `mail`; `deal` are the facts of their part in the deal.
    """
    deal_set = ctx.session.get_one(DealSet, match.set_id)
    back = _add_return(ctx, match, deal_set)
    dealing.deal(ctx, deal_set)
    for one in (match, back):
        own = next(holder for holder in seats.holders(ctx, one) if holder.player_id == last.player_id)
        start.start_match(ctx, one, own, mail, deal)


def _add_return(ctx: Context, match: Match, deal_set: DealSet) -> Match:
    """Insert the second match: the same players on the same terms, with their parts in the deal, at the other seats."""
    exchanged = [*reversed(seats.with_holders(ctx, match))]
    present = [holder for _seat, holder in exchanged if holder]
    request = MatchRequest(
        match.game,
        match.options,
        [_invitee(holder) for holder in present],
        Terms.of_match(match),
        creator_seat=match.creator_seat and len(exchanged) + 1 - match.creator_seat,
        host=ctx.session.get(Player, match.host_id) if match.host_id else None,
        event=EventPlace(
            deal_set=deal_set, set_place=SECOND, withheld=Withheld.RECORD, match_id=return_id(deal_set.secret)
        ),
    )
    invitees: Invitees = request.invitees
    back = match_rows.add_match(ctx, request, find(match.game, match.edition), match.options, invitees)
    for seat, (before, holder) in zip(back.seats, exchanged, strict=True):
        seat.default_entropy, seat.entropy, seat.accepted_at = before.default_entropy, before.entropy, ctx.now
        if holder:
            registry.add_holder(ctx, back, seat.seat, holder.player, holder.name, holder.email)
    ctx.session.flush()
    return back


def _invitee(holder: SeatHolder) -> Invitee:
    if holder.player.is_robot:
        return match_requests.robot(robots.level_of(holder.player))
    return Invitee(holder.name, holder.email, is_guest=not holder.email)
