"""What tests of postfix lines share."""

from __future__ import annotations

import re

from tests.support.places import ROOT

DEPLOY, MAIL_IN = ((ROOT / "docs" / "operate" / name).read_text() for name in ("deploy.md", "mail-in.md"))
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
