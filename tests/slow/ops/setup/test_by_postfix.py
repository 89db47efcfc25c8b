"""The third way of `docs/operate/deploy.md`: a Postfix set up as the page says, and a mail that comes back."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from pbem import env_file
from tests.support.live_service import environment, free_port
from tests.support.mailservers import postfix
from tests.support.places import ROOT
from tests.support.service.by_postfix import DOMAIN, example

if TYPE_CHECKING:
    from pathlib import Path


def test_a_mail_goes_through_postfix_and_back(tmp_path: Path) -> None:
    lmtp, port, file = free_port(), free_port(), tmp_path / "pbem.env"
    env_file.write(
        file, f"PBEM_LMTP_LISTEN=127.0.0.1:{lmtp}\nPBEM_SMTP_LISTEN=127.0.0.1:{free_port()}\nPBEM_LIMITS=off\n"
    )
    lines = example("LMTP from Postfix", 0).replace(":8024", f":{lmtp}")
    with postfix(lines, ()) as server:
        command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(tmp_path / "data")]
        command += ["--port", str(port), *(f"--without={name}" for name in ("MX", "SPF", "DKIM", "DMARC", "disk"))]
        answers = (f"http://127.0.0.1:{port}", "3", DOMAIN, f"127.0.0.1:{server.port}", "n", "me@example.org")
        told = subprocess.run(
            command, input="".join(f"{each}\n" for each in answers), env=environment(), cwd=ROOT, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert told.returncode == 0, told.stdout + told.stderr + server.log
    assert "\npass  mail in: The test mail came back after " in told.stdout
    assert "without a DKIM signature" not in told.stdout
