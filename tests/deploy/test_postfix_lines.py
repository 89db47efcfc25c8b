"""The lines for Postfix, put into the file that Debian comes with: what they replace, and that Postfix takes them."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from emails.limits import SIZE
from tests.mailservers import MASTER, SYSTEM, needed
from tests.outside import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DEPLOY, MAIL_IN = ((ROOT / "docs" / name).read_text() for name in ("deploy.md", "mail-in.md"))
DEBIAN = """\
smtpd_banner = $myhostname ESMTP $mail_name (Debian/GNU)
biff = no
append_dot_mydomain = no
readme_directory = no
compatibility_level = 3.6
smtpd_tls_security_level = may
smtp_tls_security_level = may
smtpd_relay_restrictions = permit_mynetworks permit_sasl_authenticated defer_unauth_destination
myhostname = games.example.org
alias_maps = hash:/etc/aliases
alias_database = hash:/etc/aliases
myorigin = /etc/mailname
mydestination = $myhostname, games.example.org, localhost.example.org, , localhost
relayhost =
mynetworks = 127.0.0.0/8 [::ffff:127.0.0.0]/104 [::1]/128
mailbox_size_limit = 0
recipient_delimiter = +
inet_interfaces = all
inet_protocols = all
"""


def named(text: str) -> dict[str, str]:
    return dict(re.findall(r"^(\w+) = ?(.*)$", text, re.MULTILINE))


def lines() -> dict[str, str]:
    """Read both groups of lines, which name nothing twice."""
    section = MAIL_IN.partition("## LMTP from Postfix\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```\n(.*?)```", section, re.DOTALL)
    assert len(blocks) == 2
    both = "".join(blocks)
    assert len(named(both)) == len(both.splitlines())
    return named(both)


def test_what_they_replace_is_said() -> None:
    replaced = lines().keys() & named(DEBIAN).keys()
    step = DEPLOY.partition("### A mail server of your own")[2].partition("| question |")[0]
    assert replaced == set(re.findall(r"`(my\w+)`", step))
    pipe = MAIL_IN.partition("## A command from Postfix or Exim")[2]
    assert not named(pipe.partition("\n## ")[0]).keys() & named(DEBIAN).keys()


def test_the_domain_is_no_mailbox_of_the_machine() -> None:
    for name in ("mydestination", "myorigin"):
        assert "myhostname" not in lines()[name]
        assert "games.example.org" not in lines()[name]
    assert lines()["relay_domains"] == "games.example.org"


def test_no_larger_mail_is_taken_than_the_service_takes() -> None:
    assert int(lines()["message_size_limit"]) == SIZE


@pytest.mark.slow
def test_postfix_takes_them_without_a_word(tmp_path: Path) -> None:
    program = needed("postfix", "postconf")
    settings = named(DEBIAN) | lines()
    (tmp_path / "main.cf").write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    (tmp_path / "master.cf").write_text(MASTER.format(port=25))
    command = [program, "-c", str(tmp_path), "-n"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": SYSTEM})
    assert (told.returncode, told.stderr) == (0, "")
    assert named(told.stdout) == settings | {"config_directory": str(tmp_path)}
