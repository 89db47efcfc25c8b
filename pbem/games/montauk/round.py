"""Course of a round of Montauk: its deal, its tricks, its nulls, and what it adds to the match."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pbem.games import cards
from pbem.games.hidden import Hidden, Seat
from pbem.games.montauk import track as tracks
from pbem.games.montauk.cards import Card, Cards, extra_to_use, sort_hand, trick_result
from pbem.games.slots import slot_setters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games.chance import Chance
    from pbem.games.game import Move
    from pbem.games.montauk.track import Track, Values

T = TypeVar("T")
Phase: TypeAlias = Literal["lead", "follow", "spend", "extra", "over"]
Pair: TypeAlias = tuple[int, int]
"""A number for each seat, seat 1's first."""
Tracks: TypeAlias = "tuple[Track, Track]"
News: TypeAlias = "tuple[tuple[str, int | str | tuple[int, ...]], ...]"
"""Effects of a move, as in the log; known to all."""
Entry: TypeAlias = tuple[int, int, Seat, Phase, str, "News"]
"""One move of the log: round, trick, seat, phase, move and effects; all of it public.

A face-down lead enters the log when it is shown.
"""

ONE, TWO = Seat(1), Seat(2)
SEAT_ONLY = {ONE: frozenset({ONE}), TWO: frozenset({TWO})}

_NO_NEWS: News = ()

HAND_SIZE = 6
TRICKS = 6
NULLS = 3
RACE_PRIZE_POINTS = 3


@dataclass(frozen=True, slots=True)
class Score:
    """State of the match that only the end of a round changes.

    `pips` are those left over, `log` has the moves of the finished rounds.
    """

    rounds: int
    hair: Seat
    round: int
    scores: Pair = (0, 0)
    pips: Pair = (0, 0)
    log: tuple[Entry, ...] = field(default=(), repr=False)

    def leader(self) -> Seat:
        """Return the leader of the round's first trick (Setup)."""
        one, two = self.scores
        if one == two:
            return self.hair
        return ONE if one < two else TWO


@dataclass(frozen=True, slots=True)
class Race:
    """State of the current round: the number of its trick, its tracks, nulls taken, and who was first."""

    trick: int
    tracks: Tracks
    nulls: Pair = (0, 0)
    first: Seat | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """The current trick: the lead while it lies face down, later the cards shown and what they bring.

    `winner` is the leader until both cards are shown. `draws` says whether an extra card is still to be drawn, `bore`
    whether the winner has borne a pyramid off in this trick.
    """

    leader: Seat
    phase: Phase
    mover: Seat | None
    winner: Seat
    to_use: Values = ()
    lead: Hidden[Card] | None = None
    shown: Cards = ()
    draws: bool = False
    bore: bool = False


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """Complete state between two moves; `log` has the moves of this round that are public."""

    score: Score
    race: Race
    trick: Trick
    hands: tuple[Hidden[Cards], Hidden[Cards]]
    pile: Hidden[Cards]
    log: tuple[Entry, ...] = field(repr=False)

    def __init__(
        self,
        score: Score,
        race: Race,
        trick: Trick,
        hands: tuple[Hidden[Cards], Hidden[Cards]],
        pile: Hidden[Cards],
        log: tuple[Entry, ...] = (),
    ) -> None:
        set_score, set_race, set_trick, set_hands, set_pile, set_log = _POSITION_SLOTS
        set_score(self, score)
        set_race(self, race)
        set_trick(self, trick)
        set_hands(self, hands)
        set_pile(self, pile)
        set_log(self, log)

    @property
    def phase(self) -> Phase:
        """Return the phase of the trick."""
        return self.trick.phase

    @property
    def mover(self) -> Seat | None:
        """Return the seat to move, or None when the match is over."""
        return self.trick.mover

    @property
    def to_use(self) -> Values:
        """Return the values that the mover has to use."""
        return self.trick.to_use

    @property
    def track(self) -> Track:
        """Return the track of the seat that won the trick and spends."""
        return self.race.tracks[self.trick.winner - 1]

    @property
    def played(self) -> Cards:
        """Return the cards seen in this round, in order."""
        return tuple(chain.from_iterable(map(_cards_shown, self.log)))


_POSITION_SLOTS = slot_setters(Position)


def other_seat(seat: Seat) -> Seat:
    """Return the other seat."""
    return TWO if seat == ONE else ONE


def deal_round(score: Score, chance: Chance) -> Position:
    """Set up a round (Setup)."""
    rolls = chance.rolls(f"setup/{score.round}", 2 * tracks.PYRAMIDS)
    first, second = (tuple(map(half.count, range(1, 7))) for half in (rolls[:6], rolls[6:]))
    deck = chance.shuffle(f"deal/{score.round}", cards.DECK)
    return Position(
        score=score,
        race=Race(1, (first, second)),
        trick=_new_trick(score.leader()),
        hands=(
            Hidden(sort_hand(deck[:HAND_SIZE]), SEAT_ONLY[ONE]),
            Hidden(sort_hand(deck[HAND_SIZE : 2 * HAND_SIZE]), SEAT_ONLY[TWO]),
        ),
        pile=Hidden(deck[2 * HAND_SIZE :]),
    )


# -- states of a trick -------------------------------------------------------------------------------
# Until something is spent, a trick depends on its leader and its cards alone, and is computed once for each.


@cache
def _new_trick(leader: Seat) -> Trick:
    return Trick(leader, "lead", leader, leader)


@cache
def _led_trick(leader: Seat, lead: Card) -> Trick:
    return Trick(leader, "follow", other_seat(leader), leader, lead=Hidden(lead, SEAT_ONLY[leader]))


@cache
def _shown_trick(leader: Seat, lead: Card, card: Card) -> Trick:
    result = trick_result(lead, card)
    winner = other_seat(leader) if result.follower_wins else leader
    return Trick(leader, "spend", winner, winner, result.to_use, None, (lead, card), result.draws)


# -- moves -------------------------------------------------------------------------------------------
# Positions are constructed in full here, because `replace` takes longer than all the rest of a move. Each step leaves
# a log that is complete so far: later effects of a move are added to its entry.


def play_lead(position: Position, seat: Seat, card: Card) -> Position:
    """Play the lead face down."""
    hands = _without(position.hands, seat, card)
    return Position(position.score, position.race, _led_trick(seat, card), hands, position.pile, position.log)


def play_follow(position: Position, seat: Seat, card: Card, lead: Card, chance: Chance) -> Position:
    """Show both cards; the winner uses their values, if it can (Resolution)."""
    score, race, leader = position.score, position.race, position.trick.leader
    trick = _shown_trick(leader, lead, card)
    news: News = (("led", lead), ("winner", trick.winner), ("to_use", trick.to_use))
    entries: tuple[Entry, Entry] = (
        (score.round, race.trick, leader, "lead", lead, ()),
        (score.round, race.trick, seat, "follow", card, news),
    )
    log = position.log + entries
    position = Position(score, race, trick, _without(position.hands, seat, card), position.pile, log)
    return position if _can_use(position) else _end_phase(position, race.tracks, log, chance, bore=False)


def play_steps(position: Position, seat: Seat, move: Move, chance: Chance) -> Position:
    """Carry out a spending, and go on until a seat has to act (Resolution)."""
    race, trick = position.race, position.trick
    after = _replace_seat(race.tracks, seat, tracks.after_spending(race.tracks[seat - 1], move))
    entry: Entry = (position.score.round, race.trick, seat, trick.phase, move, ())
    bore = trick.bore or tracks.bears_off(move)
    return _end_phase(position, after, (*position.log, entry), chance, bore=bore)


def _end_phase(position: Position, after: Tracks, log: tuple[Entry, ...], chance: Chance, *, bore: bool) -> Position:
    """Draw the extra card after the spend phase, if there is one to draw; when it is used up, end the trick."""
    if position.trick.draws:
        position = _draw_extra(position, after, log, bore=bore)
        if _can_use(position):
            return position
        log = position.log
    return _end_trick(position, after, log, chance, bore=bore)


def _can_use(position: Position) -> bool:
    return bool(position.trick.to_use) and position.track != tracks.EMPTY


def _draw_extra(position: Position, after: Tracks, log: tuple[Entry, ...], *, bore: bool) -> Position:
    race, trick, pile = position.race, position.trick, position.pile.value
    winner, (lead, card), extra = trick.winner, trick.shown, pile[0]
    to_use = extra_to_use(lead, card, extra)
    race = Race(race.trick, after, race.nulls, race.first)
    trick = Trick(trick.leader, "extra", winner, winner, to_use, None, (lead, card, extra), draws=False, bore=bore)
    log = _add_news(log, (("extra", extra), ("extra_to_use", to_use)))
    return Position(position.score, race, trick, position.hands, Hidden(pile[1:]), log)


def _end_trick(position: Position, after: Tracks, log: tuple[Entry, ...], chance: Chance, *, bore: bool) -> Position:
    score, race, winner = position.score, position.race, position.trick.winner
    nulls, first, news = _judge_trick(race, after, winner, bore=bore)
    if race.trick < TRICKS and after != (tracks.EMPTY, tracks.EMPTY):
        race = Race(race.trick + 1, after, nulls, first)
        return Position(score, race, _new_trick(winner), position.hands, position.pile, _add_news(log, news))
    race = Race(race.trick, after, nulls, first)
    score, points = _add_scores(score, race)
    log = _add_news(log, (*news, *points))
    if score.round == score.rounds:
        trick = replace(position.trick, phase="over", mover=None, to_use=())
        return replace(position, score=score, race=race, trick=trick, log=log)
    following = Score(score.rounds, score.hair, score.round + 1, score.scores, score.pips, score.log + log)
    return deal_round(following, chance)


def _judge_trick(race: Race, after: Tracks, winner: Seat, *, bore: bool) -> tuple[Pair, Seat | None, News]:
    """Return the nulls and who is first after a trick, with the news of them (Resolution, End of the trick)."""
    nulls, first, news = race.nulls, race.first, _NO_NEWS
    finished = after[winner - 1] == tracks.EMPTY
    if finished and first is None:
        first, news = winner, (("first", winner),)
    if not bore and sum(nulls) < NULLS:
        # A winner that has finished and bore nothing off had finished before. The loser has not, or the round would be
        # over.
        taker, reason = (other_seat(winner), "under pressure") if finished else (winner, "won for nothing")
        nulls = _replace_seat(nulls, taker, nulls[taker - 1] + 1)
        news = (*news, ("null", taker), ("null_for", reason))
    return nulls, first, news


def _add_scores(score: Score, race: Race) -> tuple[Score, News]:
    """Add a finished round to the match (End of the round)."""
    one, two = _points(race, ONE), _points(race, TWO)
    pips = tracks.pips(race.tracks[0]), tracks.pips(race.tracks[1])
    scores = score.scores[0] + one, score.scores[1] + two
    left = score.pips[0] + pips[0], score.pips[1] + pips[1]
    total = Score(score.rounds, score.hair, score.round, scores, left, score.log)
    return total, (("points", (one, two)), ("pips_left", pips), ("scores", scores))


def _points(race: Race, seat: Seat) -> int:
    prize = RACE_PRIZE_POINTS if race.first == seat else 0
    return tracks.borne_off(race.tracks[seat - 1]) - race.nulls[seat - 1] + prize


def _add_news(log: tuple[Entry, ...], news: News) -> tuple[Entry, ...]:
    """Add news to the last entry of a log."""
    if not news:
        return log
    round_number, trick, seat, phase, move, before = log[-1]
    return (*log[:-1], (round_number, trick, seat, phase, move, before + news))


def _cards_shown(entry: Entry) -> Iterator[Card]:
    """Yield the card that was played, and the extra card that was drawn after a move."""
    _, _, _, phase, move, news = entry
    if phase in {"lead", "follow"}:
        yield move
    yield from (str(value) for key, value in news if key == "extra")


def _without(hands: tuple[Hidden[Cards], Hidden[Cards]], seat: Seat, card: Card) -> tuple[Hidden[Cards], Hidden[Cards]]:
    held = hands[seat - 1].value
    at = held.index(card)
    return _replace_seat(hands, seat, Hidden(held[:at] + held[at + 1 :], SEAT_ONLY[seat]))


def _replace_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == ONE else (pair[0], value)
