"""What the doctor says of the ways of mail, out and in; the mail servers are real."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from pbem.ops.doctor import Level
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.live_service import free_port

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.ops.doctor.patient import Patient


def test_a_mail_server_takes_us_or_does_not(patient: Patient) -> None:
    with listening(Neighbour()) as where:
        plain = patient.with_settings(smtp_url=f"smtp://{where}")
        assert plain.only("mail out") == (Level.PASS, "127.0.0.1 accepts our mail, not encrypted.")
    level, said = plain.only("mail out")
    assert (level, said.split(":")[0]) == (Level.FAIL, "127.0.0.1 accepts no mail from us")


def test_a_password_that_is_not_taken_is_told(patient: Patient) -> None:
    neighbour = Neighbour()
    with listening(neighbour, authenticator=neighbour.login, auth_require_tls=False) as where:
        known = patient.with_settings(smtp_url=f"smtp://me:pass%20word@{where}")
        assert known.only("mail out") == (Level.PASS, "127.0.0.1 accepts our mail, not encrypted, as me.")
        level, said = patient.with_settings(smtp_url=f"smtp://me:wrong@{where}").only("mail out")
    assert (level, said[:38]) == (Level.FAIL, "127.0.0.1 accepts no mail from us: (53")
    assert neighbour.taken == []


def test_a_password_is_told_to_others_only_encrypted(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    neighbour = Neighbour()
    with listening(neighbour, authenticator=neighbour.login, auth_require_tls=False) as where:
        # A name that is no loopback's to those who read it, and leads there all the same.
        here, _, port = where.partition(":")
        resolve = socket.getaddrinfo
        monkeypatch.setattr("socket.getaddrinfo", lambda _host, *more, **named: resolve(here, *more, **named))
        url = f"smtp://me:pass%20word@mail.example.org:{port}"
        level, said = patient.with_settings(smtp_url=url).only("mail out")
    assert (level, said) == (Level.WARN, "The password is sent to mail.example.org without encryption.")


def test_an_encrypted_line_is_told(
    patient: Patient, certified: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certified)
    monkeypatch.setenv("SSL_CERT_FILE", str(certified[0]))
    neighbour = Neighbour()
    with listening(neighbour, authenticator=neighbour.login, tls_context=context) as where:
        _, _, port = where.partition(":")
        found = patient.with_settings(smtp_url=f"smtp://me:pass%20word@localhost:{port}").only("mail out")
    assert found == (Level.PASS, "localhost accepts our mail, encrypted, as me.")


def test_folders_for_mail_can_be_made_or_not(patient: Patient, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    assert patient.with_settings(smtp_url=f"maildir://{folder}").only("mail out")[0] is Level.PASS
    assert list(folder.iterdir()) == []
    (tmp_path / "file").touch()
    level, said = patient.with_settings(smtp_url=f"maildir://{tmp_path / 'file'}").only("mail out")
    assert (level, said.split(":")[0]) == (Level.FAIL, f"{tmp_path / 'file'} accepts no mail from us")


def test_ways_in_are_open_or_not(patient: Patient, tmp_path: Path) -> None:
    with listening(Neighbour()) as where:
        assert patient.with_settings(smtp_listen=where).only("ways in") == (Level.PASS, f"Mail is accepted at {where}.")
    closed = patient.with_settings(
        smtp_listen=where, lmtp_listen=where, maildir_in=str(tmp_path), imap_url=f"imap://ann:x@127.0.0.1:{free_port()}"
    )
    assert [level for level, _ in closed.told("ways in")] == [Level.WARN, Level.WARN, Level.FAIL, Level.FAIL]
    for part in ("new", "cur"):
        (tmp_path / part).mkdir()
    assert closed.told("ways in")[-1] == (Level.PASS, f"Mail is fetched from {tmp_path}.")
