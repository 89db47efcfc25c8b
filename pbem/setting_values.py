"""Parsers of setting values; a wrong one is refused with a sentence that says what to set and shows no password."""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MAIL_SCHEMES = ("smtp", "smtps", "lmtp", "maildir")
AMQP_SCHEMES = ("amqp", "amqps", "pyamqp")
BROKER_SCHEMES = ("redis", "rediss", "redis+socket", *AMQP_SCHEMES)
MAX_PORT = 65535
PREFIX = "PBEM_"

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)*{_LABEL}", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@([^@]+)")
_RECIPIENT = re.compile(r"age1[02-9ac-hj-np-z]{58}")


class ConfigError(ValueError):
    """A setting is wrong: the message names the environment variable and says what to set."""


def split_url(name: str, url: str, like: str) -> SplitResult:
    """Split a URL; an invalid port is refused without showing the password."""
    with suppress(ValueError):
        found = urlsplit(url)
        if found.port != 0:
            return found
    raise ConfigError(
        f"{name} must be like {like}: a port is a number from 1 to {MAX_PORT}, and characters such as / and @ in "
        "a password are written as %2F and %40."
    )


def parse_postgresql_url(name: str, url: str) -> str:
    """Parse a database URL, and return it as SQLAlchemy expects it."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise ConfigError(f"{name} must begin with postgresql://: only PostgreSQL is supported.")
    split_url(name, url, "postgresql://user:password@host:5432/pbem")
    return f"postgresql+psycopg://{rest}"


def parse_broker_url(url: str) -> str:
    """Parse the URL of the broker."""
    found = split_url("REDIS_URL", url, "redis://localhost:6379/0")
    names_database = found.scheme == "redis+socket" or re.fullmatch(r"/?[0-9]*", found.path)
    if found.scheme not in BROKER_SCHEMES or (found.scheme.startswith("redis") and not names_database):
        raise ConfigError(
            "REDIS_URL must be like redis://localhost:6379/0, redis+socket:///run/valkey.sock or amqp://user@host//, "
            f"not {found.scheme or 'without a scheme'}:…."
        )
    return url


def parse_base_url(url: str) -> str:
    """Parse the URL of the pages, which must have no path."""
    name, like = "PBEM_BASE_URL", "https://games.example.org"
    found = split_url(name, url, like)
    if found.username is not None or found.password is not None:
        raise ConfigError(
            f"{name} must be an address like {like}, without a user name or password: everybody can see it."
        )
    if found.scheme not in {"http", "https"} or not found.hostname or found.query or found.fragment:
        raise ConfigError(f"{name} must be an address like {like}, not {url}.")
    if found.path.strip("/"):
        raise ConfigError(
            f"{name} must be an address like {like}, without a path: the pages need a host name of their own."
        )
    return url.rstrip("/")


def parse_page_url(name: str, url: str) -> str | None:
    """Parse the URL of a page elsewhere that everybody may open, if set."""
    found = split_url(name, url, "https://example.org/imprint")
    if url and (found.scheme not in {"http", "https"} or not found.hostname or "@" in found.netloc):
        raise ConfigError(f"{name} must be the address of a page, like https://example.org/imprint.")
    return url or None


def parse_domain(name: str, text: str) -> str:
    """Parse a domain, empty if there is none."""
    if text and not _DOMAIN.fullmatch(text):
        raise ConfigError(f"{name} must be a bare domain like games.example.org, not {text}.")
    return text.lower()


def parse_smtp_url(url: str) -> str:
    """Parse the URL of the server or folder that outgoing mail goes to."""
    found = split_url("PBEM_SMTP_URL", url, "smtp://localhost:25")
    if found.scheme not in MAIL_SCHEMES or not (found.hostname or found.path):
        raise ConfigError(
            f"PBEM_SMTP_URL must be like smtp://localhost:25 or maildir:///var/mail, not {found.scheme}:…."
        )
    if found.scheme != "maildir" and not found.hostname:
        raise ConfigError("PBEM_SMTP_URL must be like smtp://localhost:25: it names no server.")
    return url


def parse_imap_url(url: str) -> str | None:
    """Parse the URL of the mailbox that mail is fetched from, if any."""
    like = "imaps://user:password@mail.example.org/INBOX"
    found = split_url("PBEM_IMAP_URL", url, like)
    if url and (found.scheme not in {"imap", "imaps"} or not found.hostname or not found.username):
        raise ConfigError(f"PBEM_IMAP_URL must be like {like}.")
    return url or None


def parse_listen_address(name: str, address: str) -> str | None:
    """Parse a listen address, if any."""
    port = address.rpartition(":")[2]
    if address and not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        raise ConfigError(f"{name} must be like 127.0.0.1:8025, not {address}.")
    return address or None


def parse_operator_email(address: str, ours: Collection[str]) -> str | None:
    """Parse the address that mail to the service is forwarded to; it must not be one of the service's own."""
    found = _ADDRESS.fullmatch(address)
    if address and not (found and _DOMAIN.fullmatch(found[1])):
        raise ConfigError(f"PBEM_OPERATOR_EMAIL must be a mail address like you@example.org, not {address}.")
    if found and (address.lower() in ours or found[1].lower() in ours):
        raise ConfigError(
            f"PBEM_OPERATOR_EMAIL must be a mailbox elsewhere: mail to {address} goes to the service itself."
        )
    return address or None


def parse_folder(name: str, path: str, like: str) -> str | None:
    """Parse the absolute path of a folder, if set."""
    if path and not path.startswith("/"):
        raise ConfigError(f"{name} must be an absolute path like {like}, not {path}.")
    return path or None


def parse_existing_folder(name: str, path: str, like: str) -> str | None:
    """Parse the absolute path of a folder that must exist, if set."""
    # A folder that may not be accessed may exist.
    with suppress(PermissionError):
        if parse_folder(name, path, like) and not Path(path).is_dir():
            raise ConfigError(f"{name} must be an existing folder, like {like}: there is none at {path}.")
    return path or None


def check_recipients(text: str) -> None:
    """Check the age recipients that backups are encrypted for."""
    for one in text.split():
        if not _RECIPIENT.fullmatch(one):
            raise ConfigError(
                f"PBEM_BACKUP_FOR must hold recipients like age1…, not {one}: `pbem backup-key FILE` creates one."
            )


def unknown_settings(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each name that looks like a setting but is none, with the one that may be meant."""
    unknown = sorted(name for name in names if name.startswith(PREFIX) and name not in known)
    return tuple(f"{name} is not a setting and is ignored.{_suggestion(name, known)}" for name in unknown)


def _suggestion(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in known], 1, 0.5)
    return f" Did you mean {PREFIX}{near[0]}?" if near else ""
