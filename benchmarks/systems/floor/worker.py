"""The floor's worker: takes moves that were kept, up to eight at a time, writes them, and mails what follows."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.types.json import Jsonb
from redis import Redis

from benchmarks.systems.floor.door import DUE
from benchmarks.systems.floor.mails import compose
from benchmarks.systems.floor.tables import LOCK, MARK, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH, SHARDS = 8, 4
FACTS = secrets.token_hex(500) + "so stands the match, " * 70
"""What the service keeps of a mail, to write it again: it shrinks to two thirds."""
SENT_AS = Jsonb({"language": "en", "zone": "UTC", "said": "so stands the match, " * 5})


@dataclass(frozen=True, slots=True)
class Owed:
    """A mail that follows from a move, and the number of its notice."""

    notice: int
    kind: str
    match: int
    seat: int
    ply: int
    to: str
    message_id: str


def serve(database: str, broker: str, sink: int) -> None:
    """Judge and mail until the process is ended."""
    judging, marking = psycopg.connect(database, autocommit=True), psycopg.connect(database, autocommit=True)
    marking.execute("SET synchronous_commit = off")
    due = Redis.from_url(broker)
    line = Line(sink)
    while True:
        first = due.blpop([DUE], 1)
        if first is None:
            continue
        more = due.lpop(DUE, BATCH - 1) or ()
        # Redis names the list that something came from.
        for mail in judge(judging, sorted({int(match) for match in (first[1], *more)})):
            line.send(mail.to, compose(mail.kind, mail.match, mail.seat, mail.ply, mail.to, mail.message_id))
            marking.execute(MARK, (SENT_AS, mail.notice), prepare=True)


def judge(connection: psycopg.Connection[Any], matches: Sequence[int]) -> Iterator[Owed]:
    """Write a move in each match that has a submission; returns the mails that follow."""
    with connection.pipeline() as pipeline:
        connection.execute("BEGIN")
        found = connection.execute(LOCK, (list(matches),), prepare=True)
        pipeline.sync()
        rows = rows_of(found.fetchall())
        done = {name: connection.execute(WRITES[name], columns, prepare=True) for name, columns in rows.items()}
        connection.execute("COMMIT")
        pipeline.sync()
        numbers = [row[0] for row in done["notices"].fetchall()]
    for number, kind, to, match, holder, ply, _once, message_id, *_ in zip(numbers, *rows["notices"], strict=True):
        yield Owed(number, kind, match, 2 - holder % 2, ply, to, message_id)


def rows_of(seats: Sequence[tuple[Any, ...]]) -> dict[str, list[list[Any]]]:
    """Return the columns of the rows that moves write, by the statement that writes them."""
    moves: list[tuple[Any, ...]] = []
    notices: list[tuple[Any, ...]] = []
    tokens: list[tuple[Any, ...]] = []
    judged: list[str] = []
    for first, second in zip(seats[::2], seats[1::2], strict=True):
        mover, other = (first, second) if first[-1] else (second, first)
        if mover[-1] is None:
            continue
        match, length, ply, holder, seat, _email, submission = mover
        moves.append((match, length + 1, seat, holder, secrets.token_bytes(32)))
        judged.append(submission)
        for kind, (_, _, _, to, _, email, _) in (("receipt", mover), ("turn", other)):
            number = secrets.token_hex(12)
            facts = Jsonb({"facts": FACTS, "number": number})
            notices.append(
                (kind, email, match, to, ply + 1, f"{kind} {match} {ply}", f"<{number}@floor.localhost>",
                 secrets.token_bytes(32), facts, match % SHARDS)
            )  # fmt: skip
            tokens += [(secrets.token_bytes(32), name, to, ply + 1) for name in ("link", "reply")]
    matches, plies, movers, own, salts = _columns(moves, 5)
    return {
        "log": [matches, plies, movers, salts],
        "matches": [matches, plies, movers, salts],
        "submissions": [judged],
        "deadline": [matches, movers],
        "asked": [matches, plies, movers],
        "timings": [matches, plies, movers, own],
        "tokens": _columns(tokens, 4),
        "notices": _columns(notices, 10),
    }


def _columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[list[Any]]:
    return [[row[at] for row in rows] for at in range(count)]


class Line:
    """A connection to the mail server that stays open: a mail is two writes."""

    def __init__(self, port: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._line.makefile("rb")
        self._heard(b"220")
        self._line.sendall(b"EHLO floor\r\n")
        self._heard(b"250")

    def send(self, to: str, mail: bytes) -> None:
        """Send a mail; returns once it was taken."""
        self._line.sendall(b"MAIL FROM:<play@floor.localhost>\r\nRCPT TO:<%s>\r\nDATA\r\n" % to.encode())
        self._heard(b"250", b"250", b"354")
        self._line.sendall(mail.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        self._heard(b"250")

    def _heard(self, *wanted: bytes) -> None:
        for code in wanted:
            while (heard := self._answers.readline())[3:4] == b"-":
                pass
            if not heard.startswith(code):
                raise ConnectionError(heard)
