"""Creation of matches: invitations, acceptances and refusals, and the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match, MatchSeat, SeatHolder
from pbem.games import GAMES, OptionError, find
from pbem.games.chain import commit, derive_seed, opening_hash, typed_entropy
from pbem.i18n import _, refusal_text
from pbem.play.chat import messages, trailing_lines
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.conditional_moves import plan_store
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, invitations
from pbem.play.lifecycle import guests as lifecycle_guests
from pbem.play.matches import seats
from pbem.play.matches.match_state import append_event, load_fork_origin, load_match, lock_match
from pbem.play.matches.views import player_names
from pbem.play.moderation import bans
from pbem.play.notifications import outbox
from pbem.play.players import registry, reliability, robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Player
    from pbem.games import Game, Json
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.requests import Invitees, MatchRequest, Terms

holders = seats.holders
MatchError = lifecycle_guests.MatchError
MAX_INVITATIONS_PER_DAY = lifecycle_guests.MAX_INVITATIONS_PER_DAY

ID_BITS = 100
SECRET_BYTES = 32
ENTROPY_BYTES = 16
MAX_INVITATION_TEXT_CHARS = 500
"""Maximum characters of the text that a host adds to the invitations."""


def create_match(ctx: Context, request: MatchRequest) -> Match:
    """Create a requested match and enqueue its invitations; raises MatchError if it cannot be played."""
    fork, creator, terms = request.fork, request.creator_seat, request.terms
    rules = find(request.game, fork.match.edition) if fork else GAMES.get(request.game)
    if rules is None:
        sentence = _("There is no game “{game}” here; there are: {games}.", game=request.game, games=", ".join(GAMES))
        raise MatchError("game", sentence)
    guests: Invitees = [*request.invitees, *[None] * request.open_seats]
    try:
        options = dict(rules.settle(len(guests), request.options))
    except OptionError as refused:
        field = "options" if len(guests) in rules.seats else "seats"
        raise MatchError(field, refusal_text(refused)) from None
    _check_terms(terms)
    guests = lifecycle_guests.normalise(guests, several=creator if fork else None)
    invited = lifecycle_guests.select_invited(guests, creator, request.staying)
    lifecycle_guests.check_blocks(ctx, invited, creator, request.host, known=request.known)
    lifecycle_guests.check_rate_limits(ctx, invited, creator, known=request.known)
    match = _add_match(ctx, request, rules, options, guests)
    _seat_players(ctx, match, guests)
    present = holders(ctx, match)
    own = next((holder for holder in present if holder.seat == creator), None)
    if own and request.host is None:
        match.host_id = own.player_id
    with outbox.batch(ctx):
        for holder in seats.distinct_players(present, first=creator):
            stays = holder is not own and holder.email in request.staying
            if stays:
                match.seats[holder.seat - 1].accepted_at = ctx.now
            if request.known or holder is own:
                answers = request.message_id if holder is own else None
                alone = lifecycle_guests.count_people(guests) == 1
                facts = {"made": holder is own and request.known, "stays": stays, "alone": alone}
                _enqueue_invitation(ctx, match, holder, answers=answers, **facts)
    if request.known and own:
        accept(ctx, match, own, "")
    return match


def _add_match(
    ctx: Context, request: MatchRequest, rules: Game[Any], options: dict[str, Any], guests: Invitees
) -> Match:
    """Insert the row of a match and its seats, with its secret drawn; `options` and `guests` are validated."""
    fork, terms = request.fork, request.terms
    secret = ctx.draw(SECRET_BYTES)
    match_id = tokens.base32(int.from_bytes(ctx.draw(-(-ID_BITS // 8)), "big"), ID_BITS // 5)
    commitment = commit(secret)
    persons, public = lifecycle_guests.count_people(guests), terms.public and fork is None
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
        timeout_policy=terms.timeout_policy or timeout_policies.default_for(guests.count(None)),
        min_reliability=terms.min_reliability,
        rated=(public if terms.rated is None else terms.rated) and persons == len(guests) > 1 and fork is None,
        previous_match_id=request.previous_match_id,
        forked_from_id=fork.match.id if fork else None,
        forked_step=fork.step if fork else None,
        open_seats=guests.count(None) if request.known else 0,
        chain_head=opening_hash(commitment, match_id, request.game, rules.edition, options, len(guests)),
        log_length=0,
        ply=1,
        next_ply=1,
        to_move=[],
        seats=[
            MatchSeat(seat=seat, default_entropy=ctx.draw(ENTROPY_BYTES).hex()) for seat in range(1, len(guests) + 1)
        ],
    )
    ctx.session.add(match)
    return match


def take_seat(
    ctx: Context, match: Match, player: Player, email: str, name: str, text: str = "", mail: str | None = None
) -> SeatHolder:
    """Seat a player at the first open seat of a match, who thereby accepts; raises MatchError if that is refused.

    The player must have verified the address. `text` is their contribution to the deal, if any; `mail` is the
    Message-ID of the mail by which they asked for the seat, if any.
    """
    match = lock_match(ctx, match.id)
    present = holders(ctx, match)
    if match.state != MatchState.INVITING:
        over = _("This match was called off before it began.")
        raise MatchError("", over if match.seed is None else _("This match has begun: all its seats are taken."))
    if any(player.id == other.player_id for other in present):
        raise MatchError("", _("You sit at this table already."))
    if refused := bans.refusal(ctx, player) or reliability.refusal_reason(ctx, match, player.id):
        raise MatchError("", refused)
    taken = {other.seat for other in present}
    free = [place.seat for place in match.seats if place.seat not in taken]
    if not free or not match.open_seats:
        raise MatchError("", _("All seats of this table are taken."))
    try:
        name, email = registry.normalise_name(name), registry.normalise_email(email)
    except registry.InvalidPlayerError as refused:
        raise MatchError("name", str(refused)) from None
    holder = SeatHolder(
        match_id=match.id,
        seat=free[0],
        player=player,
        name=registry.unique_name(name, [other.name for other in present]),
        email=email,
        generation=1,
        seated_at=ctx.now,
    )
    ctx.session.add(holder)
    match.open_seats = len(free) - 1
    ctx.session.flush()
    seat = match.seats[holder.seat - 1]
    # The mail already describes the deal as the acceptance below will leave it.
    own = {"entropy": typed_entropy(text), "entropy_by": "player"} if text.strip() else {}
    _enqueue_invitation(ctx, match, holder, answers=mail, **{**entropy_facts(seat, text), **own, "joined": True})
    accept(ctx, match, holder, text)
    return holder


def accept(ctx: Context, match: Match, holder: SeatHolder, text: str, mail: str | None = None) -> MatchSeat:
    """Accept an invitation, with the player's own text for the deal if any; only the first acceptance counts.

    The match starts when everybody has accepted. `mail` is the Message-ID of the mail that accepted, if any; the first
    mail of the running match answers it. The caller must have locked the match.
    """
    seat = match.seats[holder.seat - 1]
    if match.state == MatchState.INVITING and _is_acceptance_carried_over(match, holder, seat) and text.strip():
        seat.entropy = typed_entropy(text)
    if match.state == MatchState.INVITING and seat.accepted_at is None and not holder.player.banned_at:
        seat.accepted_at = ctx.now
        seat.entropy = typed_entropy(text) if text.strip() else None
        registry.mark_verified(ctx, holder.email)
        present = holders(ctx, match)
        for other in present:
            if other.player_id == holder.player_id:
                match.seats[other.seat - 1].accepted_at = ctx.now
        with outbox.batch(ctx):
            for other in seats.distinct_players(present, first=holder.seat):
                # Enqueued only once: this is for the invitees of a creator whose address was not verified.
                _enqueue_invitation(ctx, match, other)
        if holder.seat == match.creator_seat:
            match.open_seats = len(match.seats) - len(present)
        if all(place.accepted_at for place in match.seats):
            _start(ctx, match, holder, mail, entropy_facts(seat, text))
    return seat


def decline(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Decline an invitation: cancel the match and notify those who had accepted.

    A player who had taken an open seat only leaves it, and it is open again.
    """
    if match.state != MatchState.INVITING:
        return
    if took_open_seat(match, holder):
        _vacate_seat(ctx, match, holder)
        return
    cancel(ctx, match, seat=holder.seat, by=f"seat {holder.seat}", detail={"declined": True})
    notify_cancelled(ctx, match, [one for one in holders(ctx, match) if one.seat != holder.seat], by=holder.name)


def cancel(ctx: Context, match: Match, *, seat: int | None, by: str, detail: dict[str, Json]) -> None:
    """Cancel a match that has not started, and close its open seats."""
    append_event(ctx, match, "aborted", seat=seat, by=by, detail=detail)
    match.state, match.ended_at, match.open_seats = MatchState.OVER, ctx.now, 0
    match.result = {"scores": None, "winners": [], "ending": "aborted"}


def notify_cancelled(ctx: Context, match: Match, whom: Sequence[SeatHolder], **facts: object) -> None:
    """Notify those of these players who had accepted a match that it is cancelled."""
    for other in seats.distinct_players(whom):
        if match.seats[other.seat - 1].accepted_at:
            told = outbox.unstarted_facts(ctx, match, other) | facts
            outbox.enqueue(ctx, "called off", other, match, told, once=f"called off {match.id} {other.id}", ply=0)


def _is_acceptance_carried_over(match: Match, holder: SeatHolder, seat: MatchSeat) -> bool:
    """Return whether a seat's acceptance is carried over from an earlier match, and its player may still add a text."""
    carried = (
        bool(match.previous_match_id) and seat.accepted_at == match.created_at and holder.seat != match.creator_seat
    )
    return carried and seat.entropy is None


def took_open_seat(match: Match, holder: SeatHolder) -> bool:
    """Return whether a player took an open seat, so was not invited by name."""
    return holder.seated_at > match.created_at


def _vacate_seat(ctx: Context, match: Match, holder: SeatHolder) -> None:
    holder.left_at = ctx.now
    seat = match.seats[holder.seat - 1]
    seat.accepted_at, seat.entropy = None, None
    match.open_seats += 1


def entropy_facts(seat: MatchSeat, text: str) -> dict[str, Any]:
    """Return the facts of a seat's part in the deal: the text that was typed, and the entropy made of it."""
    entropy, by = seats.entropy_with_source(seat)
    return {"entropy": entropy, "entropy_by": by, "typed": text.strip()[:200]}


def seats_to_mail(ctx: Context, match: Match) -> set[int]:
    """Return the seats that are mailed for a move: those to move, except where the service will play."""
    left_to_us = {row.seat for row in turn_deadlines.for_match(ctx, match) if row.robot_moves_at}
    return {*match.to_move} - left_to_us


def enqueue_turn_mails(ctx: Context, match: Match, answers: Mapping[int, str], **more: dict[str, Any]) -> set[int]:
    """Enqueue a turn mail to each seat that is to move, once per stage; return these seats.

    `answers` maps the seat whose mail led to this position to its Message-ID: that player gets a single mail that is
    both receipt and turn mail. `more` adds facts, by seat.
    """
    course, awaited = load_match(ctx, match), seats_to_mail(ctx, match)
    for holder in holders(ctx, match):
        if holder.seat in awaited:
            facts = outbox.position_facts(ctx, course, holder) | more.get(str(holder.seat), {})
            facts |= {"talk": messages.unmailed(ctx, match, holder)} | trailing_lines.premove_facts(course, holder)
            facts |= plan_store.turn_facts(ctx, course, holder)
            once = f"turn {match.id} {holder.id} {match.ply}"
            outbox.enqueue(
                ctx, "turn", holder, match, facts, once=once, ply=match.ply, answers=answers.get(holder.seat)
            )
    return awaited


def _check_terms(terms: Terms) -> None:
    """Refuse an unknown time control, timeout policy or reliability requirement."""
    if terms.time_control not in time_controls.PRESETS:
        known = ", ".join(time_controls.PRESETS)
        raise MatchError("clock", _("There is no such clock; there are: {clocks}.", clocks=known))
    if terms.timeout_policy is not None and terms.timeout_policy not in timeout_policies.POLICIES:
        known = ", ".join(timeout_policies.POLICIES)
        raise MatchError("on_time", _("There is no such end of the time; there are: {ends}.", ends=known))
    requirements = timeout_policies.RELIABILITY_REQUIREMENTS
    if terms.min_reliability is not None and terms.min_reliability not in requirements:
        known = ", ".join(map(str, requirements))
        raise MatchError("reliable", _("There is no such condition; there are: {conditions}.", conditions=known))


def _seat_players(ctx: Context, match: Match, guests: Invitees) -> None:
    # A player with several seats gets the name given at the first of them.
    named = {guest.email: guest.name for guest in reversed(guests) if guest and not guest.bot}
    players = registry.get_or_create(ctx, named)
    for seat, guest in enumerate(guests, 1):
        if guest is None:
            continue
        if guest.bot:
            robots.take_seat(ctx, match, seat, guest.name)
            match.seats[seat - 1].accepted_at = ctx.now
            continue
        ctx.session.add(
            SeatHolder(
                match_id=match.id,
                seat=seat,
                player=players[guest.email],
                name=guest.name,
                email=guest.email,
                generation=1,
                seated_at=ctx.now,
            )
        )
    ctx.session.flush()


def _enqueue_invitation(
    ctx: Context, match: Match, holder: SeatHolder, *, answers: str | None = None, **more: object
) -> None:
    seat = match.seats[holder.seat - 1]
    facts = outbox.unstarted_facts(ctx, match, holder) | {
        "entropy": seat.default_entropy,
        "options": match.options,
        "creator": match.creator_seat == holder.seat,
        "inviter": player_names(ctx, match)[match.creator_seat - 1] if match.creator_seat else None,
    }
    facts |= invitations.invitation_facts(ctx, match, holder) | more
    once = f"invitation {match.id} {holder.id}"
    outbox.enqueue(ctx, "invitation", holder, match, facts, once=once, ply=0, answers=answers)


def _start(ctx: Context, match: Match, last: SeatHolder, mail: str | None, deal: dict[str, Any]) -> None:
    entropies = [seats.entropy_with_source(seat)[0] for seat in match.seats]
    match.seed = derive_seed(match.secret, match.id, entropies)
    match.state, match.started_at = MatchState.RUNNING, ctx.now
    course = load_match(ctx, match)
    past = load_fork_origin(ctx, match)
    match.ply = match.next_ply = past.next_ply if past else 1
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    turn_deadlines.sync(ctx, match)
    answers = {last.seat: mail} if mail else {}
    autoplay.play_due_moves(ctx, match, answers)
    with outbox.batch(ctx):
        enqueue_turn_mails(ctx, match, answers, **{str(last.seat): deal})
        course, awaited = load_match(ctx, match), seats_to_mail(ctx, match)
        present = holders(ctx, match)
        told = {holder.player_id for holder in present if holder.seat in awaited}
        for holder in seats.distinct_players(present):
            if holder.player_id not in told:
                facts = outbox.position_facts(ctx, course, holder) | (deal if holder.id == last.id else {})
                facts |= {"coming": holder.seat in match.to_move}
                once = f"begun {match.id} {holder.id}"
                outbox.enqueue(ctx, "begun", holder, match, facts, once=once, answers=answers.get(holder.seat))
