"""Builds the environment of the parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pbem
from pbem.ops.up import checks
from pbem.ops.up.folder import DataFolder

DEFAULT_SMTP_PORT = 8025


@dataclass(frozen=True, slots=True)
class UpOptions:
    """Options of the command line."""

    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8000
    smtp_port: int | None = None

    @property
    def url(self) -> str:
        """URL by which this machine reaches the pages."""
        return f"http://{checks.join_address(checks.reachable_host(self.host), self.port)}"


def smtp_address(up: UpOptions, caller: Mapping[str, str]) -> tuple[str, int]:
    """Return where mail is accepted: as the command line says, else the environment, else the default."""
    listen = caller.get("PBEM_SMTP_LISTEN")
    if listen and up.smtp_port is None:
        return checks.split_address(listen)
    return up.host, DEFAULT_SMTP_PORT if up.smtp_port is None else up.smtp_port


def build_environment(
    up: UpOptions, folder: DataFolder, smtp: tuple[str, int], caller: Mapping[str, str]
) -> dict[str, str]:
    """Build the environment of the parts without database and broker; what the caller has set stays.

    An instance that others can reach, or that sends real mail, requires sign-in and shows no mailboxes.
    """
    ours = {
        "PBEM_BASE_URL": up.url,
        "PBEM_MAIL_DOMAIN": "games.localhost",
        "PBEM_DATA": str(folder.path),
        "PBEM_SMTP_URL": f"maildir://{quote(str(folder.mail), safe='/')}",
        # By default each thread of a part reserves some megabytes.
        "MALLOC_ARENA_MAX": "2",
        "PYTHONUNBUFFERED": "1",
    }
    environment = {**ours, **{name: value for name, value in caller.items() if value}}
    environment["PBEM_SMTP_LISTEN"] = checks.join_address(*smtp)
    if "PBEM_SECRET_KEYS" not in environment:
        environment["PBEM_SECRET_KEYS"] = folder.secret_keys()
    mail = urlsplit(environment["PBEM_SMTP_URL"])
    if mail.scheme == "maildir":
        # No other machine gets mail.
        environment.setdefault("PBEM_LIMITS", "off")
    if mail.scheme == "maildir" and checks.is_loopback(up.host):
        environment.setdefault("PBEM_OPEN", "1")
        environment.setdefault("PBEM_DEV_MAILBOX", unquote(mail.path))
    home = Path(pbem.__file__).parent.parent
    if (home / "pyproject.toml").exists():
        # A checkout can run without being installed.
        environment["PYTHONPATH"] = ":".join(filter(None, (str(home), environment.get("PYTHONPATH"))))
    return environment
