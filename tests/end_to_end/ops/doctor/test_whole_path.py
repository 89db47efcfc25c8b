"""A mail that the service sends to itself, over its whole path; and `pbem doctor` as it is run."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from pbem.ops.doctor.report import check_names
from tests.support.live_service import environment
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.live_service import LiveService


# -- the command ---------------------------------------------------------------------------------------------------


def asked_for(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment(), cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_whole_service_is_well(live_service: LiveService, tmp_path: Path) -> None:
    found = live_service.settings()
    ours = {name: found[name] for name in found if name.startswith(("PBEM_", "DATABASE_", "REDIS_"))}
    file = tmp_path / "pbem.env"
    file.write_text("# settings\n\n" + "".join(f"{name}={value}\n" for name, value in ours.items()))
    file.chmod(0o600)
    command = [sys.executable, "-m", "pbem", "--settings", str(file), "doctor"]
    # Whether there is room on this machine's disk is nothing that a test knows.
    asked = subprocess.run(
        [*command, "--json", "--patience", "300", "--without", "disk"],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(asked.stdout)
    levels = {each["name"]: each["level"] for each in told["findings"]}
    assert levels.pop("clock") in {"pass", "warn"}
    assert (levels.pop("standby"), levels.pop("backup")) == ("warn", "warn")
    assert set(levels.values()) == {"pass"}, asked.stdout
    assert {*levels, "clock", "standby", "backup", "disk"} == {*check_names()}
    assert (told["level"], asked.returncode) == ("warn", 0)
    for each in told["findings"]:
        assert (each["todo"] is None) is (each["level"] == "pass")
    plain = asked_for(*command, "--without", "mail in")
    assert "\npass  worker: A worker ran a task" in plain.stdout
    assert "mail in" not in plain.stdout
