"""boardgame.io's server, started and played at beside ours; needs Node, and npm once to fetch it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sink import free_port

if TYPE_CHECKING:
    from collections.abc import Sequence

STORAGES = ("memory", "flatfile")
MATCHES = 8
HERE = Path(__file__).parent
_PATIENCE = 60


def ready(*, fetch: bool = True) -> str | None:
    """Fetch the server unless it is there or is not to be fetched; says why it cannot be measured, where that is so."""
    if (HERE / "node_modules" / "boardgame.io").is_dir() and shutil.which("node"):
        return None
    if not (shutil.which("node") and shutil.which("npm")):
        return "there is no Node here; with nodejs and npm installed, boardgame.io is measured beside ours"
    if not fetch:
        return "it was not fetched yet"
    command = ("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    return f"npm could not fetch boardgame.io: {done.stderr.strip()[-200:]}" if done.returncode else None


def rate(storage: str, folder: Path, seconds: float) -> float:
    """Let clients play matches at a server that keeps them in a way; returns moves per second."""
    port = str(free_port())
    # What was played before would make its files, and each move, larger.
    serve = _node("serve", storage, port, str(folder / f"boardgame-{port}"))
    with subprocess.Popen(serve, cwd=HERE, stdout=subprocess.PIPE, text=True) as server:
        try:
            next(line for line in server.stdout or () if "serving" in line)
            play = _node("play", port, str(MATCHES), str(seconds))
            done = subprocess.run(
                play, cwd=HERE, capture_output=True, text=True, check=True, timeout=seconds + _PATIENCE
            )
            return float(done.stdout.split()[-1])
        finally:
            server.kill()


def _node(*said: str) -> Sequence[str]:
    return (shutil.which("node") or "node", "peer.js", *said)
