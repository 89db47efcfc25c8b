"""Course of a round of Montauk: its deal, its tricks, its nulls, and what it adds to the match."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pbem.games import cards
from pbem.games.hidden import Hidden, Seat
from pbem.games.montauk import track as tracks
from pbem.games.montauk.cards import Card, Cards, TrickResult, extra_to_use, sort_hand, trick_result

if TYPE_CHECKING:
    from pbem.games.chance import Chance
    from pbem.games.game import Move
    from pbem.games.montauk.track import Track, Values

T = TypeVar("T")
Phase: TypeAlias = Literal["lead", "follow", "spend", "extra", "over"]
Pair: TypeAlias = tuple[int, int]
"""A number for each seat, seat 1's first."""
News: TypeAlias = "tuple[tuple[str, int | str | tuple[int, ...]], ...]"
"""Effects of a move, as in the log; known to all."""

ONE, TWO = Seat(1), Seat(2)
SEAT_ONLY = {ONE: frozenset({ONE}), TWO: frozenset({TWO})}

HAND_SIZE = 6
TRICKS = 6
NULLS = 3
RACE_PRIZE_POINTS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of the log, all of it public; a face-down lead enters it when it is shown."""

    round: int
    trick: int
    seat: Seat
    phase: Phase
    move: str
    news: News = ()


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
    """State of the current round: tracks, nulls taken, and who was first."""

    tracks: tuple[Track, Track]
    nulls: Pair = (0, 0)
    first: Seat | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """The current trick: the lead while it lies face down, and later the cards shown.

    `winner` is the leader until both cards are shown; `had` counts the pyramids that the winner had off before.
    """

    number: int
    leader: Seat
    winner: Seat
    lead: Hidden[Card] | None = None
    shown: Cards = ()
    had: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """Complete state between two moves; `played` are the cards seen in this round, in order, `log` its moves."""

    score: Score
    race: Race
    trick: Trick
    phase: Phase
    mover: Seat | None
    to_use: Values
    hands: tuple[Hidden[Cards], Hidden[Cards]]
    pile: Hidden[Cards]
    played: Cards
    log: tuple[Entry, ...] = field(default=(), repr=False)

    @property
    def track(self) -> Track:
        """Return the track of the seat that won the trick and spends."""
        return self.race.tracks[self.trick.winner - 1]


def other_seat(seat: Seat) -> Seat:
    """Return the other seat."""
    return TWO if seat == ONE else ONE


def deal_round(score: Score, chance: Chance) -> Position:
    """Set up a round (Setup)."""
    rolls = chance.rolls(f"setup/{score.round}", 2 * tracks.PYRAMIDS)
    first, second = (tuple(map(half.count, range(1, 7))) for half in (rolls[:6], rolls[6:]))
    deck = chance.shuffle(f"deal/{score.round}", cards.DECK)
    leader = score.leader()
    return Position(
        score=score,
        race=Race((first, second)),
        trick=Trick(1, leader, leader),
        phase="lead",
        mover=leader,
        to_use=(),
        hands=(
            Hidden(sort_hand(deck[:HAND_SIZE]), SEAT_ONLY[ONE]),
            Hidden(sort_hand(deck[HAND_SIZE : 2 * HAND_SIZE]), SEAT_ONLY[TWO]),
        ),
        pile=Hidden(deck[2 * HAND_SIZE :]),
        played=(),
    )


# Positions are constructed in full here, because `replace` takes longer than all the rest of a move. Each step leaves
# a position whose log is complete so far: later effects of a move are added to its entry.


def play_lead(position: Position, seat: Seat, card: Card) -> Position:
    """Play the lead face down."""
    trick = Trick(position.trick.number, seat, seat, Hidden(card, SEAT_ONLY[seat]))
    score, race, hands, pile = position.score, position.race, _without(position, seat, card), position.pile
    return Position(score, race, trick, "follow", other_seat(seat), (), hands, pile, position.played, position.log)


def play_follow(position: Position, seat: Seat, card: Card, lead: Card, chance: Chance) -> Position:
    """Show both cards, let the winner use their values, and go on until a seat has to act (Resolution)."""
    score, race, trick = position.score, position.race, position.trick
    result = trick_result(lead, card)
    winner = seat if result.follower_wins else trick.leader
    had = tracks.borne_off(race.tracks[winner - 1])
    news: News = (("led", lead), ("winner", winner), ("to_use", result.to_use))
    log = (
        *position.log,
        Entry(score.round, trick.number, trick.leader, "lead", lead),
        Entry(score.round, trick.number, seat, "follow", card, news),
    )
    trick = Trick(trick.number, trick.leader, winner, None, (lead, card), had)
    hands = _without(position, seat, card)
    played = (*position.played, lead, card)
    position = Position(score, race, trick, "spend", winner, result.to_use, hands, position.pile, played, log)
    return _advance(position, result, chance)


def play_steps(position: Position, seat: Seat, move: Move, track: Track, chance: Chance) -> Position:
    """Set a seat's track after its steps, and go on until a seat has to act (Resolution)."""
    score, race, trick, phase = position.score, position.race, position.trick, position.phase
    race = Race(_replace_seat(race.tracks, seat, track), race.nulls, race.first)
    log = (*position.log, Entry(score.round, trick.number, seat, phase, move))
    position = Position(score, race, trick, phase, seat, (), position.hands, position.pile, position.played, log)
    return _advance(position, trick_result(*trick.shown[:2]), chance)


def _advance(position: Position, result: TrickResult, chance: Chance) -> Position:
    """Go on until a seat has to act: skip phases with nothing to use, draw, end trick, round and match."""
    if _can_use(position):
        return position
    if result.draws and position.phase == "spend":
        position = _draw_extra(position)
        if _can_use(position):
            return position
    return _end_trick(position, chance)


def _can_use(position: Position) -> bool:
    return bool(position.to_use) and position.track != tracks.EMPTY


def _draw_extra(position: Position) -> Position:
    score, race, trick, hands = position.score, position.race, position.trick, position.hands
    extra, *rest = position.pile.value
    lead, card = trick.shown
    to_use = extra_to_use(lead, card, extra)
    trick = Trick(trick.number, trick.leader, trick.winner, None, (lead, card, extra), trick.had)
    log = _add_news(position.log, (("extra", extra), ("extra_to_use", to_use)))
    pile, played = Hidden(tuple(rest)), (*position.played, extra)
    return Position(score, race, trick, "extra", trick.winner, to_use, hands, pile, played, log)


def _end_trick(position: Position, chance: Chance) -> Position:
    trick = position.trick
    race, news = _judge_trick(position)
    if trick.number < TRICKS and race.tracks != (tracks.EMPTY, tracks.EMPTY):
        score, hands, pile, winner = position.score, position.hands, position.pile, trick.winner
        trick, log = Trick(trick.number + 1, winner, winner), _add_news(position.log, news)
        return Position(score, race, trick, "lead", winner, (), hands, pile, position.played, log)
    score, points = _add_scores(position.score, race)
    log = _add_news(position.log, (*news, *points))
    if score.round == score.rounds:
        return replace(position, score=score, race=race, phase="over", mover=None, to_use=(), log=log)
    following = Score(score.rounds, score.hair, score.round + 1, score.scores, score.pips, score.log + log)
    return deal_round(following, chance)


def _judge_trick(position: Position) -> tuple[Race, News]:
    """Record who is first and hand out a null (Resolution, End of the trick)."""
    race, trick, winner = position.race, position.trick, position.trick.winner
    off = tracks.borne_off(position.track)
    news: News = ()
    if off == tracks.PYRAMIDS and race.first is None:
        news = (("first", winner),)
        race = Race(race.tracks, race.nulls, winner)
    if trick.had == tracks.PYRAMIDS:
        # The loser still has a pyramid on its track: with both empty the round would have ended before.
        taker, reason = other_seat(winner), "under pressure"
    elif off == trick.had:
        taker, reason = winner, "won for nothing"
    else:
        return race, news
    if sum(race.nulls) == NULLS:
        return race, news
    nulls = _replace_seat(race.nulls, taker, race.nulls[taker - 1] + 1)
    return Race(race.tracks, nulls, race.first), (*news, ("null", taker), ("null_for", reason))


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
    last = log[-1]
    return (*log[:-1], Entry(last.round, last.trick, last.seat, last.phase, last.move, (*last.news, *news)))


def _without(position: Position, seat: Seat, card: Card) -> tuple[Hidden[Cards], Hidden[Cards]]:
    held = position.hands[seat - 1].value
    at = held.index(card)
    return _replace_seat(position.hands, seat, Hidden(held[:at] + held[at + 1 :], SEAT_ONLY[seat]))


def _replace_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == ONE else (pair[0], value)
