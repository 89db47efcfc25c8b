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
    "How should mail come in?\n"
    "  1  through one mailbox at any mail provider, read by IMAP (the easiest)\n"
    "  2  through a mail service with webhooks: Mailgun, Postmark, SendGrid, Amazon SES\n"
    "  3  through your own mail server on this machine, such as Postfix\n"
)
DKIM_SELECTOR = "pbem"
LMTP_ADDRESS = "127.0.0.1:8024"
_IMPLICIT_TLS_PORT = 465
PROVIDED_SETTINGS = {"DATABASE_URL": "postgresql://x/x", "REDIS_URL": "redis://x", "PBEM_SECRET_KEYS": "x" * 32}
"""Placeholders for what `pbem up` provides itself, while the settings are checked."""
_PLACEHOLDERS = PROVIDED_SETTINGS | {
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
    question = "Address of the web pages, such as https://games.example.org"
    base_url = _ask(question, before.get("PBEM_BASE_URL"), lambda answer: {"PBEM_BASE_URL": answer})
    click.echo(MAIL_CHOICES)
    way = click.prompt("Your choice", type=click.Choice([MAILBOX, PROVIDER, OWN]), default=_default_choice(before))
    found = {"PBEM_BASE_URL": base_url}
    if way == MAILBOX:
        found |= _ask_mailbox(before)
    elif way == PROVIDER:
        found |= _ask_provider(before, urlsplit(base_url).hostname or "")
    else:
        found |= _ask_own_server(before, urlsplit(base_url).hostname or "", dkim_key)
    operator = _ask(
        "Your own mail address, for messages to the operator",
        before.get("PBEM_OPERATOR_EMAIL"),
        lambda answer: {**_pick(found, "PBEM_MAIL_DOMAIN", "PBEM_MAIL_ADDRESS"), "PBEM_OPERATOR_EMAIL": answer},
    )
    kept = {name: value for name, value in before.items() if name not in _ASKED_SETTINGS}
    if "DATABASE_URL" in kept and "PBEM_SECRET_KEYS" not in kept:
        # A service that runs in parts needs keys; `pbem up` keeps its own in its data folder.
        kept["PBEM_SECRET_KEYS"] = secrets.token_hex(32)
    return {**found, "PBEM_OPERATOR_EMAIL": operator, **kept}


def _ask_mailbox(before: Mapping[str, str]) -> Settings:
    def both(answer: str) -> Settings:
        return {"PBEM_MAIL_ADDRESS": answer, "PBEM_MAIL_DOMAIN": answer.rpartition("@")[2]}

    address = _ask("Address of the mailbox", before.get("PBEM_MAIL_ADDRESS"), both)
    domain = address.rpartition("@")[2]
    imap = _ask_server("Its IMAP server", before.get("PBEM_IMAP_URL"), f"imap.{domain}", 993)
    smtp = _ask_server("Its SMTP server", before.get("PBEM_SMTP_URL"), f"smtp.{domain}", _IMPLICIT_TLS_PORT)
    login = _ask_login(before.get("PBEM_SMTP_URL"), address)
    return {**both(address), "PBEM_IMAP_URL": f"imaps://{login}@{imap}/INBOX", "PBEM_SMTP_URL": _smtp_url(login, smtp)}


def _ask_provider(before: Mapping[str, str], host: str) -> Settings:
    domain = _ask_domain(before, host)
    smtp = _ask_server("SMTP server of the mail service", before.get("PBEM_SMTP_URL"), None, 587)
    login = _ask_login(before.get("PBEM_SMTP_URL"), None)
    mailgun = click.prompt(
        "Mailgun's signing key (Enter for other services)",
        default=before.get("PBEM_MAILGUN_KEY", ""),
        hide_input=True,
        show_default=False,
    )
    found = {"PBEM_MAIL_DOMAIN": domain, "PBEM_SMTP_URL": _smtp_url(login, smtp)}
    if mailgun:
        return {**found, "PBEM_MAILGUN_KEY": mailgun}
    return {**found, "PBEM_INCOMING_KEY": before.get("PBEM_INCOMING_KEY") or secrets.token_hex(24)}


def _ask_own_server(before: Mapping[str, str], host: str, dkim_key: str) -> Settings:
    domain = _ask_domain(before, host)
    smtp = _ask_server("The mail server", before.get("PBEM_SMTP_URL"), "localhost", 25)
    found = {"PBEM_MAIL_DOMAIN": domain, "PBEM_SMTP_URL": f"smtp://{smtp}", "PBEM_LMTP_LISTEN": LMTP_ADDRESS}
    found |= _pick(before, "PBEM_LMTP_LISTEN")
    if click.confirm("Does it sign mail by DKIM itself?", default="PBEM_DKIM_KEY" not in before):
        return found
    signing = {"PBEM_DKIM_KEY": dkim_key, "PBEM_DKIM_SELECTOR": DKIM_SELECTOR}
    return found | signing | _pick(before, *signing)


def _default_choice(before: Mapping[str, str]) -> str:
    if "PBEM_LMTP_LISTEN" in before:
        return OWN
    return PROVIDER if {"PBEM_INCOMING_KEY", "PBEM_MAILGUN_KEY"} & before.keys() else MAILBOX


def _ask(question: str, before: str | None, settings: Callable[[str], Settings]) -> str:
    """Ask until the settings accept the answer."""

    def checked(answer: str) -> str:
        try:
            from_environment(_PLACEHOLDERS | settings(answer.strip()))
        except ConfigError as wrong:
            raise click.UsageError(str(wrong)) from wrong
        return answer.strip()

    answer: str = click.prompt(question, default=before, value_proc=checked)
    return answer


def _ask_domain(before: Mapping[str, str], host: str) -> str:
    was = before.get("PBEM_MAIL_DOMAIN", host)
    return _ask("Mail domain of the service", was, lambda answer: {"PBEM_MAIL_DOMAIN": answer})


def _ask_server(question: str, before: str | None, usual: str | None, port: int) -> str:
    """Ask for a server, and append the default port."""
    if before:
        split = urlsplit(before)
        host = f"[{split.hostname}]" if ":" in (split.hostname or "") else split.hostname
        usual = f"{host}:{split.port}" if split.port else host
    answer = _ask(question, usual, lambda answer: {"PBEM_SMTP_URL": f"smtp://{answer}"})
    return answer if urlsplit(f"//{answer}").port else f"{answer}:{port}"


def _ask_login(before: str | None, usual: str | None) -> str:
    """Ask for a user name and a password; returns them as in a URL."""
    split = urlsplit(before or "")
    user = click.prompt("User name", default=unquote(split.username or "") or usual)
    known = unquote(split.password or "")
    text = "Password (Enter keeps it)" if known else "Password"
    password = click.prompt(text, default=known or None, hide_input=True, show_default=False)
    return f"{quote(user, safe='')}:{quote(password, safe='')}"


def _smtp_url(login: str, server: str) -> str:
    scheme = "smtps" if urlsplit(f"//{server}").port == _IMPLICIT_TLS_PORT else "smtp"
    return f"{scheme}://{login}@{server}"


def _pick(settings: Mapping[str, str], *names: str) -> Settings:
    return {name: settings[name] for name in names if name in settings}
