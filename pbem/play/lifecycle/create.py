"""How a match comes to be: made, accepted or declined, begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Holder, Match, MatchSeat
from pbem.games import GAMES, OptionError, find
from pbem.games.chain import commit, derive_seed, opening_hash, own_entropy
from pbem.i18n import _, refusal
from pbem.play.chat import messages, trailing_lines
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.conditional_moves import plan_store
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, invitations
from pbem.play.lifecycle import guests as lifecycle_guests
from pbem.play.matches import seats
from pbem.play.matches.match_state import course_of, enter_event, lock, past_of
from pbem.play.matches.views import names_of
from pbem.play.moderation import bans
from pbem.play.notifications import outbox
from pbem.play.players import registry, reliability, robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pbem.db.models import Player
    from pbem.games import Json
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.requests import Fork

    Guests = lifecycle_guests.Guests

holders = seats.holders
Guest = lifecycle_guests.Guest
MatchError = lifecycle_guests.MatchError
ROBOT = lifecycle_guests.ROBOT
INVITED_A_DAY = lifecycle_guests.INVITED_A_DAY

ID_BITS = 100
SECRET_BYTES = 32
ENTROPY_BYTES = 16
LONGEST_WORDS = 500
"""So many characters a host may write to those whom they invite."""


def make(
    ctx: Context,
    game: str,
    options: Mapping[str, object],
    guests: Guests,
    *,
    public: bool = True,
    creator: int | None = None,
    known: bool = True,
    mail: str | None = None,
    open_seats: int = 0,
    words: str = "",
    clock: str = time_controls.NONE,
    on_time: str | None = None,
    reliable: int | None = None,
    rated: bool | None = None,
    host: Player | None = None,
    follows: str | None = None,
    staying: Collection[str] = (),
    fork: Fork | None = None,
) -> Match:
    """Make a match and owe its invitations; raises MatchError for what cannot be played.

    A guest who is None leaves their seat open to anybody; `open_seats` adds so many at the end. `creator` is the
    seat of whoever makes it, who thereby accepts. A creator who is not `known` to own their address is mailed
    alone at first, and the others only once they have accepted, as the open seats can be taken only then: nobody
    can have the service write to strangers in another's name. `mail` is the Message-ID of the mail that asked for
    the match, if one did; the creator's first mail answers it. `host` is who made it, where that is not the
    creator's player; `words` are theirs to those whom they invite. What happens `on_time` is as usual unless it is
    said, and open seats are for anybody unless `reliable` says otherwise. Public matches are `rated` unless it
    is said, those with robots and those for one never. Those whose addresses are `staying` had accepted the match that
    this one follows, and need not be asked again. Where one person sits alone or among robots there is no clock. A
    `fork` is for practice, whatever is said: private, not rated, and who makes it may sit at several of its seats.
    """
    public = public and fork is None
    rules = find(game, fork.match.edition) if fork else GAMES.get(game)
    if rules is None:
        raise MatchError(
            "game", _("There is no game “{game}” here; there are: {games}.", game=game, games=", ".join(GAMES))
        )
    guests = [*guests, *[None] * open_seats]
    try:
        in_force = dict(rules.settle(len(guests), options))
    except OptionError as refused:
        field = "options" if len(guests) in rules.seats else "seats"
        raise MatchError(field, refusal(refused)) from None
    if clock not in time_controls.CLOCKS:
        raise MatchError(
            "clock", _("There is no such clock; there are: {clocks}.", clocks=", ".join(time_controls.CLOCKS))
        )
    _must_be_terms(on_time, reliable)
    guests = lifecycle_guests.tidied(guests, several=creator if fork else None)
    persons = lifecycle_guests.persons(guests)
    invited = lifecycle_guests.invited(guests, creator, staying)
    lifecycle_guests.not_unwanted(ctx, invited, creator, host, known=known)
    lifecycle_guests.not_too_often(ctx, invited, creator, known=known)
    secret = ctx.draw(SECRET_BYTES)
    match_id = tokens.base32(int.from_bytes(ctx.draw(-(-ID_BITS // 8)), "big"), ID_BITS // 5)
    commitment = commit(secret)
    match = Match(
        id=match_id,
        game=game,
        edition=rules.edition,
        options=in_force,
        public=public,
        state=MatchState.INVITING,
        created_at=ctx.now,
        secret=secret,
        commitment=commitment,
        creator=creator,
        host_id=host.id if host else None,
        words=messages.tidy(words)[:LONGEST_WORDS] or None,
        clock=clock if persons > 1 else time_controls.NONE,
        on_time=on_time or timeout_policies.usual(guests.count(None)),
        reliable=reliable,
        rated=(public if rated is None else rated) and persons == len(guests) > 1 and fork is None,
        follows=follows,
        forked_from=fork.match.id if fork else None,
        forked_step=fork.step if fork else None,
        open_seats=guests.count(None) if known else 0,
        head=opening_hash(commitment, match_id, game, rules.edition, in_force, len(guests)),
        length=0,
        ply=1,
        next_ply=1,
        to_move=[],
        seats=[
            MatchSeat(seat=seat, default_entropy=ctx.draw(ENTROPY_BYTES).hex()) for seat in range(1, len(guests) + 1)
        ],
    )
    ctx.session.add(match)
    _seat(ctx, match, guests)
    present = holders(ctx, match)
    own = next((holder for holder in present if holder.seat == creator), None)
    if own and host is None:
        match.host_id = own.player_id
    with outbox.together(ctx):
        for holder in seats.persons(present, first=creator):
            stays = holder is not own and holder.email in staying
            if stays:
                match.seats[holder.seat - 1].accepted_at = ctx.now
            if known or holder is own:
                facts = {"made": holder is own and known, "stays": stays, "alone": persons == 1}
                _invite(ctx, match, holder, answers=mail if holder is own else None, **facts)
    if known and own:
        accept(ctx, match, own, "")
    return match


def take_seat(
    ctx: Context, match: Match, player: Player, email: str, name: str, text: str = "", mail: str | None = None
) -> Holder:
    """Seat somebody at the first open seat of a match, who thereby accepts; raises MatchError where that cannot be.

    The address is one that the player has shown to be theirs. `text` is their own for the deal, if they wrote one;
    `mail` the Message-ID of the mail by which they asked for the seat, if one did.
    """
    match = lock(ctx, match.id)
    present = holders(ctx, match)
    if match.state != MatchState.INVITING:
        over = _("This match was called off before it began.")
        raise MatchError("", over if match.seed is None else _("This match has begun: all its seats are taken."))
    if any(player.id == other.player_id for other in present):
        raise MatchError("", _("You sit at this table already."))
    if refused := bans.refusal(ctx, player) or reliability.refusal(ctx, match, player.id):
        raise MatchError("", refused)
    taken = {other.seat for other in present}
    free = [place.seat for place in match.seats if place.seat not in taken]
    if not free or not match.open_seats:
        raise MatchError("", _("All seats of this table are taken."))
    try:
        name, email = registry.tidy_name(name), registry.tidy_email(email)
    except registry.PersonError as refused:
        raise MatchError("name", str(refused)) from None
    holder = Holder(
        match_id=match.id,
        seat=free[0],
        player=player,
        name=registry.apart(name, [other.name for other in present]),
        email=email,
        generation=1,
        since=ctx.now,
    )
    ctx.session.add(holder)
    match.open_seats = len(free) - 1
    ctx.session.flush()
    seat = match.seats[holder.seat - 1]
    # What this mail says of the deal is what the acceptance makes of it.
    own = {"entropy": own_entropy(text), "entropy_by": "player"} if text.strip() else {}
    _invite(ctx, match, holder, answers=mail, **{**entropy_facts(seat, text), **own, "joined": True})
    accept(ctx, match, holder, text)
    return holder


def accept(ctx: Context, match: Match, holder: Holder, text: str, mail: str | None = None) -> MatchSeat:
    """Accept an invitation, with a text of the player's own for the deal or without; the first time counts.

    The match begins when everybody has accepted; `mail` is the Message-ID of the mail that accepted, if it
    was one, which the first mail of the begun match then answers. The caller has locked the match.
    """
    seat = match.seats[holder.seat - 1]
    if match.state == MatchState.INVITING and _stays(match, holder, seat) and text.strip():
        seat.entropy = own_entropy(text)
    if match.state == MatchState.INVITING and seat.accepted_at is None and not holder.player.banned_at:
        seat.accepted_at = ctx.now
        seat.entropy = own_entropy(text) if text.strip() else None
        registry.confirm(ctx, holder.email)
        present = holders(ctx, match)
        for other in present:
            if other.player_id == holder.player_id:
                match.seats[other.seat - 1].accepted_at = ctx.now
        with outbox.together(ctx):
            for other in seats.persons(present, first=holder.seat):
                # Owed only once: this is for those whom an unknown creator wished to invite.
                _invite(ctx, match, other)
        if holder.seat == match.creator:
            match.open_seats = len(match.seats) - len(present)
        if all(place.accepted_at for place in match.seats):
            _begin(ctx, match, holder, mail, entropy_facts(seat, text))
    return seat


def decline(ctx: Context, match: Match, holder: Holder) -> None:
    """Decline an invitation: the match is called off, and those who had accepted are told.

    Whoever had taken an open seat only leaves it, and it is open again.
    """
    if match.state != MatchState.INVITING:
        return
    if took_seat(match, holder):
        _leave(ctx, match, holder)
        return
    call_off(ctx, match, seat=holder.seat, by=f"seat {holder.seat}", detail={"declined": True})
    tell_called_off(ctx, match, [one for one in holders(ctx, match) if one.seat != holder.seat], by=holder.name)


def call_off(ctx: Context, match: Match, *, seat: int | None, by: str, detail: dict[str, Json]) -> None:
    """End a match that has not begun; nobody can take a seat at it any more."""
    enter_event(ctx, match, "aborted", seat=seat, by=by, detail=detail)
    match.state, match.ended_at, match.open_seats = MatchState.OVER, ctx.now, 0
    match.result = {"scores": None, "winners": [], "ending": "aborted"}


def tell_called_off(ctx: Context, match: Match, whom: Sequence[Holder], **facts: object) -> None:
    """Tell those of some that had accepted a match that it is called off."""
    for other in seats.persons(whom):
        if match.seats[other.seat - 1].accepted_at:
            told = outbox.waiting_facts(ctx, match, other) | facts
            outbox.owe(ctx, "called off", other, match, told, once=f"called off {match.id} {other.id}", ply=0)


def _stays(match: Match, holder: Holder, seat: MatchSeat) -> bool:
    """Tell whether somebody sits here because they had accepted the match before, and may yet add to this deal."""
    carried = bool(match.follows) and seat.accepted_at == match.created_at and holder.seat != match.creator
    return carried and seat.entropy is None


def took_seat(match: Match, holder: Holder) -> bool:
    """Tell whether somebody took a seat that was open, and so was not invited by name."""
    return holder.since > match.created_at


def _leave(ctx: Context, match: Match, holder: Holder) -> None:
    holder.until = ctx.now
    seat = match.seats[holder.seat - 1]
    seat.accepted_at, seat.entropy = None, None
    match.open_seats += 1


def entropy_facts(seat: MatchSeat, text: str) -> dict[str, Any]:
    """Give what a mail says of a seat's part in the deal: what was typed, and what became of it."""
    entropy, by = seats.entropy_of(seat)
    return {"entropy": entropy, "entropy_by": by, "typed": text.strip()[:200]}


def asked(ctx: Context, match: Match) -> set[int]:
    """Give the seats that are mailed for a move: those that may act, unless the service will play for them."""
    left_to_us = {row.seat for row in turn_deadlines.of_match(ctx, match) if row.play_at}
    return {*match.to_move} - left_to_us


def owe_turns(ctx: Context, match: Match, answers: Mapping[int, str], **more: dict[str, Any]) -> set[int]:
    """Owe a turn mail to each seat that is to act in the present stage, once a stage; gives which seats these are.

    `answers` names, by seat, the mail that brought the match here: its sender gets one mail that is both
    the receipt and the new turn. `more` adds facts, by seat.
    """
    course, awaited = course_of(ctx, match), asked(ctx, match)
    for holder in holders(ctx, match):
        if holder.seat in awaited:
            facts = outbox.position_facts(ctx, course, holder) | more.get(str(holder.seat), {})
            facts |= {"talk": messages.since(ctx, match, holder)} | trailing_lines.proposed(course, holder)
            facts |= plan_store.news(ctx, course, holder)
            once = f"turn {match.id} {holder.id} {match.ply}"
            outbox.owe(ctx, "turn", holder, match, facts, once=once, ply=match.ply, answers=answers.get(holder.seat))
    return awaited


def _must_be_terms(on_time: str | None, reliable: int | None) -> None:
    """Refuse what nobody can agree on: an end of the time that is not known here, a condition that is none."""
    if on_time is not None and on_time not in timeout_policies.ON_TIME:
        known = ", ".join(timeout_policies.ON_TIME)
        raise MatchError("on_time", _("There is no such end of the time; there are: {ends}.", ends=known))
    if reliable is not None and reliable not in timeout_policies.RELIABLE:
        known = ", ".join(map(str, timeout_policies.RELIABLE))
        raise MatchError("reliable", _("There is no such condition; there are: {conditions}.", conditions=known))


def _seat(ctx: Context, match: Match, guests: Guests) -> None:
    # Whoever sits at several seats is called what they are called at the first.
    named = {guest.email: guest.name for guest in reversed(guests) if guest and not guest.bot}
    players = registry.players_at(ctx, named)
    for seat, guest in enumerate(guests, 1):
        if guest is None:
            continue
        if guest.bot:
            robots.seat(ctx, match, seat, guest.name)
            match.seats[seat - 1].accepted_at = ctx.now
            continue
        ctx.session.add(
            Holder(
                match_id=match.id,
                seat=seat,
                player=players[guest.email],
                name=guest.name,
                email=guest.email,
                generation=1,
                since=ctx.now,
            )
        )
    ctx.session.flush()


def _invite(ctx: Context, match: Match, holder: Holder, *, answers: str | None = None, **more: object) -> None:
    seat = match.seats[holder.seat - 1]
    facts = outbox.waiting_facts(ctx, match, holder) | {
        "entropy": seat.default_entropy,
        "options": match.options,
        "creator": match.creator == holder.seat,
        "inviter": names_of(ctx, match)[match.creator - 1] if match.creator else None,
    }
    facts |= invitations.facts(ctx, match, holder) | more
    once = f"invitation {match.id} {holder.id}"
    outbox.owe(ctx, "invitation", holder, match, facts, once=once, ply=0, answers=answers)


def _begin(ctx: Context, match: Match, last: Holder, mail: str | None, deal: dict[str, Any]) -> None:
    entropies = [seats.entropy_of(seat)[0] for seat in match.seats]
    match.seed = derive_seed(match.secret, match.id, entropies)
    match.state, match.started_at = MatchState.RUNNING, ctx.now
    course = course_of(ctx, match)
    past = past_of(ctx, match)
    match.ply = match.next_ply = past.next_ply if past else 1
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    turn_deadlines.ask(ctx, match)
    answers = {last.seat: mail} if mail else {}
    autoplay.play(ctx, match, answers)
    with outbox.together(ctx):
        owe_turns(ctx, match, answers, **{str(last.seat): deal})
        course, awaited = course_of(ctx, match), asked(ctx, match)
        present = holders(ctx, match)
        told = {holder.player_id for holder in present if holder.seat in awaited}
        for holder in seats.persons(present):
            if holder.player_id not in told:
                facts = outbox.position_facts(ctx, course, holder) | (deal if holder.id == last.id else {})
                facts |= {"coming": holder.seat in match.to_move}
                once = f"begun {match.id} {holder.id}"
                outbox.owe(ctx, "begun", holder, match, facts, once=once, answers=answers.get(holder.seat))
