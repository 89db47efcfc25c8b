"""Settings: each wrong value is refused with a sentence that says what to set."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import ConfigError, from_environment
from tests.house import settings

GOOD = settings("postgresql://user:password@host/pbem", Path("/var/mail"))


def test_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_OPEN", "1")  # only what is passed in counts
    config = from_environment(
        GOOD
        | {
            "DATABASE_URL": "postgres://host/pbem",
            "PBEM_SECRET_KEYS": f"{'a' * 32}, {'b' * 40}",
            "PBEM_BASE_URL": "https://Games.example.org/",
            "PBEM_MAIL_DOMAIN": "Games.Example.ORG",
            "PBEM_SMTP_URL": "smtps://me:secret@mail.example.org",
            "PBEM_OPEN": "0",
            "PBEM_OPERATOR_EMAIL": "op@example.org",
            "PBEM_LMTP_LISTEN": "[::1]:24",
        }
    )
    assert config.database_url == "postgresql+psycopg://host/pbem"
    assert config.secret_keys == ("a" * 32, "b" * 40)
    assert config.base_url == "https://Games.example.org"
    assert config.host == "games.example.org"
    assert config.service_address == "games@games.example.org"
    assert config.reply_address("x") == "play+x@games.example.org"
    assert (config.open_house, config.stays_here, config.mailbox) == (False, False, None)
    assert (config.smtp_listen, config.lmtp_listen) == ("127.0.0.1:8025", "[::1]:24")
    assert config.operator_email == "op@example.org"


def test_an_open_house_keeps_its_mail_here() -> None:
    config = from_environment(GOOD | {"PBEM_MAILBOX": "/var/mail", "PBEM_SMTP_LISTEN": "127.0.0.1:25"})
    assert (config.open_house, config.stays_here, config.mailbox) == (True, True, "/var/mail")
    assert config.smtp_listen == "127.0.0.1:25"


@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "REDIS_URL", "PBEM_SECRET_KEYS", "PBEM_BASE_URL", "PBEM_MAIL_DOMAIN", "PBEM_SMTP_URL"]
)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_what_is_needed_is_asked_for_with_an_example(name: str, value: str | None) -> None:
    environment = {key: text for key, text in GOOD.items() if key != name} | ({name: value} if value else {})
    with pytest.raises(ConfigError, match=f"^{name} is not set: set it, for example to "):
        from_environment(environment)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "sqlite:///x.db", "only PostgreSQL keeps what is promised here"),
        ("DATABASE_URL", "postgresql", "must begin with postgresql://"),
        ("PBEM_SECRET_KEYS", "short", "holds a key of fewer than 32 characters"),
        ("PBEM_SECRET_KEYS", f"{'a' * 40} short", "holds a key of fewer than 32 characters"),
        ("PBEM_SECRET_KEYS", ",", "holds a key of fewer than 32 characters"),
        ("PBEM_BASE_URL", "games.example.org", "must be an address like"),
        ("PBEM_BASE_URL", "ftp://games.example.org", "must be an address like"),
        ("PBEM_BASE_URL", "https://", "must be an address like"),
        ("PBEM_BASE_URL", "https://x.org/?a=b", "must be an address like"),
        ("PBEM_BASE_URL", "https://x.org/#a", "must be an address like"),
        ("PBEM_MAIL_DOMAIN", "games@example.org", "must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", "https://example.org", "must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", "two words", "must be a bare domain"),
        ("PBEM_SMTP_URL", "http://mail.example.org", "must be like smtp://localhost:25 or maildir:///var/mail"),
        ("PBEM_SMTP_URL", "smtp:", "must be like smtp://localhost:25"),
        ("PBEM_SMTP_URL", "smtp://localhost:25", "PBEM_OPEN=1 would let anybody"),
        ("PBEM_SMTP_LISTEN", "127.0.0.1", "PBEM_SMTP_LISTEN must be like 127.0.0.1:8025"),
        ("PBEM_LMTP_LISTEN", "here:there", "PBEM_LMTP_LISTEN must be like 127.0.0.1:8025"),
    ],
)
def test_a_wrong_value_is_refused_with_its_sentence(name: str, value: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        from_environment(GOOD | {name: value})


def test_a_refusal_of_the_mail_servers_address_does_not_tell_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        from_environment(GOOD | {"PBEM_SMTP_URL": "https://me:hunter2@mail.example.org"})
    assert "hunter2" not in str(refused.value)


def test_everybodys_mail_is_shown_only_where_it_stays_here() -> None:
    wrong = {"PBEM_OPEN": "0", "PBEM_MAILBOX": "/var/mail", "PBEM_SMTP_URL": "smtp://localhost:25"}
    with pytest.raises(ConfigError, match="PBEM_MAILBOX shows everybody's mail"):
        from_environment(GOOD | wrong)
