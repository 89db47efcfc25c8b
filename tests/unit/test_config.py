"""Settings: each wrong value is refused with a sentence that says what to set."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pbem.config import SETTING_NAMES, ConfigError, from_environment
from tests.support.house import settings
from tests.support.places import ROOT

GOOD = settings("postgresql://user:password@host/pbem", Path("/var/mail"))


RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"


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
    assert (config.allow_anonymous, config.is_mail_local, config.dev_mailbox) == (False, False, None)
    assert (config.smtp_listen, config.lmtp_listen) == ("127.0.0.1:8025", "[::1]:24")
    assert config.smtp_processes == 1
    assert config.operator_email == "op@example.org"


def test_an_open_house_keeps_its_mail_here() -> None:
    config = from_environment(GOOD | {"PBEM_DEV_MAILBOX": "/var/mail", "PBEM_SMTP_LISTEN": "127.0.0.1:25"})
    assert (config.allow_anonymous, config.is_mail_local, config.dev_mailbox) == (True, True, "/var/mail")
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
        ("DATABASE_URL", "sqlite:///x.db", "only PostgreSQL is supported"),
        ("DATABASE_URL", "postgresql", "must begin with postgresql://"),
        ("PBEM_SECRET_KEYS", "short", "holds a key with fewer than 32 characters"),
        ("PBEM_SECRET_KEYS", f"{'a' * 40} short", "holds a key with fewer than 32 characters"),
        ("PBEM_SECRET_KEYS", ",", "holds a key with fewer than 32 characters"),
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
        ("PBEM_REPLY_DOMAIN", "reply@example.org", "PBEM_REPLY_DOMAIN must be a bare domain"),
        ("PBEM_REPLY_DOMAIN", "Games.localhost", "PBEM_REPLY_DOMAIN must differ from PBEM_MAIL_DOMAIN"),
        ("PBEM_INCOMING_KEY", "short", "PBEM_INCOMING_KEY must have at least 32 characters"),
        ("PBEM_IMAP_URL", "https://me:x@mail.example.org", "PBEM_IMAP_URL must be like imaps://"),
        ("PBEM_IMAP_URL", "imaps://mail.example.org", "PBEM_IMAP_URL must be like imaps://"),
        ("PBEM_IMAP_URL", "imaps:///INBOX", "PBEM_IMAP_URL must be like imaps://"),
        ("PBEM_MAILDIR_IN", "mail", "PBEM_MAILDIR_IN must be an absolute path"),
        ("PBEM_TRUSTED_RELAYS", "mail.example.org", "PBEM_TRUSTED_RELAYS must hold addresses or networks"),
        ("PBEM_AUTHSERV_ID", "mx.example.org; dmarc=pass", "PBEM_AUTHSERV_ID must be the name at the start"),
        ("PBEM_AUTHSERV_ID", "mx.example.org mx2.example.org", "PBEM_AUTHSERV_ID must be the name at the start"),
        ("PBEM_AUTHSERV_ID", "https://mx.example.org", "like mx.example.org, not https://mx.example.org"),
        ("PBEM_MAIL_ADDRESS", "club", "PBEM_MAIL_ADDRESS must be an address like club@example.org"),
        ("PBEM_MAIL_ADDRESS", "@games.localhost", "PBEM_MAIL_ADDRESS must be an address"),
        ("PBEM_MAIL_ADDRESS", "club+x@games.localhost", "PBEM_MAIL_ADDRESS must be an address"),
        ("PBEM_MAIL_ADDRESS", "club@elsewhere.org", "PBEM_MAIL_DOMAIN the part after its @"),
        ("PBEM_SMTP_PROCESSES", "0", "PBEM_SMTP_PROCESSES must be a number of processes like 2, not 0"),
        ("PBEM_SMTP_PROCESSES", "two", "PBEM_SMTP_PROCESSES must be"),
        ("PBEM_LIMITS", "on", "PBEM_LIMITS must be off, or some of token=10 from=30 address=60 domain=600"),
        ("PBEM_LIMITS", "hour=3", "PBEM_LIMITS must be off"),
        ("PBEM_LIMITS", "from=0", "PBEM_LIMITS must be off"),
        ("PBEM_LIMITS", "from=ten", "PBEM_LIMITS must be off"),
        ("PBEM_MIN_FREE_DISK", "some", "PBEM_MIN_FREE_DISK must be off"),
        ("PBEM_MIN_FREE_DISK", "5% 3 parsecs", "PBEM_MIN_FREE_DISK must be off"),
        ("PBEM_DATA", "data", "PBEM_DATA must be an absolute path"),
        ("PBEM_DATA", "/nonexistent", "PBEM_DATA must be an existing folder, like /var/lib/pbem: there is none"),
        ("DATABASE_URL", "postgresql://me:hidden@host:abc/pbem", "DATABASE_URL must be like postgresql://"),
        ("DATABASE_URL", "postgresql://me:hidden@host:0/pbem", "a port is a number from 1 to 65535"),
        ("REDIS_URL", "http://me:hidden@x", "REDIS_URL must be like redis://localhost:6379/0"),
        ("REDIS_URL", "localhost:6379", "REDIS_URL must be like redis://localhost:6379/0"),
        ("REDIS_URL", "localhost", "REDIS_URL must be like .* not without a scheme"),
        ("REDIS_URL", "redis://me:hidden@x:99999/0", "REDIS_URL must be like redis://localhost:6379/0: a port is"),
        ("REDIS_URL", "redis://x/first", "REDIS_URL must be like redis://localhost:6379/0"),
        ("PBEM_BASE_URL", "https://games.example.org/games", "without a path"),
        ("PBEM_BASE_URL", "https://games.example.org:99999", "a port is a number from 1 to 65535"),
        ("PBEM_BASE_URL", "https://me:hidden@games.example.org", "without a user name or password"),
        ("PBEM_BASE_URL", "https://[::1", "PBEM_BASE_URL must be like https://games.example.org"),
        ("PBEM_MAIL_DOMAIN", "games..test", "PBEM_MAIL_DOMAIN must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", ".games.test", "PBEM_MAIL_DOMAIN must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", "-games.test", "PBEM_MAIL_DOMAIN must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", f"{'x' * 64}.test", "PBEM_MAIL_DOMAIN must be a bare domain"),
        ("PBEM_MAIL_DOMAIN", ".".join(["x" * 60] * 5), "PBEM_MAIL_DOMAIN must be a bare domain"),
        ("PBEM_SMTP_URL", "smtp://me:hidden@h:abc", "PBEM_SMTP_URL must be like smtp://localhost:25: a port is"),
        ("PBEM_SMTP_URL", "smtp:///h", "it names no server"),
        ("PBEM_IMAP_URL", "imaps://me:hidden@h:abc/INBOX", "PBEM_IMAP_URL must be like imaps://.* a port is"),
        ("PBEM_SMTP_LISTEN", "127.0.0.1:99999", "PBEM_SMTP_LISTEN must be like 127.0.0.1:8025"),
        ("PBEM_LMTP_LISTEN", "127.0.0.1:²", "PBEM_LMTP_LISTEN must be like 127.0.0.1:8025"),
        ("PBEM_OPERATOR_EMAIL", "not-an-address", "PBEM_OPERATOR_EMAIL must be a mail address like"),
        ("PBEM_OPERATOR_EMAIL", "Me <me@example.org>", "PBEM_OPERATOR_EMAIL must be a mail address like"),
        ("PBEM_OPERATOR_EMAIL", "me@example..org", "PBEM_OPERATOR_EMAIL must be a mail address like"),
        ("PBEM_OPERATOR_EMAIL", "op@Games.localhost", "PBEM_OPERATOR_EMAIL must be a mailbox elsewhere"),
        ("PBEM_IMPRINT_URL", "imprint", "PBEM_IMPRINT_URL must be the address of a page, like https://"),
        ("PBEM_PRIVACY_URL", "javascript:alert(1)", "PBEM_PRIVACY_URL must be the address of a page"),
        ("PBEM_PRIVACY_URL", "https://me:hidden@example.org/", "PBEM_PRIVACY_URL must be the address of a page"),
        ("PBEM_BACKUP_FOR", "foo", "PBEM_BACKUP_FOR must hold recipients like age1…, not foo"),
    ],
)
def test_a_wrong_value_is_refused_with_its_sentence(name: str, value: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence) as refused:
        from_environment(GOOD | {name: value})
    assert "hidden" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REDIS_URL", "rediss://me:secret@broker.example.org:6380/15"),
        ("REDIS_URL", "redis+socket:///run/valkey.sock?virtual_host=1"),
        ("REDIS_URL", "amqp://me:secret@broker.example.org//"),
        ("DATABASE_URL", "postgresql://pbem@/pbem?host=/run/postgresql"),
        ("DATABASE_URL", "postgresql://pbem:a%2Fb%40c@[2001:db8::1]:5433/pbem"),
        ("PBEM_BASE_URL", "http://[::1]:8000/"),
        ("PBEM_SMTP_URL", "maildir:///var/mail"),
        ("PBEM_SMTP_LISTEN", "127.0.0.1:0"),
        ("PBEM_MAIL_DOMAIN", "xn--bcher-kva.example"),
        ("PBEM_DATA", "/"),
        ("PBEM_OPERATOR_EMAIL", "me+games@sub.games.localhost"),
        ("PBEM_BACKUP_FOR", f"{RECIPIENT} {RECIPIENT}"),
        ("PBEM_IMPRINT_URL", "https://example.org/about?lang=de#imprint"),
    ],
)
def test_a_value_that_is_as_it_should_be_is_taken(name: str, value: str) -> None:
    from_environment(GOOD | {name: value})


def test_who_has_a_mailbox_at_the_same_provider_is_another_than_the_service() -> None:
    provider = {"PBEM_MAIL_DOMAIN": "provider.example", "PBEM_MAIL_ADDRESS": "club@provider.example"}
    config = from_environment(GOOD | provider | {"PBEM_OPERATOR_EMAIL": "me@provider.example"})
    assert config.operator_email == "me@provider.example"
    with pytest.raises(ConfigError, match="goes to the service itself"):
        from_environment(GOOD | provider | {"PBEM_OPERATOR_EMAIL": "Club@provider.example"})


def test_what_is_no_setting_is_named_with_the_one_that_may_be_meant() -> None:
    told = {"PBEM_OPERATOR_MAIL": "me@example.org", "PBEM_SMTP": "x", "PBEM_XYZZY": "1", "OTHER": "1"}
    assert from_environment(GOOD | told).unknown_settings == (
        "PBEM_OPERATOR_MAIL is not a setting and is ignored. Did you mean PBEM_OPERATOR_EMAIL?",
        "PBEM_SMTP is not a setting and is ignored. Did you mean PBEM_SMTP_URL?",
        "PBEM_XYZZY is not a setting and is ignored.",
    )
    assert from_environment(GOOD).unknown_settings == ()


def test_the_settings_that_are_known_are_those_that_are_read_and_told_of() -> None:
    told = (ROOT / "docs" / "operate" / "running.md").read_text()
    assert set(re.findall(r"`(PBEM_[A-Z_]+)`", told)) == SETTING_NAMES
    code = [file.read_text() for folder in ("pbem", "emails", "workers") for file in (ROOT / folder).rglob("*.py")]
    read = {name for text in code for name in re.findall(r"PBEM_[A-Z_]*[A-Z]\b", text)}
    assert read <= SETTING_NAMES | {"PBEM_OPERATOR_MAIL"}


def test_a_refusal_of_a_mailboxes_address_does_not_tell_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        from_environment(GOOD | {"PBEM_IMAP_URL": "pop3://me:hunter2@mail.example.org"})
    assert "hunter2" not in str(refused.value)


def test_a_refusal_of_the_mail_servers_address_does_not_tell_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        from_environment(GOOD | {"PBEM_SMTP_URL": "https://me:hunter2@mail.example.org"})
    assert "hunter2" not in str(refused.value)


def test_everybodys_mail_is_shown_only_where_it_stays_here() -> None:
    wrong = {"PBEM_OPEN": "0", "PBEM_DEV_MAILBOX": "/var/mail", "PBEM_SMTP_URL": "smtp://localhost:25"}
    with pytest.raises(ConfigError, match="PBEM_DEV_MAILBOX shows everybody's mail"):
        from_environment(GOOD | wrong)


@pytest.mark.parametrize(
    ("celery", "redis"),
    [
        ("redis://localhost:6379/0", "redis://localhost:6379/0"),
        ("redis+socket:///run/valkey.sock?virtual_host=1", "unix:///run/valkey.sock?db=1"),
    ],
)
def test_a_broker_is_asked_by_its_own_clients_name(celery: str, redis: str) -> None:
    assert from_environment(GOOD | {"REDIS_URL": celery}).broker_url == redis


@pytest.mark.parametrize(
    ("url", "counts"), [("redis://x", True), ("redis+socket:///x", True), ("amqp://x", False), ("amqps://x", False)]
)
def test_rabbitmq_hands_on_and_does_not_count(url: str, counts: bool) -> None:  # noqa: FBT001 (what is looked for)
    assert from_environment(GOOD | {"REDIS_URL": url}).broker_has_counters is counts


def test_a_copy_of_the_database_may_be_named() -> None:
    assert from_environment(GOOD).replica_url is None
    config = from_environment(GOOD | {"PBEM_REPLICA_URL": "postgres://me:not%20told@copy/pbem"})
    assert config.replica_url == "postgresql+psycopg://me:not%20told@copy/pbem"
    assert {"not%20told", "not told"} <= set(config.secrets)
    with pytest.raises(ConfigError, match=r"^PBEM_REPLICA_URL must begin with postgresql:"):
        from_environment(GOOD | {"PBEM_REPLICA_URL": "mysql://copy/pbem"})


def test_what_takes_mail_is_read() -> None:
    config = from_environment(
        GOOD
        | {
            "PBEM_LIMITS": "domain=6000, from=60",
            "PBEM_REPLY_DOMAIN": "Reply.games.localhost",
            "PBEM_TRUSTED_RELAYS": "10.0.0.0/8, 192.0.2.7 2001:db8::/32",
            "PBEM_INCOMING_KEY": "k" * 32,
            "PBEM_MAILGUN_KEY": "key-1",
            "PBEM_IMAP_URL": "imaps://me:secret@mail.example.org/Games",
            "PBEM_MAILDIR_IN": "/var/mail/games",
            "PBEM_AUTHSERV_ID": " MX.games.localhost ",
        }
    )
    assert config.limits == {"token": 10, "from": 60, "address": 60, "domain": 6000}
    assert config.reply_address("x") == "x@reply.games.localhost"
    assert (config.incoming_key, config.mailgun_key) == ("k" * 32, "key-1")
    assert config.authserv_id == "mx.games.localhost"
    assert (config.imap_url, config.maildir_in) == ("imaps://me:secret@mail.example.org/Games", "/var/mail/games")
    trusted = ["10.1.2.3", "192.0.2.7", "2001:db8::1", "::ffff:10.1.2.3", "2001:db8::1%eth0"]
    strangers = ["192.0.2.8", "127.0.0.1", "2001:db9::1", "", "me"]
    assert [config.is_trusted_relay(each) for each in trusted + strangers] == [True] * 5 + [False] * 5


def test_without_more_ado_this_machine_is_trusted_and_the_limits_stand() -> None:
    config = from_environment({name: value for name, value in GOOD.items() if name != "PBEM_LIMITS"})
    assert config.limits == {"token": 10, "from": 30, "address": 60, "domain": 600}
    assert (
        config.is_trusted_relay("127.0.0.1"),
        config.is_trusted_relay("::1"),
        config.is_trusted_relay("192.0.2.1"),
    ) == (True, True, False)
    assert (config.reply_domain, config.incoming_key, config.imap_url, config.maildir_in) == (None, None, None, None)
    assert not config.authserv_id
    assert from_environment(GOOD | {"PBEM_LIMITS": "off"}).limits is None


def test_logs_are_plain_unless_told_otherwise() -> None:
    assert from_environment(GOOD).log_format == "plain"
    assert from_environment(GOOD | {"PBEM_LOG": "json"}).log_format == "json"
    with pytest.raises(ConfigError, match="PBEM_LOG must be plain or json, not xml"):
        from_environment(GOOD | {"PBEM_LOG": "xml"})


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("SENTRY_DSN", "sentry_sdk", "sentry"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "opentelemetry", "otel")],
)
def test_what_needs_more_packages_says_which(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str, extra: str
) -> None:
    told = {name: "https://key@watch.example.org/1"}
    found = from_environment(GOOD | told)
    assert told[name] in {found.sentry_dsn, found.otlp_endpoint}
    assert from_environment(GOOD | {name: " "}).sentry_dsn is None
    for known in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, known)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ConfigError, match=rf"{name} needs more packages: .*\[{extra}\]"):
        from_environment(GOOD | told)


@pytest.mark.parametrize(
    ("said", "share", "size"),
    [
        ("", 0.05, 500_000_000),
        ("off", 0.0, 0),
        ("2%", 0.02, 500_000_000),
        ("1.5GB", 0.05, 1_500_000_000),
        ("10% 2gb", 0.1, 2_000_000_000),
        ("0% 1000", 0.0, 1000),
    ],
)
def test_how_much_of_a_disk_must_be_free_is_said_by_part_and_by_bytes(said: str, share: float, size: int) -> None:
    floor = from_environment(GOOD | {"PBEM_MIN_FREE_DISK": said}).min_free_disk
    assert (floor.share, floor.size) == (share, size)
