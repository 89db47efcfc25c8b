"""The door for mail takes what is for us and nothing else, one mail at a time, in the lines that SMTP has."""

from __future__ import annotations

import smtplib
import socket
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import NUMBERS, reply_to
from tests.support.live_service import until

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player, Table

FOREIGN = (
    "eve@evil.example", "eve%evil.example@{domain}", "evil.example!eve@{domain}", '"eve@evil.example"@{domain}',
    "@{domain}:eve@evil.example", "eve@evil.example@{domain}", "games@{domain}.evil.example", "games@evil.{domain}",
    "games", "root@localhost", "eve@[127.0.0.1]", "eve@127.0.0.1", "eve@xn--{domain}", "games@{domain}@evil.example",
    "play+{zeros}@{domain}", "bounce+{zeros}@{domain}", "unsub+{zeros}@{domain}", "play+@{domain}", "play@{domain}",
    "play+{zeros}{zeros}@{domain}", "play+../../etc/passwd@{domain}", "play+%00@{domain}", "nobody@{domain}",
    "|/bin/sh@{domain}", "/etc/passwd@{domain}",
)  # fmt: skip
"""Recipients that are not here."""
ENDS = {
    "a bare LF before the dot": b"\n.\r\n",
    "a bare LF behind the dot": b"\r\n.\n",
    "bare LFs": b"\n.\n",
    "a bare CR before the dot": b"\r.\r\n",
    "a bare CR behind the dot": b"\r\n.\r",
    "bare CRs": b"\r.\r",
    "a NUL": b"\r\n.\0\r\n",
    "two dots": b"\r\n..\r\n",
    "a CR too many": b"\r\n.\r\r\n",
    "a blank": b"\r\n. \r\n",
    "LF CR": b"\n\r.\n\r",
}
"""What ends no mail: were it taken for an end, what follows would be a mail that no other server has looked at."""
SPOKEN = {
    "VRFY": b"VRFY games",
    "EXPN": b"EXPN games",
    "an empty line": b"",
    "NULs": b"\0\0\0",
    "two paths": b"MAIL FROM:<a@example.org> <b@example.org>",
    "an unknown word": b"TURN",
    "AUTH": b"AUTH PLAIN AGV2ZQBldmU=",
    "a recipient first": b"RCPT TO:<games@games.localhost>",
    "data first": b"DATA",
    "a size too large": b"MAIL FROM:<eve@evil.example> SIZE=99999999999999999999999",
    "no number as a size": b"MAIL FROM:<eve@evil.example> SIZE=-1",
    "an option that is none": b"MAIL FROM:<eve@evil.example> X=" + b"y" * 400,
    "HTTP": b"GET / HTTP/1.1",
    "a greeting without a name": b"EHLO",
    "a greeting of many letters": b"EHLO " + b"x" * 1000,
}


@pytest.fixture(scope="module")
def table(here: House) -> Table:
    return here.table("martian-whist", "Ann", "Bob")


def mail_for(player: Player, turn: EmailMessage, move: str) -> bytes:
    head = f"From: {player.address}\r\nTo: {reply_to(turn)}\r\nMessage-ID: <s{next(NUMBERS)}@example.org>\r\n\r\n"
    return head.encode() + move.encode()


def door(house: House) -> socket.socket:
    return socket.create_connection(("127.0.0.1", house.running.smtp_port), timeout=20)


def spoken(house: House, *said: bytes) -> list[bytes]:
    """Speak SMTP by hand: say each thing, and read one answer to it."""
    answers: list[bytes] = []
    with (
        socket.create_connection(("127.0.0.1", house.running.smtp_port), timeout=20) as line,
        line.makefile("rb") as out,
    ):
        out.readline()
        for one in said:
            line.sendall(one)
            answers.append(last_line(out.readline))
            if not answers[-1]:
                break
    return answers


def last_line(read: object) -> bytes:
    assert callable(read)
    found = bytes(read())
    while found[3:4] == b"-":
        found = bytes(read())
    return found


@pytest.mark.parametrize("form", FOREIGN)
@pytest.mark.parametrize("sender", ["eve@evil.example", "games@{domain}", ""])
def test_nothing_is_handed_on_elsewhere(here: House, form: str, sender: str) -> None:
    recipient = form.format(domain=here.domain, zeros="0" * 26)
    with smtplib.SMTP("127.0.0.1", here.running.smtp_port, local_hostname="localhost", timeout=20) as line:
        line.ehlo()
        assert line.docmd(f"MAIL FROM:<{sender.format(domain=here.domain)}>")[0] == 250
        assert 500 <= line.docmd(f"RCPT TO:<{recipient}>")[0] < 560


@pytest.mark.parametrize("form", FOREIGN[:6])
def test_nothing_is_handed_on_from_the_internet(there: House, form: str) -> None:
    recipient = form.format(domain=there.domain, zeros="0" * 26)
    assert there.others
    before = len(there.others.taken)
    raw = b"From: eve@evil.example\r\n\r\nHello.\r\n"
    assert 500 <= there.post(raw, "eve@evil.example", recipient) < 560
    assert len(there.others.taken) == before


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_no_second_mail_is_smuggled_in(here: House, end: bytes) -> None:
    table = here.table("martian-whist", "Ann", "Bob")
    player = table.mover
    turn = table.turn(player)
    move = table.seen_by(turn)["moves"][0]
    eve = here.player("Eve")
    outer = f"From: {eve.address}\r\nTo: {here.own_address}\r\nSubject: x\r\n\r\nhello".encode()
    inner = b"MAIL FROM:<%s>\r\nRCPT TO:<%s>\r\nDATA\r\n" % (player.address.encode(), reply_to(turn).encode())
    inner += mail_for(player, turn, move)
    said = [b"EHLO localhost\r\n", b"MAIL FROM:<%s>\r\n" % eve.address.encode()]
    said += [b"RCPT TO:<%s>\r\n" % here.own_address.encode(), b"DATA\r\n"]
    said += [outer + end + inner + b"\r\n.\r\n"]
    answers = spoken(here, *said)
    assert answers[3].startswith(b"354")
    here.settle()
    assert table.mover == player
    assert table.view["ply"] == table.seen_by(turn)["ply"]


@pytest.mark.parametrize("said", SPOKEN.values(), ids=SPOKEN.keys())
def test_a_line_that_asks_for_nothing_here_is_refused(here: House, said: bytes) -> None:
    answers = spoken(here, b"EHLO localhost\r\n", said + b"\r\n", b"NOOP\r\n")
    if said.startswith(b"VRFY"):
        # It says of nobody whether they are here (RFC 5321 section 7.3).
        assert answers[1][:3] in {b"252", b"502", b"550"}
    else:
        assert answers[1][:1] in {b"5", b""}
    if len(answers) > 2:
        assert answers[2][:3] == b"250"


@pytest.mark.parametrize("name", ["games", "postmaster", "nobody", "root", "ann"])
def test_nobody_learns_by_asking_who_is_here(here: House, name: str) -> None:
    known = spoken(here, b"EHLO localhost\r\n", f"VRFY {name}\r\n".encode())[1]
    assert known == spoken(here, b"EHLO localhost\r\n", b"VRFY somebody-else\r\n")[1]


@pytest.mark.parametrize("kind", ["play", "bounce", "unsub"])
def test_unknown_tokens_are_answered_alike(here: House, table: Table, kind: str) -> None:
    token = reply_to(table.turn(table.mover)).partition("@")[0].partition("+")[2]
    changed = ("1" if token[0] != "1" else "2") + token[1:]
    answers = {
        spoken(
            here, b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", f"RCPT TO:<{kind}+{one}@{here.domain}>\r\n".encode()
        )[2]
        for one in ("0" * 26, changed, "z" * 26, token[:-1], "x")
    }
    assert {answer[:9] for answer in answers} == {b"550 5.1.1"}


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 3_000_000])
@pytest.mark.parametrize("announced", [True, False])
def test_a_mail_that_is_too_large_is_refused(here: House, table: Table, size: int, announced: bool) -> None:  # noqa: FBT001
    player = table.mover
    turn = table.turn(player)
    raw = mail_for(player, turn, "take 1\r\n") + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (size // 72)
    with smtplib.SMTP("127.0.0.1", here.running.smtp_port, local_hostname="localhost", timeout=60) as line:
        line.ehlo()
        code, _ = line.mail(player.address, [f"SIZE={len(raw)}"] if announced else [])
        if not announced:
            line.rcpt(reply_to(turn))
            code, _ = line.data(raw)
    assert code == 552
    here.settle()
    assert table.mover == player


@pytest.mark.parametrize("length", [999, 5_000, 100_000, 900_000])
def test_a_line_without_end_is_no_fault(here: House, table: Table, length: int) -> None:
    player = table.mover
    raw = mail_for(player, table.turn(player), "x" * length + "\r\n")
    assert here.post(raw, player.address, reply_to(table.turn(player))) in {250, 500, 552, 554}
    here.settle()
    assert table.mover == player


def test_a_command_without_end_is_refused(here: House) -> None:
    answers = spoken(here, b"EHLO localhost\r\n", b"MAIL FROM:<" + b"x" * 200_000 + b">\r\n")
    assert answers[-1][:1] in {b"5", b""}


def test_what_is_said_at_once_is_answered_in_order(here: House) -> None:
    """Several commands in one packet are several commands, and those behind a refused one do not count as data."""
    said = b"MAIL FROM:<a@b.example>\r\nRCPT TO:<nobody@%s>\r\nDATA\r\nQUIT\r\n" % here.domain.encode()
    with (
        socket.create_connection(("127.0.0.1", here.running.smtp_port), timeout=20) as line,
        line.makefile("rb") as out,
    ):
        out.readline()
        line.sendall(b"EHLO x\r\n")
        last_line(out.readline)
        line.sendall(said)
        codes = [last_line(out.readline)[:3] for _ in range(4)]
    assert codes == [b"250", b"550", b"503", b"221"]


def test_one_refused_recipient_is_no_refusal_of_another(here: House) -> None:
    table = here.table("martian-whist", "Ann", "Bob")
    player = table.mover
    turn = table.turn(player)
    raw = mail_for(player, turn, table.seen_by(turn)["moves"][0] + "\r\n")
    assert here.post(raw, player.address, "nobody@" + here.domain, reply_to(turn)) == 550
    until(lambda: table.mover != player)


@pytest.mark.parametrize("local", ["postmaster", "Postmaster", "POSTMASTER", "abuse", "games", "GAMES"])
@pytest.mark.parametrize("house", ["here", "there"])
def test_those_who_run_the_service_are_reached(request: pytest.FixtureRequest, house: str, local: str) -> None:
    found: House = request.getfixturevalue(house)
    raw = f"From: x{next(NUMBERS)}@far.example\r\nMessage-ID: <{next(NUMBERS)}@far.example>\r\n\r\nHello.\r\n".encode()
    assert found.post(raw, "x@far.example", f"{local}@{found.domain}") == 250


@pytest.mark.parametrize("local", ["postmaster", "Postmaster"])
def test_the_postmaster_is_reached_without_a_domain(here: House, local: str) -> None:
    answers = spoken(here, b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", f"RCPT TO:<{local}>\r\n".encode())
    assert answers[2][:3] == b"250"


@pytest.mark.parametrize("change", ["upper", "swapped", "confused"])
def test_a_reply_address_is_known_however_a_mail_program_writes_it(here: House, change: str) -> None:
    table = here.table("martian-whist", "Ann", "Bob")
    player = table.mover
    turn = table.turn(player)
    to = reply_to(turn)
    local = to.partition("@")[0]
    written = {
        "upper": to.upper(),
        "swapped": to.swapcase(),
        "confused": f"play+{local.removeprefix('play+').replace('1', 'l').replace('0', 'O')}@{here.domain}",
    }[change]
    assert here.post(mail_for(player, turn, table.seen_by(turn)["moves"][0] + "\r\n"), player.address, written) == 250
    until(lambda: table.mover != player)
