"""`make audit`: ask whether one of the pinned libraries has a known vulnerability.

What is found fails, unless it stands in IGNORED with a reason. That nobody could be asked is said loudly, and passes: a
machine without a network has no vulnerability for it. `--smoke` asks about one library alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PINNED = Path(__file__).parents[1] / "constraints.txt"
IGNORED: dict[str, str] = {}
"""Vulnerabilities by their name that do not touch the service, and why not."""

_SECONDS = 600


def main(*more: str) -> int:
    """Ask about all that is pinned; gives the exit status. What `pip-audit` knows may be said besides."""
    options = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    options.add_argument("--smoke", action="store_true", help="ask about one library alone")
    wanted, besides = options.parse_known_args(more)
    if not wanted.smoke:
        return asked(PINNED, *besides)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as one:
        one.write(PINNED.read_text().partition("\n")[0])
        one.flush()
        return asked(Path(one.name), "--timeout", "5", *besides)


def asked(pinned: Path, *more: str) -> int:
    """Ask about the libraries of a file, and tell what was found; gives the exit status."""
    ignored = [word for name in IGNORED for word in ("--ignore-vuln", name)]
    asking = (
        "-r",
        pinned,
        "--no-deps",
        "--disable-pip",
        "--format",
        "json",
        "--progress-spinner",
        "off",
        *ignored,
        *more,
    )
    command = (sys.executable, "-m", "pip_audit", *map(str, asking))
    answer = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    try:
        libraries = json.loads(answer.stdout)["dependencies"]
    except (ValueError, KeyError):
        return said(0, f"NOTHING WAS AUDITED: nobody could be asked.\n{answer.stderr.strip()[-500:]}")
    return judged(libraries)


def judged(libraries: list[dict[str, Any]]) -> int:
    """Print what was found, and return the exit status."""
    unknown = [one["name"] for one in libraries if "skip_reason" in one]
    found = [(one, each) for one in libraries for each in one.get("vulns", ())]
    for one, each in found:
        mended = ", ".join(each["fix_versions"]) or "no version yet"
        said(1, f"{one['name']} {one['version']}: {each['id']}, mended in {mended}")
    if found:
        return 1
    if len(unknown) == len(libraries):
        return said(0, f"NOTHING WAS AUDITED: the index that could be asked knows none of {len(libraries)} libraries.")
    return said(
        0, f"{len(libraries) - len(unknown)} libraries audited, no known vulnerability; unknown: {unknown or 'none'}"
    )


def said(status: int, words: str) -> int:
    """Print something, and return the status that goes with it."""
    print(words, file=sys.stderr if status else sys.stdout)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
