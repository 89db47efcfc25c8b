"""`pbem setup`: what its answers write, what it says to publish, and how it is undone; and a whole service by it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.doctor.nameserver import Zone
from tests.support.setup.setup import OWN, answered, config_of, file

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["file"]


def test_mail_is_signed_here_with_a_key_that_is_made_once(file: Path) -> None:
    told = answered(file, [*OWN[:4], "n", OWN[5]])
    assert told.exit_code == 0, told.output
    key = file.with_name("pbem-dkim.pem")
    assert config_of(file).dkim_key == str(key)
    assert key.stat().st_mode & 0o777 == 0o600
    made = key.read_bytes()
    zone = Zone()
    record = next(line for line in told.stdout.splitlines() if "pbem._domainkey" in line)
    pieces = re.findall(r'"([^"]*)"', record)
    assert max(map(len, pieces)) == 255
    zone.text("pbem._domainkey.games.example.org", "".join(pieces))
    assert answered(file, [""] * 6).exit_code == 0
    assert key.read_bytes() == made
    assert config_of(file).dkim_selector == "pbem"
