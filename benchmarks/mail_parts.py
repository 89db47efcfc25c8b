"""What the parts of a turn mail cost beside the libraries that could do the same: `make bench-mail-parts`.

Pictures of the positions of a match, all of whose pieces were drawn before, beside zlib in place of isal and beside
resvg, which renders each board as a whole; the HTML of a mail beside css-inline on its page alone; its signature beside
dkimpy; and sending it beside smtplib, to a mail server in a process of its own. All of a part are taken in turns, by
the time of this process. Prints figures and ratios; asserts nothing.
"""

from __future__ import annotations

import smtplib
import tempfile
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import dkim
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from css_inline import CSSInliner

from benchmarks.mails import sink
from benchmarks.measuring import compared
from benchmarks.options import Options
from emails.content.blocks import Board, Button, Choice, Choices, Footnote, Links
from emails.content.html import render_html
from emails.content.mime import InlineImage, alternative
from emails.content.plain_text import render_text
from emails.outbound.dkim import OVERSIGNED_HEADERS, SIGNED_HEADERS, sign
from emails.outbound.smtp_clients import SmtpClient
from pbem.boards import drawing_for
from pbem.config import from_environment
from pbem.games import GAMES
from pbem.pictures import png as pictures
from pbem.pictures.png import WIDTH, png, render_png
from tests.support.games.random_play import Match, walk
from tests.support.house import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from emails.content.blocks import Block

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve")
HEADERS = {"From": "Slow games <games@games.localhost>", "To": "Ann <ann@example.org>", "Subject": "Your turn"}
SENDER, RECIPIENT = "games@games.localhost", "ann@example.org"
KNOWN_MATCHES = 2
"""Matches whose pictures are drawn before those that are measured: a worker has drawn thousands."""


def drawings(key: str, positions: int, number: int) -> list[str]:
    """Draw the positions of a match, each as the player to move sees it."""
    match, drawing = (
        Match(GAMES[key], max(GAMES[key].seats), {}, f"{key}{number}".encode().ljust(32, b".")),
        drawing_for(key),
    )
    turns = islice(walk(match), positions)
    return [drawing.svg(match.game.board(one.before, one.seat), NAMES[: match.seats], one.seat) for one in turns]


def each(work: Callable[[Any], object], things: Iterator[Any]) -> Callable[[], int]:
    """Do something with one thing after the other, as a measure."""

    def measure() -> int:
        work(next(things))
        return 1

    return measure


def by_zlib(svg: str) -> bytes:
    """Draw a picture where there is no isal."""
    with patch.object(pictures, "compress", zlib.compress):
        return png.__wrapped__(svg)


def compare_pictures(turns: int, seconds: float, positions: int) -> None:
    """Compare the pictures of each game."""
    for key in GAMES:
        matches = [drawings(key, positions, number) for number in range(KNOWN_MATCHES + 1)]
        for svg in chain.from_iterable(matches[:-1]):
            png(svg)
        theirs = {
            f"{key}, zlib": each(by_zlib, cycle(matches[-1])),
            f"{key}, whole by resvg": each(lambda svg: render_png(svg, WIDTH), cycle(matches[-1])),
        }
        compared({f"{key}, picture": each(png.__wrapped__, cycle(matches[-1]))}, theirs, turns, seconds)


def turn_mail() -> list[Block]:
    """Return the blocks of a turn mail."""
    match, drawing = Match(GAMES["martian-whist"], 2, {}, bytes(32)), drawing_for("martian-whist")
    first = next(iter(walk(match)))
    board = match.game.board(first.before, first.seat)
    seen = board, NAMES[:2], first.seat
    moves = [f"take {number}" for number in range(1, 4)]
    likely = tuple(
        Choice(move, f"https://x.org/m?move={move}", "mailto:play@x.org", "Take it", "A hint", 1) for move in moves
    )
    return [
        drawing.prompt(board, first.seat, moves).text,
        Board(drawing.text(*seen), lambda: drawing.svg(*seen), lambda: drawing.words(*seen)),
        Choices("Suggested moves", likely, ()),
        Button("Choose your move on its page", "https://x.org/m"),
        Footnote(drawing.crib),
        Links((("Choose what mail you get", "https://x.org/mail"), ("Unsubscribe", "https://x.org/unsubscribe"))),
    ]


def compare_pages(turns: int, seconds: float) -> bytes:
    """Compare the HTML of a turn mail, and return the mail."""
    blocks = turn_mail()
    page = render_html("Your turn", blocks, {1: "board.1"})
    inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    ours = {"HTML": each(lambda cids: render_html("Your turn", blocks, cids), cycle([{1: "board.1"}]))}
    compared(ours, {"css-inline on its page": each(inliner.inline, cycle([page]))}, turns, seconds)
    picture = InlineImage("board.1", png(next(one.svg() for one in blocks if isinstance(one, Board))))
    return alternative(HEADERS, render_text(blocks), page, [picture], "1")


def compare_signatures(turns: int, seconds: float, raw: bytes) -> None:
    """Compare the signature of a mail."""
    key = rsa.generate_private_key(65537, 2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    names = [name.encode() for name in (*SIGNED_HEADERS, *OVERSIGNED_HEADERS)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "key.pem"
        file.write_bytes(pem)
        known = from_environment(settings("postgresql://x/x", Path(folder)))
        config = replace(known, dkim_key=str(file), dkim_selector="games")

        def by_dkimpy(mail: bytes) -> bytes:
            how = {"include_headers": names, "canonicalize": (b"relaxed", b"relaxed")}
            signature: bytes = dkim.sign(mail, b"games", config.mail_domain.encode(), pem, **how)
            return signature

        ours = {"signature": each(lambda mail: sign(config, mail, datetime.now(UTC)), cycle([raw]))}
        compared(ours, {"dkimpy": each(by_dkimpy, cycle([raw]))}, turns, seconds)


def compare_sending(turns: int, seconds: float, raw: bytes) -> None:
    """Compare sending a mail over an open connection."""
    with sink() as port, SmtpClient("127.0.0.1", port) as our, smtplib.SMTP("127.0.0.1", port) as their:
        ours, theirs = (
            {name: each(lambda mail, client=client: client.sendmail(SENDER, RECIPIENT, mail), cycle([raw]))}  # type: ignore[misc]
            for name, client in (("sending", our), ("smtplib", their))
        )
        compared(ours, theirs, turns, seconds, time.thread_time)


def main() -> None:
    """Measure, and print."""
    options = Options(__doc__)
    options.number("--turns", 7, 1, "how often each is taken in turn")
    options.number("--seconds", 0.5, 0.02, "seconds of each turn")
    options.number("--positions", 24, 3, "positions of a match whose pictures are drawn")
    wanted = options.told()
    compare_pictures(wanted.turns, wanted.seconds, wanted.positions)
    raw = compare_pages(wanted.turns, wanted.seconds)
    print(f"a mail of {len(raw):,} bytes:")
    compare_signatures(wanted.turns, wanted.seconds, raw)
    compare_sending(wanted.turns, wanted.seconds, raw)


if __name__ == "__main__":
    main()
