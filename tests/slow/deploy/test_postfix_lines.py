"""The lines for Postfix, put into the file that Debian comes with: what they replace, and that Postfix takes them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.support.deploy.postfix_lines import DEBIAN, lines, named
from tests.support.mailservers import MASTER, SYSTEM, needed

if TYPE_CHECKING:
    from pathlib import Path


def test_postfix_takes_them_without_a_word(tmp_path: Path) -> None:
    program = needed("postfix", "postconf")
    settings = named(DEBIAN) | lines()
    (tmp_path / "main.cf").write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    (tmp_path / "master.cf").write_text(MASTER.format(port=25))
    command = [program, "-c", str(tmp_path), "-n"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": SYSTEM})
    assert (told.returncode, told.stderr) == (0, "")
    assert named(told.stdout) == settings | {"config_directory": str(tmp_path)}
