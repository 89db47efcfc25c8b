"""Players and their mail server, in a process of their own: what they cost is told apart from what they measure."""

from __future__ import annotations

import itertools
import multiprocessing
import random
import time
from typing import TYPE_CHECKING, Any, Self

from benchmarks import costs
from benchmarks.senders import FILLING, Client, as_sent, in_parallel, quoted, quoting, reply
from benchmarks.sink import Sink, free_port

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from multiprocessing.connection import Connection

    from benchmarks.costs import Costs
    from benchmarks.sink import Arrived, Turn

CLIENTS = 8
"""So many mails are on their way to the service at once."""
PATIENCE = 60.0
"""Seconds in which a mail must arrive."""
ALONE, PAUSE = 3.0, 0.3
"""Seconds in which a lone move is answered unless it asks nobody, and which then pass before the next one."""


class Players:
    """The process, asked to do one thing after the other."""

    def __init__(self) -> None:
        self.port = free_port()
        """Where their mails are sent to."""

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.port), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def spent(self) -> Costs:
        """Return what they have cost up to now."""
        return costs.spent({"harness": self._process.pid or 0})

    def arrived(self) -> Arrived:
        """Return what has arrived up to now."""
        found: Arrived = self._ask("arrived")
        return found

    def waiting(self) -> int:
        """Return how many turns wait for a reply."""
        return int(self._ask("waiting"))

    def play(self, door: int, moves: int) -> None:
        """Reply to so many turns, as quickly as they are taken and new ones come."""
        self._ask("play", door, moves)

    def play_steadily(self, door: int, moves: int, rate: float) -> None:
        """Reply to so many turns at moments drawn beforehand, so many a second, however slow the service is."""
        self._ask("play_steadily", door, moves, rate)

    def play_alone(self, door: int, moves: int) -> None:
        """Reply to so many turns one after the other, with nothing else to do for the service."""
        self._ask("play_alone", door, moves)

    def post(self, door: int, hello: str, to: str, senders: Sequence[str]) -> None:
        """Send a mail from each sender to an address."""
        self._ask("post", door, hello, to, senders)

    def waits(self) -> list[float]:
        """Return the seconds that the last replies waited for the next turn of their match; each is told once."""
        return list(self._ask("waits"))

    def expect(self, mails: int) -> None:
        """Wait until so many mails have arrived in all."""
        end = time.monotonic() + PATIENCE
        before = 0
        while (come := self.arrived().mails) < mails:
            if come > before:
                before, end = come, time.monotonic() + PATIENCE
            if time.monotonic() > end:
                raise TimeoutError(f"{come} of {mails} mails came")
            time.sleep(0.02)

    def _ask(self, what: str, *given: object) -> Any:
        self._pipe.send((what, given))
        return self._pipe.recv()


def _serve(pipe: Connection, port: int) -> None:
    with Sink(port) as sink:
        playing = _Playing(sink)
        pipe.send("ready")
        while True:
            what, given = pipe.recv()
            pipe.send(getattr(playing, what)(*given))


class _Playing:
    """What the process does, by the names that it is asked by."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._sent: list[tuple[str, float]] = []

    def arrived(self) -> Arrived:
        return self._sink.arrived

    def waiting(self) -> int:
        return self._sink.turns.qsize()

    def play(self, door: int, moves: int) -> None:
        left = iter(range(moves))

        def one(_number: int) -> None:
            with Client(door) as line:
                for _ in left:
                    self._reply(line)

        in_parallel(one, CLIENTS)

    def play_steadily(self, door: int, moves: int, rate: float) -> None:
        chance, began = random.Random(1), time.monotonic()  # noqa: S311 -- any moments will do
        due = iter([began + wait for wait in itertools.accumulate(chance.expovariate(rate) for _ in range(moves))])

        def one(_number: int) -> None:
            with Client(door) as line:
                for moment in due:
                    time.sleep(max(0.0, moment - time.monotonic()))
                    turn = self._reply(line)
                    # A reply that was sent late since others came before it has waited since it was due.
                    self._sent.append((turn.match, max(moment, turn.at)))

        in_parallel(one, CLIENTS)

    def play_alone(self, door: int, moves: int) -> None:
        with Client(door) as line:
            for _ in range(moves):
                asked = len(self._sink.asked)
                turn = self._reply(line)
                taken = time.monotonic()
                self._sent.append((turn.match, taken))
                while len(self._sink.asked) == asked and time.monotonic() < taken + ALONE:
                    time.sleep(0.001)
                time.sleep(PAUSE)

    def post(self, door: int, hello: str, to: str, senders: Sequence[str]) -> None:
        words = f"take 7\n\n{quoted(FILLING)}"
        mails = [(sender, as_sent(reply(to, sender, words))) for sender in senders]

        def one(number: int) -> None:
            with Client(door, hello) as line:
                for sender, mail in mails[number::CLIENTS]:
                    line.send(sender, to, mail)

        in_parallel(one, CLIENTS)

    def waits(self) -> list[float]:
        sent, self._sent = self._sent, []
        return waits_of(sent, self._sink.asked)

    def _reply(self, line: Client) -> Turn:
        turn = self._sink.turns.get(timeout=PATIENCE)
        line.send(turn.player, turn.reply_to, as_sent(quoting(turn)))
        return turn


def waits_of(sent: Iterable[tuple[str, float]], asked: Iterable[tuple[str, float]]) -> list[float]:
    """Return the seconds from each reply to the first turn mail of its match after it, both as match and moment.

    A reply after which another one was sent before anybody was asked waited for that one, and has no wait of its own.
    """
    # Where both have one moment, the turn mail is the one that was replied to.
    events = sorted([(at, 0, match) for match, at in asked] + [(at, 1, match) for match, at in sent])
    open_since: dict[str, float] = {}
    waits = []
    for at, is_reply, match in events:
        if is_reply:
            open_since[match] = at
        elif match in open_since:
            waits.append(at - open_since.pop(match))
    return waits
