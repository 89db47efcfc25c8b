"""Everything settable, read once from the environment and checked at start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_LENGTH = 32
"""A secret key shorter than this many characters is refused."""

MAIL_SCHEMES = ("smtp", "smtps", "lmtp", "maildir")


class ConfigError(ValueError):
    """Says which environment variable is wrong, and what to set."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one service, the same in all its processes.

    `secret_keys` are oldest first; the newest signs, all are accepted. `open_house` lets anybody start a
    match without signing in; `mailbox` is the folder whose Maildirs are shown at /mailbox, if any.
    """

    database_url: str
    redis_url: str
    secret_keys: tuple[str, ...]
    base_url: str
    mail_domain: str
    smtp_url: str
    operator_email: str | None = None
    open_house: bool = False
    mailbox: str | None = None
    smtp_listen: str = "127.0.0.1:8025"
    lmtp_listen: str | None = None

    @property
    def service_address(self) -> str:
        """The address that mails come from and that people may write to."""
        return f"games@{self.mail_domain}"

    @property
    def host(self) -> str:
        """The host name under which the pages are asked for."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def stays_here(self) -> bool:
        """Whether mail stays on this machine, because it goes to folders instead of a mail server."""
        return urlsplit(self.smtp_url).scheme == "maildir"

    def reply_address(self, token: str) -> str:
        """Give the mailbox of one seat and stage."""
        return f"play+{token}@{self.mail_domain}"


def from_environment(environment: Mapping[str, str]) -> Config:
    """Read the settings, or raise ConfigError with a sentence that says what to set."""
    config = Config(
        database_url=database_url(environment),
        redis_url=_needed(environment, "REDIS_URL", "redis://localhost:6379/0"),
        secret_keys=_keys(_needed(environment, "PBEM_SECRET_KEYS", "a random text of at least 32 characters")),
        base_url=_base_url(_needed(environment, "PBEM_BASE_URL", "https://games.example.org")),
        mail_domain=_domain(_needed(environment, "PBEM_MAIL_DOMAIN", "games.example.org")),
        smtp_url=_smtp_url(_needed(environment, "PBEM_SMTP_URL", "smtp://localhost:25")),
        operator_email=environment.get("PBEM_OPERATOR_EMAIL") or None,
        open_house=environment.get("PBEM_OPEN") == "1",
        mailbox=environment.get("PBEM_MAILBOX") or None,
        smtp_listen=_listen(environment, "PBEM_SMTP_LISTEN") or "127.0.0.1:8025",
        lmtp_listen=_listen(environment, "PBEM_LMTP_LISTEN"),
    )
    if config.open_house and not config.stays_here:
        raise ConfigError(
            "PBEM_OPEN=1 would let anybody have your mail server write to anybody: "
            "unset it, or set PBEM_SMTP_URL to a maildir:// folder."
        )
    if config.mailbox and not config.stays_here:
        raise ConfigError("PBEM_MAILBOX shows everybody's mail: it goes only with a maildir:// PBEM_SMTP_URL.")
    return config


def _needed(environment: Mapping[str, str], name: str, example: str) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise ConfigError(f"{name} is not set: set it, for example to {example}.")
    return value


def database_url(environment: Mapping[str, str]) -> str:
    """Read the one setting that migrations need."""
    url = _needed(environment, "DATABASE_URL", "postgresql://user:password@host/pbem")
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise ConfigError("DATABASE_URL must begin with postgresql://: only PostgreSQL keeps what is promised here.")
    return f"postgresql+psycopg://{rest}"


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(text.replace(",", " ").split())
    if min(map(len, keys), default=0) < KEY_LENGTH:
        raise ConfigError(
            f"PBEM_SECRET_KEYS holds a key of fewer than {KEY_LENGTH} characters: "
            'make one with python -c "import secrets; print(secrets.token_hex(32))".'
        )
    return keys


def _base_url(url: str) -> str:
    split = urlsplit(url)
    if split.scheme not in {"http", "https"} or not split.hostname or split.query or split.fragment:
        raise ConfigError(f"PBEM_BASE_URL must be an address like https://games.example.org, not {url}.")
    return url.rstrip("/")


def _domain(domain: str) -> str:
    if "@" in domain or "/" in domain or " " in domain:
        raise ConfigError(f"PBEM_MAIL_DOMAIN must be a bare domain like games.example.org, not {domain}.")
    return domain.lower()


def _smtp_url(url: str) -> str:
    split = urlsplit(url)
    if split.scheme not in MAIL_SCHEMES or not (split.hostname or split.path):
        raise ConfigError(
            f"PBEM_SMTP_URL must be like smtp://localhost:25 or maildir:///var/mail, not {split.scheme}:…."
        )
    return url


def _listen(environment: Mapping[str, str], name: str) -> str | None:
    value = environment.get(name, "").strip()
    if value and not value.rpartition(":")[2].isdigit():
        raise ConfigError(f"{name} must be like 127.0.0.1:8025, not {value}.")
    return value or None
