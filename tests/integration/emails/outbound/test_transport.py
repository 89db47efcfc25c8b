"""Handing mails on: into folders, or over one kept connection to a mail server."""

from __future__ import annotations

import mailbox
from typing import TYPE_CHECKING, Any

import pytest
from aiosmtpd.lmtp import LMTP

from emails.outbound.connection_pool import ConnectionPool, pooled_transport
from emails.outbound.maildir import folder_name, maildir_path
from emails.outbound.transport import (
    MAX_MAILS_PER_CONNECTION,
    DeliveryError,
    MaildirTransport,
    SmtpTransport,
    UnreachableError,
)
from tests.support.emails.inbound.servers import CUT, Neighbour, listening
from tests.support.emails.outbound.transport import RAW, config_for, line, neighbour, way
from tests.support.live_service import until

if TYPE_CHECKING:
    from pathlib import Path

    from emails.outbound.transport import Transport
    from pbem.config import Config

__all__ = ["line", "neighbour"]


# -- folders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ann@example.org", "ann@example.org"),
        ("Ann+Games@Example.ORG", "ann+games@example.org"),
        (".ann@example.org", "%2Eann@example.org"),
        ("../../etc@x.org", "%2E.%2F..%2Fetc@x.org"),
        ("a b/c\\d:e@x.org", "a%20b%2Fc%5Cd%3Ae@x.org"),
        ("grüße@x.org", "gr%C3%BC%C3%9Fe@x.org"),
    ],
)
def test_an_address_is_named_as_a_safe_folder(address: str, name: str, tmp_path: Path) -> None:
    assert folder_name(address) == name
    assert maildir_path(tmp_path, address).parent == tmp_path


def test_a_mail_is_put_into_its_recipients_folder_with_the_line_ends_of_files(tmp_path: Path) -> None:
    folders = way(f"maildir://{tmp_path}/all%20mail")
    assert isinstance(folders, MaildirTransport)
    folders.send("games@x.org", "Ann@example.org", RAW)
    folders.send("games@x.org", "ann@example.org", RAW)
    folders.close()
    box = mailbox.Maildir(tmp_path / "all mail" / "ann@example.org", factory=None)
    noted = b"Return-Path: <games@x.org>\n" + RAW.replace(b"\r\n", b"\n")
    assert [box.get_bytes(key) for key in box.keys()] == [noted] * 2  # noqa: SIM118
    assert (tmp_path / "all mail").stat().st_mode & 0o777 == 0o700


# -- a line to a mail server ---------------------------------------------------------------------------


def test_several_mails_go_over_one_connection_whole(neighbour: Neighbour, line: SmtpTransport) -> None:
    for name in ("ann", "bob"):
        line.send("games@x.org", f"{name}@example.org", RAW)
    assert neighbour.taken == [("ann@example.org", RAW), ("bob@example.org", RAW)]
    assert neighbour.connections == 1


@pytest.mark.parametrize(
    ("answers", "permanent", "sentence"),
    [
        ({"at_rcpt": ["450 4.2.1 Mailbox busy"]}, False, "4.2.1 Mailbox busy"),
        ({"at_rcpt": ["550 5.1.1 No such user"]}, True, "5.1.1 No such user"),
        ({"at_data": ["451 4.3.0 Try again"]}, False, "4.3.0 Try again"),
        ({"at_data": ["554 5.7.1 Spam"]}, True, "5.7.1 Spam"),
    ],
)
def test_a_refusal_is_told_and_the_next_mail_goes_over_the_same_connection(
    neighbour: Neighbour, line: SmtpTransport, answers: dict[str, list[str]], permanent: object, sentence: str
) -> None:
    neighbour.at_rcpt, neighbour.at_data = answers.get("at_rcpt", []), answers.get("at_data", [])
    with pytest.raises(DeliveryError, match=sentence) as refused:
        line.send("games@x.org", "ann@example.org", RAW)
    assert refused.value.permanent is permanent
    line.send("games@x.org", "bob@example.org", RAW)
    assert neighbour.taken == [("bob@example.org", RAW)]
    assert neighbour.connections == 1


def test_a_refusal_or_a_lost_connection_costs_no_other_mail(neighbour: Neighbour, line: SmtpTransport) -> None:
    neighbour.at_rcpt = ["550 5.1.1 No such user", "250 OK", CUT]
    with pytest.raises(DeliveryError, match=r"5\.1\.1") as refused:
        line.send("games@x.org", "ann@example.org", RAW)
    assert (refused.value.permanent, refused.value.code) == (True, 550)
    line.send("games@x.org", "bob@example.org", RAW)
    with pytest.raises(DeliveryError) as broken:
        line.send("games@x.org", "cyd@example.org", RAW)
    assert (broken.value.permanent, broken.value.code) == (False, 0)
    line.send("games@x.org", "dee@example.org", RAW)
    assert neighbour.taken == [("bob@example.org", RAW), ("dee@example.org", RAW)]
    assert neighbour.senders == ["games@x.org"] * 2
    assert neighbour.connections == 2
    # What breaks a line here is none of the address there.
    line.send("games@x.org", "eve@example.org\r\nRCPT TO:<fay@example.org>", RAW)
    assert neighbour.taken[2:] == [("eve@example.org", RAW)]


def test_a_full_folder_is_temporary(tmp_path: Path) -> None:
    (tmp_path / "ann@example.org").write_text("no folder")
    with pytest.raises(DeliveryError) as refused:
        MaildirTransport(str(tmp_path)).send("games@x.org", "ann@example.org", RAW)
    assert (refused.value.permanent, refused.value.code) == (False, 0)
    with pytest.raises(UnreachableError):
        MaildirTransport(str(tmp_path / "ann@example.org")).open()


@pytest.mark.parametrize("where", ["at_rcpt", "at_data"])
def test_a_line_that_is_cut_is_temporary_and_is_opened_again(
    neighbour: Neighbour, line: SmtpTransport, where: str
) -> None:
    setattr(neighbour, where, [CUT])
    with pytest.raises(DeliveryError) as broken:
        line.send("games@x.org", "ann@example.org", RAW)
    assert not broken.value.permanent
    line.send("games@x.org", "ann@example.org", RAW)
    assert neighbour.taken == [("ann@example.org", RAW)]
    assert neighbour.connections == 2


def test_a_421_says_goodbye_and_is_temporary(neighbour: Neighbour, line: SmtpTransport) -> None:
    neighbour.at_rcpt = ["421 4.7.0 Too many"]
    with pytest.raises(DeliveryError) as refused:
        line.send("games@x.org", "ann@example.org", RAW)
    assert not refused.value.permanent
    line.send("games@x.org", "ann@example.org", RAW)
    assert neighbour.connections == 2


def test_nobody_at_home_is_temporary() -> None:
    line = way("smtp://127.0.0.1:1")
    with pytest.raises(DeliveryError) as refused:
        line.send("games@x.org", "ann@example.org", RAW)
    assert not refused.value.permanent
    line.close()


def test_lmtp_is_spoken_where_it_is_asked_for(neighbour: Neighbour) -> None:
    with listening(neighbour, LMTP) as where:
        line = way(f"lmtp://{where}")
        line.send("games@x.org", "ann@example.org", RAW)
        line.close()
    assert neighbour.taken == [("ann@example.org", RAW)]


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_user_in_the_url_logs_in(neighbour: Neighbour) -> None:
    door: dict[str, Any] = {"authenticator": neighbour.login, "auth_require_tls": False, "auth_required": True}
    with listening(neighbour, **door) as where:
        line = way(f"smtp://me:pass%20word@{where}")
        line.send("games@x.org", "ann@example.org", RAW)
        line.close()
    assert neighbour.logins[0] == (b"me", b"pass word")
    assert len(neighbour.taken) == 1


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
@pytest.mark.parametrize("user", ["me:wrong@", ""])
def test_a_login_that_is_refused_or_missing_loses_no_mail(neighbour: Neighbour, user: str) -> None:
    door: dict[str, Any] = {"authenticator": neighbour.login, "auth_require_tls": False, "auth_required": True}
    with listening(neighbour, **door) as where:
        line = way(f"smtp://{user}{where}")
        with pytest.raises(DeliveryError) as refused:
            line.send("games@x.org", "ann@example.org", RAW)
        line.close()
    assert not refused.value.permanent


def test_smtps_speaks_tls_from_the_start(neighbour: Neighbour) -> None:
    with listening(neighbour) as where:
        line = way(f"smtps://{where}")
        with pytest.raises(DeliveryError) as refused:
            line.send("games@x.org", "ann@example.org", RAW)
        line.close()
    assert not refused.value.permanent


# -- lines that are kept for the next mails ------------------------------------------------------------


def send_by(config: Config, count: int = 1) -> None:
    with pooled_transport(config) as way:
        send_over(way, count)


def send_over(way: Transport, count: int = 1) -> None:
    way.open()
    for _mail in range(count):
        way.send("games@x.org", "ann@example.org", RAW)


def test_a_line_that_was_hung_up_meanwhile_is_opened_again_and_no_mail_suffers(neighbour: Neighbour) -> None:
    with listening(neighbour) as where:
        config = config_for(f"smtp://{where}")
        send_by(config)
        neighbour.hang_up()
        send_by(config)
    assert (len(neighbour.taken), neighbour.connections) == (2, 2)


def test_two_at_once_have_a_line_each(neighbour: Neighbour) -> None:
    with listening(neighbour) as where:
        config = config_for(f"smtp://{where}")
        with pooled_transport(config) as one, pooled_transport(config) as other:
            one.open()
            other.open()
            assert one is not other
        send_by(config)
        send_by(config)
    assert neighbour.connections == 2


def test_a_line_is_closed_where_its_user_has_failed(neighbour: Neighbour) -> None:
    with listening(neighbour) as where:
        config = config_for(f"smtp://{where}")
        neighbour.at_data.append("550 No")
        with pytest.raises(DeliveryError), pooled_transport(config) as way:
            send_over(way)
        assert not way.is_reusable
        send_by(config)
    assert neighbour.connections == 2


def test_a_line_that_nobody_uses_is_let_go_of(line: SmtpTransport) -> None:
    lines = ConnectionPool(idle=0.1)
    line.open()
    lines.release(line)
    until(lambda: not line.is_reusable)
    assert lines.acquire() is None
    line.open()
    lines.release(line)
    until(lambda: not line.is_reusable)


def test_a_line_takes_so_many_mails_and_no_more(neighbour: Neighbour) -> None:
    with listening(neighbour) as where:
        send_by(config_for(f"smtp://{where}"), MAX_MAILS_PER_CONNECTION + 1)
    assert (len(neighbour.taken), neighbour.connections) == (MAX_MAILS_PER_CONNECTION + 1, 2)
