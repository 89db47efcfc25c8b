"""Requests for new matches: the invitees, the terms, and what the match continues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.play.clocks import time_controls
from pbem.play.players import bots
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pbem.db.models import DealSet, Match, Player
    from pbem.games import Seat
    from pbem.states import Withheld

    Invitees = Sequence["Invitee | None"]


@dataclass(frozen=True, slots=True)
class Invitee:
    """A person to be seated, with name and address; a guest, without address; or a robot, which has neither yet.

    A guest is the host of the match. `level` is a robot's.
    """

    name: str
    email: str
    is_robot: bool = False
    is_guest: bool = False
    level: Level = Level.FAIR


ROBOT = Invitee("", "", is_robot=True)
"""A robot of the level that is usual."""


def robot(level: Level) -> Invitee:
    """Return a robot of a level as an invitee."""
    return Invitee("", "", is_robot=True, level=level)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a match: its time, and who may watch and join it.

    - `time_control`: ignored unless at least two people play.
    - `timeout_policy`: None is the usual one.
    - `min_reliability`: reliability required for open seats, in percent, if any.
    - `rated`: None is rated if public. Matches with robots or for one person are never rated.
    - `bots`: whether bots may take open seats, and whether a match with bots is rated.
    - `open_if_declined`: whether the seat of an invitee who declines is then open to others.
    """

    time_control: str = time_controls.UNLIMITED
    timeout_policy: str | None = None
    min_reliability: int | None = None
    rated: bool | None = None
    public: bool = True
    bots: str = bots.NONE
    open_if_declined: bool = False

    @classmethod
    def of_match(cls, match: Match) -> Terms:
        """Return the terms of an existing match."""
        return cls(
            match.time_control,
            match.timeout_policy,
            match.min_reliability,
            match.rated,
            match.public,
            match.bots,
            match.open_if_declined,
        )


@dataclass(frozen=True, slots=True)
class VacatedSeats:
    """Names of the invitees whose seats are open now: they have `declined`, or did not answer in time."""

    names: tuple[str, ...]
    declined: bool


@dataclass(frozen=True, slots=True)
class ForkStart:
    """Starting point of a fork: a finished match after `step` entries of its log, with the seats to move there."""

    match: Match
    step: int
    to_move: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class EventPlace:
    """What a match is part of: an event, a deal that it shares with others as their `set_place`-th match, or both.

    `withheld` is what nobody else may see of it until that deal is open. `match_id` is its id, if that is known before.
    """

    event_id: int | None = None
    deal_set: DealSet | None = None
    set_place: int | None = None
    withheld: Withheld | None = None
    match_id: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A requested match.

    - `invitees`: the players in seat order; None is an open seat. `open_seats` adds this many open seats at the end.
    - `creator_seat`: the seat of the player who creates the match, and thereby accepts.
    - `known`: whether the creator is known to own their address. If not, only they are mailed at first; the others are
      mailed, and open seats can be taken, once they have accepted. Otherwise anybody could make the service write to
      strangers in another person's name.
    - `host`: who made the match, if not the player at the creator's seat; `invitation_text` is their text for it.
    - `message_id`: that of the mail that asked for the match, if any; the creator's first mail answers it.
    - `previous_match_id`: the match that this one is a rematch of, or replaces.
    - `staying`: addresses of those who had accepted that match, and need not accept again.
    - `vacated`: whose seats in that match are open in this one, if its host wanted that.
    - `fork`: where a practice match starts. It is private and unrated, and its creator may have several seats.
    - `event`: the event or the shared deal that it is part of, if any.
    - `there_and_back`: whether the same deal is played in a second match too, with the seats exchanged.
    - `found_none`: whether its creator wanted a seat at any open table, and there was none.
    """

    game: str
    options: Mapping[str, object]
    invitees: Invitees
    terms: Terms = Terms()
    open_seats: int = 0
    creator_seat: int | None = None
    known: bool = True
    host: Player | None = None
    invitation_text: str = ""
    message_id: str | None = None
    previous_match_id: str | None = None
    staying: Collection[str] = ()
    vacated: VacatedSeats | None = None
    fork: ForkStart | None = None
    event: EventPlace | None = None
    there_and_back: bool = False
    found_none: bool = False
