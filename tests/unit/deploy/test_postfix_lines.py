"""The lines for Postfix, put into the file that Debian comes with: what they replace, and that Postfix takes them."""

from __future__ import annotations

import re

from emails.parsing.limits import MAX_MAIL_BYTES
from tests.support.deploy.postfix_lines import DEBIAN, DEPLOY, MAIL_IN, lines, named


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
    assert int(lines()["message_size_limit"]) == MAX_MAIL_BYTES
