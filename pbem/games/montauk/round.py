"""Course of a round of Montauk: its deal, its tricks, its nulls, and what it adds to the match."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pbem.games import cards
from pbem.games.hidden import Hidden, Seat
from pbem.games.montauk import track as tracks
from pbem.games.montauk.cards import Card, Cards, extra_to_use, sort_hand, trick_result

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
Entry: TypeAlias = tuple[int, int, Seat, Phase, str, "News"]
"""One move of the log: round, trick, seat, phase, move and effects; all of it public.

A face-down lead enters the log when it is shown.
"""

ONE, TWO = Seat(1), Seat(2)
SEAT_ONLY = {ONE: frozenset({ONE}), TWO: frozenset({TWO})}

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
        trick=_new_trick(1, leader),
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
# a log that is complete so far: later effects of a move are added to its entry.


def play_lead(position: Position, seat: Seat, card: Card) -> Position:
    """Play the lead face down."""
    trick = Trick(position.trick.number, seat, seat, Hidden(card, SEAT_ONLY[seat]))
    score, race, hands, pile = position.score, position.race, _without(position, seat, card), position.pile
    return Position(score, race, trick, "follow", other_seat(seat), (), hands, pile, position.played, position.log)


def play_follow(position: Position, seat: Seat, card: Card, lead: Card, chance: Chance) -> Position:
    """Show both cards; the winner uses their values, if it can (Resolution)."""
    score, race, trick = position.score, position.race, position.trick
    number, leader = trick.number, trick.leader
    result = trick_result(lead, card)
    winner = seat if result.follower_wins else leader
    trick = Trick(number, leader, winner, None, (lead, card), tracks.borne_off(race.tracks[winner - 1]))
    news: News = (("led", lead), ("winner", winner), ("to_use", result.to_use))
    entries: tuple[Entry, Entry] = (
        (score.round, number, leader, "lead", lead, ()),
        (score.round, number, seat, "follow", card, news),
    )
    hands, played, log = _without(position, seat, card), (*position.played, lead, card), position.log + entries
    position = Position(score, race, trick, "spend", winner, result.to_use, hands, position.pile, played, log)
    return position if _can_use(position) else _end_phase(position, race, log, chance)


def play_steps(position: Position, seat: Seat, move: Move, track: Track, chance: Chance) -> Position:
    """Set a seat's track after its steps, and go on until a seat has to act (Resolution)."""
    race = Race(_replace_seat(position.race.tracks, seat, track), position.race.nulls, position.race.first)
    entry: Entry = (position.score.round, position.trick.number, seat, position.phase, move, ())
    return _end_phase(position, race, (*position.log, entry), chance)


def _end_phase(position: Position, race: Race, log: tuple[Entry, ...], chance: Chance) -> Position:
    """Draw the extra card after the spend phase, if there is one to draw; when it is used up, end the trick."""
    if position.phase == "spend" and trick_result(*position.trick.shown).draws:
        position = _draw_extra(position, race, log)
        if _can_use(position):
            return position
        log = position.log
    return _end_trick(position, race, log, chance)


def _can_use(position: Position) -> bool:
    return bool(position.to_use) and position.track != tracks.EMPTY


def _draw_extra(position: Position, race: Race, log: tuple[Entry, ...]) -> Position:
    trick, pile, winner = position.trick, position.pile.value, position.trick.winner
    lead, card = trick.shown
    extra = pile[0]
    to_use = extra_to_use(lead, card, extra)
    trick = Trick(trick.number, trick.leader, winner, None, (lead, card, extra), trick.had)
    log = _add_news(log, (("extra", extra), ("extra_to_use", to_use)))
    hands, pile_left, played = position.hands, Hidden(pile[1:]), (*position.played, extra)
    return Position(position.score, race, trick, "extra", winner, to_use, hands, pile_left, played, log)


def _end_trick(position: Position, race: Race, log: tuple[Entry, ...], chance: Chance) -> Position:
    score, trick = position.score, position.trick
    race, news = _judge_trick(race, trick)
    if trick.number < TRICKS and race.tracks != (tracks.EMPTY, tracks.EMPTY):
        winner, hands, pile, played = trick.winner, position.hands, position.pile, position.played
        trick, log = _new_trick(trick.number + 1, winner), _add_news(log, news)
        return Position(score, race, trick, "lead", winner, (), hands, pile, played, log)
    score, points = _add_scores(score, race)
    log = _add_news(log, (*news, *points))
    if score.round == score.rounds:
        return replace(position, score=score, race=race, phase="over", mover=None, to_use=(), log=log)
    following = Score(score.rounds, score.hair, score.round + 1, score.scores, score.pips, score.log + log)
    return deal_round(following, chance)


@cache
def _new_trick(number: int, leader: Seat) -> Trick:
    return Trick(number, leader, leader)


def _judge_trick(race: Race, trick: Trick) -> tuple[Race, News]:
    """Record who is first and hand out a null (Resolution, End of the trick)."""
    winner = trick.winner
    off = tracks.borne_off(race.tracks[winner - 1])
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
    round_number, trick, seat, phase, move, before = log[-1]
    return (*log[:-1], (round_number, trick, seat, phase, move, before + news))


def _without(position: Position, seat: Seat, card: Card) -> tuple[Hidden[Cards], Hidden[Cards]]:
    held = position.hands[seat - 1].value
    at = held.index(card)
    return _replace_seat(position.hands, seat, Hidden(held[:at] + held[at + 1 :], SEAT_ONLY[seat]))


def _replace_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == ONE else (pair[0], value)
