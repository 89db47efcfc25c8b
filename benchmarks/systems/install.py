"""Other mail systems to measure beside the service, each in an environment of its own: `make bench-peers`.

Mailman 3's core and Roundup are installed into `build/peers`, with the driver for PostgreSQL; both are GPL or ask for
libraries that the service does not want, and nothing of theirs is imported by it. `--smoke` only says what is missing.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.options import Options

FOLDER = Path(__file__).parents[2] / "build" / "peers"
PEERS = {
    "mailman": ("mailman==3.3.10", "psycopg2-binary==2.9.13"),
    "roundup": ("roundup==2.6.0", "psycopg2-binary==2.9.13"),
}
HOW = "`make bench-peers` installs it"


def programs(peer: str) -> Path:
    """Return the folder of a peer's programs."""
    return FOLDER / peer / "bin"


def missing(peer: str) -> str | None:
    """Print that a peer is left out and how to get it, where it is not installed."""
    return None if (programs(peer) / "installed").exists() else f"{peer} is left out: {HOW}"


def main() -> None:
    """Install the peers that are missing, or say which they are."""
    smoke = Options(__doc__).told().smoke
    for peer, packages in PEERS.items():
        complaint = missing(peer)
        if complaint and not smoke:
            complaint = install(peer, packages)
        print(complaint or f"{peer} is installed: {', '.join(packages)}")


def install(peer: str, packages: tuple[str, ...]) -> str | None:
    """Install a peer; says why not, where that fails."""
    venv = (sys.executable, "-m", "venv", str(FOLDER / peer))
    pip = (str(programs(peer) / "python"), "-m", "pip", "install", "--disable-pip-version-check", "-q", *packages)
    for command in (venv, pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{peer} is left out, it cannot be installed: {(done.stderr or done.stdout).strip()[-300:]}"
    (programs(peer) / "installed").touch()
    return None


if __name__ == "__main__":
    main()
