"""Programs that wait for events in this process: how many may, and one thread that wakes those that have news."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from pbem.play.accounts import event_feed

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Engine

log = logging.getLogger(__name__)

MAX_SLOTS = 50
"""Maximum programs that wait in one process; each takes a thread."""
MAX_SLOTS_PER_KEY = 2
"""Maximum programs that wait with one key in one process; one more ends the oldest, whose connection may be dead."""
WATCH_SECONDS = 0.5
"""Seconds between two questions for news, by one statement for all programs of a process."""


@dataclass(eq=False, slots=True)
class Slot:
    """A program that waits: its key, its player, whether it looks for tables, and whether it must end."""

    key: int
    player: int
    tables: bool = False
    is_ended: bool = False
    _wake: threading.Event = field(default_factory=threading.Event)

    def has_news(self, players: Collection[int | None]) -> bool:
        """Return whether there are events for it, where some players have any; None stands for open tables."""
        return self.player in players or (self.tables and None in players)

    def wake(self) -> None:
        """End the present wait."""
        self._wake.set()

    def end(self) -> None:
        """End the present wait, and the program's turn to wait."""
        self.is_ended = True
        self._wake.set()

    def wait(self, seconds: float) -> None:
        """Wait until woken, at most some seconds."""
        self._wake.wait(max(0.0, seconds))
        self._wake.clear()


class Slots:
    """The slots of a process, and the thread that asks for their news while there are any."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._slots: list[Slot] = []
        self._horizon = 0
        self._is_watching = False
        self._is_empty = threading.Event()
        self._lock = threading.Lock()

    def open(self, key: int, player: int, *, tables: bool = False) -> Slot | None:
        """Open a slot for a program, which may look for tables as well; return None if all are taken."""
        with self._lock:
            own = [slot for slot in self._slots if slot.key == key and not slot.is_ended]
            surplus = own[: max(0, len(own) + 1 - MAX_SLOTS_PER_KEY)]
            if len(self._slots) >= MAX_SLOTS and not surplus:
                return None
            for oldest in surplus:
                oldest.end()
            if not self._is_watching:
                self._horizon, _none = event_feed.have_news(self._engine, (), 0)
                threading.Thread(target=self._watch, name="event watch", daemon=True).start()
                self._is_watching = True
            slot = Slot(key, player, tables)
            self._slots.append(slot)
            self._is_empty.clear()
            return slot

    def close(self, slot: Slot) -> None:
        """Free a slot; idempotent."""
        with self._lock:
            if slot in self._slots:
                self._slots.remove(slot)
            if not self._slots:
                self._is_empty.set()

    def _watch(self) -> None:
        while True:
            self._is_empty.wait(WATCH_SECONDS)
            with self._lock:
                asked = [*self._slots]
                if not asked:
                    self._is_watching = False
                    return
            try:
                self._horizon, players = event_feed.have_news(
                    self._engine, {slot.player for slot in asked}, self._horizon
                )
            except SQLAlchemyError:
                # The programs themselves ask again with each heartbeat.
                log.warning("could not ask for events; they are asked for again", exc_info=True)
                continue
            with self._lock:
                # One that came meanwhile was not asked about.
                news = [slot for slot in self._slots if slot.has_news(players) or slot not in asked]
            for slot in news:
                slot.wake()
