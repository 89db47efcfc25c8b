"""Robot of Montauk: it tries its cards and spendings in deals that it imagines, each to the end of the round.

Both seats choose their cards without having seen the other's, so there is no tree to descend: a card is worth what it
comes to against the cards that the other seat is likely to choose from all the hands that it may hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pbem.games import Move, Stream
from pbem.games.montauk.advice import burden
from pbem.games.montauk.round import Position
from pbem.games.montauk.track import after_spending, spendings
from pbem.robots.montauk import outlooks
from pbem.robots.montauk import table as tables
from pbem.robots.montauk.halving import halve
from pbem.robots.montauk.kinds import KIND, NUMBER, TRACKS
from pbem.robots.montauk.known import know_round
from pbem.robots.montauk.table import Table
from pbem.robots.montauk.trials import card_worlds, end_worlds
from pbem.robots.outlook import average
from pbem.robots.robot import Robot
from pbem.robots.thought import Level, Thought, Try

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games import View
    from pbem.robots.montauk.kinds import TrackNumber
    from pbem.robots.outlook import Outlook


class MontaukRobot(Robot[Position, Table]):
    """Plays Montauk."""

    game = "montauk"
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 8000}
    outlook_playouts = 1200

    def know(self, view: View) -> Table:
        """Return the table, read from board and log."""
        return tables.read_table(view)

    def imagine(self, known: Table, stream: Stream) -> Position:
        """Return a position with the unseen cards dealt to the hidden places."""
        return tables.imagine(known, stream)

    def outlook(self, position: Position, playouts: int, seed: bytes) -> Outlook:
        """Play the current round on by what cards seem to gain, with some chance; later rounds come in by the score."""
        if outcome := self.rules.outcome(position):
            return average([outcome])
        return outlooks.outlook(position, playouts, seed)

    def think(self, view: View, playouts: int, seed: bytes) -> Thought:
        """Try all cards or spendings, the better ones more often, and choose what turned out best."""
        table, stream = self.know(view), Stream(seed, "think")
        known = know_round(table)
        if table.trick.to_use:
            moves = _moves_by_end(table)
            options = halve(moves, playouts, end_worlds(known, table.trick, stream))
        else:
            moves = {KIND[card]: Move(card) for card in reversed(table.hand)}
            options = halve(moves, playouts // 2, card_worlds(known, playouts // 2, stream))
        tried = tuple(
            Try(moves[option.choice], option.times, option.total / option.times if option.times else 0.0)
            for option in options
        )
        return Thought(tried[0].move, tried, playouts if len(tried) > 1 else 0)


def _moves_by_end(table: Table) -> dict[TrackNumber, Move]:
    """Return one spending for each track that can come of it, those that leave least to do first."""
    track = table.race.tracks[table.seat - 1]
    ends = {NUMBER[after_spending(track, move)]: move for move in reversed(spendings(track, table.trick.to_use))}
    return {end: ends[end] for end in sorted(ends, key=lambda end: burden(TRACKS[end]))}
