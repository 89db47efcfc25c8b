"""Agreements: a draw, a takeback, a pause, more time or the end of a match, with the consent of all its players.

Mail, pages and the API propose, agree and refuse in the same way. What was agreed on is an entry of the chain.
All functions need the lock of the match.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.games.record import effective_moves
from pbem.i18n import _, marked, several
from pbem.play.chat import messages
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings, seat_changes, turn_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.play.offers import match_pauses, open_offers, takebacks, time_extensions
from pbem.play.offers.wording import (
    ABANDON,
    DRAW,
    KINDS,
    MORE_TIME,
    PAUSE,
    TAKEBACK,
    new_deadline_text,
    own_proposal_text,
    own_refusal_text,
    pending_text,
    proposal_text,
    takeback_text,
    undecided_text,
)
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from pbem.db.models import Match, Offer, SeatHolder, Submission
    from pbem.play.core.context import Context

PROPOSE, AGREE, REFUSE, RESUME = "ask", "agree", "refuse", "resume"
ACTIONS = (PROPOSE, AGREE, REFUSE, RESUME)
"""Actions on a kind of agreement; `resume` ends a pause, which needs nobody's consent."""
MATCH_CHANGED = marked("The match has moved on, so nothing changed. Look at it again.")
NO_LONGER_OPEN = marked("This proposal is no longer open: a move was made, or it was declined.")


@dataclass(frozen=True, slots=True)
class Participant:
    """A player who acts on an agreement; `mail` is the Message-ID of the mail by which they do, if any."""

    ctx: Context
    match: Match
    holder: SeatHolder
    mail: str | None = None

    @property
    def reply_to(self) -> tuple[int, str] | None:
        """The seat and the Message-ID of the mail that the next mail answers, if any."""
        return (self.holder.seat, self.mail) if self.mail else None


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """An open offer, as it is shown to a seat."""

    kind: str
    seat: int
    at: datetime
    said: str
    waits: str
    awaited: tuple[int, ...]
    detail: dict[str, Any]
    answered: bool


def open_proposals(ctx: Context, match: Match, holder: SeatHolder) -> list[OpenProposal]:
    """List the open offers of a match, as they are shown to a seat."""
    offers = open_offers.by_kind(ctx, match)
    names = {other.seat: other.name for other in seats.holders(ctx, match)} if offers else {}
    awaited = {kind: open_offers.undecided_players(ctx, match, offer) for kind, offer in offers.items()}
    return [
        OpenProposal(
            kind=kind,
            seat=offer.seat,
            at=offer.offered_at,
            said=own_proposal_text(kind, offer.detail)
            if offer.seat == holder.seat
            else proposal_text(kind, names[offer.seat], offer.detail),
            waits=_waiting_text(holder, awaited[kind]),
            awaited=tuple(other.seat for other in awaited[kind]),
            detail=offer.detail,
            answered=holder.seat in offer.agreed,
        )
        for kind, offer in offers.items()
    ]


def _waiting_text(holder: SeatHolder, awaited: Collection[SeatHolder]) -> str:
    """Return the sentence for who has yet to agree, as a seat reads it."""
    others = [other.name for other in awaited if other.player_id != holder.player_id]
    return undecided_text(others, you=len(others) < len(awaited))


def propose(actor: Participant, kind: str, days: int | None = None) -> str:
    """Propose something, or agree if it is proposed already; return the outcome as a sentence."""
    ctx, match, holder = actor.ctx, actor.match, actor.holder
    _check_seated(actor)
    offer = open_offers.by_kind(ctx, match).get(kind)
    if offer is not None:
        return _record_consent(actor, offer)
    if kind == MORE_TIME and holder.seat not in match.to_move:
        return _grant_time(actor)
    detail = _build_detail(actor, kind, days)
    if open_offers.has_proposed(ctx, match, kind, holder.seat):
        raise Refused(_("That was declined. You may ask again after the next move."))
    offer = open_offers.propose(ctx, match, holder, kind, detail)
    awaited = open_offers.undecided_players(ctx, match, offer)
    for other in awaited:
        facts = outbox.position_facts(ctx, load_match(ctx, match), other)
        facts |= {"offer": kind, "by": holder.name, "detail": detail, "next_ply": match.next_ply}
        once = f"offer {match.id} {kind} {holder.id} {other.id} {offer.offered_at.isoformat()}"
        outbox.enqueue(ctx, "offer", other, match, facts, once=once)
    return pending_text(kind, [other.name for other in awaited]) if awaited else _carry_out(actor, offer)


def agree(actor: Participant, kind: str, since: datetime | None = None) -> str:
    """Agree to an open offer; with `since`, only to the one made at that time. Raises Refused if there is none."""
    _check_seated(actor)
    offer = open_offers.by_kind(actor.ctx, actor.match).get(kind)
    if offer is None or since not in {None, offer.offered_at}:
        raise Refused(_(NO_LONGER_OPEN))
    return _record_consent(actor, offer)


def refuse(actor: Participant, kind: str) -> str:
    """Refuse an open offer; the player who made it is notified. Raises Refused if there is none."""
    ctx, match, holder = actor.ctx, actor.match, actor.holder
    _check_seated(actor)
    offer = next((one for one in unanswered_offers(ctx, match, holder) if one.kind == kind), None)
    if offer is None:
        raise Refused(_(NO_LONGER_OPEN))
    open_offers.decline(ctx, offer)
    by = next(other for other in seats.holders(ctx, match) if other.seat == offer.seat)
    facts = outbox.position_facts(ctx, load_match(ctx, match), by) | {"offer": kind, "by": holder.name}
    once = f"offer refused {match.id} {kind} {by.id} {match.next_ply}"
    outbox.enqueue(ctx, "offer refused", by, match, facts, once=once)
    return own_refusal_text(kind, by.name)


def resume(actor: Participant) -> str:
    """End a pause; everybody is notified."""
    _check_seated(actor)
    match_pauses.end(actor.ctx, actor.match, f"seat {actor.holder.seat}")
    _notify_players(actor, "resumed", {"by": actor.holder.name})
    return _("The clocks of this match run again.")


def unanswered_offers(ctx: Context, match: Match, holder: SeatHolder) -> list[Offer]:
    """List the open offers that a seat has not answered yet."""
    return [offer for offer in open_offers.by_kind(ctx, match).values() if holder.seat not in offer.agreed]


def can_propose(actor: Participant, kind: str) -> bool:
    """Return whether a seat may propose this kind of agreement now."""
    try:
        _check_seated(actor)
        if kind == MORE_TIME and actor.holder.seat not in actor.match.to_move:
            return bool(_seats_to_grant_time(actor))
        _build_detail(actor, kind, None)
    except Refused:
        return False
    return not open_offers.has_proposed(actor.ctx, actor.match, kind, actor.holder.seat)


def judge(ctx: Context, match: Match, submission: Submission) -> Verdict:
    """Judge a submission from a page or the API."""
    data = json.loads(submission.text or "{}")
    actor = Participant(ctx, match, submission.holder)
    try:
        return Verdict(SubmissionStatus.DONE, _apply(actor, data, submission.claimed_ply))
    except Refused as refused:
        return Verdict(SubmissionStatus.REJECTED, str(refused))


def serialise(kind: str, action: str, days: int | None = None, since: str | None = None) -> str:
    """Serialise what a page or the API sends, as the text of a submission."""
    return json.dumps({"kind": kind, "wish": action, "days": days, "since": since}, sort_keys=True)


def _apply(actor: Participant, data: dict[str, Any], ply: int | None) -> str:
    if actor.match.state == MatchState.RUNNING and ply != actor.match.ply:
        raise Refused(_(MATCH_CHANGED))
    kind, action = data["kind"], data["wish"]
    if action == RESUME:
        return resume(actor)
    if action == REFUSE:
        return refuse(actor, kind)
    if action == AGREE:
        offer = open_offers.by_kind(actor.ctx, actor.match).get(kind)
        same = offer is not None and data["since"] in {None, offer.offered_at.isoformat()}
        return agree(actor, kind, offer.offered_at if offer and same else actor.match.created_at)
    return propose(actor, kind, data["days"])


def _check_seated(actor: Participant) -> None:
    if actor.match.state != MatchState.RUNNING:
        over = actor.match.state == MatchState.OVER
        raise Refused(_("The match is over.") if over else _("The match has not begun."))
    if actor.holder.left_at is not None:
        raise Refused(_("You no longer have a seat in this match."))


def _build_detail(actor: Participant, kind: str, days: int | None) -> dict[str, Any]:
    """Return the details of a proposal; raises Refused if it cannot be made."""
    ctx, match = actor.ctx, actor.match
    if kind == TAKEBACK:
        course = load_match(ctx, match)
        ply = takebacks.first_ply(ctx, course, actor.holder.seat)
        return {"from": ply, "moves": sum(move.ply >= ply for move in effective_moves(course.log))}
    if len(match.seats) == 1 or kind not in KINDS:
        raise Refused(_("You are the only player in this match."))
    if kind in {ABANDON, DRAW} and seat_changes.is_compared(match):
        raise Refused(_("Other tables are compared with this one, so it is played to its end."))
    if kind == ABANDON and match.event_id is not None:
        raise Refused(_("This match counts in an event, so it cannot be abandoned. You can resign, or propose a draw."))
    if kind == PAUSE:
        match_pauses.check_possible(ctx, match)
    if kind == MORE_TIME:
        return {"days": time_extensions.allowed_days(ctx, match, actor.holder.seat, days)}
    return {}


def _record_consent(actor: Participant, offer: Offer) -> str:
    """Record that a seat agrees; settle the offer if it was the last to do so."""
    ctx, match, holder = actor.ctx, actor.match, actor.holder
    known = holder.seat in offer.agreed
    if not known:
        open_offers.accept(offer, holder.seat)
    awaited = [other.name for other in open_offers.undecided_players(ctx, match, offer)]
    if not awaited:
        return _carry_out(actor, offer)
    return f"{_('You already agreed.') if known else _('You agreed.')} {undecided_text(awaited)}"


def _carry_out(actor: Participant, offer: Offer) -> str:
    """Carry out what all players have agreed on, and notify them."""
    ctx, match = actor.ctx, actor.match
    kind, seat, detail = offer.kind, offer.seat, offer.detail
    open_offers.close(ctx, match, kind)
    by = next(one for one in seats.holders(ctx, match) if one.seat == seat)
    if kind == DRAW:
        endings.agree_on_draw(ctx, match, actor.reply_to)
        return _("Everybody agrees: the match ends in a draw.")
    if kind == ABANDON:
        endings.abort(ctx, match, by="table", ending="abandoned", mail=actor.reply_to)
        return _("Everybody agrees: the match is abandoned.")
    if kind == TAKEBACK:
        return _take_back_moves(actor, by, detail)
    if kind == PAUSE:
        until = match_pauses.start(ctx, match)
        _notify_players(actor, "paused", {"until": until.isoformat()})
        return _("Everybody agrees: the match is paused.")
    time_extensions.extend(ctx, match, seat, detail["days"], by="table")
    _notify_players(actor, "extended", {"whose": seat, "days": detail["days"]})
    agreed = _("Everybody agrees: there is more time for that move.")
    return f"{agreed} {_new_deadlines_text(actor, [seat])}".rstrip()


def _take_back_moves(actor: Participant, by: SeatHolder, detail: dict[str, Any]) -> str:
    ctx, match = actor.ctx, actor.match
    alone = len(match.seats) == 1
    takebacks.apply(ctx, match, detail["from"], by=f"seat {by.seat}" if alone else "table")
    messages.drop_below_moves(ctx, match, detail["from"])
    took = {"name": by.name, "seat": by.seat, "alone": alone}
    answers = dict([actor.reply_to]) if actor.reply_to else {}
    # Those who are to move now learn of it from their turn mail.
    awaited = turn_mails.seats_to_mail(ctx, match)
    turn_mails.enqueue(ctx, match, answers, **{str(seat): {"taken_back": took} for seat in awaited})
    _notify_players(actor, "taken back", {"took": took}, without=awaited)
    return takeback_text(by.name, own=by.id == actor.holder.id, alone=alone)


def _grant_time(actor: Participant) -> str:
    """Extend the deadlines of the players to move by one day, without a proposal; once per giver and move."""
    ctx, match, holder = actor.ctx, actor.match, actor.holder
    seats_to_move = _seats_to_grant_time(actor)
    for seat in seats_to_move:
        time_extensions.extend(ctx, match, seat, time_extensions.GIFT_DAYS, by=f"seat {holder.seat}")
        facts = {"whose": seat, "days": time_extensions.GIFT_DAYS, "giver": holder.name, "giver_seat": holder.seat}
        _notify_players(actor, "extended", facts)
    given = several("You have given one more day.", "You have given {number} more days.", time_extensions.GIFT_DAYS)
    return f"{given} {_new_deadlines_text(actor, seats_to_move)}".rstrip()


def _new_deadlines_text(actor: Participant, extended: Collection[int]) -> str:
    """Return the sentences for when the moves of some seats are due now."""
    ctx, match, holder = actor.ctx, actor.match, actor.holder
    names = {other.seat: other.name for other in seats.holders(ctx, match)}
    return " ".join(
        new_deadline_text(names[row.seat], row.due_at, holder.player.time_zone, own=row.seat == holder.seat)
        for row in turn_deadlines.for_match(ctx, match)
        if row.seat in extended and row.due_at
    )


def _seats_to_grant_time(actor: Participant) -> list[int]:
    """List the seats to which a player may give a day; raises Refused if there are none."""
    ctx, match, giver = actor.ctx, actor.match, f"seat {actor.holder.seat}"
    may: list[int] = []
    for seat in match.to_move:
        try:
            time_extensions.allowed_days(ctx, match, seat, time_extensions.GIFT_DAYS)
        except Refused:
            if seat == match.to_move[-1] and not may:
                raise
        else:
            may.append(seat)
    fresh = [seat for seat in may if not time_extensions.has_granted(ctx, match, seat, giver)]
    if not fresh:
        raise Refused(_("You already gave a day for this move. The player to move can ask for more."))
    return fresh


def _notify_players(actor: Participant, kind: str, more: dict[str, Any], without: Collection[int] = ()) -> None:
    """Enqueue a mail to all players, except for the seats in `without`, with what was agreed and the position."""
    ctx, match = actor.ctx, actor.match
    course = load_match(ctx, match)
    present = seats.holders(ctx, match)
    excluded = {holder.player_id for holder in present if holder.seat in without}
    for holder in seats.distinct_players(present, first=actor.holder.seat):
        if holder.player_id not in excluded:
            facts = outbox.position_facts(ctx, course, holder) | more
            once = f"{kind} {match.id} {holder.id} {match.log_length}"
            answers = actor.mail if holder.id == actor.holder.id else None
            outbox.enqueue(ctx, kind, holder, match, facts, once=once, answers=answers)
