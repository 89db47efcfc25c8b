"""What a mail was refused for: a table of what mail servers say."""

from __future__ import annotations

import pytest

from pbem.play.notifications.smtp_status import classify, parse_status, reason_key, reason_text, redact

SAID = [
    ("5.1.1", "550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown in local recipient table", "hard"),
    ("5.1.1", "550-5.1.1 The email account that you tried to reach does not exist.", "hard"),
    ("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup", "hard"),
    ("5.1.1", "550 5.1.1 unknown user: rejected by the policy of this domain", "hard"),
    ("5.1.2", "Host or domain name not found. Name service error", "hard"),
    ("5.2.1", "550 5.2.1 The email account that you tried to reach is disabled.", "hard"),
    ("5.0.0", "550 No such user here", "hard"),
    ("5.4.4", "unable to route", "hard"),
    ("", "There is no such mailbox", "hard"),
    ("5.0.0", "550 Requested action not taken", "hard"),
    ("5.2.2", "552 5.2.2 The email account that you tried to reach is over quota", "soft"),
    ("5.0.0", "550 Mailbox is full", "soft"),
    ("5.3.4", "552 5.3.4 Message size exceeds fixed limit", "soft"),
    ("5.6.0", "554 5.6.0 Message contains invalid header", "soft"),
    ("5.4.7", "delivery time expired", "soft"),
    ("4.4.7", "message expired", "soft"),
    ("4.0.0", "451 Requested action aborted: local error in processing", "soft"),
    ("4.2.0", "450 4.2.0 Greylisted, see postgrey", "soft"),
    ("4.7.1", "451 4.7.1 Greylisting in action, please come back later", "soft"),
    ("", "", "soft"),
    ("", "Sorry.", "soft"),
    ("5.7.1", "550 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org", "policy"),
    ("5.7.26", "550-5.7.26 This mail has been blocked because the sender is unauthenticated.", "policy"),
    ("5.7.511", "550 5.7.511 Access denied, banned sender", "policy"),
    ("5.7.1", "550 5.7.1 Message rejected", "policy"),
    ("4.7.0", "421-4.7.0 unusual rate of unsolicited mail originating from your IP address", "policy"),
    ("4.7.28", "421-4.7.28 Gmail has detected an unusual rate of mail", "policy"),
    ("4.0.0", "421 RP-001 The mail server IP connecting has exceeded the rate limit allowed", "policy"),
    ("5.0.0", "554 Denied: your IP is on a block list", "policy"),
    ("5.0.0", "550 SC-001 Unfortunately, messages from 192.0.2.1 weren't sent due to poor reputation", "policy"),
    ("5.0.0", "554 5.0.0 rejected as spam", "policy"),
    ("5.1.8", "553 5.1.8 Sender address rejected: Domain not found", "policy"),
    ("5.1.1", "550 5.1.1 rejected: listed at a DNSBL", "policy"),
]


@pytest.mark.parametrize(("status", "text", "kind"), SAID)
def test_what_servers_say_is_understood(status: str, text: str, kind: str) -> None:
    assert classify(status, text) == kind


def test_an_answer_of_smtp_tells_its_status_or_its_first_digit() -> None:
    assert parse_status(550, "5.1.1 User unknown") == "5.1.1"
    assert parse_status(550, "User unknown at 192.0.2.5") == "5.0.0"
    assert parse_status(421, "") == "4.0.0"


@pytest.mark.parametrize(
    ("kind", "status", "text", "words"),
    [
        ("hard", "5.1.1", "", "mailbox unknown"),
        ("hard", "5.0.0", "no such user", "mailbox unknown"),
        ("hard", "5.4.4", "", "refused by their mail server"),
        ("soft", "5.2.2", "", "mailbox full"),
        ("soft", "5.0.0", "over quota", "mailbox full"),
        ("soft", "4.4.1", "", "temporarily refused"),
        ("complaint", "", "abuse", "reported as unwanted"),
    ],
)
def test_people_are_told_why_in_a_word(kind: str, status: str, text: str, words: str) -> None:
    assert reason_text(reason_key(kind, status, text)) == words  # type: ignore[arg-type]
    assert reason_text(None) == "refused by their mail server"


def test_an_address_is_told_so_that_only_its_owner_knows_it() -> None:
    assert redact("ann@example.org") == "a…@example.org"
    assert redact("@example.org") == "…@example.org"
