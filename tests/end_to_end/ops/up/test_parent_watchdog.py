import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.ops.up import parent_watchdog
from pbem.ops.up.process import Part
from tests.support.left_out import left_out

SLEEPER = (sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)")
OWNER = """
import sys, time
from pathlib import Path
from pbem.ops.up.process import Part
run = Part("sleeper", tuple(sys.argv[3:]), Path(sys.argv[2]), bond=sys.argv[1]).start()
print(run.process.pid, flush=True)
time.sleep(60)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a bond of Linux")
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="left out: other accounts (as root)")
BONDS = (pytest.param(parent_watchdog.SIGNAL_BOND, marks=LINUX), parent_watchdog.WATCH_BOND)


def heard(log: Path, word: str) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if log.exists() and word in log.read_text():
            return True
        time.sleep(0.02)
    return False


def group_is_gone(group: int) -> bool:
    """Wait until nothing of the group lives: what is dead but not buried yet (Z) counts as gone."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        lines = subprocess.run(
            ("/bin/ps", "-A", "-o", "pgid=,stat="), capture_output=True, text=True, check=True
        ).stdout
        if not any(line.split()[0] == str(group) and "Z" not in line for line in lines.splitlines()):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("bond", BONDS)
def test_a_part_dies_with_its_killed_owner(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "sleeper.log"
    command = (sys.executable, "-c", OWNER, bond, str(log), *SLEEPER)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        sleeper = int(owner.stdout.readline())
        assert heard(log, "here")
        owner.kill()
    assert group_is_gone(sleeper)


@pytest.mark.parametrize("bond", BONDS)
def test_a_part_is_asked_to_stop_with_its_own_signal(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "polite.log"
    script = "import signal, sys; signal.signal(signal.SIGINT, lambda *_: sys.exit(7)); print('here', flush=True); "
    command = (sys.executable, "-c", f"{script} signal.pause()")
    run = Part("polite", command, log, stop_signal=signal.SIGINT, grace_seconds=30.0, bond=bond).start()
    assert heard(log, "here")
    run.stop()
    assert run.poll() == 7


@pytest.mark.parametrize("bond", BONDS)
def test_what_does_not_stop_is_killed_after_its_grace(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "stubborn.log"
    script = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True)"
    run = Part(
        "stubborn", (sys.executable, "-c", f"{script}; signal.pause()"), log, grace_seconds=0.2, bond=bond
    ).start()
    assert heard(log, "here")
    run.stop()
    assert run.poll() == -signal.SIGKILL
    assert group_is_gone(run.process.pid)


@pytest.mark.parametrize("waiting", ["unburied", "buried"])
def test_what_a_part_leaves_behind_is_killed_when_it_ends(
    tmp_path: Path,
    waiting: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if waiting == "buried":
        # Some machines cannot look at what has ended without burying it.
        monkeypatch.delattr(os, "waitid", raising=False)
    script = f"import subprocess; subprocess.Popen({SLEEPER!r}); import time; time.sleep(0.3)"
    run = Part("parent", (sys.executable, "-c", script), tmp_path / "log").start()
    assert heard(tmp_path / "log", "here")
    while run.poll() is None:
        time.sleep(0.02)
    assert group_is_gone(run.process.pid)


def tied(
    *command: str,
    account: str = parent_watchdog.OWN_ACCOUNT,
    bond: str = parent_watchdog.WATCH_BOND,
    parent: int | None = None,
) -> list[str]:
    """The command of a part, slower than the real one in that Python reads its usual settings."""
    owner = os.getpid() if parent is None else parent
    return [sys.executable, "-m", "pbem.ops.up.parent_watchdog", str(owner), account, bond, *command]


def run(command: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_exit_status_of_a_watched_program_is_passed_on() -> None:
    assert run(tied(sys.executable, "-c", "raise SystemExit(5)")).returncode == 5
    assert run(tied(sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")).returncode == 128 + 9


@LINUX
def test_a_bound_program_takes_the_place_of_what_bound_it() -> None:
    command = tied(sys.executable, "-c", "import os; print(os.getpid())", bond=parent_watchdog.SIGNAL_BOND)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.communicate()[0] == f"{process.pid}\n"


def test_a_program_that_is_not_there_is_named() -> None:
    for bond in (parent_watchdog.SIGNAL_BOND, parent_watchdog.WATCH_BOND):
        done = run(tied("/nowhere/postgres", bond=bond))
        assert (done.returncode, done.stderr) == (parent_watchdog.EXIT_CANNOT_RUN, "/nowhere/postgres does not exist\n")


def test_nothing_starts_when_the_parent_is_gone_already() -> None:
    for bond in (parent_watchdog.SIGNAL_BOND, parent_watchdog.WATCH_BOND):
        done = run(tied("/bin/echo", "started", bond=bond, parent=os.getpid() + 1))
        assert (done.returncode, done.stdout) == (parent_watchdog.EXIT_CANNOT_RUN, "")


def test_it_needs_no_more_of_python_than_is_always_there() -> None:
    assert run([*parent_watchdog.command_prefix(), "/bin/echo", "started"]).stdout == "started\n"


@LINUX
@ROOT
def test_in_a_namespace_root_looks_like_nobody_and_its_files_stay_its_own(tmp_path: Path) -> None:
    script = "import os, sys; open(sys.argv[1], 'w').close(); print(os.geteuid(), os.getegid())"
    file = tmp_path / "made"
    done = run(
        tied(
            sys.executable,
            "-c",
            script,
            str(file),
            account=parent_watchdog.NAMESPACE_ACCOUNT,
            bond=parent_watchdog.SIGNAL_BOND,
        ),
        tmp_path,
    )
    if "no user namespace" in done.stderr:
        left_out("user namespaces", "on a machine that allows them")
    assert done.stdout.split() == ["65534", "65534"]
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (0, 0o600)


@ROOT
def test_nobody_has_to_reach_the_folder_by_its_path(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    done = run(tied("/bin/echo", "started", account=parent_watchdog.NOBODY_ACCOUNT), tmp_path)
    assert (done.returncode, done.stdout) == (parent_watchdog.EXIT_CANNOT_RUN, "")
    assert done.stderr.startswith("cannot run as nobody: ")
