"""How quickly mails are written and sent: `make bench-mails`.

Turn mails of every game, each with a position of its own, are composed in one process; beside each, the same parts are
made into the same mail by the standard library's `EmailMessage` with the board rendered anew. Then a relay sends all
that is owed to a mail server on this machine, once for each kind of mail, and it is told what each step of a mail cost
this process, and how many statements; beside it `smtplib` alone sends the same bytes. Prints figures; asserts nothing.
"""

from __future__ import annotations

import email
import multiprocessing
import smtplib
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import urlsplit

from psycopg import Cursor
from resvg_py import svg_to_bytes
from sqlalchemy import select, update

from benchmarks.options import Options
from benchmarks.sink import Sink, free_port
from benchmarks.stage import Stage
from emails.composing import compose as composing
from emails.composing.compose import compose
from emails.content import mime
from emails.outbound import relay as relays
from emails.outbound.relay import deliver_shard
from emails.outbound.transport import SmtpTransport
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import connect
from pbem.games import GAMES
from pbem.pictures.png import png
from pbem.play.core.context import Context, transaction
from pbem.play.lifecycle import acceptance, create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest
from pbem.play.matches.seats import holders
from pbem.play.notifications.outbox import SHARD_COUNT
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.config import Config

OLD_WIDTH = 720
STEPS = ("load", "compose", "picture", "serialise", "send", "mark", "other")


def begin(config: Config, game: str, count: int) -> None:
    """Begin some matches of a game."""
    engine = connect(config.database_url)
    for number in range(count):
        with transaction(engine, config) as ctx:
            seats = GAMES[game].seats[0]
            guests = [Invitee(f"P{seat}", f"p{seat}.{game}.{number}@example.org") for seat in range(seats)]
            match = create.create_match(ctx, MatchRequest(game, {}, guests))
            for holder in holders(ctx, match):
                acceptance.accept(ctx, match, holder, "")
    engine.dispose()


def rebuilt(raw: bytes, svg: str | None) -> bytes:
    """Build a mail again with the standard library, its board rendered as a whole."""
    given = email.message_from_bytes(raw, policy=policy.default)
    message = EmailMessage(policy=policy.SMTP)
    for name, value in given.items():
        if name not in {"MIME-Version", "Content-Type"}:
            message[name] = str(value)
    for kind in ("plain", "html"):
        part = given.get_body((kind,))
        content = part.get_content() if part else ""
        if kind == "plain":
            message.set_content(content)
        else:
            message.add_alternative(content, subtype="html")
    if svg:
        rendered = bytes(svg_to_bytes(svg_string=svg, width=OLD_WIDTH, background="#ffffff", skip_system_fonts=True))
        list(message.iter_parts())[1].add_related(rendered, "image", "png", cid="<board>")
    return message.as_bytes()


def composed(ctx: Context, game: str) -> tuple[float, float, int, int]:
    """Compose a game's turn mails; gives milliseconds of work for each, ours and rebuilt, and their bytes."""
    drawn: list[str] = []

    def watched(svg: str) -> bytes:
        drawn.append(svg)
        return png(svg)

    ours, theirs, sizes, old_sizes = [], [], [], []
    turns = (
        select(OutboxMessage)
        .join(Match, OutboxMessage.match_id == Match.id)
        .where(Match.game == game, OutboxMessage.kind == "turn")
    )
    with patch.object(composing, "png", watched):
        for notice in ctx.session.scalars(turns.order_by(OutboxMessage.id)).all():
            drawn.clear()
            begun = time.process_time()
            raw = compose(ctx, notice).raw
            done = time.process_time()
            again = rebuilt(raw, drawn[0] if drawn else None)
            ours.append(done - begun)
            theirs.append(time.process_time() - done)
            sizes.append(len(raw))
            old_sizes.append(len(again))
    half = len(ours) // 2
    # The first half fills what is kept between mails.
    each = (statistics.median(times[half:]) * 1000 for times in (ours, theirs))
    return (*each, round(statistics.median(sizes)), round(statistics.median(old_sizes)))  # type: ignore[return-value]


@dataclass(slots=True)
class Steps:
    """What each step of sending mails has cost this process so far, in seconds of its work."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    statements: int = 0
    sent: list[tuple[str, str, bytes]] = field(default_factory=list)

    def timed(self, name: str, work: Callable[..., Any], within: str = "") -> Callable[..., Any]:
        """Wrap a function to add up what it costs; where that is a part of another step, it is taken off that one."""

        def measured(*given: Any, **named: Any) -> Any:
            begun = time.thread_time()
            try:
                return work(*given, **named)
            finally:
                cost = time.thread_time() - begun
                self.spent[name] += cost
                if within:
                    self.spent[within] -= cost

        return measured

    def handed(self, line: SmtpTransport, sender: str, recipient: str, raw: bytes) -> None:
        """Send a mail, and keep it to send it once more."""
        self.sent.append((sender, recipient, raw))
        _SEND(line, sender, recipient, raw)

    def counted(self) -> Callable[..., Any]:
        """Return a `Cursor.execute` that counts statements."""

        def execute(cursor: Cursor[Any], *given: Any, **named: Any) -> Any:
            self.statements += 1
            return _EXECUTE(cursor, *given, **named)

        return execute


_SEND, _EXECUTE = SmtpTransport.send, Cursor.execute


def relayed(config: Config, kind: str) -> Steps:
    """Send all mails of a kind that are owed, and tell what that cost."""
    engine, steps = connect(config.database_url), Steps()
    with engine.begin() as connection:
        connection.execute(
            update(OutboxMessage).values(state=OutboxState.PENDING if kind == "all" else OutboxState.DROPPED)
        )
        connection.execute(update(OutboxMessage).where(OutboxMessage.kind == kind).values(state=OutboxState.PENDING))
    with ExitStack() as patched:
        patched.enter_context(patch.object(Cursor, "execute", steps.counted()))
        for module, name, step, within in (
            (relays, "due_batch", "load", ""),
            (relays, "compose", "compose", ""),
            (composing, "png", "picture", "compose"),
            (mime, "alternative", "serialise", "compose"),
            (relays, "mark_sent", "mark", ""),
        ):
            patched.enter_context(patch.object(module, name, steps.timed(step, getattr(module, name), within)))
        patched.enter_context(patch.object(SmtpTransport, "send", steps.timed("send", steps.handed)))
        png.cache_clear()
        begun = time.thread_time()
        for shard in range(SHARD_COUNT):
            while deliver_shard(engine, config, shard):
                pass
        steps.spent["other"] = time.thread_time() - begun - sum(steps.spent.values())
    engine.dispose()
    return steps


def by_smtplib(config: Config, mails: list[tuple[str, str, bytes]]) -> float:
    """Send mails once more with nothing but the standard library; gives seconds of work for each."""
    host = urlsplit(config.smtp_url)
    with smtplib.SMTP(host.hostname or "", host.port or 25, local_hostname="bench") as smtp:
        begun = time.thread_time()
        for sender, recipient, raw in mails:
            smtp.sendmail(sender, [recipient], raw)
        return (time.thread_time() - begun) / len(mails)


def told(config: Config, kind: str) -> str:
    """Return what a mail of a kind costs, step by step, in milliseconds of this process's work."""
    steps = relayed(config, kind)
    count = len(steps.sent)
    if not count:
        return f"{kind:12} none was owed"
    parts = "  ".join(f"{name} {steps.spent[name] * 1000 / count:5.2f}" for name in STEPS)
    whole = sum(steps.spent.values()) * 1000 / count
    alone = by_smtplib(config, steps.sent) * 1000
    return (
        f"{kind:12} {count:4} mails, {steps.statements / count:4.1f} statements each; ms: {parts}  all {whole:5.2f};"
        f" smtplib alone {alone:4.2f}"
    )


def main() -> None:
    """Measure, and print."""
    options = Options(__doc__)
    options.number("--matches", 40, 2, "matches of each game")
    count = options.told().matches
    with tempfile.TemporaryDirectory() as folder, sink() as port, Stage(Path(folder), port) as stage:
        # Limits are for strangers, and all here are.
        config = replace(stage.config, limits=None)
        for game in GAMES:
            begin(config, game, count)
        engine = connect(config.database_url)
        with transaction(engine, config) as ctx:
            for game in GAMES:
                ours, theirs, size, old = composed(ctx, game)
                print(
                    f"{game:18} {ours:6.1f} ms a turn mail ({1000 / ours:4.0f}/s), {size // 1024} KiB;"
                    f" by EmailMessage and whole rendering + {theirs:5.1f} ms, {old // 1024} KiB",
                    flush=True,
                )
            kinds = ctx.session.scalars(select(OutboxMessage.kind).distinct().order_by(OutboxMessage.kind)).all()
        engine.dispose()
        for kind in (*kinds, "all"):
            print(told(config, kind), flush=True)


@contextmanager
def sink() -> Iterator[int]:
    """Run a mail server that takes everything, in a process of its own; gives its port."""
    port, ready = free_port(), multiprocessing.Event()
    process = multiprocessing.Process(target=_take, args=(port, ready), daemon=True)
    process.start()
    ready.wait(60)
    try:
        yield port
    finally:
        process.kill()
        process.join()


def _take(port: int, ready: Any) -> None:
    with Sink(port):
        ready.set()
        threading.Event().wait()


if __name__ == "__main__":
    main()
