"""Challenges on a ladder: offered, accepted, declined and taken back. Each change locks the ladder first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import Event, EventMatch, LadderChallenge, Match, Player
from pbem.events import ladder
from pbem.i18n import _
from pbem.play.clocks import clock_pauses, timeout_policies
from pbem.play.core.errors import Code, Refused
from pbem.play.events import entries
from pbem.play.ladders import ladder_mails, names, obstacles, places, vacations
from pbem.play.lifecycle import arranged_matches
from pbem.play.lifecycle.match_requests import EventPlace, Invitee, MatchRequest, Terms
from pbem.play.moderation import bans
from pbem.play.players import registry
from pbem.states import ChallengeState, MatchRole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Entrant
    from pbem.play.core.context import Context


def challenge(
    ctx: Context, event: Event, player: Player, challenged: Entrant, mail: str | None = None
) -> LadderChallenge:
    """Challenge an entrant for their place; raises Refused if that cannot be.

    `mail` is the Message-ID of the mail that asked for it, which is answered; empty if that has none.
    """
    event = entries.lock_event(ctx, event.id)
    bans.check_not_banned(ctx, player)
    registry.verified_address(ctx, player)
    obstacles.check(ctx, event, player, challenged)
    order = places.order(ctx, event)
    made = LadderChallenge(
        event_id=event.id,
        challenger_id=player.id,
        challenged_id=challenged.player_id,
        challenger_place=order.index(player.id) + 1,
        challenged_place=order.index(challenged.player_id) + 1,
        state=ChallengeState.OFFERED,
        offered_at=ctx.now,
    )
    ctx.session.add(made)
    ctx.session.flush()
    until = ladder.lapses_at(ctx.now)
    ladder_mails.enqueue_about(ctx, ladder_mails.CHALLENGED, event, challenged.player_id, made, until=until)
    if mail is not None:
        ladder_mails.enqueue_about(ctx, ladder_mails.SENT, event, player.id, made, until=until, answers=mail)
    return made


def accept(ctx: Context, number: int, player: Player, mail: str | None = None) -> Match:
    """Accept a challenge to a player: its match begins; raises Refused if that cannot be."""
    event, found = _lock(ctx, number, player)
    _check_waits(found, is_role=found.challenged_id == player.id)
    bans.check_not_banned(ctx, player)
    challenger = ctx.session.get_one(Player, found.challenger_id)
    if challenger.deleted_at or challenger.banned_at:
        # They are taken off the ladder within a minute, and their challenges are over.
        raise _waits_no_more()
    match = _begin_match(ctx, event, found)
    found.state, found.answered_at, found.match_id = ChallengeState.ACCEPTED, ctx.now, match.id
    for one in (found.challenger_id, found.challenged_id):
        answers = mail if one == player.id else None
        ladder_mails.enqueue_about(ctx, ladder_mails.ACCEPTED, event, one, found, answers=answers, played=match.id)
    return match


def decline(ctx: Context, number: int, player: Player, mail: str | None = None) -> LadderChallenge:
    """Decline a challenge to a player; it counts as lost if they declined another one not long ago."""
    event, found = _lock(ctx, number, player)
    _check_waits(found, is_role=found.challenged_id == player.id)
    counts = would_lose_place(ctx, event, player.id)
    found.state, found.answered_at, found.ended_at = ChallengeState.DECLINED, ctx.now, ctx.now
    if counts:
        forfeit(ctx, event, found)
    for one in (found.challenger_id, found.challenged_id):
        if one != player.id or mail is not None:
            answers = mail if one == player.id else None
            ladder_mails.enqueue_about(ctx, ladder_mails.DECLINED, event, one, found, answers=answers, counts=counts)
    return found


def take_back(ctx: Context, number: int, player: Player, mail: str | None = None) -> LadderChallenge:
    """Take back a challenge of a player that nobody has answered."""
    event, found = _lock(ctx, number, player)
    _check_waits(found, is_role=found.challenger_id == player.id)
    found.state, found.ended_at = ChallengeState.TAKEN_BACK, ctx.now
    for one in (found.challenger_id, found.challenged_id):
        if one != player.id or mail is not None:
            answers = mail if one == player.id else None
            ladder_mails.enqueue_about(ctx, ladder_mails.TAKEN_BACK, event, one, found, answers=answers)
    return found


def would_lose_place(ctx: Context, event: Event, player: int) -> bool:
    """Return whether a player who declines a challenge now loses their place by that."""
    theirs = LadderChallenge.event_id == event.id, LadderChallenge.challenged_id == player
    declined = select(LadderChallenge.answered_at).where(*theirs, LadderChallenge.state == ChallengeState.DECLINED)
    return ladder.decline_counts_as_lost([at for at in ctx.session.scalars(declined) if at], ctx.now)


def forfeit(ctx: Context, event: Event, lost: LadderChallenge) -> None:
    """Move the players of a challenge as if the one challenged had lost; the caller has locked the ladder."""
    before = places.order(ctx, event)
    places.store(ctx, event, ladder.after_forfeit(before, lost.challenger_id, lost.challenged_id))


def waiting_for(ctx: Context, player: int, event: Event | None = None) -> Sequence[LadderChallenge]:
    """List the challenges of a player, or to them, that wait for an answer, the oldest first; of one ladder or all."""
    theirs = or_(LadderChallenge.challenger_id == player, LadderChallenge.challenged_id == player)
    waiting = select(LadderChallenge).where(theirs, LadderChallenge.state == ChallengeState.OFFERED)
    if event:
        waiting = waiting.where(LadderChallenge.event_id == event.id)
    return ctx.session.scalars(waiting.order_by(LadderChallenge.id)).all()


def lapse_times(ctx: Context, waiting: Sequence[LadderChallenge]) -> dict[int, datetime]:
    """Return when challenges that wait for an answer lapse.

    The vacations so far of those challenged extend the time, and so do outages.
    """
    since = min((one.offered_at for one in waiting), default=ctx.now)
    away = vacations.load(ctx, {one.challenged_id for one in waiting}, since) if waiting else {}
    outages = clock_pauses.outages(ctx, since) if waiting else ()

    def lapses_at(one: LadderChallenge) -> datetime:
        both = vacations.time_in(sorted([*away[one.challenged_id], *outages]), one.offered_at, ctx.now)
        down = vacations.time_in(outages, one.offered_at, ctx.now)
        # Where a vacation and an outage overlap, the time counts once.
        return ladder.lapses_at(one.offered_at, both - down, down)

    return {one.id: lapses_at(one) for one in waiting}


def notify_restored(ctx: Context, restore: int) -> None:
    """Enqueue the mails to the players of challenges that wait for an answer after the service was restored.

    They may have been answered since the backup, which is lost; `restore` is the number of the restore.
    """
    waiting = select(LadderChallenge).where(LadderChallenge.state == ChallengeState.OFFERED)
    found = ctx.session.scalars(waiting.order_by(LadderChallenge.id)).all()
    times = lapse_times(ctx, found)
    for one in found:
        event = ctx.session.get_one(Event, one.event_id)
        for player in (one.challenger_id, one.challenged_id):
            ladder_mails.enqueue_about(
                ctx, ladder_mails.RESTORED, event, player, one, until=times[one.id], again=f" {restore}"
            )


def _lock(ctx: Context, number: int, player: Player) -> tuple[Event, LadderChallenge]:
    """Lock the ladder of a challenge and load its current state; raises Refused if it is of others."""
    found = ctx.session.get(LadderChallenge, number)
    if found is None or player.id not in {found.challenger_id, found.challenged_id}:
        raise Refused(_("There is no such challenge."))
    event = entries.lock_event(ctx, found.event_id)
    found = ctx.session.get(LadderChallenge, number, populate_existing=True)
    if found is None:
        # Both players were merged until the lock was free.
        raise Refused(_("There is no such challenge."))
    return event, found


def _check_waits(found: LadderChallenge, *, is_role: bool) -> None:
    if not is_role:
        sentence = _("Only the one who is challenged can accept or decline, and only the challenger take back.")
        raise Refused(sentence, code=Code.NOT_YOURS)
    if found.state != ChallengeState.OFFERED:
        raise _waits_no_more()


def _waits_no_more() -> Refused:
    return Refused(_("This challenge no longer waits for an answer."), code=Code.ALREADY_ANSWERED)


def _begin_match(ctx: Context, event: Event, accepted: LadderChallenge) -> Match:
    """Begin the match of a challenge, with the seats drawn by lot."""
    players = [accepted.challenger_id, accepted.challenged_id]
    if ctx.draw(1)[0] & 1:
        players.reverse()
    request = MatchRequest(
        game=event.game,
        options=event.options,
        invitees=_invitees(ctx, event, players),
        terms=Terms(event.time_control, timeout_policies.LOSS, rated=True, public=True),
        event=EventPlace(event.id),
    )
    match = arranged_matches.arrange(ctx, request)
    ctx.session.add(EventMatch(match_id=match.id, event_id=event.id, role=MatchRole.COUNTS))
    arranged_matches.begin(ctx, match)
    return match


def _invitees(ctx: Context, event: Event, players: Sequence[int]) -> list[Invitee]:
    called = names.load(ctx, event, players)
    return [
        Invitee(called[player], registry.verified_address(ctx, ctx.session.get_one(Player, player)))
        for player in players
    ]
