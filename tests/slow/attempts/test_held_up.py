"""Nobody holds up others: while somebody sends slowly, or what takes long to read, others are answered and judged."""

from __future__ import annotations

import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import NUMBERS, answer_to, reply_to, token_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.slow.attempts.houses import House, Table

MANY = 60
"""So many lines are held at once, several times as many as there are threads."""
HELD = {
    "silence": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\nHost: {host}\r\nX-a: ",
    "a head without end": b"GET / HTTP/1.1\r\nHost: {host}\r\n",
    "half a form": b"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 50000\r\n\r\nemail=",
    "half a chunk": b"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nem",
    "half a call": b"POST /api/matches HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    b"Content-Length: 99\r\n\r\n{",
    "a promise": b"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 50000\r\n\r\n",
    "nobody who reads": b"GET /rules/minimax HTTP/1.1\r\nHost: {host}\r\n\r\n" * 200,
    "a line kept open": b"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: keep-alive\r\n\r\n",
}
SMTP = {
    "silence": b"",
    "half a greeting": b"EHL",
    "a greeting": b"EHLO localhost\r\n",
    "half a mail": b"EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<games@{domain}>\r\nDATA\r\nFrom: a",
    "no end of greetings": b"EHLO x\r\n" * 50,
}
LONG = {
    "many words of a new match": "new " + "martian whist with " * 3000,
    "many short words": "new " + "a " * 30_000,
    "one long word": "new " + "m" * 60_000,
    "many blanks": "say a" + " " * 60_000 + "@",
    "many ats": "say " + "@" * 60_000,
    "blanks and ats": "say " + " @ " * 20_000,
    "many conditions": "if take 1: " * 5_000,
    "many colons": "when I can" + ":" * 60_000,
    "many brackets": "(" * 60_000,
    "many slashes": "R1/" * 20_000,
    "many digits": "take " + "9" * 60_000,
    "combining letters": "take " + "e\u0301" * 20_000,
    "words that nearly are moves": "takee 1 " * 8_000,
    "one sign": "\u2665" * 20_000,
}
MAILS = {
    "many words": "new " + "martian whist with \n" * 3000,
    "many quotes": "> " * 400 + "\n" + "> x\n" * 9_000,
    "many introductions": "On Monday, somebody <a@b.example> wrote:\n" * 5_000,
    "many dashes": ("-" * 900 + "\n") * 900,
    "many blanks": (" " * 900 + "\n") * 900,
    "many addresses": ("<a@b.example> " * 60 + "\n") * 800,
    "many angles": ("<" * 900 + "\n") * 900,
}
PAGES = {
    "many tags": "<div>" * 40_000,
    "many open quotes": "<blockquote><p>" * 20_000,
    "an open attribute": "<a href='" + "x" * 500_000,
    "many entities": "&amp;" * 60_000,
    "many comments": "<!--" * 60_000,
    "many styles": "<style>" * 40_000,
}


@contextmanager
def held(port: int, said: bytes) -> Iterator[list[socket.socket]]:
    """Open many connections, send something over each, and neither read nor send any more."""
    with ExitStack() as lines:
        found = []
        for _ in range(MANY):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            line.sendall(said)
            found.append(line)
        yield found


@pytest.fixture(scope="module")
def other(here: House) -> Table:
    """A table of others, who go on playing."""
    return here.table("martian-whist", "Ann", "Bob")


@pytest.mark.parametrize("said", HELD.values(), ids=HELD.keys())
@pytest.mark.parametrize("drip", [False, True], ids=["waiting", "dripping"])
def test_slow_clients_hold_up_no_page(here: House, other: Table, said: bytes, drip: bool) -> None:  # noqa: FBT001
    with held(here.running.port, said.replace(b"{host}", here.host.encode())) as lines:
        for _ in range(3):
            if drip:
                for line in lines:
                    drop(line)
            assert here.visitor().get("/healthz").status == 200
            assert here.visitor().get("/").status == 200
        other.move(other.mover)


def drop(line: socket.socket) -> None:
    try:
        line.send(b"x")
    except OSError:
        # It was sent away, which is as good.
        return


@pytest.mark.parametrize("said", SMTP.values(), ids=SMTP.keys())
def test_slow_mail_servers_hold_up_no_mail(here: House, other: Table, said: bytes) -> None:
    with held(here.running.smtp_port, said.replace(b"{domain}", here.domain.encode())):
        player = other.mover
        assert player.reply(other.turn(player), "board") == 250
        other.move(player)


@pytest.mark.parametrize("line", LONG.values(), ids=LONG.keys())
@pytest.mark.parametrize("door", ["form", "call", "talk"])
def test_what_takes_long_to_read_holds_up_no_judge(here: House, other: Table, line: str, door: str) -> None:
    """As many as there are judges are sent at once, to several tables; then others play."""
    tables = [here.table("martian-whist", "Eve", "Mal") for _ in range(4)]
    sites = []
    for table in tables:
        link = token_of(table.turn(table.mover))
        site = here.visitor()
        if door == "call":
            site.send(f"/api/seats/{link}/moves", {"ply": 1, "move": line})
            continue
        page = site.open(f"/m/{link}/talk" if door == "talk" else f"/m/{link}?move=take+1")
        form = page.form("Send" if door == "talk" else "Play this move")
        field = "words" if door == "talk" else "move"
        sites.append((site, form.action, {**form.fields, field: line}))
    for site, action, fields in sites:
        assert site.post(action, fields).status < 500
    other.move(other.mover)
    assert here.visitor().get("/").status == 200


@pytest.mark.parametrize("text", MAILS.values(), ids=MAILS.keys())
def test_a_mail_that_takes_long_to_read_holds_up_nobody(here: House, other: Table, text: str) -> None:
    for _ in range(4):
        table = here.table("martian-whist", "Eve", "Mal")
        mail = answer_to(table.mover, table.turn(table.mover), "x")
        mail.set_content(text)
        assert here.post(mail, table.mover.address, reply_to(table.turn(table.mover))) in {250, 552, 554}
    other.move(other.mover)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_a_page_by_mail_that_takes_long_to_read_holds_up_nobody(here: House, other: Table, page: str) -> None:
    for _ in range(4):
        table = here.table("martian-whist", "Eve", "Mal")
        player, turn = table.mover, table.turn(table.mover)
        head = (
            f"From: {player.address}\r\nMessage-ID: <h{next(NUMBERS)}@example.org>\r\nContent-Type: text/html\r\n\r\n"
        )
        wrapped = "\r\n".join(page[at : at + 900] for at in range(0, len(page), 900))
        assert here.post((head + wrapped).encode(), player.address, reply_to(turn)) in {250, 552, 554}
    other.move(other.mover)
