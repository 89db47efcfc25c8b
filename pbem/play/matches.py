"""How a match comes to be: made, accepted or declined, begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from pbem.db.models import Holder, Match, MatchSeat
from pbem.games import GAMES, OptionError
from pbem.games.chain import commit, derive_seed, opening_hash, own_entropy
from pbem.play import below, links, notices, people, talk
from pbem.play.allowances import DAY, Allowed, spend, used_up
from pbem.play.history import course_of, enter_event, opened
from pbem.play.views import names_of
from pbem.words import _, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.play.table import Table

ID_BITS = 100
SECRET_BYTES = 32
ENTROPY_BYTES = 16
INVITED_A_DAY = 5
"""So many matches a day an address may be invited to; so many may be begun in the name of one that nobody has
shown to be theirs."""


class MatchError(ValueError):
    """Refuses a match that somebody asked for, naming the field that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody to be seated: how they are called and where their mail goes."""

    name: str
    email: str


def make(
    table: Table,
    game: str,
    options: Mapping[str, object],
    guests: Sequence[Guest],
    *,
    public: bool = True,
    creator: int | None = None,
    known: bool = True,
    mail: str | None = None,
) -> Match:
    """Make a match and owe its invitations; raises MatchError for what cannot be played.

    `creator` is the seat of whoever makes it, who thereby accepts. A creator who is not `known` to own
    their address is mailed alone at first, and the others only once they have accepted: nobody can have
    the service write to strangers in another's name. `mail` is the Message-ID of the mail that asked for
    the match, if one did; the creator's first mail answers it.
    """
    rules = GAMES.get(game)
    if rules is None:
        raise MatchError(
            "game", _("There is no game “{game}” here; there are: {games}.", game=game, games=", ".join(GAMES))
        )
    try:
        in_force = dict(rules.settle(len(guests), options))
    except OptionError as refused:
        field = "options" if len(guests) in rules.seats else "seats"
        raise MatchError(field, refusal(refused)) from None
    guests = _tidy(guests)
    _not_too_often(table, guests, creator, known=known)
    secret = table.draw(SECRET_BYTES)
    match_id = links.base32(int.from_bytes(table.draw(-(-ID_BITS // 8)), "big"), ID_BITS // 5)
    commitment = commit(secret)
    match = Match(
        id=match_id,
        game=game,
        edition=rules.edition,
        options=in_force,
        public=public,
        state="inviting",
        created_at=table.now,
        secret=secret,
        commitment=commitment,
        creator=creator,
        head=opening_hash(commitment, match_id, game, rules.edition, in_force, len(guests)),
        length=0,
        ply=1,
        next_ply=1,
        to_move=[],
        seats=[
            MatchSeat(seat=seat, default_entropy=table.draw(ENTROPY_BYTES).hex()) for seat in range(1, len(guests) + 1)
        ],
    )
    table.session.add(match)
    _seat(table, match, guests)
    present = holders(table, match)
    for holder in present:
        if known or holder.seat == creator:
            own = holder.seat == creator
            _invite(table, match, holder, made=own and known, answers=mail if own else None)
    if known and creator:
        accept(table, match, present[creator - 1], "")
    return match


def holders(table: Table, match: Match) -> list[Holder]:
    """List those who sit at a match now, in seat order."""
    present = select(Holder).where(Holder.match_id == match.id, Holder.until.is_(None)).order_by(Holder.seat)
    # What a player has chosen is asked for with every notice.
    return list(table.session.scalars(present.options(joinedload(Holder.player))))


def accept(table: Table, match: Match, holder: Holder, text: str, mail: str | None = None) -> MatchSeat:
    """Accept an invitation, with a text of the player's own for the deal or without; the first time counts.

    The match begins when everybody has accepted; `mail` is the Message-ID of the mail that accepted, if it
    was one, which the first mail of the begun match then answers. The caller has locked the match.
    """
    seat = match.seats[holder.seat - 1]
    if match.state == "inviting" and seat.accepted_at is None:
        seat.accepted_at = table.now
        seat.entropy = own_entropy(text) if text.strip() else None
        people.confirm(table, holder.email)
        for other in holders(table, match):
            # Owed only once: this is for those whom an unknown creator wished to invite.
            _invite(table, match, other)
        if all(place.accepted_at for place in match.seats):
            _begin(table, match, holder, mail, entropy_facts(seat, text))
    return seat


def decline(table: Table, match: Match, holder: Holder) -> None:
    """Decline an invitation: the match is called off, and those who had accepted are told."""
    if match.state != "inviting":
        return
    enter_event(table, match, "aborted", seat=holder.seat, by=f"seat {holder.seat}", detail={"declined": True})
    match.state, match.ended_at = "over", table.now
    match.result = {"scores": None, "winners": [], "ending": "aborted"}
    for other in holders(table, match):
        if other.seat != holder.seat and match.seats[other.seat - 1].accepted_at:
            facts = {"by": holder.name, **notices.waiting_facts(table, match, other)}
            notices.owe(table, "called off", other, match, facts, once=f"called off {match.id} {other.id}", ply=0)


def entropy_of(seat: MatchSeat) -> tuple[str, str]:
    """Give a seat's entropy and who it is from, `player` or `server`."""
    return (seat.entropy, "player") if seat.entropy else (seat.default_entropy, "server")


def entropy_facts(seat: MatchSeat, text: str) -> dict[str, Any]:
    """Give what a mail says of a seat's part in the deal: what was typed, and what became of it."""
    entropy, by = entropy_of(seat)
    return {"entropy": entropy, "entropy_by": by, "typed": text.strip()[:200]}


def owe_turns(table: Table, match: Match, answers: Mapping[int, str], **more: dict[str, Any]) -> None:
    """Owe a turn mail to each seat that may act in the present stage; each is owed once a stage.

    `answers` names, by seat, the mail that brought the match here: its sender gets one mail that is both
    the receipt and the new turn. `more` adds facts, by seat.
    """
    course = course_of(table, match)
    for holder in holders(table, match):
        if holder.seat in match.to_move:
            facts = notices.position_facts(table, course, holder) | more.get(str(holder.seat), {})
            facts |= {"talk": talk.since(table, match, holder)} | below.proposed(course, holder)
            once = f"turn {match.id} {holder.id} {match.ply}"
            notices.owe(table, "turn", holder, match, facts, once=once, ply=match.ply, answers=answers.get(holder.seat))


def _not_too_often(table: Table, guests: Sequence[Guest], creator: int | None, *, known: bool) -> None:
    """Refuse to have somebody mailed again and again by others, or by one who has yet to show who they are."""
    if known and table.config.limits is None:
        return
    mailed = [(seat, guest) for seat, guest in enumerate(guests) if (seat + 1 == creator) != known]
    allowed = [Allowed("invitation", guest.email, INVITED_A_DAY, DAY) for _, guest in mailed]
    for (seat, _guest), one in zip(mailed, allowed, strict=True):
        if used_up(table, one):
            sentence = _("This address has been sent several invitations today: answer one of them, or try tomorrow.")
            raise MatchError(f"seats.{seat}", sentence)
    spend(table, *allowed)


def _tidy(guests: Sequence[Guest]) -> list[Guest]:
    tidied: list[Guest] = []
    for number, guest in enumerate(guests):
        try:
            tidied.append(Guest(people.tidy_name(guest.name), people.tidy_email(guest.email)))
        except people.PersonError as refused:
            raise MatchError(f"seats.{number}", str(refused)) from None
    if len({guest.email for guest in tidied}) < len(tidied):
        raise MatchError("seats", _("Two seats have the same mail address: each player needs one of their own."))
    if len({guest.name.casefold() for guest in tidied}) < len(tidied):
        raise MatchError("seats", _("Two players have the same name: the others could not tell them apart."))
    return tidied


def _seat(table: Table, match: Match, guests: Sequence[Guest]) -> None:
    players = people.players_at(table, {guest.email: guest.name for guest in guests})
    for seat, guest in enumerate(guests, 1):
        table.session.add(
            Holder(
                match_id=match.id,
                seat=seat,
                player=players[guest.email],
                name=guest.name,
                email=guest.email,
                generation=1,
                since=table.now,
            )
        )
    table.session.flush()


def _invite(table: Table, match: Match, holder: Holder, *, made: bool = False, answers: str | None = None) -> None:
    seat = match.seats[holder.seat - 1]
    facts = notices.waiting_facts(table, match, holder) | {
        "entropy": seat.default_entropy,
        "options": match.options,
        "creator": match.creator == holder.seat,
        "made": made,
        "inviter": names_of(table, match)[match.creator - 1] if match.creator else None,
    }
    once = f"invitation {match.id} {holder.id}"
    notices.owe(table, "invitation", holder, match, facts, once=once, ply=0, answers=answers)


def _begin(table: Table, match: Match, last: Holder, mail: str | None, deal: dict[str, Any]) -> None:
    entropies = [entropy_of(seat)[0] for seat in match.seats]
    match.seed = derive_seed(match.secret, match.id, entropies)
    match.state, match.started_at = "running", table.now
    game, _, position = opened(match)
    match.to_move = [int(seat) for seat in game.to_move(position)]
    answers = {last.seat: mail} if mail else {}
    owe_turns(table, match, answers, **{str(last.seat): deal})
    course = course_of(table, match)
    for holder in holders(table, match):
        if holder.seat not in match.to_move:
            facts = notices.position_facts(table, course, holder) | (deal if holder.id == last.id else {})
            once = f"begun {match.id} {holder.id}"
            notices.owe(table, "begun", holder, match, facts, once=once, answers=answers.get(holder.seat))
