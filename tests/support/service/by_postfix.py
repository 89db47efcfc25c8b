"""What tests of by postfix share."""

from __future__ import annotations

import re

from tests.support.places import ROOT

DOMAIN = "games.example.net"
PAGE = ROOT / "docs" / "operate" / "mail-in.md"


def example(heading: str, number: int) -> str:
    """Return an example of the page on mail, for the domain of this test."""
    section = PAGE.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return str(re.findall(r"```\n(.*?)```", section, re.DOTALL)[number]).replace("games.example.org", DOMAIN)
