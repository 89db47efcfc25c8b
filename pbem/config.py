"""Settings of the service, read once from the environment and checked at start."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from string import ascii_letters, digits
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pbem import setting_values as values
from pbem.disk_usage import Floor
from pbem.setting_values import AMQP_SCHEMES, ConfigError
from pbem.signing_keys import UnusableKeyError, load_signing_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    Networks = tuple[IPv4Network | IPv6Network, ...]

__all__ = ["Config", "ConfigError", "database_url", "from_environment", "load_or_exit"]

MIN_KEY_LENGTH = 32
"""Minimum characters of a secret key."""

DEFAULT_TRUSTED_RELAYS = "127.0.0.0/8 ::1/128"
"""Default trusted relays, whose mail is not counted by address: this machine."""

DEFAULT_RATE_LIMITS = {"token": 10, "from": 30, "address": 60, "domain": 600}
"""Default rate limits of mail: per reply address, sender and sending domain in an hour, per machine in a minute."""

EXIT_CONFIG_ERROR = 2
"""Exit status of every program when a setting is wrong."""

SETTING_NAMES = frozenset(
    f"{values.PREFIX}{name}"
    for name in (
        "AUTHSERV_ID", "BACKUP_FOR", "BASE_URL", "DATA", "DEV_MAILBOX", "DKIM_KEY", "DKIM_SELECTOR", "IMAP_URL",
        "IMPRINT_URL", "INCOMING_KEY", "LIMITS", "LMTP_LISTEN", "LOG", "MAILDIR_IN", "MAILGUN_KEY", "MAIL_ADDRESS",
        "MAIL_DOMAIN", "MIN_FREE_DISK", "OPEN", "OPERATOR_EMAIL", "PRIVACY_URL", "REPLICA_URL", "REPLY_DOMAIN",
        "SECRET_KEYS", "SMTP_LISTEN", "SMTP_PROCESSES", "SMTP_URL", "TRUSTED_RELAYS",
    )
)  # fmt: skip
"""Names of all settings that begin with the prefix."""

MIN_POSTGRES_VERSION = 15
"""Oldest PostgreSQL major version that the service is tested with."""

DEFAULT_MIN_FREE_DISK = Floor()
"""Default minimum of free disk space."""

SIZE_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one service, the same in all its processes.

    `secret_keys` are oldest first; the newest signs, all are accepted. `allow_anonymous` lets anybody start a match
    without signing in; `dev_mailbox` is the folder whose Maildirs are shown at /mailbox, if any. Without `limits`,
    incoming and outgoing mail is unlimited. `mailbox_local_part` is the local part of the address if all mail goes to
    one mailbox with plus addresses, in a domain that is not ours. `smtp_processes` accept mail on the same ports.
    `unknown_settings` holds a sentence for each variable that looks like a setting but is none.
    """

    database_url: str
    redis_url: str
    secret_keys: tuple[str, ...]
    base_url: str
    mail_domain: str
    smtp_url: str
    operator_email: str | None = None
    allow_anonymous: bool = False
    dev_mailbox: str | None = None
    smtp_listen: str = "127.0.0.1:8025"
    lmtp_listen: str | None = None
    smtp_processes: int = 1
    reply_domain: str | None = None
    incoming_key: str | None = None
    mailgun_key: str | None = None
    imap_url: str | None = None
    maildir_in: str | None = None
    trusted_relays: Networks = ()
    limits: Mapping[str, int] | None = field(default=None, hash=False)
    dkim_key: str | None = None
    dkim_selector: str = ""
    authserv_id: str = ""
    mailbox_local_part: str = ""
    log_format: str = "plain"
    sentry_dsn: str | None = None
    otlp_endpoint: str | None = None
    data_folder: str | None = None
    min_free_disk: Floor = DEFAULT_MIN_FREE_DISK
    replica_url: str | None = None
    imprint_url: str | None = None
    privacy_url: str | None = None
    unknown_settings: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Everything that must never be shown: keys, and the passwords in URLs."""
        urls = (self.database_url, self.replica_url or "", self.redis_url, self.smtp_url, self.imap_url or "")
        passwords = [urlsplit(url).password or "" for url in urls]
        given = f"{self.incoming_key or ''},{self.mailgun_key or ''}".split(",")
        keys = (*self.secret_keys, *given, self.sentry_dsn)
        return tuple(filter(None, (*keys, *passwords, *map(unquote, passwords))))

    @property
    def service_address(self) -> str:
        """Address that mails come from and that people may write to."""
        return f"{self.mailbox_local_part or 'games'}@{self.mail_domain}"

    @property
    def host(self) -> str:
        """Host name of the pages."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def is_mail_local(self) -> bool:
        """True if mail stays on this machine: it is written to folders instead of sent to a mail server."""
        return urlsplit(self.smtp_url).scheme == "maildir"

    def reply_address(self, token: str) -> str:
        """Return the reply address of one seat and stage."""
        return f"{token}@{self.reply_domain}" if self.reply_domain else self.address_of("play", token)

    def address_of(self, kind: str, token: str) -> str:
        """Return the address of a kind of mailbox with this token."""
        local = f"{self.mailbox_local_part}+{kind}-{token}" if self.mailbox_local_part else f"{kind}+{token}"
        return f"{local}@{self.mail_domain}"

    @property
    def broker_url(self) -> str:
        """URL of the broker as its own client expects it, where it differs from Celery's."""
        return self.redis_url.replace("redis+socket://", "unix://", 1).replace("?virtual_host=", "?db=", 1)

    @property
    def broker_has_counters(self) -> bool:
        """True if the broker can count, as Redis and Valkey do; with RabbitMQ the database counts."""
        return urlsplit(self.redis_url).scheme not in AMQP_SCHEMES

    def is_trusted_relay(self, address: str) -> bool:
        """Return whether a machine relays other people's mail for us, so that its own address means nothing."""
        try:
            known = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        known = getattr(known, "ipv4_mapped", None) or known
        return any(known in network for network in self.trusted_relays)


def from_environment(environment: Mapping[str, str]) -> Config:
    """Read the settings; raises ConfigError with a sentence that says what to set."""
    value, required = partial(_value, environment), partial(_required, environment)
    config = Config(
        database_url=database_url(environment),
        redis_url=values.parse_broker_url(required("REDIS_URL", "redis://localhost:6379/0")),
        secret_keys=_keys(required("PBEM_SECRET_KEYS", "a random text of at least 32 characters")),
        base_url=values.parse_base_url(required("PBEM_BASE_URL", "https://games.example.org")),
        mail_domain=values.parse_domain("PBEM_MAIL_DOMAIN", required("PBEM_MAIL_DOMAIN", "games.example.org")),
        smtp_url=values.parse_smtp_url(required("PBEM_SMTP_URL", "smtp://localhost:25")),
        operator_email=_operator_email(environment),
        allow_anonymous=environment.get("PBEM_OPEN") == "1",
        dev_mailbox=environment.get("PBEM_DEV_MAILBOX") or None,
        smtp_listen=values.parse_listen_address("PBEM_SMTP_LISTEN", value("PBEM_SMTP_LISTEN")) or "127.0.0.1:8025",
        lmtp_listen=values.parse_listen_address("PBEM_LMTP_LISTEN", value("PBEM_LMTP_LISTEN")),
        smtp_processes=_smtp_processes(value("PBEM_SMTP_PROCESSES")),
        reply_domain=_reply_domain(environment),
        incoming_key=_key(environment, "PBEM_INCOMING_KEY"),
        mailgun_key=",".join(environment.get("PBEM_MAILGUN_KEY", "").replace(",", " ").split()) or None,
        imap_url=values.parse_imap_url(value("PBEM_IMAP_URL")),
        maildir_in=values.parse_folder("PBEM_MAILDIR_IN", value("PBEM_MAILDIR_IN"), "/var/mail/games"),
        trusted_relays=_networks(environment.get("PBEM_TRUSTED_RELAYS", DEFAULT_TRUSTED_RELAYS)),
        limits=_limits(environment.get("PBEM_LIMITS", "")),
        dkim_key=_dkim_key(environment),
        dkim_selector=value("PBEM_DKIM_SELECTOR"),
        authserv_id=_authserv_id(value("PBEM_AUTHSERV_ID")),
        mailbox_local_part=_mailbox_local_part(environment),
        log_format=_log_format(value("PBEM_LOG")),
        sentry_dsn=_optional_feature(environment, "SENTRY_DSN", "sentry_sdk", "sentry"),
        otlp_endpoint=_optional_feature(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", "opentelemetry.sdk", "otel"),
        data_folder=values.parse_existing_folder("PBEM_DATA", value("PBEM_DATA"), "/var/lib/pbem"),
        min_free_disk=_min_free_disk(value("PBEM_MIN_FREE_DISK")),
        replica_url=_replica_url(environment),
        imprint_url=values.parse_page_url("PBEM_IMPRINT_URL", value("PBEM_IMPRINT_URL")),
        privacy_url=values.parse_page_url("PBEM_PRIVACY_URL", value("PBEM_PRIVACY_URL")),
        unknown_settings=values.unknown_settings(environment, SETTING_NAMES),
    )
    values.check_recipients(value("PBEM_BACKUP_FOR"))
    if config.allow_anonymous and not config.is_mail_local:
        raise ConfigError(
            "PBEM_OPEN=1 would let anybody send mail to anybody through your mail server: "
            "unset it, or set PBEM_SMTP_URL to a maildir:// folder."
        )
    if config.dev_mailbox and not config.is_mail_local:
        raise ConfigError(
            "PBEM_DEV_MAILBOX shows everybody's mail: unset it, or set PBEM_SMTP_URL to a maildir:// folder."
        )
    return config


def load_or_exit() -> Config:
    """Read the settings from the environment of this process, or exit with what is wrong with them and status 2."""
    try:
        return from_environment(os.environ)
    except ConfigError as wrong:
        sys.stderr.write(f"{wrong}\n")
        sys.exit(EXIT_CONFIG_ERROR)


def _value(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip()


def _operator_email(environment: Mapping[str, str]) -> str | None:
    domain, own = (_value(environment, f"PBEM_MAIL_{name}").lower() for name in ("DOMAIN", "ADDRESS"))
    # A provider's domain is shared with many others.
    ours = {own} if own else {domain, _value(environment, "PBEM_REPLY_DOMAIN").lower()}
    return values.parse_operator_email(_value(environment, "PBEM_OPERATOR_EMAIL"), ours)


def _required(environment: Mapping[str, str], name: str, example: str) -> str:
    if value := _value(environment, name):
        return value
    raise ConfigError(f"{name} is not set: set it, for example to {example}.")


def database_url(environment: Mapping[str, str]) -> str:
    """Read DATABASE_URL, the only setting that migrations need."""
    return values.parse_postgresql_url(
        "DATABASE_URL", _required(environment, "DATABASE_URL", "postgresql://user:password@host/pbem")
    )


def _replica_url(environment: Mapping[str, str]) -> str | None:
    url = _value(environment, "PBEM_REPLICA_URL")
    return values.parse_postgresql_url("PBEM_REPLICA_URL", url) if url else None


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(text.replace(",", " ").split())
    if min(map(len, keys), default=0) < MIN_KEY_LENGTH:
        raise ConfigError(
            f"PBEM_SECRET_KEYS holds a key with fewer than {MIN_KEY_LENGTH} characters: "
            'make one with python -c "import secrets; print(secrets.token_hex(32))".'
        )
    return keys


def _mailbox_local_part(environment: Mapping[str, str]) -> str:
    address = _value(environment, "PBEM_MAIL_ADDRESS").lower()
    local, _, domain = address.rpartition("@")
    if address and (not local or "+" in local or domain != _value(environment, "PBEM_MAIL_DOMAIN").lower()):
        raise ConfigError(
            "PBEM_MAIL_ADDRESS must be an address like club@example.org, and PBEM_MAIL_DOMAIN the part after its @, "
            f"not {address}."
        )
    return local


def _reply_domain(environment: Mapping[str, str]) -> str | None:
    domain = values.parse_domain("PBEM_REPLY_DOMAIN", _value(environment, "PBEM_REPLY_DOMAIN"))
    if domain and domain == _value(environment, "PBEM_MAIL_DOMAIN").lower():
        raise ConfigError("PBEM_REPLY_DOMAIN must differ from PBEM_MAIL_DOMAIN: all its mailboxes belong to seats.")
    return domain or None


def _smtp_processes(text: str) -> int:
    if text and not (text.isdecimal() and int(text)):
        raise ConfigError(f"PBEM_SMTP_PROCESSES must be a number of processes like 2, not {text}.")
    return int(text or 1)


def _key(environment: Mapping[str, str], name: str) -> str | None:
    key = ",".join(environment.get(name, "").replace(",", " ").split())
    if key and min(map(len, key.split(","))) < MIN_KEY_LENGTH:
        raise ConfigError(f"{name} must have at least {MIN_KEY_LENGTH} characters: anybody who knows it gets in.")
    return key or None


def _min_free_disk(text: str) -> Floor:
    """Parse `off`, a percentage of a disk, a number of bytes, or both: `5% 500MB`."""
    if text == "off":
        return Floor(0.0, 0)
    floor = DEFAULT_MIN_FREE_DISK
    for word in text.lower().split():
        number = word.rstrip("%kmgtb")
        unit = word.removeprefix(number)
        if not number.replace(".", "", 1).isdecimal() or unit not in {"%", *SIZE_UNITS}:
            raise ConfigError(f"PBEM_MIN_FREE_DISK must be off, or the free space to keep, like 5% 500MB, not {text}.")
        many = float(number)
        floor = replace(floor, share=many / 100) if unit == "%" else replace(floor, size=int(many * SIZE_UNITS[unit]))
    return floor


def _dkim_key(environment: Mapping[str, str]) -> str | None:
    key, selector = (_value(environment, f"PBEM_DKIM_{name}") for name in ("KEY", "SELECTOR"))
    if bool(key) != bool(selector):
        raise ConfigError(
            "PBEM_DKIM_KEY and PBEM_DKIM_SELECTOR go together: set both, or neither to leave mail unsigned."
        )
    if key:
        try:
            load_signing_key(key)
        except UnusableKeyError as unusable:
            raise ConfigError(f"PBEM_DKIM_KEY must be a file with an RSA key to sign mail: {unusable}.") from None
    return key or None


def _authserv_id(name: str) -> str:
    if set(name) - set(f"{ascii_letters}{digits}.-_"):
        raise ConfigError(
            "PBEM_AUTHSERV_ID must be the name at the start of your own mail server's Authentication-Results, like "
            f"mx.example.org, not {name}."
        )
    return name.lower()


def _log_format(form: str) -> str:
    if form not in {"", "plain", "json"}:
        raise ConfigError(f"PBEM_LOG must be plain or json, not {form}.")
    return form or "plain"


def _optional_feature(environment: Mapping[str, str], name: str, package: str, extra: str) -> str | None:
    """Read a setting that needs an optional package."""
    value = _value(environment, name)
    try:
        found = not value or find_spec(package) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        raise ConfigError(f"{name} needs more packages: install them with pip install '.[{extra}]'.")
    return value or None


def _networks(text: str) -> Networks:
    try:
        return tuple(ip_network(each, strict=False) for each in text.replace(",", " ").split())
    except ValueError as wrong:
        raise ConfigError(f"PBEM_TRUSTED_RELAYS must hold addresses or networks like 10.0.0.0/8: {wrong}.") from None


def _limits(text: str) -> Mapping[str, int] | None:
    """Parse `off`, or the limits that differ from the defaults: `domain=6000 from=60`."""
    if text.strip() == "off":
        return None
    limits = dict(each.partition("=")[::2] for each in text.replace(",", " ").split())
    if limits.keys() - DEFAULT_RATE_LIMITS or not all(value.isdecimal() and int(value) for value in limits.values()):
        raise ConfigError(
            f"PBEM_LIMITS must be off, or some of {' '.join(f'{k}={v}' for k, v in DEFAULT_RATE_LIMITS.items())}."
        )
    return DEFAULT_RATE_LIMITS | {name: int(value) for name, value in limits.items()}
