"""The questions of `pbem setup`, at most eight, and the settings made from the answers."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

import click

from pbem.config import ConfigError, from_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAILBOX, PROVIDER, OWN = "1", "2", "3"
MAIL_CHOICES = (
    "How does mail come in?\n"
    "  1  through one mailbox at any mail provider, read by IMAP: the easiest\n"
    "  2  through a mail service that calls us: Mailgun, Postmark, SendGrid, Amazon SES\n"
    "  3  through a mail server of our own on this machine, such as Postfix\n"
)
DKIM_SELECTOR = "pbem"
LMTP_ADDRESS = "127.0.0.1:8024"
_IMPLICIT_TLS_PORT = 465
_PLACEHOLDERS = {
    "DATABASE_URL": "postgresql://x/x",
    "REDIS_URL": "redis://x",
    "PBEM_SECRET_KEYS": "x" * 32,
    "PBEM_BASE_URL": "https://x.example",
    "PBEM_MAIL_DOMAIN": "x.example",
    "PBEM_SMTP_URL": "smtp://x",
}
"""Placeholders for settings that have not been asked for yet, while one is checked."""
_ASKED_SETTINGS = (
    "PBEM_BASE_URL", "PBEM_MAIL_DOMAIN", "PBEM_MAIL_ADDRESS", "PBEM_SMTP_URL", "PBEM_IMAP_URL", "PBEM_INCOMING_KEY",
    "PBEM_MAILGUN_KEY", "PBEM_LMTP_LISTEN", "PBEM_DKIM_KEY", "PBEM_DKIM_SELECTOR", "PBEM_OPERATOR_EMAIL",
)  # fmt: skip
"""Settings made from the answers; all others in a file are kept as they are."""

Settings = dict[str, str]


def ask(before: Mapping[str, str], dkim_key: str) -> Settings:
    """Ask for everything, with the previous answers as defaults; `dkim_key` is the path of a DKIM key, if needed."""
    question = "The address of the pages, such as https://games.example.org"
    base_url = _ask(question, before.get("PBEM_BASE_URL"), lambda said: {"PBEM_BASE_URL": said})
    click.echo(MAIL_CHOICES)
    way = click.prompt("Which of them", type=click.Choice([MAILBOX, PROVIDER, OWN]), default=_default_choice(before))
    found = {"PBEM_BASE_URL": base_url}
    if way == MAILBOX:
        found |= _ask_mailbox(before)
    elif way == PROVIDER:
        found |= _ask_provider(before, urlsplit(base_url).hostname or "")
    else:
        found |= _ask_own_server(before, urlsplit(base_url).hostname or "", dkim_key)
    operator = _ask(
        "Your own mail address, for what needs you",
        before.get("PBEM_OPERATOR_EMAIL"),
        lambda said: {**_mail_settings(found), "PBEM_OPERATOR_EMAIL": said},
    )
    kept = {name: value for name, value in before.items() if name not in _ASKED_SETTINGS}
    return {**found, "PBEM_OPERATOR_EMAIL": operator, **kept, **_new_keys(kept)}


def _ask_mailbox(before: Mapping[str, str]) -> Settings:
    def both(said: str) -> Settings:
        return {"PBEM_MAIL_ADDRESS": said, "PBEM_MAIL_DOMAIN": said.rpartition("@")[2]}

    address = _ask("The mailbox's address", before.get("PBEM_MAIL_ADDRESS"), both)
    domain = address.rpartition("@")[2]
    imap = _ask_server("Its IMAP server", before.get("PBEM_IMAP_URL"), f"imap.{domain}", 993)
    smtp = _ask_server(
        "The server that sends its mail", before.get("PBEM_SMTP_URL"), f"smtp.{domain}", _IMPLICIT_TLS_PORT
    )
    user, password = _ask_login(before.get("PBEM_SMTP_URL"), address)
    return {**both(address), "PBEM_IMAP_URL": f"imaps://{_userinfo(user, password)}{imap}/INBOX"} | {
        "PBEM_SMTP_URL": f"{_scheme(smtp)}://{_userinfo(user, password)}{smtp}"
    }


def _ask_provider(before: Mapping[str, str], host: str) -> Settings:
    domain = _ask_domain(before, host)
    smtp = _ask_server("The service's server that takes mail to send", before.get("PBEM_SMTP_URL"), None, 587)
    user, password = _ask_login(before.get("PBEM_SMTP_URL"), None)
    mailgun = click.prompt(
        "Mailgun's signing key (Enter for other services)",
        default=before.get("PBEM_MAILGUN_KEY", ""),
        hide_input=True,
        show_default=False,
    )
    found = {"PBEM_MAIL_DOMAIN": domain, "PBEM_SMTP_URL": f"{_scheme(smtp)}://{_userinfo(user, password)}{smtp}"}
    if mailgun:
        return {**found, "PBEM_MAILGUN_KEY": mailgun}
    return {**found, "PBEM_INCOMING_KEY": before.get("PBEM_INCOMING_KEY") or secrets.token_hex(24)}


def _ask_own_server(before: Mapping[str, str], host: str, dkim_key: str) -> Settings:
    domain = _ask_domain(before, host)
    smtp = _ask_server("The mail server", before.get("PBEM_SMTP_URL"), "localhost", 25)
    found = {"PBEM_MAIL_DOMAIN": domain, "PBEM_SMTP_URL": f"smtp://{smtp}", "PBEM_LMTP_LISTEN": LMTP_ADDRESS}
    found |= _previous(before, "PBEM_LMTP_LISTEN")
    if click.confirm("Does it sign mail by DKIM itself?", default="PBEM_DKIM_KEY" not in before):
        return found
    signing = {"PBEM_DKIM_KEY": dkim_key, "PBEM_DKIM_SELECTOR": DKIM_SELECTOR}
    return found | signing | _previous(before, *signing)


def _default_choice(before: Mapping[str, str]) -> str:
    if "PBEM_LMTP_LISTEN" in before:
        return OWN
    return PROVIDER if {"PBEM_INCOMING_KEY", "PBEM_MAILGUN_KEY"} & before.keys() else MAILBOX


def _new_keys(kept: Mapping[str, str]) -> Settings:
    """Create secret keys for a service that runs in parts; `pbem up` keeps its own in its data folder."""
    in_parts = "DATABASE_URL" in kept and "PBEM_SECRET_KEYS" not in kept
    return {"PBEM_SECRET_KEYS": secrets.token_hex(32)} if in_parts else {}


def _ask(question: str, before: str | None, settings: Callable[[str], Settings]) -> str:
    """Ask until the settings accept the answer."""

    def checked(said: str) -> str:
        try:
            from_environment(_PLACEHOLDERS | settings(said.strip()))
        except ConfigError as wrong:
            raise click.UsageError(str(wrong)) from wrong
        return said.strip()

    said: str = click.prompt(question, default=before, value_proc=checked)
    return said


def _ask_domain(before: Mapping[str, str], host: str) -> str:
    was = before.get("PBEM_MAIL_DOMAIN", host)
    return _ask("The domain that mail comes from and goes to", was, lambda said: {"PBEM_MAIL_DOMAIN": said})


def _ask_server(question: str, before: str | None, usual: str | None, port: int) -> str:
    """Ask for a server, and append the default port."""
    if before:
        split = urlsplit(before)
        host = f"[{split.hostname}]" if ":" in (split.hostname or "") else split.hostname
        usual = f"{host}:{split.port}" if split.port else host
    said = _ask(question, usual, lambda said: {"PBEM_SMTP_URL": f"smtp://{said}"})
    return said if urlsplit(f"//{said}").port else f"{said}:{port}"


def _ask_login(before: str | None, usual: str | None) -> tuple[str, str]:
    split = urlsplit(before or "")
    user = click.prompt("Your user name there", default=unquote(split.username or "") or usual)
    known = unquote(split.password or "")
    text = "Your password there (Enter keeps it)" if known else "Your password there"
    return user, click.prompt(text, default=known or None, hide_input=True, show_default=False)


def _userinfo(user: str, password: str) -> str:
    return f"{quote(user, safe='')}:{quote(password, safe='')}@"


def _scheme(host: str) -> str:
    return "smtps" if urlsplit(f"//{host}").port == _IMPLICIT_TLS_PORT else "smtp"


def _mail_settings(found: Settings) -> Settings:
    return {name: found[name] for name in ("PBEM_MAIL_DOMAIN", "PBEM_MAIL_ADDRESS") if name in found}


def _previous(before: Mapping[str, str], *names: str) -> Settings:
    return {name: before[name] for name in names if name in before}
