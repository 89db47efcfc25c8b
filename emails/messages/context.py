"""What a mail is built from: the facts of its notification, and the reader's links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.play.inbox import commands
from pbem.play.matches import descriptions
from pbem.time_format import format_day, format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.config import Config
    from pbem.play.inbox.commands import Command

_TIMES = frozenset({"begin", "due", "end", "ends", "lost_after", "ran_out", "until"})
"""Facts that are moments, as mails name them."""


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The reader of a mail: the facts of the notification, the seat's link and reply tokens, and the reader's zone.

    A mail about several matches has a link and a reply token for each of its `seats`.
    """

    facts: Mapping[str, Any]
    config: Config
    link: str
    reply: str
    zone: str = "UTC"
    seats: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in seat order; an empty name is an open seat."""
        return tuple(self.facts["names"])

    @property
    def view(self) -> Mapping[str, Any]:
        """What the reader may know of the match."""
        view: Mapping[str, Any] = self.facts["view"]
        return view

    @property
    def game(self) -> str:
        """The name of the game."""
        return GAMES[self.facts["game"]].name

    @property
    def page(self) -> str:
        """The URL of the match."""
        return f"{self.config.base_url}/matches/{self.facts['match']}{self._key}"

    @property
    def replay_page(self) -> str:
        """The URL of the replay, once the match is over."""
        return f"{self.config.base_url}/matches/{self.facts['match']}/replay{self._key}"

    @property
    def pair_page(self) -> str:
        """The URL of both matches of a pair that is played there and back."""
        return f"{self.config.base_url}/sets/{self.facts['pair']['set']}{self._key}"

    def fork_page(self, step: int) -> str:
        """Return the URL of the page on which to play on from a step, once the match is over."""
        page = f"{self.config.base_url}/matches/{self.facts['match']}/fork{self._key}"
        return f"{page}{'&' if self._key else '?'}step={step}"

    @property
    def record_page(self) -> str:
        """The URL of the record, once the match is over."""
        return f"{self.config.base_url}/api/matches/{self.facts['match']}/record{self._key}"

    @property
    def _key(self) -> str:
        """The query with the key that opens a finished private match to its players and those they share it with."""
        return f"?key={self.facts['shared']}" if "shared" in self.facts else ""

    @property
    def turn_page(self) -> str:
        """The URL of the page where the reader can move."""
        return f"{self.config.base_url}/m/{self.link}"

    @property
    def own_page(self) -> str:
        """The URL of the reader's own page in a mail that asks for no move."""
        return f"{self.config.base_url}/seat/{self.link}"

    @property
    def invitation_page(self) -> str:
        """The URL of the page where the reader can accept."""
        return f"{self.config.base_url}/invitation/{self.link}"

    @property
    def rules_page(self) -> str:
        """The URL of the rules."""
        return f"{self.config.base_url}/rules/{self.facts['game']}"

    @property
    def has_opponents(self) -> bool:
        """Whether others play in the match, or will."""
        return len(self.facts["names"]) > 1

    @property
    def others(self) -> str:
        """The names of the other players, joined for a sentence."""
        listed = descriptions.mark_robots(self.names, dict(self.facts.get("robots", ())))
        return descriptions.player_list([name for seat, name in enumerate(listed, 1) if seat != self.facts["seat"]])

    @property
    def to_move(self) -> str:
        """The names of the players who may act now, joined for a sentence."""
        return series([self.names[seat - 1] for seat in self.view["to_move"]])

    @property
    def their_turn(self) -> bool:
        """Whether the reader may act now."""
        return self.facts["seat"] in self.view["to_move"]

    @property
    def has_times(self) -> bool:
        """Whether the mail names a moment."""
        return not _TIMES.isdisjoint(self.facts)

    def moment(self, fact: str) -> str:
        """Format a fact that is a time, in the reader's zone."""
        return format_moment(datetime.fromisoformat(self.facts[fact]), self.zone)

    def day(self, fact: str) -> str:
        """Format the day of a fact that is a time, in the reader's zone."""
        return format_day(datetime.fromisoformat(self.facts[fact]), self.zone)

    def word(self, command: str) -> str:
        """Return the word by which the reader gives a command."""
        return commands.by_name()[command].word

    def can_use(self, command: Command) -> bool:
        """Return whether the reader can use a command now."""
        state = "over" if self.view["outcome"] else "running" if self.view["board"] else "inviting"
        return state in command.states and (self.has_opponents or not command.needs_several_seats)
