"""Mail from a mailbox elsewhere, by a real IMAP server."""

from __future__ import annotations

import imaplib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, select

from emails.inbound.transports.imap import PollError, poll
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import ImapCursor, ServiceMail, Submission
from tests.support.house import House, reply
from tests.support.mailservers import Imap, dovecot

if TYPE_CHECKING:
    from collections.abc import Iterator


NOBODY = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})


@pytest.fixture(scope="module")
def server() -> Iterator[Imap]:
    with dovecot() as server:
        yield server


@pytest.fixture
def imap(server: Imap) -> Iterator[imaplib.IMAP4]:
    """Somebody else's connection to the mailbox, empty at first."""
    with imaplib.IMAP4("127.0.0.1", server.port) as other:
        other.login("ann", "secret")
        for box in ("Taken", "INBOX"):
            if other.select(box)[1] != [b"0"]:
                other.store("1:*", "+FLAGS", "\\Deleted")
                other.expunge()
        yield other


def put(imap: imaplib.IMAP4, *mails: bytes) -> None:
    for raw in mails:
        assert imap.append("INBOX", "", "", raw)[0] == "OK"


def flags(imap: imaplib.IMAP4, box: str = "INBOX") -> list[bool]:
    """Return of each mail in a mailbox whether it is marked as read."""
    imap.select(box, readonly=True)
    count = len(imap.search(None, "ALL")[1][0].split())
    seen = imap.search(None, "SEEN")[1][0].split()
    return [str(number).encode() in seen for number in range(1, count + 1)]


def mails(house: House, *texts: str) -> list[bytes]:
    house.start_match("minimax", 1)
    turn = house.last("Ann")
    return [reply(turn, text).as_bytes() for text in texts]


def polled(house: House, server: Imap, more: str = "") -> int:
    return poll(house.engine, house.config, server.url + more)


def test_each_new_mail_is_kept_once_and_marked_as_read(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    first, second, third = mails(house, "help", "board", "rules")
    put(imap, first, second)
    assert polled(house, server) == 2
    assert flags(imap) == [True, True]
    assert polled(house, server) == 0
    put(imap, third, second)
    assert polled(house, server) == 2
    assert len(house.all(select(Submission.id))) == 3


def test_a_move_is_played(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    match_id = house.start_match("minimax", 1)
    put(imap, reply(house.last("Ann"), house.legal(match_id, 1)[0]).as_bytes())
    assert polled(house, server) == 1
    house.judge(match_id)
    assert house.match(match_id).log_length == 1


def test_what_is_for_nobody_and_what_is_too_large_stays_unread(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    (mine,) = mails(house, "help")
    large = b"To: games@games.localhost\r\n\r\n" + b"x\r\n" * (MAX_MAIL_BYTES // 3 + 1)
    put(imap, b"To: bo@example.org\r\n\r\nHello", large, mine)
    assert polled(house, server) == 3
    assert flags(imap) == [False, False, True]
    assert polled(house, server) == 0
    assert house.all(select(ServiceMail.id)) == []


def test_kept_mail_may_be_moved_to_a_folder(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    put(imap, *mails(house, "help"))
    assert polled(house, server, "?move=Taken") == 1
    assert (flags(imap), flags(imap, "Taken")) == ([], [True])


def test_a_mail_that_is_not_kept_is_not_marked_and_is_taken_later(
    house: House, server: Imap, imap: imaplib.IMAP4
) -> None:
    texts = [f"help {number}" for number in range(12)]
    (letter,) = (b"To: games@games.localhost\r\nFrom: bo@x.org\r\n\r\nHello",)
    put(imap, *mails(house, *texts), letter)
    strict = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    assert polled(strict, server) == 11
    assert flags(imap) == [True] * 10 + [False] * 2 + [True]
    assert [poll.uid for poll in house.all(select(ImapCursor))] == [uid(imap, 10)]
    # Without limits it goes on where it stood; what was kept already is known.
    assert polled(house, server) == 3
    assert flags(imap) == [True] * 13
    assert len(house.all(select(Submission.id))) == 12
    assert len(house.all(select(ServiceMail.id))) == 1


def uid(imap: imaplib.IMAP4, number: int) -> int:
    imap.select("INBOX", readonly=True)
    return int(imap.uid("SEARCH", "ALL")[1][0].split()[number - 1])


def test_without_the_database_nothing_is_marked(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    put(imap, *mails(house, "help"))
    with pytest.raises(Exception, match="connection"):
        polled(replace(house, engine=NOBODY), server)
    assert flags(imap) == [False]
    assert polled(house, server) == 1


def test_a_mailbox_that_was_made_anew_is_read_anew(house: House, server: Imap, imap: imaplib.IMAP4) -> None:
    first, second = mails(house, "help", "board")
    put(imap, first)
    polled(house, server)
    (before,) = house.all(select(ImapCursor))
    imap.logout()
    with imaplib.IMAP4("127.0.0.1", server.port) as other:
        other.login("ann", "secret")
        other.create("Anew")
        other.append("Anew", "", "", first)
        other.append("Anew", "", "", second)
        renamed = server.url.replace("INBOX", "Anew")
        assert poll(house.engine, house.config, renamed) == 2
        other.delete("Anew")
        other.create("Anew")
        other.append("Anew", "", "", second)
        assert poll(house.engine, house.config, renamed) == 1
    validities = house.all(select(ImapCursor.uid_validity))
    assert before.validity in validities
    assert len(validities) == 2
    assert len(house.all(select(Submission.id))) == 2


@pytest.mark.parametrize(
    ("change", "wrong"), [(("secret", "wrong"), "AUTHENTICATIONFAILED"), (("INBOX", "Nowhere"), "doesn't exist")]
)
def test_what_the_server_refuses_is_told(house: House, server: Imap, change: tuple[str, str], wrong: str) -> None:
    with pytest.raises(PollError, match=wrong):
        poll(house.engine, house.config, server.url.replace(*change))
