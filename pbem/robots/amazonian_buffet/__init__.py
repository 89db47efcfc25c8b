"""Robot of Amazonian Buffet: a search of the board by claims, and mixed layouts where both seats seal theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pbem.games import Stream
from pbem.games.amazonian_buffet.position import Position
from pbem.robots.amazonian_buffet import draft, knowledge, outlooks, sealed, tree
from pbem.robots.amazonian_buffet.knowledge import Known
from pbem.robots.outlook import average
from pbem.robots.robot import Robot
from pbem.robots.thought import Level, Thought

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games import View
    from pbem.robots.outlook import Outlook


class BuffetRobot(Robot[Position, Known]):
    """Plays Amazonian Buffet."""

    game = "amazonian-buffet"
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 200, Level.BEST: 1600}
    outlook_playouts = 600
    sharpness = 0.9

    def know(self, view: View) -> Known:
        """Return what the View of a seat to move says."""
        return knowledge.gather(view)

    def imagine(self, known: Known, stream: Stream) -> Position:
        """Return the position with what the other seat may have sealed."""
        return knowledge.imagine(known, stream)

    def outlook(self, position: Position, playouts: int, seed: bytes) -> Outlook:
        """Play the board stage on by what seats want; sealed hands come in by how seats usually adjust them."""
        if outcome := self.rules.outcome(position):
            return average([outcome])
        return outlooks.outlook(self.rules, position, playouts, seed)

    def think(self, view: View, playouts: int, seed: bytes) -> Thought:
        """Choose a turn by a search of what may be claimed, or a layout by what the other seat may lay out."""
        known = self.know(view)
        if known.position.phase == "board":
            return tree.think(draft.begin(known.position), playouts, seed)
        return sealed.think(known, self.rules, playouts, Stream(seed, "think"))
