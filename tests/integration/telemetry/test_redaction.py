"""Tokens, keys, passwords and mail addresses are taken out of whatever is written for operators."""

from __future__ import annotations

import pytest

from tests.support.telemetry.redaction import scrub


@pytest.mark.parametrize(
    "line",
    [
        "judged: played submission=0123456789ab match=0123456789abcdefghjk notice=12345678901",
        "2026-11-22 10:00:00,123 INFO pbem.play.inbox.judge: judged",
        'File "/opt/pbem/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line 1234, in _execute_context',
        "psycopg.errors.TransactionRollbackError: deadlock detected",
        "smtplib.SMTPRecipientsRefused: {}",
        "connection to server at 192.0.2.7, port 5432 failed",
        "amqp://broker:5672//",
        "a @ b is no address, and neither is @decorated",
        "https://games.example.org/rules/montauk?seat=2#the-market",
    ],
)
def test_what_is_nobodys_secret_stays(line: str) -> None:
    assert scrub(line) == line
