"""How quickly mails are written and sent: `make bench-mails`.

Turn mails of every game, each with a position of its own, are composed in one process; beside each, the same parts are
made into the same mail by the standard library's `EmailMessage` with the board rendered anew. Then all that is owed is
relayed to a mail server on this machine by two processes. Prints figures; asserts nothing.
"""

from __future__ import annotations

import argparse
import email
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from resvg_py import svg_to_bytes
from sqlalchemy import select

from benchmarks.sink import Sink
from benchmarks.stage import Stage, free_port
from emails import compose as composing
from emails.compose import compose
from emails.relay import relay
from pbem.db.models import Match, Notice
from pbem.db.session import connect
from pbem.games import GAMES
from pbem.pictures.png import png
from pbem.play import matches
from pbem.play.notices import SHARDS
from pbem.play.table import Table, open_table

if TYPE_CHECKING:
    from pbem.config import Config

OLD_WIDTH = 720


def begin(config: Config, game: str, count: int) -> None:
    """Begin some matches of a game."""
    engine = connect(config.database_url)
    for number in range(count):
        with open_table(engine, config) as table:
            seats = GAMES[game].seats[0]
            guests = [matches.Guest(f"P{seat}", f"p{seat}.{game}.{number}@example.org") for seat in range(seats)]
            match = matches.make(table, game, {}, guests)
            for holder in matches.holders(table, match):
                matches.accept(table, match, holder, "")
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


def composed(table: Table, game: str) -> tuple[float, float, int, int]:
    """Compose a game's turn mails; gives milliseconds of work for each, ours and rebuilt, and their bytes."""
    drawn: list[str] = []

    def watched(svg: str) -> bytes:
        drawn.append(svg)
        return png(svg)

    ours, theirs, sizes, old_sizes = [], [], [], []
    turns = select(Notice).join(Match, Notice.match_id == Match.id).where(Match.game == game, Notice.kind == "turn")
    with patch.object(composing, "png", watched):
        for notice in table.session.scalars(turns.order_by(Notice.id)).all():
            drawn.clear()
            begun = time.process_time()
            raw = compose(table, notice).raw
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


def relayed(config: Config, shard: int) -> int:
    """Send all of a shard that is due."""
    engine, sent = connect(config.database_url), 0
    while more := relay(engine, config, shard):
        sent += more
    engine.dispose()
    return sent


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=40, help="matches of each game")
    count = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder, Sink(free_port()) as sink, Stage(Path(folder), sink.port) as stage:
        config = stage.config
        for game in GAMES:
            begin(config, game, count)
        engine = connect(config.database_url)
        with open_table(engine, config) as table:
            for game in GAMES:
                ours, theirs, size, old = composed(table, game)
                print(
                    f"{game:18} {ours:6.1f} ms a turn mail ({1000 / ours:4.0f}/s), {size // 1024} KiB;"
                    f" by EmailMessage and whole rendering + {theirs:5.1f} ms, {old // 1024} KiB"
                )
        begun = time.monotonic()
        with ProcessPoolExecutor(2) as pool:
            sent = sum(pool.map(relayed, [config] * SHARDS, range(SHARDS)))
        print(f"relayed to a server here by two processes: {sent} mails, {sent / (time.monotonic() - begun):.0f}/s")
        engine.dispose()


if __name__ == "__main__":
    main()
