"""Whether every command that measures still takes all its steps: `make smoke`.

Each program in the folders that are looked through, and each that the Makefile runs, is run with `--smoke`: with small
numbers, whose figures say nothing. Prints the seconds of each, and fails with the names of those that failed or have no
`--smoke`; the others are run all the same.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.clusters import prepare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
LOOKED_THROUGH = ("benchmarks", "deploy")
"""Folders in which each file that can be run is a command."""
PROGRAM = re.compile(r"^(?:def main\(|if __name__ == )", re.MULTILINE)
RUN = re.compile(r"^\t\$\(BIN\)/python ((?:-m )?\S+)", re.MULTILINE)
LEFT_OUT = re.compile(r"^.*(?:left out|NOTHING WAS AUDITED).*$", re.MULTILINE)
"""What a command says that could not do all of its steps here."""
PATIENCE = 120.0
MEMORY, ROOM = Path("/dev/shm"), 2_000_000_000  # noqa: S108 -- a folder with a name of its own is made in it
"""Where files wait for no disk, and the bytes that must be free there."""
LAST_LINES = 15


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one command."""

    name: str
    seconds: float
    failed: str
    said: str

    def lines(self) -> Iterator[str]:
        """Return what came of it, with its last words where it failed."""
        yield f"{self.seconds:6.1f} s  {self.name}" + (f"  FAILED: {self.failed}" if self.failed else "")
        told = self.said.splitlines()[-LAST_LINES:] if self.failed else LEFT_OUT.findall(self.said)
        yield from (f"            {line}" for line in told)


def found() -> dict[str, tuple[str, ...]]:
    """List the commands by their files, each as what Python is told to run."""
    files = {
        file.relative_to(ROOT).as_posix()
        for folder in LOOKED_THROUGH
        for file in (ROOT / folder).rglob("*.py")
        if PROGRAM.search(file.read_text())
    }
    commands = {file: ("-m", file.removesuffix(".py").removesuffix("/__main__").replace("/", ".")) for file in files}
    commands |= {file_of(words): tuple(words.split()) for words in RUN.findall((ROOT / "Makefile").read_text())}
    del commands[Path(__file__).relative_to(ROOT).as_posix()]
    return dict(sorted(commands.items()))


def file_of(words: str) -> str:
    """Find the file of a module or a script that Python is told to run."""
    flag, _, module = words.rpartition(" ")
    path = module.replace(".", "/")
    return module if not flag else f"{path}/__main__.py" if (ROOT / path).is_dir() else f"{path}.py"


def run(file: str, command: Sequence[str], environment: Mapping[str, str]) -> Run:
    """Run a command with `--smoke`, and end it where it takes too long."""
    begun, failed = time.monotonic(), ""
    with tempfile.TemporaryFile() as heard:
        with subprocess.Popen(
            (sys.executable, *command, "--smoke"),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=heard,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                status = process.wait(PATIENCE)
                failed = f"it ended with status {status}" if status else ""
            except subprocess.TimeoutExpired:
                failed = f"it had not ended after {PATIENCE:.0f} s"
                # What it has started goes with it.
                os.killpg(process.pid, signal.SIGKILL)
        heard.seek(0)
        said = heard.read().decode(errors="replace")
    return Run(file, time.monotonic() - begun, failed, said)


def quick() -> Path | None:
    """Find a folder for files that are soon gone: in memory, where there is room; None for the usual one."""
    usable = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if usable else None


def main() -> int:
    """Run all commands, or those whose names hold a word, and print what came of each; 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="run only commands whose files' names hold one")
    parser.add_argument("--jobs", type=int, default=1, help="so many at the same time")
    wanted = parser.parse_args()
    every = {file: command for file, command in found().items() if any(map(file.__contains__, wanted.words or [""]))}
    begun, failed = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="smoke-", dir=quick()) as folder, ThreadPoolExecutor(wanted.jobs) as beside:
        environment = {**os.environ, **prepare(Path(folder)), "TMPDIR": folder}
        for one in beside.map(partial(run, environment=environment), every.keys(), every.values()):
            print(*one.lines(), sep="\n", flush=True)
            failed += [one.name] if one.failed else []
    complaint = f"; FAILED: {', '.join(failed)}" if failed else ""
    print(f"{time.monotonic() - begun:6.1f} s  {len(every)} commands{complaint}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
