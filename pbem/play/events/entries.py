"""Entries of people into leagues, ladders and fields: who may enter, as whom they are listed, and leaving."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, select

from pbem.addresses import mailbox
from pbem.db.models import Address, Entrant, Event
from pbem.games.chain import typed_entropy
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.play.moderation import bans
from pbem.play.players import bots, registry, reliability, unsubscribes
from pbem.states import EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.db.models import Player
    from pbem.play.core.context import Context

MIN_RELIABILITY = 75
"""Percentage of matches that an entrant must have played to their end."""
MAX_HOUSEHOLD = 5
"""Maximum addresses of others at home."""
SUBSTITUTES_FOR = timedelta(days=7)
"""Time after the begin of a season of a league in which somebody on its waiting list can take a place."""
MAX_LOSSES_ON_TIME = 2
"""Losses on time in a season after which an entrant is withdrawn from it, and misses the next one."""
ASKED, ON_TIME, BANNED, DELETED, REMOVED, MERGED = "asked", "on time", "banned", "deleted", "removed", "merged"
"""Why an entrant left: by their own wish, after losses on time, by a ban, with their account, by an operator, or since
their account was merged into that of another entrant."""


def enter(
    ctx: Context,
    event: Event,
    player: Player,
    name: str,
    *,
    text: str = "",
    household: Sequence[str] = (),
    stays: bool = True,
) -> Entrant:
    """Enter a player into an event, listed under a name; raises Refused if it cannot be.

    `text` is what they typed for the deals of their matches, `household` the addresses of others at home, whom they
    do not meet in a group. With `stays` they enter the next season too.
    """
    event = lock_event(ctx, event.id)
    _check_taking_entries(ctx, event)
    bans.check_not_banned(ctx, player)
    bots.check_person(player)
    registry.verified_address(ctx, player)
    known = ctx.session.get(Entrant, (event.id, player.id))
    _check_admitted(ctx, event, player, known)
    others = [other for other in entrants(ctx, event) if other.player_id != player.id]
    name = registry.unique_name(registry.normalise_name(name, "name"), [other.name for other in others])
    entrant = known or Entrant(event_id=event.id, player_id=player.id)
    entrant.name, entrant.state, entrant.stays = name, EntrantState.ENTERED, stays
    entrant.household = _household(household)
    entrant.entropy = typed_entropy(text) if text.strip() else None
    entrant.entered_at, entrant.left_at, entrant.left_reason = ctx.now, None, None
    ctx.session.add(entrant)
    ctx.session.flush()
    return entrant


def withdraw(ctx: Context, event: Event, player: Player, reason: str) -> Entrant:
    """Withdraw an entrant from an event, for one of the reasons above; raises Refused if they have not entered.

    What becomes of their matches is up to the kind of event.
    """
    event = lock_event(ctx, event.id)
    entrant = ctx.session.get(Entrant, (event.id, player.id), populate_existing=True)
    if entrant is None or entrant.state == EntrantState.WITHDRAWN:
        raise Refused(_("You have not entered."), code=Code.NOT_ENTERED)
    if event.state == EventState.OVER:
        raise Refused(_over(event), code=Code.EVENT_OVER)
    entrant.state, entrant.stays = EntrantState.WITHDRAWN, False
    entrant.left_at, entrant.left_reason = ctx.now, reason
    ctx.session.flush()
    return entrant


def entrants(ctx: Context, event: Event, *, withdrawn: bool = False) -> list[Entrant]:
    """List the entrants of an event in the order of their entries; those who are `withdrawn` only if asked for."""
    entered = select(Entrant).where(Entrant.event_id == event.id).order_by(Entrant.entered_at, Entrant.player_id)
    if not withdrawn:
        entered = entered.where(Entrant.state == EntrantState.ENTERED)
    return [*ctx.session.scalars(entered)]


def invitee(ctx: Context, entrant: Entrant | None) -> Invitee:
    """Return an entrant as one to be seated, or a robot instead of nobody."""
    address = registry.main_address(ctx, entrant.player_id) if entrant else None
    return Invitee(entrant.name, address) if entrant and address else ROBOT


def takes_entries(ctx: Context, event: Event) -> bool:
    """Return whether people can enter an event now, or get onto its waiting list."""
    if event.state == EventState.OPEN:
        return event.opens_at <= ctx.now
    if event.kind == EventKind.LADDER:
        return event.state == EventState.RUNNING
    return has_waiting_list(ctx, event)


def has_waiting_list(ctx: Context, event: Event) -> bool:
    """Return whether those who enter now wait until a place in a season becomes free."""
    drawn = event.kind == EventKind.LEAGUE and event.state in {EventState.DRAWN, EventState.RUNNING}
    return drawn and event.starts_at is not None and ctx.now < event.starts_at + SUBSTITUTES_FOR


def household_hash(address: str) -> str:
    """Return an address as entrants of a household are compared: hashed, since its owner may not know the service."""
    return unsubscribes.address_hash(address).hex()


def lock_event(ctx: Context, event: int) -> Event:
    """Lock an event against other changes until the end of the transaction, and load its current state."""
    return ctx.session.get_one(Event, event, with_for_update=True, populate_existing=True)


def _check_taking_entries(ctx: Context, event: Event) -> None:
    if event.state == EventState.OVER:
        raise Refused(_over(event), code=Code.EVENT_OVER)
    if not takes_entries(ctx, event):
        if event.state == EventState.OPEN:
            raise Refused(_("Entries are not open yet."), code=Code.ENTRIES_CLOSED)
        begun = _("This season has begun. You can enter the next one.")
        if event.kind == EventKind.FIELD:
            begun = _("This field has begun. You can enter the next one.")
        raise Refused(begun, code=Code.ENTRIES_CLOSED)


def _over(event: Event) -> str:
    return _("This field is over.") if event.kind == EventKind.FIELD else _("This season is over.")


def _check_admitted(ctx: Context, event: Event, player: Player, known: Entrant | None) -> None:
    """Raise Refused if somebody has entered, by this account or another one, or left too many matches."""
    if known and known.state == EntrantState.ENTERED:
        raise Refused(_("You have already entered."), code=Code.ALREADY_ENTERED)
    if known and event.state != EventState.OPEN and event.kind != EventKind.LADDER:
        raise Refused(_("You left this season. You can enter the next one."), code=Code.ENTRIES_CLOSED)
    if _was_excluded(ctx, event, player):
        sentence = _("You lost two matches on time last season. You can enter again after this one.")
        raise Refused(sentence, code=Code.EXCLUDED)
    standing = reliability.for_player(ctx, player.id)
    if standing.percent < MIN_RELIABILITY:
        own = reliability.describe(standing)
        sentence = _("You can enter if you finish at least {percent}% of your matches. You: {own}.",
                     percent=MIN_RELIABILITY, own=own)  # fmt: skip
        raise Refused(sentence, code=Code.UNRELIABLE)
    theirs = {mailbox(email) for email in _addresses(ctx, [player.id])}
    others = [other.player_id for other in entrants(ctx, event) if other.player_id != player.id]
    if theirs & {mailbox(email) for email in _addresses(ctx, others)}:
        sentence = _("Somebody with your mail address has already entered, with another account.")
        raise Refused(sentence, code=Code.OTHER_ACCOUNT)


def _was_excluded(ctx: Context, event: Event, player: Player) -> bool:
    """Return whether a player lost matches on time in the season before, and was withdrawn from it."""
    before = Event.kind == event.kind, Event.game == event.game, Event.season == event.season - 1
    excluded = select(Entrant.player_id).join(Event, Event.id == Entrant.event_id).where(*before)
    # Who had entered two seasons is withdrawn from both, and has lost in the one.
    lost = Entrant.left_reason == ON_TIME, Entrant.losses_on_time >= MAX_LOSSES_ON_TIME
    theirs = excluded.where(Entrant.player_id == player.id, *lost)
    return event.kind == EventKind.LEAGUE and bool(ctx.session.scalar(select(exists(theirs))))


def _addresses(ctx: Context, players: Iterable[int]) -> Sequence[str]:
    return ctx.session.scalars(select(Address.email).where(Address.player_id.in_([*players]))).all()


def _household(typed: Sequence[str]) -> list[str]:
    addresses = {registry.normalise_email(one, "household") for one in typed if one.strip()}
    if len(addresses) > MAX_HOUSEHOLD:
        raise Refused(_("Enter at most {count} addresses of others at home.", count=MAX_HOUSEHOLD), "household")
    return sorted(map(household_hash, addresses))
