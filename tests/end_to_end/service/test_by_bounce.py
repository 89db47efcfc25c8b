"""A mail that comes back, the whole way on the running service: SMTP, score, suppression, page, table."""

from __future__ import annotations

import smtplib
import urllib.request
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.support.emails.parsing.bounces import UNKNOWN_USER, report
from tests.support.live_service import LiveService, text_of, token_in, until

if TYPE_CHECKING:
    from email.message import EmailMessage


NAMES = ("Uli", "Vito", "Wanda")
"""Nobody else of the shared service is called so: mail to one of them fails from here on."""


def flat(mail: EmailMessage) -> str:
    return " ".join(text_of(mail).split())


def returns_to(mail: EmailMessage) -> str:
    return str(mail["Return-Path"]).strip("<>")


def come_back(live_service: LiveService, to: str) -> None:
    """Report from the null sender, as mail servers do."""
    with smtplib.SMTP("127.0.0.1", live_service.smtp_port, local_hostname="mx.example.org", timeout=120) as smtp:
        smtp.sendmail("", [to], report(*UNKNOWN_USER).replace(b"\n", b"\r\n"))


def words(live_service: LiveService, path: str) -> str:
    with urllib.request.urlopen(live_service.url + path, timeout=120) as answer:
        return str(answer.read().decode())


def test_a_mail_that_comes_back_is_seen_by_its_player_and_by_the_table(live_service: LiveService) -> None:
    match = live_service.start_match("middle-card", {}, *NAMES)
    name, turn, view = until(partial(live_service.next_turn, match, NAMES))
    tokens = [returns_to(mail) for mail in live_service.mails(name)]
    assert len(set(tokens)) == len(tokens) > 1
    for token in tokens[:2]:
        come_back(live_service, token)
    own = words(live_service, f"/m/{token_in(turn)}")
    assert f"Mail to {name[0].lower()}…@example.org has not arrived since" in own
    said = f"Mail to {name} (seat {view['seat']}) has failed since"
    assert said in words(live_service, f"/matches/{match}")
    # Nothing more is sent there, and the others read it in their next mail.
    known = len(live_service.mails(name))
    assert live_service.reply(name, turn, view["moves"][0])
    other, told, _view = until(partial(live_service.next_turn, match, NAMES, view["ply"]))
    assert other != name
    assert said in flat(told)
    assert len(live_service.mails(name)) == known


def test_a_report_to_a_token_that_was_never_given_out_is_refused(live_service: LiveService) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        come_back(live_service, f"bounce+{'0' * 26}@games.localhost")
    assert [code for code, _ in refused.value.recipients.values()] == [550]
