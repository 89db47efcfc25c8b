"""Entries of people into a week: one match a person, by whichever way they ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.addresses import mailbox
from pbem.db.models import Address, DealSet, Match, MatchSeat, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.lifecycle import acceptance, arranged_matches, create
from pbem.play.lifecycle.match_requests import EventPlace, Invitee, MatchRequest, Terms
from pbem.play.lobby import request_parser
from pbem.play.matches import seats
from pbem.play.matches.match_state import lock_match
from pbem.play.moderation import bans
from pbem.play.players import bots, registry
from pbem.play.weekly import weeks
from pbem.states import MatchState, Withheld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Player
    from pbem.play.core.context import Context

TERMS = Terms(rated=False)
"""Terms of the matches of a week: once its deal is open, anybody can see them."""


def enter(ctx: Context, number: int, player: Player, *, text: str = "", mail: str | None = None) -> Match:
    """Return the match by which a player takes part in a week; it is made unless they have one.

    In the running week it begins at once; its first mail answers the one with Message-ID `mail`. Before the week begins
    it waits for the deal, to which `text` adds. Raises Refused if the player cannot take part.
    """
    bans.check_not_banned(ctx, player)
    bots.check_person(player)
    email = registry.verified_address(ctx, player)
    deal_set = _lock(ctx, number)
    known = weeks.entry_of(ctx, deal_set, player.id)
    match = _go_on(ctx, known, player, mail) if known else _make(ctx, deal_set, player, email, text, mail)
    weeks.count(ctx, deal_set)
    return match


def invite(ctx: Context, number: int, name: str, email: str, *, known: bool, mail: str | None = None) -> Match:
    """Return the match of somebody who typed an address: it begins once they accept it there, at once if `known`.

    Raises Refused if they cannot take part.
    """
    name, email = registry.normalise_name(name, "name"), registry.normalise_email(email, "email")
    deal_set = _lock(ctx, number)
    if deal_set.seed is None:
        raise Refused(_("This week has not begun. Sign in by mail first to take part from Monday."))
    owner = registry.find_player(ctx, email)
    if owner is not None and weeks.entry_of(ctx, deal_set, owner) is not None:
        raise Refused(_("This address takes part already. Look into its mail, or sign in to go on."), "email")
    if owner is not None:
        player = ctx.session.get_one(Address, email).player
        bots.check_person(player)
        _check_only_entry(ctx, deal_set, player)
        request_parser.hit_daily_limit(ctx, player, known=known)
    elif _is_taken(ctx, deal_set, [email], None):
        raise _shared_address()
    you = Invitee(name, email)
    match = create.create_match(ctx, _request(ctx, deal_set, [you], creator_seat=1, known=known, message_id=mail))
    weeks.count(ctx, deal_set)
    return match


def play_for_fun(ctx: Context, deal_set: DealSet, you: Invitee, host: Player) -> Match:
    """Create a private match of an open week's deal, which counts for nothing; raises Refused."""
    if deal_set.opened_at is None or deal_set.seed is None:
        raise Refused(_("This week is not over yet."), code=Code.NOT_OVER)
    request_parser.hit_daily_limit(ctx, host)
    place = EventPlace(deal_set=deal_set, set_place=_next_place(ctx, deal_set))
    terms = Terms(rated=False, public=False)
    request = MatchRequest(deal_set.game, deal_set.options, [you], terms, creator_seat=1, host=host, event=place)
    return create.create_match(ctx, request)


def arrange_robot(ctx: Context, deal_set: DealSet, robot: Invitee) -> Match:
    """Arrange the match by which a robot sets the par of a week; it comes first in the deal."""
    return arranged_matches.arrange(ctx, _request(ctx, deal_set, [robot]))


def _lock(ctx: Context, number: int) -> DealSet:
    """Lock the deal of a week, so that all who enter do so one after the other; raises Refused if nobody can."""
    deal_set = weeks.find(ctx, number)
    if deal_set is None or deal_set.closes_at is None or deal_set.starts_at is None:
        raise Refused(_("There is no such week."))
    ctx.session.refresh(deal_set, with_for_update=True)
    if deal_set.opened_at is not None or deal_set.closes_at <= ctx.now:
        raise Refused(_("This week is over."), code=Code.EVENT_OVER)
    if deal_set.seed is None and deal_set.starts_at <= ctx.now:
        raise Refused(_("This week begins in a minute. Try again then."), code=Code.ENTRIES_CLOSED)
    return deal_set


def _make(ctx: Context, deal_set: DealSet, player: Player, email: str, text: str, mail: str | None) -> Match:
    """Create the entry of a player who has none: it begins at once, or waits until its week begins."""
    _call_off_unaccepted(ctx, deal_set, player)
    _check_only_entry(ctx, deal_set, player)
    you = Invitee(player.name, email)
    if deal_set.seed is None:
        request = _request(ctx, deal_set, [you])
        return arranged_matches.arrange(ctx, request, [typed_entropy(text) if text.strip() else None])
    request_parser.hit_daily_limit(ctx, player)
    return create.create_match(ctx, _request(ctx, deal_set, [you], creator_seat=1, message_id=mail))


def _go_on(ctx: Context, match: Match, player: Player, mail: str | None) -> Match:
    """Return a player's entry; one that was made in their name, and never accepted, begins now that they ask for it."""
    if match.state == MatchState.INVITING and match.creator_seat == 1:
        match = lock_match(ctx, match.id)
        (holder,) = seats.holders(ctx, match)
        if holder.player_id == player.id:
            acceptance.accept(ctx, match, holder, "", mail)
    return match


def _request(
    ctx: Context,
    deal_set: DealSet,
    invitees: Sequence[Invitee],
    *,
    creator_seat: int | None = None,
    known: bool = True,
    message_id: str | None = None,
) -> MatchRequest:
    place = EventPlace(deal_set=deal_set, set_place=_next_place(ctx, deal_set), withheld=Withheld.TABLE)
    return MatchRequest(
        deal_set.game,
        deal_set.options,
        invitees,
        TERMS,
        creator_seat=creator_seat,
        known=known,
        message_id=message_id,
        event=place,
    )


def _next_place(ctx: Context, deal_set: DealSet) -> int:
    taken = select(func.max(Match.set_place)).where(Match.set_id == deal_set.id)
    return 1 + (ctx.session.scalar(taken) or 0)


def _call_off_unaccepted(ctx: Context, deal_set: DealSet, player: Player) -> None:
    """Call off the matches to which somebody has invited a player's mailbox by another address, and nobody has come."""
    own = {mailbox(email) for email in _addresses(ctx, player)}
    invited = select(Match.id, SeatHolder.email).join(SeatHolder, SeatHolder.match_id == Match.id)
    invited = invited.join(MatchSeat, MatchSeat.match_id == Match.id).where(MatchSeat.accepted_at.is_(None))
    invited = invited.where(Match.set_id == deal_set.id, Match.state == MatchState.INVITING)
    for match_id, email in ctx.session.execute(invited.order_by(Match.id)).all():
        if mailbox(email) in own:
            match = lock_match(ctx, match_id)
            if match.state == MatchState.INVITING and match.seats[0].accepted_at is None:
                acceptance.cancel(ctx, match, seat=None, by="table", detail={})


def _check_only_entry(ctx: Context, deal_set: DealSet, player: Player) -> None:
    """Raise Refused if somebody with a player's mailbox takes part with another account."""
    if _is_taken(ctx, deal_set, _addresses(ctx, player), player.id):
        raise _shared_address()


def _addresses(ctx: Context, player: Player) -> Sequence[str]:
    return ctx.session.scalars(select(Address.email).where(Address.player_id == player.id)).all()


def _is_taken(ctx: Context, deal_set: DealSet, emails: Sequence[str], player: int | None) -> bool:
    taken = select(SeatHolder.email).join(Match, Match.id == SeatHolder.match_id)
    taken = taken.where(
        Match.set_id == deal_set.id,
        ~weeks.WAS_CALLED_OFF,
        SeatHolder.email != "",
        SeatHolder.player_id.is_distinct_from(player),
    )
    return not {mailbox(email) for email in emails}.isdisjoint(map(mailbox, ctx.session.scalars(taken)))


def _shared_address() -> Refused:
    sentence = _("Somebody with your mail address takes part already, with another account.")
    return Refused(sentence, "email", code=Code.OTHER_ACCOUNT)
