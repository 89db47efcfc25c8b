"""The way from an empty server: its files are there, and are taken by those who read them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.deploy.build_context import context
from tests.support.deploy.deploy_docs import CONTAINER
from tests.support.places import ROOT


def test_the_steps_of_the_image_make_a_program_that_runs(tmp_path: Path) -> None:
    """What the image is made by, done in a folder of this machine, with this machine's Python."""
    for line in (CONTAINER / "Containerfile").read_text().splitlines():
        step, _, rest = line.partition(" ")
        words = rest.replace("/opt/pbem", str(tmp_path)).replace("python -m venv", f"{sys.executable} -m venv")
        if step == "COPY":
            for name in context(ROOT):
                target = Path(words.split()[1]) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target)
        elif step == "RUN" and not words.startswith("useradd"):
            subprocess.run(["/bin/sh", "-c", words], check=True, cwd=tmp_path)
    bare = {"PATH": f"{tmp_path}/venv/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    for command, said in (
        ("pbem doctor", "DATABASE_URL is not set"),
        ("python -m pbem.db.upgrade", "DATABASE_URL is not set"),
        ("python -m workers.smtp_server", "DATABASE_URL is not set"),
        ("python -m workers.app", "DATABASE_URL is not set"),
        ("python -m workers.beat none", "DATABASE_URL is not set"),
    ):
        told = subprocess.run(command.split(), env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert said in told.stderr, (command, told.stdout, told.stderr)
    # Backups are made in a container, too.
    clients = "from pbem.ops.up.binaries import postgres_clients; print(postgres_clients(18))"
    asked = ["python", "-c", clients]
    found = subprocess.run(asked, env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
