"""How a round of Montauk goes: its deal, its tricks, its nulls, and what it adds to the match."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pbem.games import cards
from pbem.games import montauk_track as tracks
from pbem.games.hidden import Hidden, Seat
from pbem.games.montauk_cards import Card, Cards, extra_to_use, fall, in_order

if TYPE_CHECKING:
    from pbem.games.chance import Chance
    from pbem.games.game import Move
    from pbem.games.montauk_track import Track, Values

T = TypeVar("T")
Phase: TypeAlias = Literal["lead", "follow", "spend", "extra", "over"]
Pair: TypeAlias = tuple[int, int]
"""A number of each seat, seat 1's first."""
News: TypeAlias = "dict[str, int | str | tuple[int, ...]]"
"""What came of a move, as the log tells it; known to all."""

ONE, TWO = Seat(1), Seat(2)
ALONE = {ONE: frozenset({ONE}), TWO: frozenset({TWO})}

HAND = 6
TRICKS = 6
NULLS = 3
PRIZE = 3


@dataclass(frozen=True, slots=True)
class Score:
    """How the match stands: what only the end of a round changes; `pips` are those left over."""

    rounds: int
    hair: Seat
    round: int
    scores: Pair = (0, 0)
    pips: Pair = (0, 0)

    def leader(self) -> Seat:
        """Name the leader of the round's first trick (Setup)."""
        one, two = self.scores
        if one == two:
            return self.hair
        return ONE if one < two else TWO


@dataclass(frozen=True, slots=True)
class Race:
    """How the present round stands: tracks, nulls taken, and who was first."""

    tracks: tuple[Track, Track]
    nulls: Pair = (0, 0)
    first: Seat | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """The present trick: the lead while it lies face down, and later the cards shown.

    `winner` is the leader until both cards are shown; `had` counts the pyramids it had off before.
    """

    number: int
    leader: Seat
    winner: Seat
    lead: Hidden[Card] | None = None
    shown: Cards = ()
    had: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of the log, all of it known to everybody; a face-down lead enters it when it is shown."""

    round: int
    trick: int
    seat: Seat
    phase: Phase
    move: Move
    news: tuple[tuple[str, int | str | tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """The whole truth between two moves; `played` are the cards seen in this round, in order."""

    score: Score
    race: Race
    trick: Trick
    phase: Phase
    to_use: Values
    hands: tuple[Hidden[Cards], Hidden[Cards]]
    pile: Hidden[Cards]
    played: Cards
    log: tuple[Entry, ...] = field(repr=False)

    @property
    def mover(self) -> Seat | None:
        """Name the one seat that acts, none when the match is over (Turn order)."""
        if self.phase == "lead":
            return self.trick.leader
        if self.phase == "follow":
            return other(self.trick.leader)
        return None if self.phase == "over" else self.trick.winner

    @property
    def track(self) -> Track:
        """Give the track of the seat that won the trick, and spends."""
        return self.race.tracks[self.trick.winner - 1]


def other(seat: Seat) -> Seat:
    """Name the seat across the table."""
    return TWO if seat == ONE else ONE


def dealt(score: Score, chance: Chance, log: tuple[Entry, ...]) -> Position:
    """Set up a round (Setup)."""
    rolls = chance.rolls(f"setup/{score.round}", 2 * tracks.PYRAMIDS)
    first, second = (tuple(map(half.count, range(1, 7))) for half in (rolls[:6], rolls[6:]))
    deck = chance.shuffle(f"deal/{score.round}", cards.DECK)
    return Position(
        score=score,
        race=Race((first, second)),
        trick=Trick(1, score.leader(), score.leader()),
        phase="lead",
        to_use=(),
        hands=(
            Hidden(in_order(deck[:HAND]), ALONE[ONE]),
            Hidden(in_order(deck[HAND : 2 * HAND]), ALONE[TWO]),
        ),
        pile=Hidden(deck[2 * HAND :]),
        played=(),
        log=log,
    )


# Positions are made whole here, not by `replace`, which takes longer than all the rest of a move.


def led(position: Position, seat: Seat, card: Card) -> Position:
    """Lay the lead face down."""
    trick = Trick(position.trick.number, seat, seat, Hidden(card, ALONE[seat]))
    hands = _without(position, seat, card)
    return Position(
        position.score, position.race, trick, "follow", (), hands, position.pile, position.played, position.log
    )


def followed(position: Position, seat: Seat, card: Card, lead: Card, news: News) -> Position:
    """Show both cards, and let the winner use their values (Resolution)."""
    race, leader = position.race, position.trick.leader
    result = fall(lead, card)
    winner = seat if result.follower_wins else leader
    news.update(winner=winner, to_use=result.to_use)
    had = tracks.borne_off(race.tracks[winner - 1])
    trick = Trick(position.trick.number, leader, winner, None, (lead, card), had)
    hands = _without(position, seat, card)
    played = (*position.played, lead, card)
    return Position(position.score, race, trick, "spend", result.to_use, hands, position.pile, played, position.log)


def spent(position: Position, seat: Seat, track: Track) -> Position:
    """Leave a seat's track as its steps did, with nothing more to use in this phase."""
    race = Race(_with(position.race.tracks, seat, track), position.race.nulls, position.race.first)
    return Position(
        position.score,
        race,
        position.trick,
        position.phase,
        (),
        position.hands,
        position.pile,
        position.played,
        position.log,
    )


def onward(position: Position, chance: Chance, news: News) -> Position:
    """Go on until a seat has to act: leave out what has nothing to use, draw, end trick, round and match."""
    if _usable(position):
        return position
    if position.phase == "spend" and fall(*position.trick.shown[:2]).draws:
        position = _drawn(position, news)
        if _usable(position):
            return position
    return _ended(position, chance, news)


def _usable(position: Position) -> bool:
    return bool(position.to_use) and any(position.track)


def _drawn(position: Position, news: News) -> Position:
    lead, card = position.trick.shown
    extra, *pile = position.pile.value
    to_use = extra_to_use(lead, card, extra)
    news.update(extra=extra, extra_to_use=to_use)
    return replace(
        position,
        trick=replace(position.trick, shown=(lead, card, extra)),
        phase="extra",
        to_use=to_use,
        pile=Hidden(tuple(pile)),
        played=(*position.played, extra),
    )


def _ended(position: Position, chance: Chance, news: News) -> Position:
    race, winner, number = _judged(position, news), position.trick.winner, position.trick.number
    if number < TRICKS and any(map(any, race.tracks)):
        trick = Trick(number + 1, winner, winner)
        return Position(
            position.score,
            race,
            trick,
            "lead",
            (),
            position.hands,
            position.pile,
            position.played,
            position.log,
        )
    score = _scored(position.score, race, news)
    if score.round == score.rounds:
        return replace(position, score=score, race=race, phase="over", to_use=())
    return dealt(replace(score, round=score.round + 1), chance, position.log)


def _judged(position: Position, news: News) -> Race:
    """Mark who is first and hand out a null (Resolution, End of the trick)."""
    race, trick, winner = position.race, position.trick, position.trick.winner
    off = tracks.borne_off(position.track)
    if off == tracks.PYRAMIDS and race.first is None:
        news["first"] = winner
        race = replace(race, first=winner)
    if trick.had == tracks.PYRAMIDS:
        # The loser still has a pyramid on its track: with both empty the round would have ended before.
        taker, reason = other(winner), "under pressure"
    else:
        taker, reason = winner, "" if off > trick.had else "won for nothing"
    if not reason or sum(race.nulls) == NULLS:
        return race
    news.update(null=taker, null_for=reason)
    return replace(race, nulls=_with(race.nulls, taker, race.nulls[taker - 1] + 1))


def _scored(score: Score, race: Race, news: News) -> Score:
    """Add a finished round to the match (End of the round)."""
    one, two = (
        tracks.borne_off(track) - nulls + (PRIZE if race.first == seat else 0)
        for seat, track, nulls in zip((ONE, TWO), race.tracks, race.nulls, strict=True)
    )
    pips = tracks.pips(race.tracks[0]), tracks.pips(race.tracks[1])
    total = replace(
        score,
        scores=(score.scores[0] + one, score.scores[1] + two),
        pips=(score.pips[0] + pips[0], score.pips[1] + pips[1]),
    )
    news.update(points=(one, two), pips_left=pips, scores=total.scores)
    return total


def _without(position: Position, seat: Seat, card: Card) -> tuple[Hidden[Cards], Hidden[Cards]]:
    held = position.hands[seat - 1].value
    return _with(position.hands, seat, Hidden(tuple(kept for kept in held if kept != card), ALONE[seat]))


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == ONE else (pair[0], value)
